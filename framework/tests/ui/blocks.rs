use denobridge_framework::prelude::*;

#[derive(Model)]
struct Disk {
    #[tf(blocks = "list")]
    part: Vec<Part>,
}

#[derive(Model)]
struct Part {
    #[tf(required)]
    size: i64,
}

#[derive(Model)]
struct Server {
    #[tf(required)]
    disk: Vec<Disk>,
    #[tf(blocks = "list")]
    name: Vec<String>,
}

fn main() {}
