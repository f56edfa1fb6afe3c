//! The words after `--` of `pulumi package add PLUGIN -- …`: the grammar of the Go plugin, and more paths than it takes for
//! paths. What names scripts is told from it here, and is for [`crate::typed`].

use clap::error::{ContextKind, ErrorKind};
use clap::{ArgAction, CommandFactory as _, FromArgMatches as _, Parser};
use denobridge_pulumi::PackageError;
use denobridge_registry::{Environment, is_local_path};
use denobridge_sdk_gen::Repairs;

use super::value::repairs_named;
use super::{View, Wanted, WantedProvider};
use crate::typed::folder::check_permission;
use crate::typed::{WantedScripts, is_url};

/// Set to something true, it shows options in the help that are for the makers of documentation.
const SHOW_ALL: &str = "PULUMI_DEV";

/// What the words ask for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// A Terraform provider.
    Provider(Parsed),
    /// A script, or a package of scripts.
    Scripts(WantedScripts),
}

/// What the words come to that ask for a provider.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parsed {
    pub(super) wanted: Wanted,
    /// A sentence for the user about words that have no effect.
    pub(super) notice: Option<String>,
}

/// Makes any Terraform provider, or scripts that describe themselves, a Pulumi package.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_version_flag = true)]
struct Words {
    /// An address, [HOSTNAME/][NAMESPACE/]TYPE, and the versions that will do, such as 3.6.3 or '~> 3.6'; or the path of a
    /// file whose name begins with terraform-provider-. Any other path, and any URL, is a script or a folder of scripts.
    #[arg(value_name = "PROVIDER [VERSION] | PATH | URL")]
    provider: Vec<String>,
    /// Terraform names of the resources, data sources and functions to include, separated by commas; all of them if nothing
    /// is said.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    include: Vec<String>,
    /// Terraform names of those to leave out.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    exclude: Vec<String>,
    /// What to call the package, if not as the provider or as the scripts' package says.
    #[arg(long, visible_alias = "name", value_name = "NAME")]
    provider_name: Option<String>,
    /// A permission that scripts ask for beside those in their denobridge.json, such as read=/srv. May be repeated.
    #[arg(long, value_name = "PERMISSION")]
    allow: Vec<String>,
    /// What to do better than Pulumi's own terraform-provider plugin: `all`, `none`, or names separated by commas.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "all")]
    repairs: Vec<String>,
    /// Documentation of the whole provider (no effect: it is what the provider's schema says).
    #[arg(long = "fullDocs", num_args = 0..=1, require_equals = true, default_missing_value = "true", action = ArgAction::Set)]
    full_docs: Option<bool>,
    /// The provider's repository (no effect: documentation is what the provider's schema says).
    #[arg(long = "upstreamRepoPath", value_name = "FOLDER")]
    upstream_repo_path: Option<String>,
    /// A folder for _index.md (no effect: none is written).
    #[arg(long = "indexDocOutDir", value_name = "FOLDER")]
    index_doc_out_dir: Option<String>,
}

/// Reads the words given to the plugin of that name, which takes scripts or does not.
///
/// # Errors
/// They ask for help, or make no sense.
pub(super) fn parse(
    plugin: &str,
    takes_scripts: bool,
    words: &[String],
    environment: &Environment,
) -> Result<Asked, PackageError> {
    let mut command = command(plugin, takes_scripts, environment);
    let parsed = command.try_get_matches_from_mut(words).and_then(|matches| Words::from_arg_matches(&matches));
    let words = parsed.map_err(|error| PackageError::InvalidParameter(text(error)))?;
    let usage = command.render_usage();
    let refuse = |problem| PackageError::InvalidParameter(format!("{problem}\n\n{usage}"));
    if takes_scripts && words.provider.first().is_some_and(|word| is_of_scripts(word)) {
        return words.scripts().map(Asked::Scripts).map_err(refuse);
    }
    words.check().map_err(refuse)?;
    Ok(Asked::Provider(Parsed { notice: words.notice(plugin), wanted: words.wanted().map_err(refuse)? }))
}

