//! What a plugin process was started for, told by its name and arguments.

use std::ffi::OsStr;
use std::path::Path;

/// What a plugin process is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invocation {
    /// Serve the engine.
    Serve {
        /// Where the engine listens. None: the process was started by hand, and the engine attaches to it.
        engine_address: Option<String>,
    },
    /// Print this to standard output and end: a person has asked.
    Show(String),
    /// Print this to standard error and fail: nobody starts a plugin like that.
    Refuse(String),
}

impl Invocation {
    /// Reads the arguments of the plugin `name`, without the program's own name.
    ///
    /// The engine starts a plugin with `[--logtostderr] [-v=N] [--tracing ENDPOINT] HOST:PORT`. Flags that are not known
    /// are passed over, since later engines may have more of them.
    #[must_use]
    pub fn of<A: AsRef<str>>(name: &str, version: &str, arguments: &[A]) -> Self {
        let mut engine_address = None;
        let mut arguments = arguments.iter().map(AsRef::as_ref);
        while let Some(argument) = arguments.next() {
            match argument {
                "--version" | "-version" => return Self::Show(format!("{version}\n")),
                "--help" | "-help" | "-h" => return Self::Show(help(name, version)),
                "--tracing" | "-tracing" => drop(arguments.next()),
                flag if flag.starts_with('-') => {}
                word if is_address(word) => engine_address = Some(word.to_owned()),
                word => {
                    let problem = format!("pulumi-resource-{name} does not understand `{word}`.\n\n");
                    return Self::Refuse(problem + &help(name, version));
                }
            }
        }
        Self::Serve { engine_address }
    }
}

fn is_address(word: &str) -> bool {
    word.rsplit_once(':').is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
}

fn help(name: &str, version: &str) -> String {
    format!(
        "pulumi-resource-{name} {version} is a Pulumi plugin: the Pulumi engine starts it.\n\
         \n\
         Put it into a folder that is on PATH, or run\n\
         \x20   pulumi plugin install resource {name} {version} --file PATH-TO-THIS-PROGRAM\n\
         and use the package `{name}` in a program.\n\
         \n\
         Started by hand without arguments, it prints the port that it listens on, and serves engines that are told so by\n\
         \x20   PULUMI_DEBUG_PROVIDERS={name}:PORT\n\
         until it is interrupted.\n\
         \n\
         \x20   --version   print the version\n\
         \x20   --help      print this text\n"
    )
}

/// The name of the plugin that this process was started as: `sqlite` for `pulumi-resource-sqlite`.
///
/// One binary can be a plugin for several tools, under several names: symbolic links are not followed.
#[must_use]
pub fn plugin_name(program: Option<&OsStr>) -> Option<String> {
    let name = program.map(Path::new).and_then(Path::file_name)?.to_string_lossy();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    name.strip_prefix("pulumi-resource-").filter(|plugin| !plugin.is_empty()).map(str::to_owned)
}

/// Whether this process was started as a Pulumi plugin, told by the name it was called under.
#[must_use]
pub fn started_as_plugin() -> bool {
    plugin_name(std::env::args_os().next().as_deref()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(arguments: &[&str]) -> Invocation {
        Invocation::of("demo", "1.2.3", arguments)
    }

    fn serve(engine_address: Option<&str>) -> Invocation {
        Invocation::Serve { engine_address: engine_address.map(str::to_owned) }
    }

    #[test]
    fn the_engine_says_where_it_listens() {
        assert_eq!(of(&["127.0.0.1:4711"]), serve(Some("127.0.0.1:4711")));
        let flags = ["--logtostderr", "-v=9", "--tracing", "http://t:1", "--new=flag", "[::1]:1"];
        assert_eq!(of(&flags), serve(Some("[::1]:1")));
    }

    #[test]
    fn without_an_address_the_engine_attaches() {
        assert_eq!(of(&[]), serve(None));
        assert_eq!(of(&["--tracing", "t:1"]), serve(None));
        assert_eq!(of(&["--v=9:1"]), serve(None));
    }

    #[test]
    fn people_get_an_answer() {
        assert_eq!(of(&["--version"]), Invocation::Show("1.2.3\n".to_owned()));
        assert!(matches!(of(&["-h"]), Invocation::Show(text) if text.contains("PULUMI_DEBUG_PROVIDERS=demo:PORT")));
        let refused = of(&["install"]);
        assert!(
            matches!(&refused, Invocation::Refuse(text) if text.starts_with("pulumi-resource-demo does not understand `install`"))
        );
    }

    #[test]
    fn the_plugin_is_named_by_the_program() {
        let named = |program: &str| plugin_name(Some(OsStr::new(program)));
        assert_eq!(named("/usr/bin/pulumi-resource-sqlite").as_deref(), Some("sqlite"));
        assert_eq!(named("pulumi-resource-sqlite.exe").as_deref(), Some("sqlite"));
        assert_eq!(named("terraform-provider-sqlite"), None);
        assert_eq!(named("pulumi-resource-"), None);
        assert_eq!(plugin_name(None), None);
    }
}
