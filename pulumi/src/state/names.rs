//! Names of properties without a table.

/// The Terraform name that a property most likely has: `fooBar` → `foo_bar`. The Go bridge keeps the names of those
/// properties only for which this is wrong, so it must not change.
pub(super) fn nearest_terraform_name(pulumi: &str) -> String {
    let mut name = String::with_capacity(pulumi.len() + 4);
    for (index, character) in pulumi.char_indices() {
        if character.is_ascii_uppercase() && index > 0 {
            name.push('_');
        }
        name.push(character.to_ascii_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_underscore_comes_before_each_capital_but_the_first() {
        let cases =
            [("fooBar", "foo_bar"), ("FooB", "foo_b"), ("sha256", "sha256"), ("_fooÜBar", "_fooÜ_bar"), ("", "")];
        for (pulumi, expected) in cases {
            assert_eq!(nearest_terraform_name(pulumi), expected);
        }
    }
}
