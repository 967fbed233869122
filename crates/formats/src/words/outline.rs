//! Lines with keys and indentation, as `kubectl describe` prints them: they look like YAML, but a
//! key may have a value and lines below it.

use serde_json::{Map, Value};

use super::tree::DEPTH_MAX;

/// The lines as objects in objects. A key with lines below it loses a value beside it; lines that
/// have no key are passed over.
pub fn of(lines: &[String]) -> Value {
    let mut open: Vec<(usize, String, Map<String, Value>)> = vec![(0, String::new(), Map::new())];
    for line in lines {
        let Some((key, value)) = line.trim().split_once(':') else { continue };
        if !value.is_empty() && !value.starts_with([' ', '\t']) || key.contains('/') {
            continue;
        }
        let depth = line.len() - line.trim_start().len();
        while open.len() > 1 && open.last().is_some_and(|(at, ..)| *at >= depth) {
            close(&mut open);
        }
        // The key's own lines go into it; the value stays where there are none.
        let value = value.trim();
        if let Some((.., object)) = open.last_mut()
            && !object.contains_key(key)
        {
            object.insert(key.to_owned(), Value::from(value));
        }
        if open.len() <= DEPTH_MAX {
            open.push((depth, key.to_owned(), Map::new()));
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop().map_or(Value::Null, |(.., object)| Value::Object(object))
}

/// Ends the innermost key: its lines, if it has some, are its value.
fn close(open: &mut Vec<(usize, String, Map<String, Value>)>) {
    let Some((_, key, inside)) = open.pop() else { return };
    if let Some((.., object)) = open.last_mut().filter(|_| !inside.is_empty()) {
        object.insert(key, Value::Object(inside));
    }
}
