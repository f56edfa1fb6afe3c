//! One engine for a whole run: a program around the host (`denobridge run -- terraform apply`) has the integrations, and the
//! provider processes of the run have it ask them.
//!
//! ```text
//! denobridge run ── Wrapper: engine, report, stages ◄── lines of JSON over a socket ── Remote ◄── Engine ◄── Hooks
//!      └─ terraform, pulumi ─ starts ─► provider processes ─────────────────────────────┘
//! ```
//!
//! A provider process knows values and makes the messages, each as far as an integration may see it. The wrapper knows the
//! integrations and the run: it numbers events, makes one stage of those of all providers ([`operation`]), and tells addresses
//! that Terraform says to it only ([`stream`]). Both read the same file, and make sure of that before anything is asked
//! ([`wire::Terms`]).

mod endpoint;
mod operation;
mod remote;
mod server;
mod stream;
mod wire;

pub use endpoint::Endpoint;
pub use remote::PATIENCE;
pub(crate) use remote::Remote;
pub use server::{Source, Tell, Wrapper, WrapperOptions};
pub use stream::{Located, Stream};
