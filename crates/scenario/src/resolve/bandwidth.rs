//! `kernel.bandwidth`: an era of CFS bandwidth control, a fix of Chiluk 2019, or a mix of their
//! switches.

use schedscope_engine::kernel::config::{
    Bandwidth, BandwidthPreset, BwDistribution, Expiry, Kernel, ListInsert, Refill, SiloReturn,
    SlackSubtract, SlackThreshold, Version, bandwidth_era, bandwidth_source, bandwidth_versions,
    newest_version, version_named, versions,
};
use schedscope_engine::named::Named;
use serde_json::json;

use crate::error::{Fault, nearest, one_of};
use crate::knobs::knob::{Knob, KnobType, prose};
use crate::knobs::setting::Setting;
use crate::reading::json::{Node, Value, join};
use crate::reading::values::{unknown_key, wrong_kind};
use crate::resolve::resolver::{Origin, Resolver};
use crate::text::readable as shorten;

/// The knob.
pub(crate) const PATH: &str = "kernel.bandwidth";
pub(crate) const SLICE: &str = "kernel.cfs_bandwidth_slice_us";
const SWITCHES: [&str; 10] = [
    "expiry",
    "silo_return",
    "distribution",
    "slack_subtract",
    "slack_threshold",
    "throttle_lasttry",
    "list",
    "refill",
    "csd",
    "per_task",
];

/// Knobs of bandwidth control as such; those of groups are in `cgroups.rs`.
pub(crate) fn knobs() -> Vec<Knob> {
    vec![
        Knob::new(
            PATH,
            "CFS bandwidth",
            KnobType::Enum,
            newest_version().name(),
            "How the kernel limits groups with a quota: the code of a version, a fix proposed in \
                2019, or an object of single switches.",
            "commits and threads are named with each switch; follows kernel.version unless stated",
        )
        .words(bandwidth_versions().map(|version| {
            (version.name(), prose(bandwidth_source(version).unwrap_or("as the version before")))
        }))
        .words(BandwidthPreset::ALL.iter().map(|preset| (preset.name(), prose(preset.doc()))))
        .follows_version()
        .or_object(check),
        Knob::new(
            SLICE,
            "sched_cfs_bandwidth_slice_us",
            KnobType::Integer,
            5_000,
            "Run time, in µs, that a CPU takes from its group's pool at a time: it fills its silo \
                up to this.",
            "sysctl sched_cfs_bandwidth_slice_us",
        )
        .range(1, 1_000_000)
        .live(),
    ]
}

/// Lays what is stated over `kernel`.
pub(crate) fn resolve(resolver: &mut Resolver<'_>, kernel: &mut Kernel) -> Result<(), Fault> {
    kernel.bandwidth_slice_ns = resolver.amount(SLICE)?.value * 1_000;
    let stated = resolver.stated(PATH)?;
    let Some(stated) = stated else {
        let version = bandwidth_era(kernel.version());
        let source = bandwidth_source(version);
        let origin = if source.is_some() { Origin::Known } else { Origin::Carried };
        resolver.record(PATH, version.name().into(), origin, source);
        if !kernel.has_bandwidth_control() {
            resolver.inert(PATH, "this kernel has no bandwidth control: it came with 3.2");
        }
        return Ok(());
    };
    let value = stated.setting.to_json();
    kernel.bandwidth = match &stated.setting {
        Setting::Word(word) => match (version_named(word), BandwidthPreset::parse(word)) {
            (Some(version), _) => Bandwidth::of_version(version),
            (None, Some(preset)) => Bandwidth::of_preset(preset),
            (None, None) => kernel.bandwidth,
        },
        _ => {
            let mix = mix(&Node::from_json(&value), kernel.bandwidth)?;
            known(&mix, bandwidth_era(kernel.version())).unwrap_or_else(|| {
                resolver.notes.push(format!(
                    "{PATH} is hypothetical: no kernel and no posted patch had this mix of switches"
                ));
                mix
            })
        }
    };
    resolver.record(PATH, value, Origin::Stated, None);
    Ok(())
}

