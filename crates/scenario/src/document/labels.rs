//! `labels` of a scenario file: what people call a kind of task, or what its tasks measure. Paths
//! and names in files and links stay as they are.

use std::collections::BTreeMap;

use crate::error::Fault;
use crate::metrics::names::MetricNames;
use crate::reading::json::{Node, join};
use crate::reading::values::{object, text};
use crate::text::readable as shorten;

/// Labels of a scenario at most.
const LABELS_MAX: usize = 64;
/// Characters of a label at most.
pub(crate) const LABEL_MAX: usize = 40;

const KEY: &str = "labels";

/// Every label by the name of what it labels; none where the file has no labels.
pub(super) fn read(root: &Node) -> Result<BTreeMap<String, String>, Fault> {
    let Some(member) = root.member(KEY) else { return Ok(BTreeMap::new()) };
    let members = object(&member.value, KEY)?;
    if members.len() > LABELS_MAX {
        let fault = Fault::new(member.at, KEY, format!("there are {} labels", members.len()));
        return Err(fault.expected(format!("at most {LABELS_MAX}")));
    }
    let mut labels = BTreeMap::new();
    for member in members {
        let path = join(KEY, &member.key);
        let label = text(&member.value, &path)?;
        let length = label.chars().count();
        if label.trim().is_empty() || length > LABEL_MAX {
            let fault = Fault::new(member.value.at, path, format!("it has {length} characters"));
            return Err(fault.expected(format!("a label of 1 to {LABEL_MAX} characters")));
        }
        labels.insert(member.key.clone(), label.to_owned());
    }
    Ok(labels)
}

/// Refuses a label for what the scenario does not have.
pub(super) fn check_names(root: &Node, names: &MetricNames) -> Result<(), Fault> {
    let Some(member) = root.member(KEY) else { return Ok(()) };
    match object(&member.value, KEY)?.iter().find(|member| !names.can_label(&member.key)) {
        None => Ok(()),
        Some(member) => {
            let name = shorten(&member.key);
            let message = format!("the scenario has no kind of task and no sample \"{name}\"");
            Err(Fault::new(member.at, join(KEY, &name), message)
                .expected("a kind of task (gc_main), or one and what it measures (gc_main.cycle)")
                .suggest(names.nearest_label(&member.key)))
        }
    }
}
