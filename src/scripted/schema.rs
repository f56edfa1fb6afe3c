//! The schemas of the embedded provider. Names and types are those of the Deno bridge for Terraform, so that
//! configurations and states fit both.

use std::sync::Arc;

use denobridge_core::cty::Type;
use denobridge_core::schema::{Annotations, Attribute, Block, Description, DescriptionKind, Nesting, Schema};

use crate::deno::limits::setting;
use crate::integrations;

fn described(mut attribute: Attribute, text: &str) -> Attribute {
    attribute.description = Description { text: text.to_owned(), kind: DescriptionKind::Markdown };
    attribute
}

fn required(attribute: Attribute, text: &str) -> Attribute {
    Attribute { required: true, ..described(attribute, text) }
}

fn optional(attribute: Attribute, text: &str) -> Attribute {
    Attribute { optional: true, ..described(attribute, text) }
}

fn computed(attribute: Attribute, text: &str) -> Attribute {
    Attribute { computed: true, ..described(attribute, text) }
}

/// A value of the script's own shape: dynamic to Terraform, and to Pulumi a map of anything, since the contract makes it an
/// object. Programs in Pulumi YAML may look into a map, not into a value of which nothing is known.
fn free_form(name: &str) -> Attribute {
    let annotations = Annotations { union_of: vec![Type::map(Type::Dynamic)], ..Annotations::default() };
    Attribute { annotations: Some(Arc::new(annotations)), ..Attribute::new(name, Type::Dynamic) }
}

fn schema(attributes: Vec<Attribute>, text: &str) -> Schema {
    let description = Description { text: text.to_owned(), kind: DescriptionKind::Markdown };
    Schema { version: 0, block: Block { attributes, description, ..Block::default() } }
}

/// The provider's own configuration.
pub(crate) fn provider() -> Schema {
    let number = |name: &str, text: &str| optional(Attribute::new(name, Type::Number), text);
    let limits = vec![
        number(
            setting::START,
            "How long a script may take to start, in seconds: from starting Deno to the answer to `health`. \
             Default 60, since a first start may download the script's dependencies.",
        ),
        number(setting::CALL, "How long a single call to a script may take, in seconds; 0 for no limit. Default 1800."),
        number(
            setting::STOP,
            "How long a script may take to end after `shutdown`, in seconds; then it is killed. Default 5.",
        ),
        number(setting::IDLE, "How long a script without calls is kept running, in seconds. Default 60."),
        number(
            setting::DOWNLOAD,
            "How long it may take to find and download a Deno, in seconds, where that is needed. Default 300.",
        ),
        number(
            setting::MESSAGE_BYTES,
            "The longest message that is read from a script, in bytes. Default 268435456 (256 MiB).",
        ),
        number(setting::PROCESSES, "How many processes of one script may run at once. Default 16."),
    ];
    schema(
        vec![
            optional(
                Attribute::new("deno_binary_path", Type::String),
                "The Deno executable; a bare name is looked up on PATH. Without it, the environment variable \
                 `DENOBRIDGE_DENO`, `deno` on PATH, and a downloaded one are used.",
            ),
            optional(
                Attribute::new("deno_version", Type::String),
                "The version of Deno that scripts need: a release such as `v2.1.4`, a range such as `^2.1` or \
                 `>=2.1, <2.4`, or `latest` for the newest release. Without it, any from 2.0.0 on. Says nothing beside \
                 `deno_binary_path`.",
            ),
            optional(
                Attribute::new("deno_download", Type::Bool),
                "Whether a Deno may be downloaded when none on this machine will do. Default true.",
            ),
            optional(
                Attribute::new("deno_mirror", Type::String),
                "Where to download Deno from instead of GitHub: an address below which the files of a release are at \
                 `v2.1.4/deno-x86_64-unknown-linux-gnu.zip`, each with its `.sha256sum`. Also the environment variable \
                 `DENOBRIDGE_DENO_MIRROR`.",
            ),
            optional(
                Attribute::new("inherit_environment", Type::list(Type::String)),
                "The environment variables that scripts get beside those that Deno itself needs; a name that ends with \
                 `*` stands for all that start so. Without it, all.",
            ),
            optional(
                Attribute::new("fresh_processes", Type::Bool),
                "Whether each call of a script gets a process of its own. Default false: processes are kept and used again.",
            ),
            optional(
                Attribute::new("transport", Type::String),
                "How scripts are spoken to that have no `transport` of their own: `jsonrpc` over standard input and output, \
                 `http` for scripts that are written for `deno serve`, or `auto`, the default, to find out.",
            ),
            optional(
                Attribute::nested("remote", Nesting::Single, remote()),
                "Scripts that run on another machine: those whose `path` is below `url` are not downloaded and run here, \
                 but called there over HTTP.",
            ),
            optional(
                free_form("config"),
                "What scripts are told that ask to be configured: anything, such as an address or a region. A change of it \
                 is no change of what the scripts manage.",
            ),
            Attribute {
                sensitive: true,
                ..optional(
                    free_form("sensitive_config"),
                    "The secret part of that, such as a token. It is kept out of logs and messages.",
                )
            },
            optional(
                Attribute::nested("limits", Nesting::Single, limits),
                "Bounds on what scripts may take, in time, memory and processes.",
            ),
            optional(
                Attribute::new(integrations::SETTING, Type::String),
                "A file that declares integrations, which are asked about what this provider is to do, from where the command \
                 is started. The environment variable `DENOBRIDGE_INTEGRATIONS` goes before it.",
            ),
        ],
        "Manages anything that a Deno script can manage.",
    )
}

