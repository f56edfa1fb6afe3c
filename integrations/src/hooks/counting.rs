//! What is counted in a stage, and how it is said.

use crate::protocol::{Action, Counts};

impl Counts {
    /// Counts what is to happen, or has happened, to one instance.
    pub(super) fn add(&mut self, action: Action) {
        *match action {
            Action::Create => &mut self.create,
            Action::Update => &mut self.update,
            Action::Replace => &mut self.replace,
            Action::Delete => &mut self.delete,
            Action::NoOp => &mut self.no_op,
        } += 1;
    }

    /// One line for people; `done` says whether it has happened already.
    pub(crate) fn summary(&self, done: bool) -> String {
        let words: [(u64, &str, &str); 4] = [
            (self.create, "to create", "created"),
            (self.update, "to update", "updated"),
            (self.replace, "to replace", "replaced"),
            (self.delete, "to delete", "deleted"),
        ];
        let changes = words.iter().filter(|(count, ..)| *count > 0);
        let mut parts: Vec<String> =
            changes.map(|(count, ahead, past)| format!("{count} {}", if done { past } else { ahead })).collect();
        if self.failed > 0 {
            parts.push(format!("{} failed", self.failed));
        }
        if parts.is_empty() { "no changes".to_owned() } else { parts.join(", ") }
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, more: Self) {
        self.create += more.create;
        self.update += more.update;
        self.replace += more.replace;
        self.delete += more.delete;
        self.no_op += more.no_op;
        self.read += more.read;
        self.failed += more.failed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_names_what_there_is() {
        let mut counts = Counts::default();
        assert_eq!(counts.summary(false), "no changes");
        for action in [Action::Create, Action::Create, Action::Delete, Action::NoOp, Action::Replace] {
            counts.add(action);
        }
        assert_eq!(counts.summary(false), "2 to create, 1 to replace, 1 to delete");
        counts.failed = 1;
        assert_eq!(counts.summary(true), "2 created, 1 replaced, 1 deleted, 1 failed");
    }
}