/// The era or the fix that has the ten switches of `mix`, with all else that belongs to it: that of
/// `version` first, then the latest.
fn known(mix: &Bandwidth, version: Version) -> Option<Bandwidth> {
    let eras =
        std::iter::once(version).chain(versions().iter().rev().copied()).map(Bandwidth::of_version);
    let fixes = BandwidthPreset::ALL.iter().map(|preset| Bandwidth::of_preset(*preset));
    eras.chain(fixes).find(|known| mix.switches_of(known))
}

/// The object of switches, as a JSON schema.
pub(crate) fn schema() -> serde_json::Value {
    fn names<T: Named>() -> serde_json::Value {
        json!({ "enum": T::ALL.iter().map(|choice| choice.name()).collect::<Vec<_>>() })
    }
    let flag = || json!({ "enum": [true, false, 0, 1] });
    let switch = |name: &str| match name {
        "expiry" => names::<Expiry>(),
        "silo_return" => names::<SiloReturn>(),
        "distribution" => names::<BwDistribution>(),
        "slack_subtract" => names::<SlackSubtract>(),
        "slack_threshold" => names::<SlackThreshold>(),
        "list" => names::<ListInsert>(),
        "refill" => names::<Refill>(),
        "throttle_lasttry" | "csd" | "per_task" => flag(),
        other => unreachable!("{other} has no schema"),
    };
    let properties: serde_json::Map<_, _> =
        SWITCHES.iter().map(|name| ((*name).to_owned(), switch(name))).collect();
    json!({ "type": "object", "additionalProperties": false, "properties": properties })
}

/// Whether `node` is a sound object of switches; used where the knob is typed.
fn check(node: &Node) -> Result<(), Fault> {
    mix(node, Bandwidth::of_version(newest_version())).map(drop)
}

/// The switches `node` states, laid over `base`.
fn mix(node: &Node, base: Bandwidth) -> Result<Bandwidth, Fault> {
    let Value::Object(members) = &node.value else {
        return Err(wrong_kind(node, PATH, "a version, a preset or an object of switches"));
    };
    let mut mix = base;
    for member in members {
        let (path, value) = (join(PATH, &shorten(&member.key)), &member.value);
        match member.key.as_str() {
            "expiry" => mix.expiry = named(value, &path)?,
            "silo_return" => mix.silo_return = named(value, &path)?,
            "distribution" => mix.distribution = named(value, &path)?,
            "slack_subtract" => mix.slack_subtract = named(value, &path)?,
            "slack_threshold" => mix.slack_threshold = named(value, &path)?,
            "list" => mix.list = named(value, &path)?,
            "refill" => mix.refill = named(value, &path)?,
            "throttle_lasttry" => mix.throttle_lasttry = flag(value, &path)?,
            "csd" => mix.csd = flag(value, &path)?,
            "per_task" => mix.per_task = flag(value, &path)?,
            _ => return Err(unknown_key(member, PATH, &SWITCHES)),
        }
    }
    Ok(mix)
}

fn named<T: Named>(node: &Node, path: &str) -> Result<T, Fault> {
    let expected = || one_of(T::ALL.iter().map(|choice| format!("\"{}\"", choice.name())));
    let Value::Text(text) = &node.value else { return Err(wrong_kind(node, path, &expected())) };
    T::parse(text).ok_or_else(|| {
        let near = nearest(text, T::ALL.iter().map(|choice| choice.name()))
            .map(|near| format!("\"{near}\""));
        Fault::new(node.at, path, format!("there is no \"{}\"", shorten(text)))
            .expected(expected())
            .suggest(near)
    })
}

/// `true` and `false`, or 1 and 0.
fn flag(node: &Node, path: &str) -> Result<bool, Fault> {
    match &node.value {
        Value::Bool(flag) => Ok(*flag),
        Value::Number(text) if text == "0" || text == "1" => Ok(text == "1"),
        _ => Err(wrong_kind(node, path, "true or false")),
    }
}
