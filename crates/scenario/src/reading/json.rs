//! Strict JSON with places: text in, a tree whose every value knows the byte it starts at.
//!
//! serde_json decides what is JSON, jsonc-parser (everything loose switched off) gives ranges and
//! order; limits and duplicate keys are checked here. Nothing here knows what a scenario contains.

use crate::error::{Fault, ScenarioError};
use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

/// Longest text that is looked at, bytes.
pub const TEXT_MAX: usize = 1_000_000;
/// Deepest nesting of objects and arrays.
pub const NESTING_MAX: usize = 32;

/// A JSON value and its place in the text.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Byte offset in the file; `None` for a value laid over the file by a flag, a link or the
    /// page.
    pub(crate) at: Option<usize>,
    pub(crate) value: Value,
}

/// A JSON value; numbers stay text so that nothing is rounded before its type is known.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// Members in the order of the text; keys are unique.
    Object(Vec<Member>),
    Array(Vec<Node>),
    Text(String),
    /// A number as written.
    Number(String),
    /// `true`, `false`.
    Bool(bool),
    Null,
}

/// One `"key": value` of an object.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) key: String,
    /// Byte offset of the key in the file; `None` for a key laid over the file.
    pub(crate) at: Option<usize>,
    pub(crate) value: Node,
}

impl Node {
    /// What kind of value this is, for "expected a text, not a number".
    pub(crate) fn kind(&self) -> &'static str {
        match self.value {
            Value::Object(_) => "an object",
            Value::Array(_) => "a list",
            Value::Text(_) => "a text",
            Value::Number(_) => "a number",
            Value::Bool(_) => "true or false",
            Value::Null => "null",
        }
    }

    /// The member called `key`, if this is an object that has it.
    pub(crate) fn member(&self, key: &str) -> Option<&Member> {
        match &self.value {
            Value::Object(members) => members.iter().find(|member| member.key == key),
            _ => None,
        }
    }

    /// The member called `key`, to change it.
    pub(crate) fn member_mut(&mut self, key: &str) -> Option<&mut Member> {
        self.members_mut()?.iter_mut().find(|member| member.key == key)
    }

    /// The members, if this is an object.
    pub(crate) fn members_mut(&mut self) -> Option<&mut Vec<Member>> {
        match &mut self.value {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The value for serde_json; numbers that are no integers become floats.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Object(members) => {
                let mut map = serde_json::Map::new();
                for member in members {
                    map.insert(member.key.clone(), member.value.to_json());
                }
                map.into()
            }
            Value::Array(elements) => elements.iter().map(Self::to_json).collect(),
            Value::Text(text) => text.as_str().into(),
            Value::Number(text) => text
                .parse::<serde_json::Number>()
                .map_or(serde_json::Value::Null, serde_json::Value::Number),
            Value::Bool(value) => (*value).into(),
            Value::Null => serde_json::Value::Null,
        }
    }

    /// A value that does not come from the file.
    pub(crate) fn from_json(value: &serde_json::Value) -> Self {
        let value = match value {
            serde_json::Value::Object(members) => {
                let member = |(key, value): (&String, &serde_json::Value)| Member {
                    key: key.clone(),
                    at: None,
                    value: Self::from_json(value),
                };
                Value::Object(members.iter().map(member).collect())
            }
            serde_json::Value::Array(elements) => {
                Value::Array(elements.iter().map(Self::from_json).collect())
            }
            serde_json::Value::String(text) => Value::Text(text.clone()),
            serde_json::Value::Number(number) => Value::Number(number.to_string()),
            serde_json::Value::Bool(value) => Value::Bool(*value),
            serde_json::Value::Null => Value::Null,
        };
        Self { at: None, value }
    }
}

/// Parses `text`, which must be one strict JSON value within the limits, with unique keys.
pub(crate) fn parse(text: &str) -> Result<Node, Fault> {
    if text.len() > TEXT_MAX {
        let message =
            format!("the text has {} bytes; a scenario has at most {TEXT_MAX}", text.len());
        return Err(Fault::new(Some(0), "", message).expected("a scenario file of ordinary size"));
    }
    check_nesting(text)?;
    check_syntax(text)?;
    let strict = ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &strict)
        .map_err(|error| not_json(error.range().start, &error.kind().to_string()))?;
    let value = parsed.value.ok_or_else(|| not_json(text.len(), "the file is empty"))?;
    convert(&value, "")
}

