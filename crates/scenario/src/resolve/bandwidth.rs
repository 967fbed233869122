//! `kernel.bandwidth`: an era of CFS bandwidth control, a fix of Chiluk 2019, a fault of a
//! candidate, or a mix of their switches.

use schedscope_engine::kernel::config::{
    Bandwidth, BandwidthPreset, BwDistribution, Expiry, Kernel, ListInsert, Refill, SiloReturn,
    SlackSubtract, SlackThreshold, Version, bandwidth_era, bandwidth_era_of, bandwidth_source,
    bandwidth_versions, default_version,
};
use schedscope_engine::named::Named;
use serde_json::json;

use crate::error::{Fault, nearest, one_of};
use crate::knobs::knob::{Knob, KnobType, prose};
use crate::knobs::setting::Setting;
use crate::reading::json::{Node, Value, join};
use crate::reading::values::{boolean, unknown_key, wrong_kind};
use crate::resolve::resolver::{Origin, Resolver};
use crate::text::readable as shorten;

pub(crate) const PATH: &str = "kernel.bandwidth";
pub(crate) const SLICE: &str = "kernel.cfs_bandwidth_slice_us";

/// A switch of the object that `kernel.bandwidth` may be.
#[derive(Clone, Copy)]
struct Switch {
    name: &'static str,
    schema: fn() -> serde_json::Value,
    /// Reads what is stated, at a path, into a mix.
    state: fn(&mut Bandwidth, &Node, &str) -> Result<(), Fault>,
}

/// The switch of a field of [`Bandwidth`], which is on or off, or one of a type's names.
macro_rules! switch {
    ($name:ident: bool) => {
        switch!($name, || json!({ "enum": [true, false, 0, 1] }), boolean)
    };
    ($name:ident: $names:ty) => {
        switch!($name, names::<$names>, named)
    };
    ($name:ident, $schema:expr, $read:ident) => {
        Switch {
            name: stringify!($name),
            schema: $schema,
            state: |mix, node, path| {
                mix.$name = $read(node, path)?;
                Ok(())
            },
        }
    };
}

const SWITCHES: [Switch; 19] = [
    switch!(expiry: Expiry),
    switch!(silo_return: SiloReturn),
    switch!(distribution: BwDistribution),
    switch!(slack_subtract: SlackSubtract),
    switch!(slack_threshold: SlackThreshold),
    switch!(throttle_lasttry: bool),
    switch!(list: ListInsert),
    switch!(refill: Refill),
    switch!(csd: bool),
    switch!(per_task: bool),
    switch!(charge_throttles: bool),
    switch!(sees_running: bool),
    switch!(restart_refills: bool),
    switch!(throttled_draws: bool),
    switch!(slack_pushes: bool),
    switch!(one_walk: bool),
    switch!(rescales: bool),
    switch!(rescale_last: bool),
    switch!(late_clock: bool),
];

/// Knobs of bandwidth control as such; those of groups are in `cgroups.rs`.
pub(crate) fn knobs() -> Vec<Knob> {
    vec![
        Knob::new(
            PATH,
            "CFS bandwidth",
            KnobType::Enum,
            default_version().to_string(),
            "How the kernel limits groups with a quota: the code of a version, a fix proposed in \
                2019, a fault of a candidate, or an object of single switches.",
            "commits and threads are named with each switch; follows kernel.version unless stated",
        )
        .words(bandwidth_versions().map(|version| {
            (
                version.to_string(),
                prose(bandwidth_source(version).unwrap_or("as the version before")),
            )
        }))
        .words(BandwidthPreset::ALL.iter().map(|preset| (preset.name(), prose(preset.doc()))))
        .formerly(&[("chiluk_v4", "seed_v4"), ("chiluk_v1_v2_v5", "seed_v1_v2_v5")])
        .follows_version()
        .or_release()
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
        let preset = bandwidth_era_of(version);
        let (origin, source) = (preset.known.into(), Some(preset.source));
        resolver.record(PATH, version.to_string().into(), origin, source);
        if !kernel.has_bandwidth_control() {
            resolver.inert(PATH, "this kernel has no bandwidth control: it came with 3.2");
        }
        return Ok(());
    };
    if !kernel.has_bandwidth_control() {
        resolver.hypothetical(PATH, kernel.version(), "bandwidth control, which came with 3.2");
    }
    let value = stated.setting.to_json();
    kernel.bandwidth = match &stated.setting {
        Setting::Word(word) => match (Version::parse(word), BandwidthPreset::parse(word)) {
            (Some(version), _) => Bandwidth::of_version(version),
            (None, Some(preset)) => Bandwidth::of_preset(preset),
            (None, None) => kernel.bandwidth,
        },
        _ => {
            let node = Node::from_json(&value);
            let mixed = mix(&node, kernel.bandwidth)?;
            let version = bandwidth_era(kernel.version());
            // What goes with the first ten switches is the era's, unless it is stated itself.
            let whole = known(version).find(|known| *known == mixed);
            let era = whole.or_else(|| known(version).find(|known| mixed.switches_of(known)));
            let mix = era.map_or(Ok(mixed), |era| mix(&node, era))?;
            resolver.notes.extend(said_to_follow(&mixed, &mix));
            if kernel.has_bandwidth_control() && !known(version).any(|known| known == mix) {
                resolver.notes.push(format!(
                    "{PATH} is hypothetical: no kernel and no posted patch had this mix of switches"
                ));
            }
            mix
        }
    };
    resolver.record(PATH, value, Origin::Stated, None);
    Ok(())
}

