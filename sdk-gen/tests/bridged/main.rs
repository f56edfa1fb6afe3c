//! Foreign providers: what the Go dynamic bridge made of real ones is compared with what we make.

mod difference;
mod goldens;
mod pairs;
mod repairs;
mod wire;
