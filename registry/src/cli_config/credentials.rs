//! Tokens for hosts: `TF_TOKEN_*` variables, and `credentials` blocks in files, of which `credentials.tfrc.json` is one.

use std::collections::BTreeMap;
use std::fmt;

use super::document::Body;
use crate::address::normal_hostname;
use crate::environment::Environment;

/// How the variables with tokens begin.
const PREFIX: &str = "TF_TOKEN_";

/// A token, and where it was found.
#[derive(Clone)]
pub struct Token {
    secret: String,
    /// For messages.
    pub found_in: String,
}

impl Token {
    pub(crate) fn new(secret: impl Into<String>, found_in: impl Into<String>) -> Self {
        Self { secret: secret.into(), found_in: found_in.into() }
    }

    pub(crate) fn secret(&self) -> &str {
        &self.secret
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token from {}", self.found_in)
    }
}

/// Tokens by the host that they are for.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    by_host: BTreeMap<String, Token>,
}

impl Tokens {
    /// The token for a host, in the form of addresses.
    pub(crate) fn of_host(&self, host: &str) -> Option<&Token> {
        self.by_host.get(host)
    }

    /// Adds those of a file; a later file replaces what an earlier one says of a host, as in OpenTofu.
    pub(super) fn add_file(&mut self, body: &Body, file: &str) -> Result<(), String> {
        for (host, block) in body.labelled("credentials") {
            let host = normal_hostname(host).map_err(|reason| format!("in a credentials block {reason}"))?;
            if let Some(token) = block.text("token")? {
                self.by_host.insert(host, Token::new(token, format!("the credentials block in {file}")));
            }
        }
        Ok(())
    }

    /// Adds those of variables, which come before those of files. A variable that names no host is left alone.
    pub(super) fn add_variables(&mut self, environment: &Environment) {
        for (name, token) in environment.with_prefix(PREFIX) {
            if let Ok(host) = normal_hostname(&decode(name))
                && !token.is_empty()
            {
                self.by_host.insert(host, Token::new(token, format!("the variable {PREFIX}{name}")));
            }
        }
    }
}

/// Names of variables cannot have dots and dashes: a dash may be written as two underscores, and a dot as one.
fn decode(name: &str) -> String {
    name.replace("__", "-").replace('_', ".")
}

/// The variable that a token for a host can be in. None has a colon in its name, as a host with a port would need.
pub(crate) fn token_variable(host: &str) -> Option<String> {
    let ascii = idna::domain_to_ascii(host).unwrap_or_else(|_| host.to_owned());
    (!ascii.contains(':')).then(|| format!("{PREFIX}{}", ascii.replace('-', "__").replace('.', "_")))
}

#[cfg(test)]
mod tests {
    use super::super::document;
    use super::*;
    use std::path::Path;

    fn tokens(variables: &[(&str, &str)], files: &[(&str, &str)]) -> Tokens {
        let mut tokens = Tokens::default();
        for (name, text) in files {
            let body = document::read(Path::new(name), text).unwrap();
            tokens.add_file(&body, name).unwrap();
        }
        let owned = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        tokens.add_variables(&Environment::new(owned, "."));
        tokens
    }

    fn secret(tokens: &Tokens, host: &str) -> Option<String> {
        tokens.of_host(host).map(|token| token.secret().to_owned())
    }

    #[test]
    fn a_variable_names_its_host_in_any_of_the_spellings_that_terraform_takes() {
        for name in
            ["TF_TOKEN_xn____caf__dma_fr", "TF_TOKEN_xn--caf-dma_fr", "TF_TOKEN_xn--caf-dma.fr", "TF_TOKEN_café_fr"]
        {
            assert_eq!(secret(&tokens(&[(name, "t")], &[]), "café.fr").as_deref(), Some("t"), "{name}");
        }
        assert_eq!(token_variable("café.fr").as_deref(), Some("TF_TOKEN_xn____caf__dma_fr"));
        assert_eq!(token_variable("my-host.example").as_deref(), Some("TF_TOKEN_my__host_example"));
        assert_eq!(token_variable("my-host.example:8443"), None);
        let none = tokens(&[("TF_TOKEN_", "t"), ("TF_TOKEN_a___b", "t"), ("TF_TOKEN_empty", "")], &[]);
        assert!(none.of_host("empty").is_none());
    }

    #[test]
    fn blocks_are_read_in_both_syntaxes_and_variables_come_first() {
        let files = [
            (
                ".terraformrc",
                "credentials \"A.example\" { token = \"one\" }\ncredentials \"b.example\" { token = \"two\" }",
            ),
            (
                "credentials.tfrc.json",
                r#"{"credentials": {"b.example": {"token": "three"}, "c.example": {"token": "four"}}}"#,
            ),
        ];
        let tokens = tokens(&[("TF_TOKEN_c_example", "five")], &files);
        assert_eq!(secret(&tokens, "a.example").as_deref(), Some("one"));
        assert_eq!(secret(&tokens, "b.example").as_deref(), Some("three"));
        assert_eq!(secret(&tokens, "c.example").as_deref(), Some("five"));
        let shown = format!("{tokens:?}");
        assert!(
            shown.contains("the credentials block in credentials.tfrc.json") && !shown.contains("three"),
            "{shown}"
        );
    }
}
