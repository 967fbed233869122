//! Small readers for values that are no knobs: each takes a node and its path and gives the value
//! or a fault with a place.

use super::json::{Member, Node, Value, join};
use crate::error::{Fault, nearest};
use crate::text::readable as shorten;

pub(crate) fn object<'n>(node: &'n Node, path: &str) -> Result<&'n [Member], Fault> {
    match &node.value {
        Value::Object(members) => Ok(members),
        _ => Err(wrong_kind(node, path, "an object, { … }")),
    }
}

/// The members of an object whose every key is in `known`.
pub(crate) fn known_object<'n>(
    node: &'n Node,
    path: &str,
    known: &[&str],
) -> Result<&'n [Member], Fault> {
    let members = object(node, path)?;
    match members.iter().find(|member| !known.contains(&member.key.as_str())) {
        Some(member) => Err(unknown_key(member, path, known)),
        None => Ok(members),
    }
}

/// More names than that are not listed where one of them is meant.
const NAMES_MAX: usize = 20;

/// The fault of `member`, whose key is none of `known`, the keys of the object at `path`.
pub(crate) fn unknown_key(member: &Member, path: &str, known: &[&str]) -> Fault {
    let key = shorten(&member.key);
    let message = format!("there is no key \"{key}\" here");
    let near = nearest(&member.key, known.iter().copied()).map(|name| format!("\"{name}\""));
    let names = match near {
        Some(_) if known.len() > NAMES_MAX => format!("one of {} names", known.len()),
        _ => format!("one of {}", known.join(", ")),
    };
    Fault::new(member.at, join(path, &key), message).expected(names).suggest(near)
}

pub(crate) fn missing(node: &Node, path: &str, key: &str, expected: &str) -> Fault {
    Fault::new(node.at, join(path, key), format!("\"{key}\" is missing")).expected(expected)
}

/// The elements of a list of at most `most`.
pub(crate) fn list<'n>(node: &'n Node, path: &str, most: usize) -> Result<&'n [Node], Fault> {
    match &node.value {
        Value::Array(elements) if elements.len() <= most => Ok(elements),
        Value::Array(elements) => {
            Err(Fault::new(node.at, path, format!("the list has {} elements", elements.len()))
                .expected(format!("at most {most}")))
        }
        _ => Err(wrong_kind(node, path, "a list, [ … ]")),
    }
}

/// A text of at most 400 characters without control characters.
pub(crate) fn text<'n>(node: &'n Node, path: &str) -> Result<&'n str, Fault> {
    match &node.value {
        Value::Text(text) if text.chars().count() > 400 || text.chars().any(char::is_control) => {
            let message = "the text is longer than 400 characters or holds control characters";
            Err(Fault::new(node.at, path, message).expected("one line of text"))
        }
        Value::Text(text) => Ok(text),
        _ => Err(wrong_kind(node, path, "a text in double quotes")),
    }
}

/// A whole number from `min` to `max`.
pub(crate) fn integer(node: &Node, path: &str, min: i64, max: i64) -> Result<i64, Fault> {
    let expected = format!("a whole number from {min} to {max}");
    let Value::Number(text) = &node.value else { return Err(wrong_kind(node, path, &expected)) };
    match text.parse::<i64>() {
        Ok(number) if (min..=max).contains(&number) => Ok(number),
        _ if text.starts_with('-') && min >= 0 => {
            Err(Fault::new(node.at, path, format!("{text} is negative")).expected(expected))
        }
        _ => Err(Fault::new(node.at, path, not_taken(text)).expected(expected)),
    }
}

/// True or false, or 1 and 0.
pub(crate) fn boolean(node: &Node, path: &str) -> Result<bool, Fault> {
    flag(node).ok_or_else(|| wrong_kind(node, path, "true or false"))
}

/// `None` where `node` is neither.
pub(crate) fn flag(node: &Node) -> Option<bool> {
    match &node.value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(text) => flag_named(text),
        _ => None,
    }
}

/// What the command line and links write for true and false.
pub(crate) fn flag_named(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// `node` is not what is needed.
pub(crate) fn wrong_kind(node: &Node, path: &str, expected: &str) -> Fault {
    Fault::new(node.at, path, format!("this is {}", node.kind())).expected(expected)
}

/// Why a number that cannot be taken as a whole number within a range is none.
pub(crate) fn not_taken(text: &str) -> String {
    let shown = shorten(text);
    if is_whole(text) {
        format!("{shown} is out of range")
    } else {
        format!("{shown} is not written as a whole number")
    }
}

/// Whether a number is written with digits alone, a sign apart.
pub(crate) fn is_whole(text: &str) -> bool {
    text.strip_prefix('-').unwrap_or(text).bytes().all(|byte| byte.is_ascii_digit())
}
