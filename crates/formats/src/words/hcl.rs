//! Blocks of HCL, `resources { cpu = 500 }`, as HashiCorp's tools have them, read as values: a
//! block is a list under its type's name, and its labels are under `labels`.

use serde_json::{Map, Value};

use super::tree::DEPTH_MAX;

/// Blocks that begin a text worth reading.
const BLOCKS: &[&str] = &["job", "group", "task", "resources", "config"];

/// The block that begins at `lines[at]`: so many lines, and what they say. None where that line
/// begins none.
pub fn at(lines: &[String], at: usize) -> Option<(usize, Value)> {
    if !begins(lines[at].trim()) {
        return None;
    }
    let mut depth = 0_i64;
    let mut count = 0;
    for line in &lines[at..] {
        count += 1;
        for word in words(line) {
            match word.as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
        }
        if depth <= 0 {
            break;
        }
    }
    let all: Vec<String> = lines[at..at + count].iter().flat_map(|line| words(line)).collect();
    let value = Value::Object(body(&all, &mut 0, 0));
    Some((count, value))
}

/// `job "a" {`, `resources {`.
fn begins(line: &str) -> bool {
    let Some(head) = line.split('{').next().filter(|head| head.len() < line.len()) else {
        return false;
    };
    let mut words = head.split_whitespace();
    let is_block = words.next().is_some_and(|first| BLOCKS.contains(&first));
    is_block && words.all(|label| label.starts_with('"') && label.ends_with('"'))
}

/// Words of a line: brackets, `=`, texts with their first quotation mark, names and numbers.
/// Comments are left out.
fn words(line: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut signs = line.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '#' => break,
            '/' if signs.peek() == Some(&'/') => break,
            '"' => {
                let mut text = String::from('"');
                while let Some(next) = signs.next().filter(|next| *next != '"') {
                    text.push(next);
                    if next == '\\' {
                        text.extend(signs.next());
                    }
                }
                all.push(text);
            }
            '{' | '}' | '[' | ']' | '=' | ',' => all.push(sign.to_string()),
            _ if sign.is_whitespace() => {}
            _ => {
                let mut word = String::from(sign);
                let is_end = |next: &char| next.is_whitespace() || "{}[]=,\"#".contains(*next);
                while let Some(next) = signs.next_if(|next| !is_end(next)) {
                    word.push(next);
                }
                all.push(word);
            }
        }
    }
    all
}

/// What is in a block, from `words[*at]` to the bracket that closes it.
fn body(words: &[String], at: &mut usize, depth: usize) -> Map<String, Value> {
    let mut object = Map::new();
    while let Some(word) = words.get(*at) {
        *at += 1;
        if word == "}" {
            break;
        }
        if ["{", "[", "]", "=", ","].contains(&word.as_str()) {
            continue;
        }
        let key = word.trim_start_matches('"');
        match words.get(*at).map(String::as_str) {
            Some("=") => {
                *at += 1;
                let value = value(words, at, depth);
                object.insert(key.to_owned(), value);
            }
            Some(next) if next == "{" || next.starts_with('"') => {
                let Some(block) = block(words, at, depth) else { continue };
                let list = object.entry(key).or_insert_with(|| Value::Array(Vec::new()));
                if let Value::Array(list) = list {
                    list.push(block);
                }
            }
            _ => {}
        }
    }
    object
}

/// `"label" { … }`; none where no bracket follows.
fn block(words: &[String], at: &mut usize, depth: usize) -> Option<Value> {
    let rest = words.get(*at..)?;
    let labels: Vec<Value> = rest
        .iter()
        .take_while(|word| word.starts_with('"'))
        .map(|word| Value::from(&word[1..]))
        .collect();
    *at += labels.len();
    if words.get(*at).map(String::as_str) != Some("{") || depth >= DEPTH_MAX {
        return None;
    }
    *at += 1;
    let mut inside = body(words, at, depth + 1);
    inside.insert("labels".to_owned(), Value::Array(labels));
    Some(Value::Object(inside))
}

fn value(words: &[String], at: &mut usize, depth: usize) -> Value {
    let Some(word) = words.get(*at) else { return Value::Null };
    match word.as_str() {
        "{" if depth < DEPTH_MAX => {
            *at += 1;
            return Value::Object(body(words, at, depth + 1));
        }
        "[" => {
            let rest = words.get(*at..).unwrap_or_default();
            let length = rest.iter().position(|word| word == "]").unwrap_or(rest.len());
            let items = rest[..length].iter().filter(|word| word.starts_with('"'));
            let items = items.map(|word| Value::from(&word[1..])).collect();
            *at += length + 1;
            return Value::Array(items);
        }
        "{" | "}" | "]" | "=" | "," => return Value::Null,
        _ => {}
    }
    *at += 1;
    match word.strip_prefix('"') {
        Some(text) => Value::from(text),
        None => serde_json::from_str(word).unwrap_or_else(|_| Value::from(word.as_str())),
    }
}
