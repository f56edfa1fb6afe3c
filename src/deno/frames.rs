//! Cuts a script's standard output into JSON values and everything else.
//!
//! Scripts should write one JSON-RPC message a line and nothing more. Real ones pretty-print, put several messages on a
//! line, leave blank lines, and call `console.log`. So this follows the grammar of JSON byte by byte: a value ends where
//! its brackets close, whatever the lines are, and the first byte that cannot go on a value tells the exact line where
//! something else was written into it. Each byte is looked at once, however the pipe cuts the output, so a message of
//! many megabytes costs no more than its length.

mod excerpt;
mod lenient;
mod salvage;

use serde_json::Value;

pub(crate) use salvage::object_id;

/// Stray lines longer than this are handed on in pieces.
const STRAY_PIECE: usize = 16 << 10;
/// An answer behind other text on the same line starts like this (as every JSON-RPC library writes it).
const ANSWER_START: &[u8] = b"{\"jsonrpc\"";
/// Members that tell a damaged message from a printed object, which is dropped as stray text.
const MESSAGE_MEMBERS: [&[u8]; 4] = [b"\"jsonrpc\"", b"\"result\"", b"\"error\"", b"\"id\""];

/// One thing that a script wrote.
#[derive(Debug, PartialEq)]
pub(crate) enum Frame {
    /// A whole JSON object or array.
    Value(Value),
    /// A line that is no JSON.
    Stray(String),
    /// A message that is damaged.
    Broken {
        /// The whole line on which it stops being JSON.
        line: String,
        /// What is wrong with it.
        reason: String,
        /// The start of the message, up to the place of the damage: enough to look for its id.
        head: String,
        /// The `id` of the object in its result, if that came before the damage.
        object: Option<String>,
    },
    /// A message longer than the limit. Nothing follows it.
    TooLarge {
        /// The `id` of the object in its result, if that is near its start.
        object: Option<String>,
    },
}

/// Tells whether a value is an answer that somebody waits for.
type IsAwaited = Box<dyn Fn(&Value) -> bool + Send>;

/// Takes bytes in any pieces and gives frames.
pub(crate) struct Framer {
    /// What is not yet handed on; starts at the first byte of a line or value.
    buffer: Vec<u8>,
    /// How much of `buffer` has been looked at.
    seen: usize,
    state: State,
    grammar: Grammar,
    longest: usize,
    is_awaited: IsAwaited,
}

enum State {
    /// Between values: white space, or the first byte of something.
    Between,
    /// In a line that is no JSON.
    Stray,
    /// In a value.
    Value,
    /// Waiting for the end of the line on which the value went wrong, at this index. The parser's reason is there when
    /// the brackets fit and something between them does not.
    Damaged(usize, Option<String>),
    /// A message was too long; the rest is dropped.
    Lost,
}

impl Framer {
    /// `longest` is the greatest length of a message, in bytes.
    pub(crate) fn new(longest: usize) -> Self {
        let (state, grammar) = (State::Between, Grammar::default());
        Self { buffer: Vec::new(), seen: 0, state, grammar, longest, is_awaited: Box::new(|_| false) }
    }

    /// An answer for which `is_awaited` holds is found on its line, also when text before it has begun a value that does not
    /// end there.
    pub(crate) fn awaiting(self, is_awaited: impl Fn(&Value) -> bool + Send + 'static) -> Self {
        Self { is_awaited: Box::new(is_awaited), ..self }
    }

