//! Values of a block of JSON or YAML, looked at with a bound: a hostile text has millions.

use serde_json::{Map, Value};

/// Most values of a block that are looked at.
pub const VALUES_MAX: usize = 5_000;
/// Values deeper than this are not looked at.
pub const DEPTH_MAX: usize = 40;

/// Looks at every object of a value; `visit` gets it with the keys above it, and says whether the
/// values in it are looked at too.
pub fn walk<'v>(
    value: &'v Value,
    visit: &mut impl FnMut(&'v Map<String, Value>, &[&'v str]) -> bool,
) {
    let mut left = VALUES_MAX;
    inner(value, &mut Vec::new(), &mut left, visit);
}

fn inner<'v>(
    value: &'v Value,
    path: &mut Vec<&'v str>,
    left: &mut usize,
    visit: &mut impl FnMut(&'v Map<String, Value>, &[&'v str]) -> bool,
) {
    if *left == 0 || path.len() > DEPTH_MAX {
        return;
    }
    *left -= 1;
    match value {
        Value::Array(items) => {
            path.push("");
            for item in items {
                inner(item, path, left, visit);
            }
            path.pop();
        }
        Value::Object(object) if visit(object, path) => {
            for (key, value) in object {
                path.push(key);
                inner(value, path, left, visit);
                path.pop();
            }
        }
        _ => {}
    }
}

/// A text or a number, as text.
pub fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The value below these keys; a key's first letter may be a capital.
pub fn at<'v>(value: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, key| of(value.as_object()?, key))
}

/// The value of a key, with or without a capital.
pub fn of<'v>(object: &'v Map<String, Value>, key: &str) -> Option<&'v Value> {
    object.get(key).or_else(|| {
        let mut signs = key.chars();
        let first = signs.next()?.to_ascii_uppercase();
        object.get(&format!("{first}{}", signs.as_str()))
    })
}

/// A text or a number below these keys.
pub fn text(value: &Value, path: &[&str]) -> Option<String> {
    at(value, path).and_then(scalar)
}
