//! A scenario of this project, pasted whole: it is the scenario.

use crate::words::amounts::quoted;
use crate::words::case::{Case, Note};
use crate::words::form::Form;
use crate::words::paste::Piece;

pub(super) const FORM: Form = Form {
    name: "scenario",
    title: "a scenario of schedscope",
    example: "{ \"schema\": 1, \"title\": \"mine\", \"workload\": { \"pipe\": {} } }",
    read,
};

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    let document = piece.document()?;
    let value = document.values.first()?;
    if value.get("schema").is_none() || value.get("workload").is_none() {
        return None;
    }
    if !document.is_strict {
        return Some(Note::left_out("a scenario is strict JSON, and this text is not"));
    }
    if case.whole.is_some() {
        return Some(Note::left_out("the text has a scenario already"));
    }
    let title = value.get("title").and_then(|title| title.as_str()).map(quoted);
    let title = title.map_or_else(String::new, |title| format!(": {title}"));
    case.whole = Some(document.text.clone());
    case.says.push(format!("This is a scenario of schedscope{title}."));
    Some(Note::used(format!("a scenario of schedscope{title}, as it is")))
}