    /// Takes the next bytes and returns what they complete.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<Frame> {
        self.buffer.extend_from_slice(bytes);
        let mut frames = Vec::new();
        while self.step(&mut frames, false) {}
        frames
    }

    /// The output has ended: what is left is stray text, or a broken message.
    pub(crate) fn finish(&mut self) -> Vec<Frame> {
        let mut frames = Vec::new();
        while self.step(&mut frames, true) {}
        frames
    }

    /// A message that has begun and not ended yet, for errors that say what was being waited for.
    pub(crate) fn unfinished(&self) -> Option<String> {
        let open = matches!(self.state, State::Value | State::Damaged(..)) && looks_like_message(&self.buffer);
        // Asked after every piece of a long message, so it must not look at all of it.
        let sound = if let State::Damaged(at, _) = self.state { at } else { self.seen };
        open.then(|| excerpt::beginning(self.head(), sound))
    }

    /// The `id` of the object in the result of an unfinished message, if that is near its start.
    pub(crate) fn unfinished_object(&self) -> Option<String> {
        object_id(self.head())
    }

    fn head(&self) -> &[u8] {
        &self.buffer[..self.buffer.len().min(HEAD)]
    }

    /// Goes on by one state; false when more bytes are needed.
    fn step(&mut self, frames: &mut Vec<Frame>, ended: bool) -> bool {
        match &mut self.state {
            State::Between => self.begin(),
            State::Stray => self.stray(frames, ended),
            State::Value => self.value(frames, ended),
            State::Damaged(at, reason) => {
                let (at, reason) = (*at, reason.clone());
                self.damaged(at, reason, frames, ended)
            }
            State::Lost => {
                self.buffer.clear();
                false
            }
        }
    }

    fn begin(&mut self) -> bool {
        let is_space = |byte: &u8| byte.is_ascii_whitespace();
        let blank = self.buffer.iter().take_while(|byte| is_space(byte)).count();
        self.drop_front(blank);
        if self.buffer.starts_with(b"\xEF\xBB\xBF") {
            self.drop_front(3); // the byte order mark of a text file that was copied through
        }
        match self.buffer.first() {
            None => return false,
            Some(b'{' | b'[') => {
                self.grammar = Grammar::default();
                self.state = State::Value;
            }
            Some(_) => self.state = State::Stray,
        }
        true
    }

    fn stray(&mut self, frames: &mut Vec<Frame>, ended: bool) -> bool {
        let end = find(&self.buffer[self.seen..], b"\n").map(|index| self.seen + index);
        // The start of an answer may be cut by the pipe, so look again from a little before what was seen.
        let from = self.seen.saturating_sub(ANSWER_START.len());
        let stop = end.unwrap_or(self.buffer.len());
        if let Some(index) = find(&self.buffer[from..stop], ANSWER_START) {
            let cut = from + index;
            frames.push(Frame::Stray(text(&self.buffer[..cut])));
            self.drop_front(cut);
            self.state = State::Between;
            return true;
        }
        match end {
            Some(end) => {
                frames.push(Frame::Stray(text(&self.buffer[..end])));
                self.drop_front(end + 1);
                self.state = State::Between;
                true
            }
            None if ended || self.buffer.len() > STRAY_PIECE => {
                // A cut answer start at the very end stays for the next look.
                let cut = if ended { stop } else { stop - ANSWER_START.len() };
                frames.push(Frame::Stray(text(&self.buffer[..cut])));
                self.drop_front(cut);
                ended && !self.buffer.is_empty()
            }
            None => {
                self.seen = self.buffer.len();
                false
            }
        }
    }

    fn value(&mut self, frames: &mut Vec<Frame>, ended: bool) -> bool {
        let line_end = find(&self.buffer[self.seen..], b"\n").map(|index| self.seen + index);
        // Nearly every message is a line of its own: then its end need not be looked for byte by byte.
        if let Some(end) = line_end.filter(|end| self.seen == 0 && *end <= self.longest)
            && let Ok(value) = serde_json::from_slice(&self.buffer[..end])
        {
            frames.push(Frame::Value(value));
            self.drop_front(end + 1);
            self.state = State::Between;
            return true;
        }
        let line = self.seen..line_end.map_or(self.buffer.len(), |end| end + 1);
        let (used, verdict) = self.grammar.scan(&self.buffer[line]);
        self.seen += used;
        if self.seen > self.longest {
            frames.push(Frame::TooLarge { object: object_id(self.head()) });
            self.state = State::Lost;
            return true;
        }
        match verdict {
            Verdict::Complete => match lenient::parse(&self.buffer[..self.seen]) {
                Ok(value) => {
                    frames.push(Frame::Value(value));
                    self.drop_front(self.seen);
                    self.state = State::Between;
                }
                // The brackets fit and something between them does not: a number such as `01`, text that is no UTF-8.
                Err(error) => {
                    self.seen = index_of(&self.buffer, error.line(), error.column()).min(self.seen - 1);
                    self.state = State::Damaged(self.seen, Some(reason(&error)));
                }
            },
            Verdict::Invalid => self.state = State::Damaged(self.seen, None),
            Verdict::More if let Some(end) = line_end => _ = self.cut_before_answer(end, frames),
            Verdict::More if ended => self.state = State::Damaged(self.seen, None),
            Verdict::More => return false,
        }
        true
    }

    fn damaged(&mut self, at: usize, known: Option<String>, frames: &mut Vec<Frame>, ended: bool) -> bool {
        let end = match find(&self.buffer[self.seen..], b"\n") {
            Some(index) => self.seen + index,
            None if ended => self.buffer.len(),
            None if self.buffer.len() > self.longest => {
                frames.push(Frame::TooLarge { object: object_id(self.head()) });
                self.state = State::Lost;
                return true;
            }
            None => {
                self.seen = self.buffer.len();
                return false;
            }
        };
        if self.cut_before_answer(end, frames) {
            return true;
        }
        let line_start = self.buffer[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |i| i + 1);
        // Judged by what came before the damage: a brace that was printed alone must not swallow the answer after it.
        let judged = if line_start == 0 { end } else { at };
        if looks_like_message(&self.buffer[..judged]) {
            frames.push(Frame::Broken {
                line: excerpt::around(&self.buffer[line_start..end], at - line_start),
                reason: known.unwrap_or_else(|| reason_at(&self.buffer, at)),
                head: text(&self.buffer[..at.min(HEAD)]),
                object: object_id(&self.buffer[..at]),
            });
            self.drop_front((end + 1).min(self.buffer.len()));
        } else {
            let first = find(&self.buffer, b"\n").unwrap_or(self.buffer.len());
            frames.push(Frame::Stray(text(&self.buffer[..first])));
            self.drop_front((first + 1).min(self.buffer.len()));
        }
        self.state = State::Between;
        true
    }

    /// Gives up a value when the line that ends at the index `end` has an answer that somebody waits for: what comes before
    /// it was text, such as half an object that was printed. False when it has none.
    fn cut_before_answer(&mut self, end: usize, frames: &mut Vec<Frame>) -> bool {
        let Some(start) = self.answer_on_line(end) else { return false };
        let before = self.buffer[..start].split(|byte| *byte == b'\n').map(text);
        frames.extend(before.filter(|line| !line.is_empty()).map(Frame::Stray));
        self.drop_front(start);
        self.state = State::Between;
        true
    }

    /// Where an answer begins that somebody waits for and that ends with its line: where the line does, or behind other text.
    fn answer_on_line(&self, end: usize) -> Option<usize> {
        let line_start = self.buffer[..end].iter().rposition(|byte| *byte == b'\n').map_or(0, |index| index + 1);
        let line = self.buffer[line_start..end].trim_ascii_end();
        if !line.ends_with(b"}") {
            return None;
        }
        // Where the value itself begins there is no text before it.
        let start = match line_start > 0 && line.starts_with(b"{") {
            true => 0,
            false => 1 + find(&line[1..], ANSWER_START)?,
        };
        let value = lenient::parse(&line[start..]).ok()?;
        (self.is_awaited)(&value).then_some(line_start + start)
    }

    fn drop_front(&mut self, count: usize) {
        self.buffer.drain(..count);
        self.seen = 0;
        // The space of a message of many megabytes is not kept for the process's life.
        if self.buffer.is_empty() && self.buffer.capacity() > 1 << 20 {
            self.buffer = Vec::new();
        }
    }
}

