//! The kinds of scripts that are no resources: each is asked for what it is for, once.

use denobridge_core::cty::{Type, Value};
use denobridge_core::diagnostics::Diagnostic;
use denobridge_framework::host::{Host, ListedObject};

use super::arguments::{Kind, Wanted};
use super::findings::Findings;
use super::show;
use crate::scripted::{ACTION, DATA_SOURCE, EPHEMERAL_RESOURCE, FUNCTION, RESOURCE};

/// How many objects a list is asked for, as Terraform asks by itself.
const LIST_LIMIT: i64 = 100;

/// Who asks the script.
#[derive(Clone, Copy)]
pub(super) struct Hosts<'h> {
    pub(super) host: &'h Host,
    /// The same, also after an interruption: what is open must be closed.
    pub(super) uncancelled: &'h Host,
}

/// Runs a script of a kind that has no state. `name` is what messages call the instance.
///
/// # Errors
/// The arguments do not fit the kind.
pub(super) async fn run(
    hosts: Hosts<'_>,
    findings: &mut Findings<'_>,
    kind: Kind,
    name: &str,
    wanted: &Wanted,
) -> Result<(), Diagnostic> {
    let host = hosts.host;
    let nothing = Value::object::<&str>([]);
    let written = wanted.configurations.first().unwrap_or(&nothing);
    match kind {
        Kind::Datasource => data_source(host, findings, name, written).await,
        Kind::Ephemeral => ephemeral(hosts, findings, name, written).await,
        Kind::Action => action(host, findings, name, written).await,
        Kind::List => list(host, findings, name, written).await,
        Kind::Function => function(host, findings, wanted).await,
        // Driven through its life instead.
        Kind::Resource => Ok(()),
    }
}

/// The configuration that the user wrote, in the form of a kind's schema.
macro_rules! configured {
    ($component:ident, $findings:ident, $written:ident) => {
        match $component.config($written) {
            Ok(config) => config,
            Err(diagnostics) => {
                $findings.printer.diagnostics(&diagnostics);
                $findings.fail("configuration", "the configuration does not fit");
                return Ok(());
            }
        }
    };
}

async fn data_source(host: &Host, findings: &mut Findings<'_>, name: &str, written: &Value) -> Result<(), Diagnostic> {
    let source = host.data_source(DATA_SOURCE, name)?;
    let config = configured!(source, findings, written);
    findings.printer.heading("read");
    if let Some(Some(state)) = findings.value("read", source.read(&config).await) {
        findings.printer.good("read");
        findings.printer.learned(&source.marked(&config), &source.marked(&state));
    }
    Ok(())
}

async fn ephemeral(
    hosts: Hosts<'_>,
    findings: &mut Findings<'_>,
    name: &str,
    written: &Value,
) -> Result<(), Diagnostic> {
    let resource = hosts.host.ephemeral_resource(EPHEMERAL_RESOURCE, name)?;
    let config = configured!(resource, findings, written);
    findings.printer.heading("open");
    let Some(Some(mut open)) = findings.value("open", resource.open(&config).await) else { return Ok(()) };
    findings.printer.good("opened");
    findings.printer.learned(&resource.marked(&config), &resource.marked(&open.value));
    if open.renew_at.is_some() {
        findings.printer.heading("renew, without waiting for the time that it asked for");
        let step = resource.renew(open).await;
        if findings.heard("renew", &step.report) {
            findings.printer.good("renewed");
        }
        open = step.value;
    }
    findings.printer.heading("close");
    let resource = hosts.uncancelled.ephemeral_resource(EPHEMERAL_RESOURCE, name)?;
    if findings.value("close", resource.close(open).await).is_some() {
        findings.printer.good("closed");
    }
    Ok(())
}

async fn action(host: &Host, findings: &mut Findings<'_>, name: &str, written: &Value) -> Result<(), Diagnostic> {
    let action = host.action(ACTION, name)?;
    let config = configured!(action, findings, written);
    findings.printer.heading("invoke");
    if findings.value("invoke", action.invoke(&config).await).is_some() {
        findings.printer.good("done");
    }
    Ok(())
}

async fn list(host: &Host, findings: &mut Findings<'_>, name: &str, written: &Value) -> Result<(), Diagnostic> {
    let list = host.list_resource(RESOURCE, name)?;
    let resource = host.resource(RESOURCE, name)?;
    let config = configured!(list, findings, written);
    findings.printer.heading("list");
    let step = list.list(&config, true, LIST_LIMIT).await;
    for ListedObject { identity, display_name, object } in &step.value {
        findings.printer.note(&format!("{display_name}: {}", show::value(identity)));
        if let Some(object) = object {
            let state = |name: &str| resource.marked(object).attribute(name).map(show::value).unwrap_or_default();
            findings.printer.note(&format!("  props = {}, state = {}", state("props"), state("state")));
        }
    }
    if findings.heard("list", &step.report) {
        findings.printer.good(&format!("found {}", step.value.len()));
    }
    Ok(())
}

async fn function(host: &Host, findings: &mut Findings<'_>, wanted: &Wanted) -> Result<(), Diagnostic> {
    let function = host.function(FUNCTION)?;
    findings.printer.heading("call");
    if let Some(result) = findings.value("call", function.call(&wanted.call).await) {
        let result = result.unwrap_or_else(|| Value::null(Type::Dynamic));
        findings.printer.good(&format!("returned {}", show::value(&result)));
    }
    Ok(())
}
