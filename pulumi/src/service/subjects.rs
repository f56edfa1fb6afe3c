//! Whom a request is about. All requests about resources and providers say it in the same three fields.

use tokio_util::sync::CancellationToken;

use super::Shared;
use crate::errors::Failure;
use crate::lifecycle::{Operation, Subject};
use crate::proto::pulumirpc::*;

/// A request about a resource or a provider.
pub(super) trait About {
    fn subject(&self) -> Subject;
}

macro_rules! about {
    ($($request:ident)*) => {
        $(
            impl About for $request {
                fn subject(&self) -> Subject {
                    Subject::new(self.urn.clone(), self.name.clone(), self.r#type.clone())
                }
            }
        )*
    };
}

about! { CheckRequest DiffRequest CreateRequest ReadRequest UpdateRequest DeleteRequest }

impl About for ConfigureRequest {
    fn subject(&self) -> Subject {
        let text = |field: &Option<String>| field.clone().unwrap_or_default();
        Subject::new(text(&self.urn), text(&self.name), text(&self.r#type))
    }
}

impl Shared {
    /// The operation that a request asks for. `timeout` is the user's limit in seconds; 0 means none.
    pub(super) async fn operation(
        &self,
        verb: &'static str,
        token: CancellationToken,
        request: &impl About,
        timeout: f64,
    ) -> Result<Operation, Failure> {
        let subject = request.subject();
        let call = self.general_call(token.clone());
        // An older engine does not say in Configure which provider it means.
        let package = match subject.package() {
            "" => self.packages.latest(&call).await?,
            name => self.packages.named(&call, Some(name)).await?,
        };
        let surroundings = self.surroundings(token, timeout);
        if subject.is_provider() {
            return Ok(Operation::on_provider(verb, package, subject, surroundings));
        }
        self.require_configured()?;
        Operation::on_resource(verb, package, subject, surroundings)
    }
}