/// How much of a broken message is kept for finding its id.
const HEAD: usize = 4 << 10;

/// The damaged part of a text that should be JSON, its values left out, and what is wrong with it.
pub(crate) fn damage(text: &[u8], error: &serde_json::Error) -> (String, String) {
    let at = index_of(text, error.line(), error.column()).min(text.len());
    (excerpt::around(text, at), reason(error))
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    match needle {
        [byte] => haystack.iter().position(|other| other == byte),
        _ => haystack.windows(needle.len()).position(|window| window == needle),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end().to_owned()
}

fn looks_like_message(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD)];
    MESSAGE_MEMBERS.iter().any(|member| find(head, member).is_some())
}

/// serde_json counts lines and columns from one, columns in bytes.
fn index_of(bytes: &[u8], line: usize, column: usize) -> usize {
    let start =
        bytes.split_inclusive(|byte| *byte == b'\n').take(line.saturating_sub(1)).map(<[u8]>::len).sum::<usize>();
    start + column.saturating_sub(1)
}

/// The parser's words without its position, which counts from the start of the message.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

fn reason_at(bytes: &[u8], at: usize) -> String {
    if at >= bytes.len() {
        return "it ends before the message is complete".to_owned();
    }
    match serde_json::from_slice::<serde::de::IgnoredAny>(bytes) {
        Err(error) => reason(&error),
        Ok(_) => "it is not JSON".to_owned(),
    }
}

