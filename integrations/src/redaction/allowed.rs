//! Which attributes an integration sees, where its configuration restricts them.

/// What of a part of a value is seen.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Allowed<'a> {
    /// All of it.
    Whole,
    /// Only what these paths lead to from here. None of them is empty.
    Only(Vec<&'a str>),
}

impl<'a> Allowed<'a> {
    pub(super) fn of(attributes: Option<&'a [String]>) -> Self {
        match attributes {
            None => Self::Whole,
            Some(paths) => Self::Only(paths.iter().map(String::as_str).filter(|path| !path.is_empty()).collect()),
        }
    }

    /// What of an attribute is seen.
    pub(super) fn attribute(&self, name: &str) -> Self {
        self.after(|path| step(path, name).into_iter().collect())
    }

    /// What of an element of a map is seen. Paths may name its key or leave it out.
    pub(super) fn key(&self, key: &str) -> Self {
        self.after(|path| step(path, key).into_iter().chain([path]).collect())
    }

    /// Whether nothing is seen, whatever is there.
    pub(super) fn is_nothing(&self) -> bool {
        matches!(self, Self::Only(paths) if paths.is_empty())
    }

    /// Whether all of it is seen. A value that has no parts is seen only then.
    pub(super) fn is_whole(&self) -> bool {
        *self == Self::Whole
    }

    fn after(&self, step: impl Fn(&'a str) -> Vec<&'a str>) -> Self {
        let Self::Only(paths) = self else { return Self::Whole };
        let rest: Vec<&str> = paths.iter().flat_map(|path| step(path)).collect();
        if rest.contains(&"") { Self::Whole } else { Self::Only(rest) }
    }
}

/// The rest of a path that begins with this name. A name may have dots of its own.
fn step<'a>(path: &'a str, name: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(name)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('.') }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_parts_and_to_all_that_is_in_them() {
        let paths = ["tags".to_owned(), "rule.port".to_owned()];
        let root = Allowed::of(Some(&paths));
        assert!(root.attribute("tags").is_whole());
        assert!(root.attribute("tags").key("any").attribute("thing").is_whole());
        assert!(root.attribute("tag").is_nothing());
        assert!(root.attribute("tagsx").is_nothing());
        let rule = root.attribute("rule");
        assert!(!rule.is_whole() && !rule.is_nothing());
        assert!(rule.attribute("port").is_whole());
        assert!(rule.attribute("protocol").is_nothing());
        assert!(Allowed::of(Some(&[])).attribute("tags").is_nothing());
        assert!(Allowed::of(None).is_whole());
    }

    #[test]
    fn keys_of_maps_are_named_or_left_out() {
        let paths = ["listeners.http.port".to_owned(), "listeners.host".to_owned(), "labels.a.b/c".to_owned()];
        let root = Allowed::of(Some(&paths));
        let http = root.attribute("listeners").key("http");
        assert!(http.attribute("port").is_whole() && http.attribute("host").is_whole());
        let https = root.attribute("listeners").key("https");
        assert!(https.attribute("port").is_nothing() && https.attribute("host").is_whole());
        assert!(root.attribute("labels").key("a.b/c").is_whole());
    }
}
