//! The words after `--` of `pulumi package add PLUGIN -- …`: the grammar of the Go plugin, and more paths than it takes for
//! paths.

use clap::error::{ContextKind, ErrorKind};
use clap::{ArgAction, CommandFactory as _, FromArgMatches as _, Parser};
use denobridge_pulumi::PackageError;
use denobridge_registry::{Environment, is_local_path};
use denobridge_sdk_gen::Repairs;

use super::value::repairs_named;
use super::{View, Wanted, WantedProvider};

/// Set to something true, it shows options in the help that are for the makers of documentation.
const SHOW_ALL: &str = "PULUMI_DEV";

/// What the words come to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parsed {
    pub(super) wanted: Wanted,
    /// A sentence for the user about words that have no effect.
    pub(super) notice: Option<String>,
}

/// Makes any Terraform provider a Pulumi package.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_version_flag = true)]
struct Words {
    /// An address, [HOSTNAME/][NAMESPACE/]TYPE, and the versions that will do, such as 3.6.3 or '~> 3.6'; or the path of a
    /// file whose name begins with terraform-provider-.
    #[arg(value_name = "PROVIDER [VERSION] | PATH")]
    provider: Vec<String>,
    /// Terraform names of the resources, data sources and functions to include, separated by commas; all of them if nothing
    /// is said.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    include: Vec<String>,
    /// Terraform names of those to leave out.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    exclude: Vec<String>,
    /// What to call the package, if not as the provider.
    #[arg(long, value_name = "NAME")]
    provider_name: Option<String>,
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

/// Reads the words given to the plugin of that name.
///
/// # Errors
/// They ask for help, or make no sense.
pub(super) fn parse(plugin: &str, words: &[String], environment: &Environment) -> Result<Parsed, PackageError> {
    let shows_all = environment.variable(SHOW_ALL).is_some_and(|value| matches!(value, "1" | "true"));
    let mut command = Words::command()
        .override_usage(format!(
            "pulumi package add {plugin} -- [OPTIONS] PROVIDER [VERSION]\n       pulumi package add {plugin} -- [OPTIONS] PATH"
        ));
    for hidden in ["full_docs", "upstream_repo_path", "index_doc_out_dir"] {
        command = command.mut_arg(hidden, |argument| argument.hide(!shows_all));
    }
    let parsed = command.try_get_matches_from_mut(words).and_then(|matches| Words::from_arg_matches(&matches));
    let words = parsed.map_err(|error| PackageError::InvalidParameter(text(error)))?;
    let usage = command.render_usage();
    let refuse = |problem| PackageError::InvalidParameter(format!("{problem}\n\n{usage}"));
    words.check().map_err(refuse)?;
    Ok(Parsed { notice: words.notice(plugin), wanted: words.wanted().map_err(refuse)? })
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

    fn check(&self) -> Result<(), String> {
        let count = self.provider.len();
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

    fn parse(words: &[&str]) -> Result<Parsed, String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        super::parse("denobridge", &words, &Environment::new([], "/work")).map_err(|error| error.to_string())
    }

    fn wanted(words: &[&str]) -> Wanted {
        parse(words).unwrap().wanted
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
        insta::assert_snapshot!(notice(&["a/b", "--fullDocs", "--indexDocOutDir", "x"]).unwrap(), @"--fullDocs and --indexDocOutDir has no effect: documentation made by denobridge is what the provider's schema says");
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
        insta::assert_snapshot!(parse(&["--help"]).unwrap_err());
        let environment = Environment::new([(SHOW_ALL.to_owned(), "true".to_owned())], "/work");
        let all = super::parse("denobridge", &["-h".to_owned()], &environment).unwrap_err().to_string();
        assert!(all.contains("--upstreamRepoPath <FOLDER>"), "{all}");
    }
}
