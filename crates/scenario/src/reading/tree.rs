//! Finding and changing the value at a dotted path of a scenario's tree.

use super::json::{Member, Node, Value};

/// The node at a dotted path; "" is the root.
pub(crate) fn find<'n>(root: &'n Node, path: &str) -> Option<&'n Node> {
    path.split('.')
        .filter(|key| !key.is_empty())
        .try_fold(root, |node, key| node.member(key).map(|member| &member.value))
}

/// The object at `parent`, made if it is missing; none if a value on the way is no object.
pub(crate) fn find_or_make<'n>(root: &'n mut Node, parent: &str) -> Option<&'n mut Node> {
    let mut node = root;
    for key in parent.split('.').filter(|key| !key.is_empty()) {
        let Value::Object(members) = &mut node.value else { return None };
        let index = members.iter().position(|member| member.key == key).unwrap_or_else(|| {
            members.push(Member {
                key: key.to_owned(),
                at: None,
                value: Node { at: None, value: Value::Object(Vec::new()) },
            });
            members.len() - 1
        });
        node = &mut members[index].value;
    }
    Some(node)
}

/// Takes away the member `key` of the object at `parent`, if it is there.
pub(crate) fn remove(root: &mut Node, parent: &str, key: &str) {
    let mut node = root;
    for step in parent.split('.').filter(|step| !step.is_empty()) {
        let Value::Object(members) = &mut node.value else { return };
        match members.iter_mut().find(|member| member.key == step) {
            Some(member) => node = &mut member.value,
            None => return,
        }
    }
    if let Value::Object(members) = &mut node.value {
        members.retain(|member| member.key != key);
    }
}