fn command(plugin: &str, takes_scripts: bool, environment: &Environment) -> clap::Command {
    let shows_all = environment.variable(SHOW_ALL).is_some_and(|value| matches!(value, "1" | "true"));
    let mut usage = format!(
        "pulumi package add {plugin} -- [OPTIONS] PROVIDER [VERSION]\n       pulumi package add {plugin} -- [OPTIONS] PATH"
    );
    let mut command = Words::command();
    if takes_scripts {
        usage.push_str(&format!("\n       pulumi package add {plugin} -- [OPTIONS] URL"));
    } else {
        command = command.about("Makes any Terraform provider a Pulumi package");
        command = command.mut_arg("allow", |argument| argument.hide(true));
        command = command.mut_arg("provider", |argument| {
            argument.value_name("PROVIDER [VERSION] | PATH").help(
                "An address, [HOSTNAME/][NAMESPACE/]TYPE, and the versions that will do, such as 3.6.3 or '~> 3.6'; or the path of a file whose name begins with terraform-provider-",
            )
        });
    }
    for hidden in ["full_docs", "upstream_repo_path", "index_doc_out_dir"] {
        command = command.mut_arg(hidden, |argument| argument.hide(!shows_all));
    }
    command.override_usage(usage)
}

/// What clap says. Pulumi puts `error:` before it.
fn text(mut error: clap::Error) -> String {
    // It advises to write `--` before what is no option; here that makes no path or address of it.
    error.remove(ContextKind::Suggested);
    let said = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp => format!("help was asked for, so nothing was added.\n\n{}", said.trim_end()),
        _ => said.strip_prefix("error: ").unwrap_or(&said).trim_end().to_owned(),
    }
}

impl Words {
    fn is_local(&self) -> bool {
        self.provider.first().is_some_and(|word| is_path(word))
    }

    /// What is asked for when the first word names scripts.
    fn scripts(self) -> Result<WantedScripts, String> {
        let [location] = self.provider.as_slice() else {
            return Err(format!("scripts have no version after their path or URL, found {:?}", &self.provider[1..]));
        };
        let only_providers = [
            (!self.include.is_empty(), "--include"),
            (!self.exclude.is_empty(), "--exclude"),
            (self.repairs != ["all"], "--repairs"),
            (self.full_docs.is_some(), "--fullDocs"),
            (self.upstream_repo_path.is_some(), "--upstreamRepoPath"),
            (self.index_doc_out_dir.is_some(), "--indexDocOutDir"),
        ];
        if let Some((_, option)) = only_providers.into_iter().find(|(given, _)| *given) {
            return Err(format!("{option} only applies to Terraform providers, and {location} names scripts"));
        }
        for entry in &self.allow {
            check_permission(entry).map_err(|problem| format!("--allow: {problem}"))?;
        }
        let name = self.provider_name.filter(|name| !name.is_empty());
        Ok(WantedScripts { location: location.clone(), name, allow: self.allow })
    }

    fn check(&self) -> Result<(), String> {
        let count = self.provider.len();
        if !self.allow.is_empty() {
            return Err("--allow only applies to scripts: a Terraform provider may do everything".to_owned());
        }
        if !(1..=2).contains(&count) {
            return Err(format!("accepts between 1 and 2 arg(s), received {count}"));
        }
        if !self.is_local() {
            let only_local = "upstreamRepoPath only applies to local providers".to_owned();
            return if self.upstream_repo_path.is_some() { Err(only_local) } else { Ok(()) };
        }
        if count > 1 {
            return Err(format!("local providers only accept one argument, found {count}"));
        }
        if self.full_docs == Some(true) {
            return Err("fullDocs only applies to remote providers".to_owned());
        }
        Ok(())
    }

