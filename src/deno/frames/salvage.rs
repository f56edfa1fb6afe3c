//! Finds the id of an object in the beginning of an answer that cannot be read as a whole.

use super::excerpt::end_of_text;

/// The text at `result.id` of a message of which only the beginning is there: the object that a `create` has made.
pub(crate) fn object_id(head: &[u8]) -> Option<String> {
    // The name of the member that is open at each level; empty in an array.
    let mut names: Vec<&[u8]> = Vec::new();
    let mut index = 0;
    while let Some(&byte) = head.get(index) {
        let mut next = index + 1;
        match byte {
            b'"' => {
                next = end_of_text(head, index);
                let token = &head[index..next];
                match head[next..].trim_ascii_start().first() {
                    Some(b':') => *names.last_mut()? = token,
                    // What has no end may have been longer.
                    None => return None,
                    Some(_) if names == [br#""result""#.as_slice(), br#""id""#] => {
                        return serde_json::from_slice(token).ok();
                    }
                    Some(_) => {}
                }
            }
            b'{' | b'[' => names.push(b""),
            b'}' | b']' => drop(names.pop()),
            _ => {}
        }
        index = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_id_of_the_result() {
        let id = |text: &str| object_id(text.as_bytes());
        assert_eq!(id(r#"{"jsonrpc":"2.0","id":"1","result":{"id":"a\"b","state":{"#), Some("a\"b".to_owned()));
        assert_eq!(id(r#"{"result": { "state": {"id": "no"}, "id" : "x" "#), None, "it may go on");
        assert_eq!(id(r#"{"result": { "state": [{"id": "no"}], "id" : "x" ,"#), Some("x".to_owned()));
        assert_eq!(id(r#"{"id":"1","result":{"state":{"id":"no"},"#), None);
        assert_eq!(id(r#"{"id":"1","error":{"id":"no"},"#), None);
        assert_eq!(id(r#"{"result":[{"id":"no"},"#), None);
        assert_eq!(id(r#"{"result":{"id":5,"#), None);
        assert_eq!(id(r#""loose": "text" ]]"#), None);
    }
}