/// JSON of a flag, a link or the page as the value of the knob at `path`: as strict as a file,
/// every key once.
pub(crate) fn value_of(path: &str, text: &str) -> Result<serde_json::Value, Fault> {
    parse(text).map(|node| node.to_json()).map_err(|fault| fault.of_value(path, text))
}

/// [`value_of`] for a program that reads flags; a fault has line and column in `text`.
pub fn json_value(path: &str, text: &str) -> Result<serde_json::Value, ScenarioError> {
    value_of(path, text).map_err(|fault| fault.locate(text))
}

fn not_json(at: usize, why: &str) -> Fault {
    Fault::new(Some(at), "", format!("this is not JSON: {why}"))
        .expected("strict JSON: double quotes, no comments, no trailing commas")
}

/// Counts brackets outside strings, so that no parser ever recurses past the limit.
fn check_nesting(text: &str) -> Result<(), Fault> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > NESTING_MAX {
            return Err(Fault::new(
                Some(at),
                "",
                format!("objects and lists are nested more than {NESTING_MAX} deep"),
            )
            .expected("a flatter file"));
        }
    }
    Ok(())
}

/// Lets serde_json judge the text: it is stricter than jsonc-parser about white space and control
/// characters.
fn check_syntax(text: &str) -> Result<(), Fault> {
    let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(text) else { return Ok(()) };
    let line_start = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum::<usize>();
    let at = (line_start + error.column().saturating_sub(1)).min(text.len());
    let whole = error.to_string();
    let why = whole.rfind(" at line ").map_or(whole.as_str(), |end| &whole[..end]);
    let why = match text.as_bytes().get(at) {
        Some(b'/' | b'#') => "comments are not allowed",
        Some(b'\'') => "texts are written with double quotes",
        None if text.trim().is_empty() => "the file is empty",
        _ if text.starts_with('\u{feff}') => "it starts with a byte order mark",
        _ if why.starts_with("EOF while parsing") => "it ends in the middle of a value",
        _ => why,
    };
    Err(not_json(at, why))
}

fn convert(value: &ast::Value<'_>, path: &str) -> Result<Node, Fault> {
    let at = Some(value.range().start);
    let value = match value {
        ast::Value::StringLit(text) => Value::Text(text.value.to_string()),
        ast::Value::NumberLit(number) => Value::Number(number.value.to_owned()),
        ast::Value::BooleanLit(boolean) => Value::Bool(boolean.value),
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::Array(array) => {
            let elements = array.elements.iter().enumerate();
            Value::Array(
                elements
                    .map(|(index, element)| convert(element, &format!("{path}[{index}]")))
                    .collect::<Result<_, _>>()?,
            )
        }
        ast::Value::Object(object) => Value::Object(convert_members(object, path)?),
    };
    Ok(Node { at, value })
}

fn convert_members(object: &ast::Object<'_>, path: &str) -> Result<Vec<Member>, Fault> {
    let mut seen = std::collections::BTreeSet::new();
    let mut members = Vec::with_capacity(object.properties.len());
    for property in &object.properties {
        let key = property.name.as_str().to_owned();
        let at = Some(property.name.range().start);
        let member_path = join(path, &key);
        if !seen.insert(key.clone()) {
            let of_events = member_path.starts_with("workload.");
            let expected = if of_events {
                "every key once; number repeated rt-app events: run0, run1"
            } else {
                "every key once"
            };
            let message = format!("the key \"{key}\" stands here twice");
            return Err(Fault::new(at, member_path, message).expected(expected));
        }
        members.push(Member { value: convert(&property.value, &member_path)?, key, at });
    }
    Ok(members)
}

/// The value at a path as errors write it: `workload.tasks.a.cpus[0]`.
pub(crate) fn at_path<'n>(root: &'n Node, path: &str) -> Option<&'n Node> {
    path.split(['.', '[']).filter(|key| !key.is_empty()).try_fold(root, |node, key| {
        match (&node.value, key.strip_suffix(']')) {
            (Value::Array(elements), Some(index)) => elements.get(index.parse::<usize>().ok()?),
            _ => node.member(key).map(|member| &member.value),
        }
    })
}

pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