/// The switches that an era brought along and that are not stated, as a remark.
fn said_to_follow(stated: &Bandwidth, mix: &Bandwidth) -> Option<String> {
    let [stated, mix] = [stated, mix].map(|of| serde_json::to_value(of).expect("names and flags"));
    let followed = mix.as_object()?.iter().filter(|(name, value)| stated.get(name) != Some(value));
    let word =
        |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let followed: Vec<String> =
        followed.map(|(name, value)| format!("{name} {}", word(value))).collect();
    let all = followed.join(", ");
    (!all.is_empty()).then(|| format!("{PATH} goes by the era of its first ten switches: {all}"))
}

/// Every era and fix there is: that of `version` first, then the latest.
fn known(version: Version) -> impl Iterator<Item = Bandwidth> {
    let eras = std::iter::once(version)
        .chain(Version::LADDER.iter().rev().copied())
        .map(Bandwidth::of_version);
    eras.chain(BandwidthPreset::ALL.iter().map(|preset| Bandwidth::of_preset(*preset)))
}

/// The name of the era or the fix that `mix` is to the last switch; of versions with the same era,
/// the one that began it.
pub(crate) fn era_name(mix: &Bandwidth) -> Option<String> {
    let version = bandwidth_versions().find(|version| Bandwidth::of_version(*version) == *mix);
    let preset = || BandwidthPreset::ALL.iter().find(|fix| Bandwidth::of_preset(**fix) == *mix);
    version.map(|version| version.to_string()).or_else(|| Some(preset()?.name().to_owned()))
}

/// The object of switches, as a JSON schema.
pub(crate) fn schema() -> serde_json::Value {
    let properties: serde_json::Map<_, _> =
        SWITCHES.iter().map(|switch| (switch.name.to_owned(), (switch.schema)())).collect();
    json!({ "type": "object", "additionalProperties": false, "properties": properties })
}

/// The names of `T`, as a JSON schema.
fn names<T: Named>() -> serde_json::Value {
    json!({ "enum": T::ALL.iter().map(|choice| choice.name()).collect::<Vec<_>>() })
}

/// Whether `node` is a sound object of switches; used where the knob is typed.
fn check(node: &Node) -> Result<(), Fault> {
    mix(node, Bandwidth::of_version(default_version())).map(drop)
}

/// The switches `node` states, laid over `base`.
fn mix(node: &Node, base: Bandwidth) -> Result<Bandwidth, Fault> {
    let Value::Object(members) = &node.value else {
        return Err(wrong_kind(node, PATH, "a version, a preset or an object of switches"));
    };
    let mut mix = base;
    for member in members {
        let Some(switch) = SWITCHES.iter().find(|switch| switch.name == member.key) else {
            return Err(unknown_key(member, PATH, &SWITCHES.map(|switch| switch.name)));
        };
        (switch.state)(&mut mix, &member.value, &join(PATH, &shorten(&member.key)))?;
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
