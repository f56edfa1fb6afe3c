//! The syntax of Terraform's CLI configuration: HCL 1.
//!
//! HCL 2, which is what today's HCL libraries read, knows no quoted names within blocks, and `dev_overrides` is made of
//! them: `dev_overrides { "hashicorp/random" = "/path" }`.
//!
//! ```text
//! body  = { key { key } [ "=" ] value [ "," ] }
//! key   = identifier | string
//! value = string | heredoc | number | true | false | "[" { value [ "," ] } "]" | "{" body "}"
//! ```

use super::document::{Body, Item, Value};

/// Values nested deeper than this are refused, before the stack is.
const DEPTH: usize = 64;

/// Reads a file's text.
///
/// # Errors
/// Where it does not follow the syntax, with the line.
pub(super) fn parse(text: &str) -> Result<Body, String> {
    let mut parser = Parser { rest: text, line: 1, depth: 0 };
    let body = parser.body(None)?;
    Ok(body)
}

struct Parser<'t> {
    rest: &'t str,
    line: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn fault<T>(&self, what: &str) -> Result<T, String> {
        Err(format!("line {}: {what}", self.line))
    }

    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn accept(&mut self, sign: &str) -> bool {
        let is_next = self.rest.starts_with(sign);
        if is_next {
            self.take(sign.len());
        }
        is_next
    }

    /// Skips blanks, line ends and comments.
    fn skip(&mut self) -> Result<(), String> {
        loop {
            let blank =
                self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
            self.take(blank);
            if self.rest.starts_with('#') || self.rest.starts_with("//") {
                self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                match self.rest.find("*/") {
                    Some(end) => self.take(end + 2),
                    None => return self.fault("a comment does not end"),
                };
            } else {
                return Ok(());
            }
        }
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        if self.depth == DEPTH {
            return self.fault("it is nested too deeply");
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    /// Items up to a sign, or to the end of the file.
    fn body(&mut self, end: Option<&str>) -> Result<Body, String> {
        let mut items = Vec::new();
        loop {
            self.skip()?;
            match end {
                Some(end) if self.accept(end) => return Ok(Body { items }),
                None if self.rest.is_empty() => return Ok(Body { items }),
                Some(_) if self.rest.is_empty() => return self.fault("a block does not end"),
                _ => items.push(self.item()?),
            }
            self.skip()?;
            self.accept(",");
        }
    }

    fn item(&mut self) -> Result<Item, String> {
        let line = self.line;
        let mut keys = Vec::new();
        loop {
            self.skip()?;
            if self.accept("=") {
                self.skip()?;
                break;
            }
            if self.rest.starts_with('{') && !keys.is_empty() {
                break;
            }
            keys.push(self.key()?);
        }
        if keys.is_empty() {
            return self.fault("a name is missing before \"=\"");
        }
        Ok(Item { keys, line, value: self.value()? })
    }

    fn key(&mut self) -> Result<String, String> {
        if self.rest.starts_with('"') {
            return self.string();
        }
        let word = self.word();
        if word.is_empty() { self.unexpected("a name") } else { Ok(word.to_owned()) }
    }

    fn word(&mut self) -> &'t str {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+');
        self.take(self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len()))
    }

    fn unexpected<T>(&self, wanted: &str) -> Result<T, String> {
        match self.rest.chars().next() {
            Some(found) => self.fault(&format!("{found:?} where {wanted} should be")),
            None => self.fault(&format!("the file ends where {wanted} should be")),
        }
    }

    fn value(&mut self) -> Result<Value, String> {
        if self.accept("{") {
            return self.nested(|parser| parser.body(Some("}"))).map(Value::Body);
        }
        if self.accept("[") {
            return self.nested(Self::list).map(Value::List);
        }
        if self.rest.starts_with('"') {
            return self.string().map(Value::Text);
        }
        if self.rest.starts_with("<<") {
            return self.heredoc().map(Value::Text);
        }
        match self.word() {
            "" => self.unexpected("a value"),
            "true" => Ok(Value::Flag(true)),
            "false" => Ok(Value::Flag(false)),
            number if number.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                Ok(Value::Number(number.to_owned()))
            }
            word => self.fault(&format!("{word:?} is no value; text needs quotes")),
        }
    }

    fn list(&mut self) -> Result<Vec<Value>, String> {
        let mut values = Vec::new();
        loop {
            self.skip()?;
            if self.accept("]") {
                return Ok(values);
            }
            values.push(self.value()?);
            self.skip()?;
            if !self.accept(",") && !self.rest.starts_with(']') {
                return self.unexpected("\",\" or \"]\"");
            }
        }
    }

    fn string(&mut self) -> Result<String, String> {
        self.take(1);
        let mut text = String::new();
        loop {
            let plain = self.rest.find(['"', '\\', '\n']).unwrap_or(self.rest.len());
            text.push_str(self.take(plain));
            if self.accept("\"") {
                return Ok(text);
            }
            if !self.accept("\\") {
                return self.fault("a text does not end on its line");
            }
            text.push(self.escaped()?);
        }
    }

    fn escaped(&mut self) -> Result<char, String> {
        let Some(sign) = self.rest.chars().next() else { return self.fault("a text does not end on its line") };
        self.take(sign.len_utf8());
        let digits = match sign {
            'n' => return Ok('\n'),
            't' => return Ok('\t'),
            'r' => return Ok('\r'),
            '"' | '\\' => return Ok(sign),
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => return self.fault(&format!("\\{sign} has no meaning in a text")),
        };
        let code = self.rest.get(..digits).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match code.and_then(char::from_u32) {
            Some(letter) => {
                self.take(digits);
                Ok(letter)
            }
            None => self.fault(&format!("\\{sign} needs {digits} hexadecimal digits")),
        }
    }

    /// Lines up to one with the end mark. With `<<-`, the indentation that all of them have is left out.
    fn heredoc(&mut self) -> Result<String, String> {
        self.take(2);
        let is_indented = self.accept("-");
        let Some(end_of_line) = self.rest.find('\n') else { return self.fault("a text does not end") };
        let mark = self.take(end_of_line + 1).trim();
        let mut lines = Vec::new();
        loop {
            if self.rest.is_empty() {
                return self.fault(&format!("a text does not end: {mark:?} is missing"));
            }
            let line = self.take(self.rest.find('\n').map_or(self.rest.len(), |at| at + 1));
            if line.trim() == mark {
                break;
            }
            lines.push(line);
        }
        let indentation = |line: &&str| line.len() - line.trim_start_matches([' ', '\t']).len();
        let common = if is_indented { lines.iter().map(indentation).min().unwrap_or(0) } else { 0 };
        Ok(lines.into_iter().map(|line| line.get(common..).unwrap_or_default()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_the_syntax_has() {
        let body = parse(
            r#"
            # one
            plugin_cache_dir = "$HOME/cache" // two
            credentials "app.example" { token = "a\"b\u00e9" }
            provider_installation {
              dev_overrides {
                "hashicorp/random" = "/path", /* three
                */ "a/b" = <<-END
                    /other
                      deep
                  END
              }
              network_mirror { url = "https://m/", include = ["a/*", "b/*",], trust_all_hashes = true, retries = 3 }
              direct {}
            }
            "#,
        );
        insta::assert_snapshot!(body.unwrap().to_string(), @r#"
        plugin_cache_dir = "$HOME/cache"
        credentials app.example = { token = "a\"bé" }
        provider_installation = { dev_overrides = { hashicorp/random = "/path"; a/b = "/other\n  deep\n" }; network_mirror = { url = "https://m/"; include = ["a/*", "b/*"]; trust_all_hashes = true; retries = 3 }; direct = {  } }
        "#);
    }

    #[test]
    fn what_is_against_the_syntax_is_told_with_its_line() {
        for (text, told) in [
            ("a = ", "line 1: the file ends where a value should be"),
            ("\n= 1", "line 2: a name is missing before \"=\""),
            ("a {\n b = 1\n", "line 3: a block does not end"),
            ("a = \"b\n\"", "line 1: a text does not end on its line"),
            ("a = b", "line 1: \"b\" is no value; text needs quotes"),
            ("a = [1 2]", "line 1: '2' where \",\" or \"]\" should be"),
            ("a = \"\\q\"", "line 1: \\q has no meaning in a text"),
            ("a = \"\\u12\"", "line 1: \\u needs 4 hexadecimal digits"),
            ("/* a", "line 1: a comment does not end"),
            ("a = <<E\nb\n", "line 3: a text does not end: \"E\" is missing"),
            ("}", "line 1: '}' where a name should be"),
        ] {
            assert_eq!(parse(text).unwrap_err(), told, "{text}");
        }
        let deep = "a = ".to_owned() + &"[".repeat(100_000);
        assert_eq!(parse(&deep).unwrap_err(), "line 1: it is nested too deeply");
    }
}
