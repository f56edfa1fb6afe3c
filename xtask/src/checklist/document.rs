//! The form of a checklist: a Markdown table with the columns `item`, `tests` and `status`.
//!
//! In the column `tests` every word in backticks is the name of a test: the last parts of its path (`a_note_lives_and_dies`,
//! `server::a_type_is_found`), or an end-to-end case (`terraform/life_cycle`). A word that a colon follows is a place
//! (`tests/minimal.rs`:, `suite::life`:) and only helps the reader to find what comes after it.

use anyhow::{Context, Result, bail, ensure};

/// One line of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its name, such as `F66`.
    pub name: String,
    /// What must be so, in a few words.
    pub what: String,
    /// The names of the tests that show it.
    pub tests: Vec<String>,
    /// How far it is.
    pub status: Status,
}

/// How far an item is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every part of it has a test.
    Done,
    /// What the table says instead, such as `part: on the wire`.
    NotDone(String),
}

/// The items of a checklist, in order.
///
/// # Errors
/// There is no such table, a line has another number of cells, two items have one name, or an item is done without a test.
pub fn parse(text: &str) -> Result<Vec<Item>> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with('|'));
    let columns = lines
        .find_map(|(_, line)| Columns::find(&cells(line)))
        .context("there is no table with the columns item, tests and status")?;
    let mut items: Vec<Item> = Vec::new();
    for (index, line) in lines {
        let cells = cells(line);
        if cells.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | ':'))) {
            continue;
        }
        let item = columns.item(&cells).with_context(|| format!("line {}", index + 1))?;
        ensure!(items.iter().all(|other| other.name != item.name), "line {}: a second {}", index + 1, item.name);
        items.push(item);
    }
    ensure!(!items.is_empty(), "the table is empty");
    Ok(items)
}

/// Where the columns are that matter here.
struct Columns {
    count: usize,
    item: usize,
    what: Option<usize>,
    tests: usize,
    status: usize,
}

impl Columns {
    fn find(header: &[String]) -> Option<Self> {
        let column = |name: &str| header.iter().position(|cell| cell.eq_ignore_ascii_case(name));
        Some(Self {
            count: header.len(),
            item: column("item")?,
            what: column("what"),
            tests: column("tests")?,
            status: column("status")?,
        })
    }

    fn item(&self, cells: &[String]) -> Result<Item> {
        ensure!(cells.len() == self.count, "{} cells instead of {}", cells.len(), self.count);
        let cell = |index: usize| cells.get(index).map_or("", String::as_str);
        let item = Item {
            name: cell(self.item).to_owned(),
            what: self.what.map_or("", cell).to_owned(),
            tests: tests(cell(self.tests))?,
            status: match cell(self.status) {
                "done" => Status::Done,
                other => Status::NotDone(other.to_owned()),
            },
        };
        ensure!(!item.name.is_empty(), "an item without a name");
        if item.status == Status::Done && item.tests.is_empty() {
            bail!("{} is done, but names no test", item.name);
        }
        Ok(item)
    }
}

/// The cells of a line. A bar within backticks or after a backslash is part of its cell.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let (mut in_code, mut escaped) = (false, false);
    for character in line.trim().trim_start_matches('|').chars() {
        in_code ^= character == '`';
        match (character, cells.last_mut()) {
            ('|', _) if !in_code && !escaped => cells.push(String::new()),
            (_, Some(cell)) => cell.push(character),
            (_, None) => {}
        }
        escaped = character == '\\' && !escaped;
    }
    // What follows the bar at the end of the line.
    if cells.last().is_some_and(|cell| cell.trim().is_empty()) {
        cells.pop();
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

/// The words in backticks that no colon follows.
fn tests(cell: &str) -> Result<Vec<String>> {
    let mut tests = Vec::new();
    let mut rest = cell;
    while let Some((_, after)) = rest.split_once('`') {
        let (word, after) = after.split_once('`').context("a backtick without another")?;
        if !after.starts_with(':') {
            ensure!(!word.ends_with(".rs"), "`{word}` is a file: name the tests in it (`{word}`: `one`, `another`)");
            tests.push(word.to_owned());
        }
        rest = after;
    }
    Ok(tests)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "# A title\n\n| item | what | tests | status |\n|---|---|---|---|\n";

    fn parsed(lines: &str) -> Result<Vec<Item>> {
        parse(&format!("{HEADER}{lines}"))
    }

    fn complaint(lines: &str) -> String {
        format!("{:#}", parsed(lines).unwrap_err())
    }

    #[test]
    fn items_name_their_tests_and_places_are_none() {
        let items = parsed(
            "| F1 | one | `tests/minimal.rs`: `a_note_lives` (59 lines), `server::a`, `terraform/life_cycle` | done |\n\
             | F2 | two | | open |\n\
             | F3 | a `b|c` \\| d | `e` | part: on the wire |\n",
        )
        .unwrap();
        let [one, two, three] = &items[..] else { panic!("{items:?}") };
        assert_eq!(one.tests, ["a_note_lives", "server::a", "terraform/life_cycle"]);
        assert_eq!(one.status, Status::Done);
        assert_eq!((two.tests.len(), &two.status), (0, &Status::NotDone("open".to_owned())));
        assert_eq!((three.what.as_str(), three.tests.len()), ("a `b|c` \\| d", 1));
        assert_eq!(three.status, Status::NotDone("part: on the wire".to_owned()));
    }

    #[test]
    fn columns_are_found_by_name_in_any_order() {
        let text = "| a | b |\n|---|---|\n\n| Status | Tests | Item |\n|---|---|---|\n| done | `t` | I1 |\n";
        let expected =
            Item { name: "I1".to_owned(), what: String::new(), tests: vec!["t".to_owned()], status: Status::Done };
        assert_eq!(parse(text).unwrap(), [expected]);
        assert!(parse("no table").unwrap_err().to_string().contains("item, tests and status"));
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_its_line() {
        assert_eq!(complaint("| F1 | one | `a` |\n"), "line 5: 3 cells instead of 4");
        assert_eq!(complaint("| F1 | one | words | done |\n"), "line 5: F1 is done, but names no test");
        assert_eq!(complaint("| F1 | | `a` | done |\n| F1 | | `b` | done |\n"), "line 6: a second F1");
        assert_eq!(complaint("| F1 | | `a | done |\n"), "line 5: 3 cells instead of 4");
        assert!(complaint("| F1 | | `src/a.rs` | done |\n").contains("`src/a.rs` is a file"));
        assert_eq!(complaint(""), "the table is empty");
    }
}