/// What every kind of component has: which script it is, what it is asked, and what it may do.
fn script(props: &str) -> Vec<Attribute> {
    vec![
        required(
            Attribute::new("path", Type::String),
            "The script: a path from the working directory, or anything that Deno itself resolves (`file:`, `https:`, \
             `jsr:`, `npm:`).",
        ),
        optional(free_form("props"), props),
        optional(
            Attribute::new("config_file", Type::String),
            "The Deno configuration to run the script with. Without it Deno looks for one itself, from the script's \
             folder upward; `/dev/null` is for none.",
        ),
        optional(
            Attribute::nested("permissions", Nesting::Single, permissions()),
            "What Deno lets the script do. Without it: nothing.",
        ),
        optional(
            Attribute::new("transport", Type::String),
            "How the script is spoken to: `jsonrpc` over standard input and output, `http` if it is written for \
             `deno serve`, or `auto` to find out. Without it, what the provider's configuration says, by default `auto`.",
        ),
    ]
}

/// What a script found, and its secret part.
fn results() -> [Attribute; 2] {
    [
        computed(free_form("result"), "What the script found."),
        Attribute {
            sensitive: true,
            ..computed(free_form("sensitive_result"), "The part of what the script found that is not shown.")
        },
    ]
}

fn remote() -> Vec<Attribute> {
    vec![
        required(Attribute::new("url", Type::String), "The address that the scripts are below: `https://…/`."),
        Attribute {
            sensitive: true,
            ..optional(Attribute::new("token", Type::String), "Sent there, and nowhere else, as a bearer token.")
        },
    ]
}

/// `denobridge_resource`.
pub(super) fn resource() -> Schema {
    let mut attributes =
        script("The desired state of the object, as the script defines it. Without it the script gets `{}`.");
    attributes.extend([
        Attribute {
            write_only: true,
            ..optional(
                free_form("write_only_props"),
                "Further props that are given to the script and never stored. That they have changed is noticed by a \
                 salted hash.",
            )
        },
        computed(
            Attribute::new("write_only_props_version", Type::Number),
            "Goes up by one whenever `write_only_props` has changed.",
        ),
        computed(free_form("state"), "What the script says of the object beside its props."),
        Attribute {
            sensitive: true,
            ..computed(free_form("sensitive_state"), "The part of the state that is not shown.")
        },
        computed(Attribute::new("id", Type::String), "What the script calls the object."),
        optional(
            Attribute::new("detect_script_changes", Type::Bool),
            "Whether another content of the file that `path` names is a change of the object, so that the script's \
             `update` is called. Modules that it imports do not count. Default false.",
        ),
        computed(
            Attribute::new("script_digest", Type::String),
            "With `detect_script_changes`: a digest of the script that last worked on the object.",
        ),
    ]);
    schema(attributes, "An object whose life a script manages.")
}

/// `denobridge_datasource`.
pub(super) fn data_source() -> Schema {
    let mut attributes = script("What the script is asked for. Without it the script gets `{}`.");
    attributes.extend(results());
    schema(attributes, "Something that a script looks up.")
}

/// `denobridge_ephemeral_resource`.
pub(super) fn ephemeral_resource() -> Schema {
    let mut attributes = script("What the script is asked for. Without it the script gets `{}`.");
    attributes.extend(results());
    schema(
        attributes,
        "Something that a script opens for the time of a run and that is stored nowhere, such as a token.",
    )
}

/// The list resource `denobridge_resource`.
pub(super) fn list_resource() -> Schema {
    schema(
        script("What is searched for, as the script defines it. Without it the script gets `{}`."),
        "Existing objects that a script finds.",
    )
}

/// `denobridge_action`.
pub(super) fn action() -> Schema {
    schema(
        script("What the script is told for what it is to do. Without it the script gets `{}`."),
        "Something that a script does when it is asked to.",
    )
}

/// What Deno lets a script do.
pub(crate) fn permissions() -> Vec<Attribute> {
    let list = |name: &str, text: &str| optional(Attribute::new(name, Type::list(Type::String)), text);
    vec![
        optional(Attribute::new("all", Type::Bool), "Everything that `deny` does not take away again."),
        list("allow", "Deno permissions without their dashes, such as `read`, `net=example.com:443` or `env=HOME`."),
        list("deny", "Permissions to take away; they win over `allow` and `all`."),
    ]
}