enum Verdict {
    More,
    Complete,
    Invalid,
}

/// Follows the grammar of JSON as far as is needed to find the end of a value and the first byte that cannot be part of
/// it. What numbers and literals look like inside is left to serde_json.
#[derive(Default)]
struct Grammar {
    /// The open brackets, outermost first; true for an object.
    open: Vec<bool>,
    expect: Expect,
    token: Token,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum Expect {
    #[default]
    Value,
    ValueOrEnd,
    Name,
    NameOrEnd,
    Colon,
    CommaOrEnd,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum Token {
    #[default]
    None,
    Text,
    Escape,
    Literal,
}

impl Grammar {
    /// How many bytes belong to the value, and whether it is complete.
    fn scan(&mut self, bytes: &[u8]) -> (usize, Verdict) {
        for (index, &byte) in bytes.iter().enumerate() {
            match self.token {
                Token::Text => match byte {
                    b'"' => self.token = Token::None,
                    b'\\' => self.token = Token::Escape,
                    0..=0x1F => return (index, Verdict::Invalid),
                    _ => {}
                },
                Token::Escape => self.token = Token::Text,
                Token::Literal if byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.') => {}
                Token::Literal | Token::None => {
                    self.token = Token::None;
                    if !self.between(byte) {
                        return (index, Verdict::Invalid);
                    }
                    if self.open.is_empty() {
                        return (index + 1, Verdict::Complete);
                    }
                }
            }
        }
        (bytes.len(), Verdict::More)
    }

    /// A byte outside of texts and literals; false when it cannot stand here.
    fn between(&mut self, byte: u8) -> bool {
        use Expect::{Colon, CommaOrEnd, Name, NameOrEnd, Value, ValueOrEnd};
        let in_object = self.open.last().copied().unwrap_or(false);
        match (byte, self.expect) {
            (b' ' | b'\t' | b'\r' | b'\n', _) => {}
            (b'{', Value | ValueOrEnd) => {
                self.open.push(true);
                self.expect = NameOrEnd;
            }
            (b'[', Value | ValueOrEnd) => {
                self.open.push(false);
                self.expect = ValueOrEnd;
            }
            (b'}', NameOrEnd) => self.close(),
            (b'}', CommaOrEnd) if in_object => self.close(),
            (b']', ValueOrEnd) => self.close(),
            (b']', CommaOrEnd) if !in_object => self.close(),
            (b',', CommaOrEnd) => self.expect = if in_object { Name } else { Value },
            (b':', Colon) => self.expect = Value,
            (b'"', Name | NameOrEnd) => {
                self.token = Token::Text;
                self.expect = Colon;
            }
            (b'"', Value | ValueOrEnd) => {
                self.token = Token::Text;
                self.expect = CommaOrEnd;
            }
            (b'-' | b'0'..=b'9' | b't' | b'f' | b'n', Value | ValueOrEnd) => {
                self.token = Token::Literal;
                self.expect = CommaOrEnd;
            }
            _ => return false,
        }
        true
    }

    fn close(&mut self) {
        self.open.pop();
        self.expect = Expect::CommaOrEnd;
    }
}

#[cfg(test)]
mod tests;
