//! What a change of `kernel.version` takes along, and how a kernel is named that has switches of
//! another version.
//!
//! A version that is set by hand means that kernel: what the file itself states for a switch that
//! follows the version goes. What a variant or another change states stays, and is said wherever
//! the version is.

use schedscope_engine::kernel::config::{
    Kernel, Preempt, Version, default_preempt, nearest_offered, offers,
};
use schedscope_engine::named::Named;
use serde::Serialize;
use serde_json::Value;

use crate::document::parts::Variant;
use crate::error::Fault;
use crate::knobs::all::{knob, knobs, table};
use crate::knobs::knob::Knob;
use crate::knobs::setting::{self, Stated};
use crate::reading::json::{Member, Node, Value as Tree};
use crate::reading::tree::{find, remove};
use crate::resolve::bandwidth;
use crate::resolve::kernel::kernel;
use crate::resolve::resolver::{Origin, ResolvedKnob, Resolver};

const VERSION: &str = "kernel.version";
const PREEMPT: &str = "kernel.preempt";
/// Value of a switch in a version that does not have the switch.
const NONE: &str = "none";

/// A switch that is stated and is not what the version has.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OwnSwitch {
    /// Dotted path.
    pub path: &'static str,
    /// The value the run uses; an object of bandwidth control that is an era has the era's name.
    pub value: Value,
    /// What the version has.
    pub of_version: Value,
}

/// What the file itself states for the switches that follow the version; a value that cannot be
/// read is left to its own reader.
pub(crate) fn stated_in_file(root: &Node) -> impl Iterator<Item = (&'static Knob, Stated)> {
    let following = knobs().iter().filter(|knob| knob.follows_version);
    following
        .filter_map(move |knob| Some((knob, setting::read(root, knob).ok()??)))
        .filter(|(_, stated)| stated.at.is_some())
}

/// Takes back what the file states for switches that follow the version, if `set` changes it and
/// does not state them too; gives a remark for each. A preemption model that the version does not
/// offer becomes the nearest that it does.
pub(crate) fn take_along(root: &mut Node, set: &[(String, Value)]) -> Vec<String> {
    let states = |path: &str| set.iter().any(|(stated, _)| stated == path);
    if !states(VERSION) {
        return Vec::new();
    }
    let taken: Vec<_> = stated_in_file(root).filter(|(knob, _)| !states(knob.path)).collect();
    let note = |(knob, stated): &(&Knob, Stated)| {
        format!(
            "{} goes with {VERSION}, which was changed; the scenario's own value was {}",
            knob.path,
            text(&stated.setting.to_json())
        )
    };
    let mut notes: Vec<String> = taken.iter().map(note).collect();
    for (knob, _) in taken {
        for (key, _) in setting::spellings(knob) {
            remove(root, knob.parent(), &key);
        }
    }
    if !states(PREEMPT) {
        notes.extend(nearest_preempt(root, set));
    }
    notes
}

fn nearest_preempt(root: &mut Node, set: &[(String, Value)]) -> Option<String> {
    let version = set
        .iter()
        .rev()
        .find(|(path, _)| path == VERSION)
        .and_then(|(_, value)| Version::read(value.as_str()?).map(|read| read.version))?;
    let stated = setting::read(root, knob(PREEMPT)?).ok()??.setting.to_json();
    let stated = Preempt::parse(stated.as_str()?)?;
    let why = offers(version, stated).err()?;
    let nearest = nearest_offered(version, stated).name();
    setting::put(root, knob(PREEMPT)?, Node::from_json(&nearest.into()));
    Some(format!(
        "{PREEMPT} is {nearest}: kernel {version} has no \"{}\", which the scenario states: {why}",
        stated.name()
    ))
}

/// The variants with what they are compared by: if one of them sets a switch that follows the
/// version, the file's value of it is what those mean that do not. One that changes the version
/// itself means that version's.
pub(crate) fn complete(root: &Node, variants: &mut [Variant]) {
    let compared =
        |variants: &[Variant], path: &str| variants.iter().any(|variant| variant.states(path));
    let stated: Vec<_> =
        stated_in_file(root).filter(|(knob, _)| compared(variants, knob.path)).collect();
    for variant in variants.iter_mut().filter(|variant| !variant.states(VERSION)) {
        for (knob, stated) in &stated {
            if !variant.states(knob.path) {
                variant.set.push((knob.path.to_owned(), stated.setting.to_json()));
            }
        }
    }
}

/// The switches of `resolved` that are stated, have an effect and are not the version's, under the
/// changes `set`.
pub(crate) fn own_switches(
    root: &Node,
    set: &[(String, Value)],
    cpus: u32,
    resolved: &[ResolvedKnob],
    running: &Kernel,
) -> Vec<OwnSwitch> {
    let preempt = own_preempt(set, resolved, running);
    preempt.into_iter().chain(own_following(root, cpus, resolved, running)).collect()
}

