//! Changes laid over a scenario's tree: variants, flags, links, the page's controls.

use crate::cgroups;
use crate::error::{Fault, ScenarioError};
use crate::generators::all::GENERATORS;
use crate::knobs::all::{knob, lookup};
use crate::knobs::knob::{Knob, KnobType};
use crate::knobs::setting::{self, typed};
use crate::reading::json::{Node, Value, value_of};
use crate::reading::tree::{find, remove};
use crate::reading::values::flag_named;
use crate::resolve::costs;
use crate::version;

/// Lays `set` over the tree `root`, in order: a changed value has no place, every other keeps its
/// own. Setting `machine.cpus` puts the topology and the partitions back to `auto` unless `set`
/// states them too, and setting `kernel.version` puts the switches that follow it back to the
/// version's. Returns a remark for each value that the changes took along without naming it.
pub(crate) fn lay_over(
    root: &mut Node,
    set: &[(String, serde_json::Value)],
) -> Result<Vec<String>, Fault> {
    let set = &objects_read(set)?;
    let remarks = version::take_along(root, set);
    let set = &costs::spread(set);
    for (path, value) in set {
        let knob = lookup(path, None)?;
        let node = node_of(knob, value);
        typed(knob, &node).map_err(|fault| fault.of_group(path))?;
        if knob.path.starts_with("cgroups.") {
            cgroups::put(root, path, node)?;
            continue;
        }
        let unstated = |follower: &&&str| {
            path == "machine.cpus" && !set.iter().any(|(stated, _)| stated == **follower)
        };
        for follower in ["machine.topology", "machine.partitions"].iter().filter(unstated) {
            remove(root, "machine", follower.trim_start_matches("machine."));
        }
        let node = match knob.path {
            // A preset takes the place of the file's, single costs included, but not of those that
            // are set beside it.
            costs::PATH => {
                costs::keep(root, node, |cost| set.iter().any(|(stated, _)| stated == cost))
            }
            _ => node,
        };
        if costs::is_cost(knob.path) {
            costs::open(root);
        }
        put(root, knob, node)?;
    }
    Ok(remarks)
}

/// Refuses a value that its knob takes in no scenario. An object is judged with the scenario that
/// it is laid over.
pub fn check_value(path: &str, value: &serde_json::Value) -> Result<(), ScenarioError> {
    let checked = lookup(path, None).and_then(|knob| match knob.object {
        Some(_) => Ok(()),
        None => typed(knob, &node_of(knob, value)).map(drop).map_err(|fault| fault.of_group(path)),
    });
    checked.map_err(|fault| fault.locate(""))
}

/// `set` with the objects that a link writes as text: of the two knobs that take one.
fn objects_read(
    set: &[(String, serde_json::Value)],
) -> Result<Vec<(String, serde_json::Value)>, Fault> {
    let read = |(path, value): &(String, serde_json::Value)| {
        let takes_objects = knob(path).is_some_and(|knob| knob.object.is_some());
        match value.as_str().filter(|text| takes_objects && text.starts_with('{')) {
            Some(text) => Ok((path.clone(), value_of(path, text)?)),
            None => Ok((path.clone(), value.clone())),
        }
    };
    set.iter().map(read).collect()
}

/// A value from a flag, a link or the page; the knob's type decides how a text is read.
pub(crate) fn node_of(knob: &Knob, value: &serde_json::Value) -> Node {
    let node = Node::from_json(value);
    let Value::Text(text) = &node.value else { return node };
    let is_number =
        !text.is_empty() && text.len() <= 20 && text.bytes().all(|byte| byte.is_ascii_digit());
    let numeric_choices = knob.choices.iter().any(|choice| choice.value.is_number());
    let value = match knob.kind {
        KnobType::Integer if is_number => Value::Number(text.clone()),
        KnobType::Enum if is_number && numeric_choices => Value::Number(text.clone()),
        KnobType::Boolean => flag_named(text).map_or_else(|| node.value.clone(), Value::Bool),
        _ => return node,
    };
    Node { at: None, value }
}

/// States `node` for `knob`; a generator's only if the scenario has the generator.
fn put(root: &mut Node, knob: &Knob, node: Node) -> Result<(), Fault> {
    let generator =
        GENERATORS.iter().find(|generator| knob.parent() == format!("workload.{generator}"));
    if let Some(generator) = generator.filter(|_| find(root, knob.parent()).is_none()) {
        let message = format!("the scenario has no {generator}, so there is nothing to set");
        return Err(Fault::new(None, knob.path, message)
            .expected(format!("a scenario whose workload has \"{generator}\"")));
    }
    setting::put(root, knob, node);
    Ok(())
}
