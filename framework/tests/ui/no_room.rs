use denobridge_framework::prelude::*;

#[derive(Model)]
struct Server {
    #[tf(computed)]
    id: Option<String>,
    name: String,
    #[tf(required, write_only)]
    password: Secret<String>,
}

fn main() {}
