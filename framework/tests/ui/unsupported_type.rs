use denobridge_framework::prelude::*;

#[derive(Model)]
struct Server {
    #[tf(required)]
    started: std::time::Instant,
}

fn main() {}
