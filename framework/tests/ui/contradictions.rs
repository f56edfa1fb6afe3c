use denobridge_framework::prelude::*;

#[derive(Model)]
struct RequiredAndComputed {
    #[tf(required, computed)]
    id: Tf<String>,
}

#[derive(Model)]
struct RequiredDefault {
    #[tf(required, default = 1)]
    size: i64,
}

#[derive(Model)]
struct ComputedDefault {
    #[tf(computed, default = 1)]
    size: Tf<i64>,
}

#[derive(Model)]
struct WriteOnlyDefault {
    #[tf(write_only, default = "x")]
    password: Tf<String>,
}

#[derive(Model)]
struct UnknownWord {
    #[tf(requird)]
    name: Tf<String>,
}

#[derive(Model)]
enum NotAStruct {}

fn main() {}