/// The preemption model that a changed version is built with, if it is stated and not its
/// default. Without a change of version it is the scenario's own choice: no version implies one.
fn own_preempt(
    set: &[(String, Value)],
    resolved: &[ResolvedKnob],
    running: &Kernel,
) -> Option<OwnSwitch> {
    let is_changed = set.iter().any(|(path, _)| path == VERSION);
    let ours = resolved.iter().find(|knob| knob.path == PREEMPT)?;
    let of_version = default_preempt(running.version()).name();
    let is_own = is_changed && ours.origin == Origin::Stated && ours.value != of_version;
    is_own.then(|| OwnSwitch {
        path: PREEMPT,
        value: ours.value.clone(),
        of_version: of_version.into(),
    })
}

/// The switches that follow the version, are stated, have an effect and are not the version's. Only
/// the kernel's own members are read.
fn own_following(
    root: &Node,
    cpus: u32,
    resolved: &[ResolvedKnob],
    running: &Kernel,
) -> Vec<OwnSwitch> {
    let following =
        |resolved: &&ResolvedKnob| knob(&resolved.path).is_some_and(|knob| knob.follows_version);
    let stated: Vec<_> = resolved
        .iter()
        .filter(|knob| knob.origin == Origin::Stated && knob.inert.is_none())
        .filter(following)
        .collect();
    let Some((of_version, theirs)) =
        Some(()).filter(|()| !stated.is_empty()).and_then(|()| as_versioned(root, cpus).ok())
    else {
        return Vec::new();
    };
    let lacks = |path: &str| path == bandwidth::PATH && !running.has_bandwidth_control();
    let differs = |ours: &ResolvedKnob, version: &ResolvedKnob| {
        if ours.path == bandwidth::PATH {
            running.bandwidth != of_version.bandwidth || lacks(bandwidth::PATH)
        } else {
            ours.value != version.value
        }
    };
    let own = stated.into_iter().filter_map(|ours| {
        let version = theirs
            .iter()
            .find(|knob| knob.path == ours.path)
            .filter(|version| differs(ours, version))?;
        let era = (ours.path == bandwidth::PATH && ours.value.is_object())
            .then(|| bandwidth::era_name(&running.bandwidth));
        Some(OwnSwitch {
            path: knob(&ours.path)?.path,
            value: era.flatten().map_or_else(|| ours.value.clone(), Value::from),
            of_version: if lacks(&ours.path) { NONE.into() } else { version.value.clone() },
        })
    });
    own.collect()
}

/// The kernel with none of these switches stated.
fn as_versioned(root: &Node, cpus: u32) -> Result<(Kernel, Vec<ResolvedKnob>), Fault> {
    let members = find(root, "kernel").map(|kernel| Member {
        key: "kernel".to_owned(),
        at: None,
        value: kernel.clone(),
    });
    let mut alone = Node { at: None, value: Tree::Object(members.into_iter().collect()) };
    for knob in knobs().iter().filter(|knob| knob.follows_version) {
        for (key, _) in setting::spellings(knob) {
            remove(&mut alone, knob.parent(), &key);
        }
    }
    let mut resolver = Resolver::new(&alone, table());
    let kernel = kernel(&mut resolver, cpus)?;
    Ok((kernel, resolver.knobs))
}

/// `6.12 with bandwidth 4.19`: the version, and what is not of it, by keys as reports have it.
pub(crate) fn kernel_text(version: &str, own: &[OwnSwitch]) -> String {
    let switch = |own: &OwnSwitch| {
        let key = own.path.rsplit_once('.').map_or(own.path, |(_, key)| key);
        if own.value.is_object() {
            format!("a {key} of its own")
        } else {
            format!("{key} {}", text(&own.value))
        }
    };
    with_switches(version, &own.iter().map(switch).collect::<Vec<_>>())
}

/// `6.12 with CFS bandwidth 4.19`: [`kernel_text`] for people, in the page's words.
pub(crate) fn kernel_words(version: &str, own: &[&OwnSwitch]) -> String {
    let switch = |own: &&OwnSwitch| {
        let name = knob(own.path).map_or(own.path, |knob| knob.label);
        match &own.value {
            Value::Object(_) => format!("own {name}"),
            Value::Bool(flag) => format!("{name} {}", if *flag { "on" } else { "off" }),
            value => format!("{name} {}", text(value)),
        }
    };
    with_switches(version, &own.iter().map(switch).collect::<Vec<_>>())
}

fn with_switches(version: &str, switches: &[String]) -> String {
    match switches.split_last() {
        None => version.to_owned(),
        Some((only, [])) => format!("{version} with {only}"),
        Some((last, rest)) => format!("{version} with {} and {last}", rest.join(", ")),
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
