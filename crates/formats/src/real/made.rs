//! Parts of a file for rt-app: JSON whose keys stay in their order.

use serde_json::{Value, json};

use crate::words::Node;

/// A text or a number.
pub(super) fn plain(value: impl Into<Value>) -> Node {
    Node::Plain(value.into())
}

/// An object of these members.
pub(super) fn object<K: Into<String>>(members: impl IntoIterator<Item = (K, Node)>) -> Node {
    Node::Object(members.into_iter().map(|(key, value)| (key.into(), value)).collect())
}

/// A list of CPUs, as rt-app takes them.
pub(super) fn cpus(list: impl IntoIterator<Item = u32>) -> (&'static str, Node) {
    ("cpus", Node::Array(list.into_iter().map(plain).collect()))
}

/// It goes on until the file's end.
pub(super) fn for_ever() -> (&'static str, Node) {
    ("loop", plain(-1))
}

/// A timer of a task's own, which ends every `us`.
pub(super) fn every(us: u64) -> Node {
    let members = [("ref", json!("unique")), ("period", json!(us)), ("mode", json!("absolute"))];
    object(members.map(|(key, value)| (key, plain(value))))
}