    fn notice(&self, plugin: &str) -> Option<String> {
        let given = [
            (self.full_docs == Some(true), "--fullDocs"),
            (self.upstream_repo_path.is_some(), "--upstreamRepoPath"),
            (self.index_doc_out_dir.is_some(), "--indexDocOutDir"),
        ];
        let given: Vec<_> = given.into_iter().filter(|(given, _)| *given).map(|(_, option)| option).collect();
        let which = given.join(" and ");
        (!given.is_empty()).then(|| {
            format!("{which} has no effect: documentation made by {plugin} is what the provider's schema says")
        })
    }

    fn wanted(self) -> Result<Wanted, String> {
        let is_local = self.is_local();
        let repairs = match self.repairs.as_slice() {
            [word] if word == "all" => Repairs::all(),
            [word] if word == "none" => Repairs::none(),
            names => repairs_named(names)?,
        };
        let mut positionals = self.provider.into_iter();
        let first = positionals.next().unwrap_or_default();
        let provider = match is_local {
            true => WantedProvider::Local { path: first },
            false => WantedProvider::Remote {
                address: first,
                versions: positionals.next().unwrap_or_default(),
                hashes: Vec::new(),
            },
        };
        let names = |given: Vec<String>| {
            let trimmed = given.into_iter().map(|name| name.trim().to_owned());
            trimmed.filter(|name| !name.is_empty()).collect()
        };
        let view = View {
            includes: names(self.include),
            excludes: names(self.exclude),
            package: self.provider_name.filter(|name| !name.is_empty()),
            repairs,
        };
        Ok(Wanted { provider, view })
    }
}

/// Whether a word names scripts and no provider: a URL, or a path whose last part does not begin as providers' files do.
fn is_of_scripts(word: &str) -> bool {
    is_url(word) || (is_path(word) && !is_local_path(word))
}

