//! The table that a bench prints: figures in columns, ratios with their targets below.

use std::fmt;

/// Figures by row and column, and what they are held against.
pub struct Table {
    title: String,
    columns: Vec<String>,
    rows: Vec<(String, Vec<String>)>,
    targets: Vec<Target>,
}

struct Target {
    what: String,
    measured: f64,
    limit: f64,
}

impl Table {
    /// An empty table.
    pub fn new(title: String, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        Self { title, columns, rows: Vec::new(), targets: Vec::new() }
    }

    /// Adds a row; one cell for each column.
    pub fn row(&mut self, name: &str, cells: Vec<String>) {
        self.rows.push((name.to_owned(), cells));
    }

    /// Adds a figure that must not exceed a limit.
    pub fn target(&mut self, what: String, measured: f64, limit: f64) {
        self.targets.push(Target { what, measured, limit });
    }

    /// How many figures exceed their limits.
    pub fn missed(&self) -> usize {
        self.targets.iter().filter(|target| !target.is_met()).count()
    }
}

impl Target {
    fn is_met(&self) -> bool {
        self.measured <= self.limit
    }
}

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}", self.title)?;
        let name_width = self.rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let width_of = |index: usize| {
            let cells = self.rows.iter().filter_map(|(_, cells)| cells.get(index));
            cells.chain(self.columns.get(index)).map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        write!(out, "{:name_width$}", "")?;
        for (index, column) in self.columns.iter().enumerate() {
            write!(out, "  {column:>width$}", width = width_of(index))?;
        }
        writeln!(out)?;
        for (name, cells) in &self.rows {
            write!(out, "{name:name_width$}")?;
            for (index, cell) in cells.iter().enumerate() {
                write!(out, "  {cell:>width$}", width = width_of(index))?;
            }
            writeln!(out)?;
        }
        for target in &self.targets {
            let verdict = if target.is_met() { "met" } else { "MISSED" };
            writeln!(out, "{}: {:.2}, target at most {:.2}: {verdict}", target.what, target.measured, target.limit)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn columns_line_up_and_targets_are_judged() {
        let mut table = Table::new("figures".to_owned(), &["cpu", "wall"]);
        table.row("ours", vec!["1".to_owned(), "10".to_owned()]);
        table.row("the peer", vec!["22.5".to_owned(), "3".to_owned()]);
        table.target("cpu".to_owned(), 0.5, 0.75);
        table.target("wall".to_owned(), 3.0, 1.0);
        let expected = "figures\n           cpu  wall\nours         1    10\nthe peer  22.5     3\n\
                        cpu: 0.50, target at most 0.75: met\nwall: 3.00, target at most 1.00: MISSED\n";
        assert_eq!(table.to_string(), expected);
        assert_eq!(table.missed(), 1);
    }

    #[test]
    fn a_figure_that_could_not_be_measured_is_missed() {
        let mut table = Table::new(String::new(), &[]);
        table.target("nothing".to_owned(), f64::NAN, 1.0);
        assert_eq!(table.missed(), 1);
    }
}
