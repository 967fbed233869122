//! The keys of `machine`, `kernel`, `workload` and of each generator: unknown ones are refused
//! before any knob is read.

use crate::error::Fault;
use crate::generators::all::GENERATORS;
use crate::knobs::all::{knobs, lookup};
use crate::knobs::knob::Knob;
use crate::knobs::not_yet::NOT_YET_KNOBS;
use crate::knobs::setting::spellings;
use crate::reading::json::{self, Node};
use crate::reading::tree::find;
use crate::reading::values;

/// The objects whose members are knobs, or such objects.
const OBJECTS: [&str; 3] = ["machine", "kernel", "kernel.rules"];

/// Refuses an unknown key of one of [`OBJECTS`], of a generator or of the workload.
pub(super) fn check(root: &Node) -> Result<(), Fault> {
    let generators = GENERATORS.iter().map(|generator| json::join("workload", generator));
    for parent in OBJECTS.map(str::to_owned).into_iter().chain(generators) {
        let parent = parent.as_str();
        let Some(node) = find(root, parent) else { continue };
        for member in values::object(node, parent)? {
            let path = json::join(parent, &member.key);
            let known = knobs()
                .iter()
                .filter(|knob| knob.parent() == parent)
                .flat_map(spellings)
                .any(|(key, _)| key == member.key)
                || OBJECTS.contains(&path.as_str());
            if !known && NOT_YET_KNOBS.iter().any(|(known, _)| *known == path) {
                lookup(&path, member.at)?;
            }
            if !known {
                return Err(unknown_here(parent, member));
            }
        }
    }
    check_workload(root)
}

/// `member` is no key of the object `parent`, but perhaps one of an object in it.
fn unknown_here(parent: &str, member: &json::Member) -> Fault {
    let objects = OBJECTS.iter().filter_map(|path| path.rsplit_once('.'));
    let within = objects.filter(|(of, _)| *of == parent).map(|(_, object)| object);
    let belongs = |object: &&str| {
        let path = json::join(&json::join(parent, object), &member.key);
        knobs().iter().any(|knob| knob.path == path)
    };
    if let Some(object) = within.clone().find(belongs) {
        let message = format!("\"{}\" is a key of \"{object}\"", member.key);
        return Fault::new(member.at, json::join(parent, &member.key), message)
            .expected(format!("\"{object}\": {{ \"{}\": … }}", member.key));
    }
    let own = knobs().iter().filter(|knob| knob.parent() == parent).map(Knob::key);
    let keys: Vec<&str> = own.chain(within).collect();
    values::unknown_key(member, parent, &keys)
}

fn check_workload(root: &Node) -> Result<(), Fault> {
    let workload = root.member("workload").ok_or_else(|| {
        values::missing(root, "", "workload", "an object with \"tasks\" or generators")
    })?;
    let known: Vec<&str> =
        GENERATORS.iter().copied().chain(["tasks", "resources", "global"]).collect();
    for member in values::object(&workload.value, "workload")? {
        if !known.contains(&member.key.as_str()) {
            return Err(values::unknown_key(member, "workload", &known));
        }
    }
    Ok(())
}