/// Whether a word is a path and no address. The Go plugin looks at the first character only; an address can neither hold a
/// backslash, nor begin with a drive, a tilde or a dot, nor end in a file name of a provider.
fn is_path(word: &str) -> bool {
    let has_drive = word.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) && word[1..].starts_with(":\\")
        || word.get(1..3) == Some(":/");
    word.starts_with(['.', '/', '~']) || word.contains('\\') || has_drive || is_local_path(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(plugin: &str, words: &[&str]) -> Result<Asked, String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let environment = Environment::new([], "/srv/project");
        super::parse(plugin, plugin == "denobridge", &words, &environment).map_err(|error| error.to_string())
    }

    fn parse(words: &[&str]) -> Result<Parsed, String> {
        match asked("terraform-provider", words)? {
            Asked::Provider(parsed) => Ok(parsed),
            Asked::Scripts(wanted) => Err(format!("scripts: {wanted:?}")),
        }
    }

    fn wanted(words: &[&str]) -> Wanted {
        parse(words).unwrap().wanted
    }

    #[test]
    fn scripts_are_told_from_providers() {
        for location in [
            "./infra",
            "../infra/bucket.ts",
            "/srv/infra",
            "~/infra",
            r".\infra",
            r"C:\infra",
            "https://example.org/infra/denobridge.json",
            "file:///srv/infra",
            "jsr:@acme/infra",
            "npm:@acme/infra",
        ] {
            let scripts = WantedScripts { location: location.to_owned(), ..WantedScripts::default() };
            assert_eq!(asked("denobridge", &[location]), Ok(Asked::Scripts(scripts)), "{location}");
            assert!(matches!(asked("terraform-provider", &[location]), Ok(Asked::Provider(_))), "{location}");
        }
        for provider in ["random", "hashicorp/random", "./terraform-provider-x", "bin/terraform-provider-x"] {
            assert!(matches!(asked("denobridge", &[provider]), Ok(Asked::Provider(_))), "{provider}");
        }
        let all = asked("denobridge", &["--name", "mine", "./infra", "--allow", "read=/srv", "--allow=env"]);
        let allow = vec!["read=/srv".to_owned(), "env".to_owned()];
        let (location, name) = ("./infra".to_owned(), Some("mine".to_owned()));
        assert_eq!(all, Ok(Asked::Scripts(WantedScripts { location, name, allow })));
    }

    #[test]
    fn what_makes_no_sense_for_scripts_is_told() {
        let wrong = [
            asked("denobridge", &["./infra", "1.0.0"]),
            asked("denobridge", &["./infra", "--include", "a"]),
            asked("denobridge", &["./infra", "--allow", "--allow-read"]),
            asked("denobridge", &["random", "--allow", "read"]),
        ];
        insta::assert_snapshot!(wrong.map(Result::unwrap_err).join("\n--\n"));
    }

    fn remote(address: &str, versions: &str) -> WantedProvider {
        WantedProvider::Remote { address: address.to_owned(), versions: versions.to_owned(), hashes: Vec::new() }
    }

    #[test]
    fn paths_are_told_from_addresses() {
        for path in [
            "./terraform-provider-x",
            "../x",
            "/opt/x",
            "~/x",
            "terraform-provider-x",
            "dir/terraform-provider-x",
            r"C:\providers\x.exe",
            "C:/providers/x.exe",
            r"\\server\share\x",
            r"bin\x",
        ] {
            assert_eq!(wanted(&[path]).provider, WantedProvider::Local { path: path.to_owned() }, "{path}");
        }
        for address in ["random", "hashicorp/random", "localhost:8080/acme/x", "é/x"] {
            assert_eq!(wanted(&[address]).provider, remote(address, ""), "{address}");
        }
    }

    #[test]
    fn options_stand_anywhere_and_add_up() {
        let wanted = wanted(&[
            "--include",
            "a_b,a_c",
            "acme/a",
            "--exclude=a_d",
            "~> 1.2",
            "--include=a_e",
            "--provider-name",
            "mine",
            "--repairs=tuples",
        ]);
        assert_eq!(wanted.provider, remote("acme/a", "~> 1.2"));
        assert_eq!(wanted.view.includes, ["a_b", "a_c", "a_e"]);
        assert_eq!((wanted.view.excludes, wanted.view.package), (vec!["a_d".to_owned()], Some("mine".to_owned())));
        assert_eq!(wanted.view.repairs, Repairs::from_iter([denobridge_sdk_gen::Repair::Tuples]));
        assert_eq!(super::tests::wanted(&["a/b", "--include="]).view, View::default());
        assert_eq!(super::tests::wanted(&["a/b", "--repairs", "none"]).view.repairs, Repairs::none());
    }

    #[test]
    fn options_of_the_go_plugin_for_documentation_are_taken() {
        let notice = |words: &[&str]| parse(words).unwrap().notice;
        assert_eq!(notice(&["a/b", "--fullDocs=false"]), None);
        insta::assert_snapshot!(notice(&["a/b", "--fullDocs", "--indexDocOutDir", "x"]).unwrap(), @"--fullDocs and --indexDocOutDir has no effect: documentation made by terraform-provider is what the provider's schema says");
        assert!(notice(&["./x", "--upstreamRepoPath=y"]).is_some());
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        let told = [
            &[][..],
            &["a/b", "1", "2"],
            &["./x", "1"],
            &["./x", "--fullDocs"],
            &["a/b", "--upstreamRepoPath", "x"],
            &["a/b", "--unknown"],
            &["a/b", "--repairs", "some"],
        ]
        .map(|words| parse(words).unwrap_err());
        insta::assert_snapshot!(told.join("\n---\n"));
    }

    #[test]
    fn help_is_given() {
        let help = |plugin| asked(plugin, &["--help"]).unwrap_err();
        insta::assert_snapshot!([help("denobridge"), help("terraform-provider")].join("\n---\n"));
        let environment = Environment::new([(SHOW_ALL.to_owned(), "true".to_owned())], "/work");
        let all = super::parse("denobridge", true, &["-h".to_owned()], &environment).unwrap_err().to_string();
        assert!(all.contains("--upstreamRepoPath <FOLDER>"), "{all}");
    }
}
