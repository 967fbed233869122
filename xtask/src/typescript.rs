//! JSON Schemas as TypeScript interfaces; covers only the part of JSON Schema that schemars makes
//! from our own types.
//!
//! `#[serde(skip_serializing_if)]` fields become optional, every field is readonly, and doc
//! comments are kept.

use crate::files::Failure;
use serde_json::{Map, Value};
use std::fmt::Write;

/// The TypeScript type of a schema without constraints: any value that a scenario file may hold.
pub const ANY: &str = "KnobValue";

/// `export interface NAME { … }`, or a type alias where the schema is no object with fields.
pub fn declaration(name: &str, schema: &Value) -> Result<String, Failure> {
    let mut text = String::new();
    push_doc(&mut text, schema, "");
    match schema.get("properties").and_then(Value::as_object) {
        Some(properties) => {
            let _infallible =
                writeln!(text, "export interface {name} {{\n{}}}", fields(schema, properties)?);
        }
        None => {
            let _infallible = writeln!(text, "export type {name} = {};", expression(schema)?);
        }
    }
    Ok(text)
}

fn fields(schema: &Value, properties: &Map<String, Value>) -> Result<String, Failure> {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut text = String::new();
    for (key, field) in properties {
        let always = required.contains(&key.as_str());
        push_doc(&mut text, field, "  ");
        let kind = expression(field)?;
        // An optional field is left out, never null.
        let kind = if always { kind.as_str() } else { kind.trim_end_matches(" | null") };
        let _infallible =
            writeln!(text, "  readonly {key}{}: {kind};", if always { "" } else { "?" });
    }
    Ok(text)
}

fn push_doc(text: &mut String, schema: &Value, indent: &str) {
    if let Some(doc) = schema.get("description").and_then(Value::as_str) {
        let _infallible = writeln!(text, "{indent}/** {} */", doc.replace('\n', " "));
    }
}

/// The TypeScript type of a schema.
fn expression(schema: &Value) -> Result<String, Failure> {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        return Ok(reference.rsplit('/').next().unwrap_or(reference).to_owned());
    }
    if let Some(constant) = schema.get("const") {
        return Ok(constant.to_string());
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return Ok(values.iter().map(Value::to_string).collect::<Vec<_>>().join(" | "));
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(choices) = schema.get(key).and_then(Value::as_array) {
            return Ok(choices.iter().map(expression).collect::<Result<Vec<_>, _>>()?.join(" | "));
        }
    }
    match schema.get("type") {
        None => Ok(ANY.to_owned()),
        Some(Value::String(kind)) => simple(kind, schema),
        Some(Value::Array(kinds)) => {
            let kinds: Result<Vec<_>, _> =
                kinds.iter().filter_map(Value::as_str).map(|kind| simple(kind, schema)).collect();
            Ok(kinds?.join(" | "))
        }
        Some(other) => Err(format!("a schema of type {other} has no TypeScript form here")),
    }
}

fn simple(kind: &str, schema: &Value) -> Result<String, Failure> {
    Ok(match kind {
        "integer" | "number" => "number".to_owned(),
        "string" | "boolean" | "null" => kind.to_owned(),
        "array" => {
            format!("readonly ({})[]", schema.get("items").map_or(Ok(ANY.to_owned()), expression)?)
        }
        "object" => {
            let value =
                schema.get("additionalProperties").map_or(Ok(ANY.to_owned()), expression)?;
            format!("{{ readonly [key: string]: {value} }}")
        }
        other => return Err(format!("a schema of type {other} has no TypeScript form here")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_optional_field_is_left_out_and_never_null() {
        let schema =
            json!({ "type": "object", "properties": { "a": { "type": ["string", "null"] } } });
        assert_eq!(
            declaration("X", &schema),
            Ok("export interface X {\n  readonly a?: string;\n}\n".to_owned())
        );
    }

    #[test]
    fn maps_lists_references_and_words_have_a_form() {
        let map = json!({ "type": "object", "additionalProperties": { "$ref": "#/$defs/Y" } });
        assert_eq!(expression(&map), Ok("{ readonly [key: string]: Y }".to_owned()));
        assert_eq!(
            expression(&json!({ "type": "array", "items": { "type": "integer" } })),
            Ok("readonly (number)[]".to_owned())
        );
        assert_eq!(
            expression(&json!({ "enum": ["live", "boot"] })),
            Ok("\"live\" | \"boot\"".to_owned())
        );
        assert!(expression(&json!({ "type": "tuple" })).is_err());
    }
}
