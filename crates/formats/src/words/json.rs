//! JSON whose order counts: keys stay in the order of the text, and may come twice, as in files of
//! rt-app. Comments and commas before a closing bracket are read over.

use std::fmt::Write;

use serde_json::Value;

/// Deepest nesting that is read.
const DEPTH_MAX: usize = 64;

/// A value of JSON, its keys in the text's order.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// Key and value of each member.
    Object(Vec<(String, Node)>),
    /// The items.
    Array(Vec<Node>),
    /// A text, a number, `true`, `false` or `null`.
    Plain(Value),
}

impl Node {
    /// Reads `text`.
    ///
    /// # Errors
    /// It is no JSON: the place and what is wrong, in words.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut reader = Reader { text, at: 0 };
        let node = reader.value(0)?;
        reader.space()?;
        if reader.at < text.len() {
            return Err(reader.wrong("the text goes on after its last bracket"));
        }
        Ok(node)
    }

    /// The value of the first member of this name.
    pub fn member(&self, name: &str) -> Option<&Self> {
        self.members().iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The members; none where it is no object.
    pub fn members(&self) -> &[(String, Self)] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    /// The text, where it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Plain(value) => value.as_str(),
            _ => None,
        }
    }

    /// The number, where it is a whole one.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Plain(value) => value.as_i64(),
            _ => None,
        }
    }

    /// The value without the order; of a key that comes twice the first counts.
    pub fn value(&self) -> Value {
        match self {
            Self::Plain(value) => value.clone(),
            Self::Array(items) => Value::Array(items.iter().map(Self::value).collect()),
            Self::Object(members) => {
                let members = members.iter().rev().map(|(key, node)| (key.clone(), node.value()));
                Value::Object(members.collect())
            }
        }
    }

    /// Puts `value` in the place of a member, or behind the last one.
    pub fn put(&mut self, name: &str, value: Self) {
        if let Self::Object(members) = self {
            match members.iter_mut().find(|(key, _)| key == name) {
                Some((_, known)) => *known = value,
                None => members.push((name.to_owned(), value)),
            }
        }
    }

    /// The text, two spaces a level.
    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write(0, &mut out);
        out.push('\n');
        out
    }

    fn write(&self, depth: usize, out: &mut String) {
        let line = |depth: usize| format!("\n{}", "  ".repeat(depth));
        match self {
            Self::Plain(value) => {
                let _ = write!(out, "{value}");
            }
            Self::Array(items) => {
                out.push('[');
                for (nth, item) in items.iter().enumerate() {
                    out.push_str(if nth > 0 { ", " } else { "" });
                    item.write(depth + 1, out);
                }
                out.push(']');
            }
            Self::Object(members) if members.is_empty() => out.push_str("{}"),
            Self::Object(members) => {
                for (nth, (key, value)) in members.iter().enumerate() {
                    out.push(if nth > 0 { ',' } else { '{' });
                    let _ = write!(out, "{}{}: ", line(depth + 1), Value::from(key.as_str()));
                    value.write(depth + 1, out);
                }
                out.push_str(&line(depth));
                out.push('}');
            }
        }
    }
}

impl From<&Value> for Node {
    fn from(value: &Value) -> Self {
        match value {
            Value::Object(members) => {
                let members = members.iter().map(|(key, value)| (key.clone(), value.into()));
                Self::Object(members.collect())
            }
            Value::Array(items) => Self::Array(items.iter().map(Self::from).collect()),
            _ => Self::Plain(value.clone()),
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// `line 3, column 7: a comma is missing`.
    fn wrong(&self, what: &str) -> String {
        let before = &self.text[..self.at];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let end =
            if self.rest().trim().is_empty() { ", where the text ends: was it cut?" } else { "" };
        format!("line {line}, column {column}: {what}{end}")
    }

    /// White space and comments.
    fn space(&mut self) -> Result<(), String> {
        loop {
            self.at = self.text.len() - self.rest().trim_start().len();
            if self.rest().starts_with("//") {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if self.rest().starts_with("/*") {
                let Some(end) = self.rest().find("*/") else {
                    return Err(self.wrong("a comment has no end"));
                };
                self.at += end + 2;
            } else {
                return Ok(());
            }
        }
    }

    fn takes(&mut self, sign: char) -> bool {
        let is = self.rest().starts_with(sign);
        self.at += if is { sign.len_utf8() } else { 0 };
        is
    }

    fn value(&mut self, depth: usize) -> Result<Node, String> {
        self.space()?;
        if depth > DEPTH_MAX {
            return Err(self.wrong("it is nested too deeply"));
        }
        if self.takes('{') {
            return self.members(depth);
        }
        if self.takes('[') {
            return self.items(depth);
        }
        if self.rest().starts_with('"') {
            return Ok(Node::Plain(Value::String(self.string()?)));
        }
        let end = self
            .rest()
            .find(|sign: char| !(sign.is_ascii_alphanumeric() || "+-.".contains(sign)))
            .unwrap_or(self.rest().len());
        if end == 0 {
            return Err(self.wrong("a value is missing"));
        }
        let Ok(value) = serde_json::from_str(&self.rest()[..end]) else {
            return Err(self.wrong("this is no word of JSON (text needs double quotes)"));
        };
        self.at += end;
        Ok(Node::Plain(value))
    }

    fn string(&mut self) -> Result<String, String> {
        let mut is_escaped = false;
        let end = self.rest().char_indices().skip(1).find(|(_, sign)| {
            let is_end = *sign == '"' && !is_escaped || *sign == '\n';
            is_escaped = *sign == '\\' && !is_escaped;
            is_end
        });
        let text = match end {
            Some((end, '"')) => &self.rest()[..=end],
            _ => return Err(self.wrong("a text has no closing quote")),
        };
        let Ok(value) = serde_json::from_str(text) else {
            return Err(self.wrong("a text has a sign that JSON does not have"));
        };
        self.at += text.len();
        Ok(value)
    }

    fn members(&mut self, depth: usize) -> Result<Node, String> {
        let mut members = Vec::new();
        loop {
            self.space()?;
            if self.takes('}') {
                return Ok(Node::Object(members));
            }
            if !self.rest().starts_with('"') {
                let is_open = self.rest().is_empty();
                return Err(self.wrong(if is_open {
                    "a closing bracket } is missing"
                } else {
                    "a name in double quotes is missing"
                }));
            }
            let key = self.string()?;
            self.space()?;
            if !self.takes(':') {
                return Err(self.wrong("a colon is missing"));
            }
            members.push((key, self.value(depth + 1)?));
            self.comma('}')?;
        }
    }

    fn items(&mut self, depth: usize) -> Result<Node, String> {
        let mut items = Vec::new();
        loop {
            self.space()?;
            if self.takes(']') {
                return Ok(Node::Array(items));
            }
            items.push(self.value(depth + 1)?);
            self.comma(']')?;
        }
    }

    /// A comma, or the bracket that closes comes next.
    fn comma(&mut self, closing: char) -> Result<(), String> {
        self.space()?;
        if self.takes(',') || self.rest().starts_with(closing) {
            return Ok(());
        }
        let is_open = self.rest().is_empty();
        Err(self.wrong(&if is_open {
            format!("a closing bracket {closing} is missing")
        } else {
            "a comma is missing".to_owned()
        }))
    }
}
