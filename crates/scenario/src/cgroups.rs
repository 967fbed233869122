//! `cgroups`: the tree of control groups as a scenario states it, by paths as keys; parents are
//! implied (docs/use/scenario-format.md).
//!
//! A group's keys are knobs too: `cgroups.web.cpu_max`, with the name in double quotes where it
//! holds a dot.

pub(crate) mod path;

use schedscope_engine::kernel::config::Kernel;
use schedscope_engine::rng::{Purpose, below};
use schedscope_engine::setup::{
    GROUP_WEIGHT, GROUPS_MAX, GroupSpec, PERIOD_RANGE_NS, QUOTA_MAX_NS, Quota,
};

use crate::error::{Fault, nearest};
use crate::knobs::knob::{Knob, KnobType};
use crate::knobs::setting::{self, Setting};
use crate::reading::json::{Member, Node, Value};
use crate::reading::values::{is_whole, object, text, unknown_key};
use crate::resolve::resolver::{Origin, Resolver};
use crate::text::readable as shorten;
use path::{KEYS, path_of, split};

const US: u64 = 1_000;
/// Most bytes of a group's path.
const PATH_MAX: usize = 200;
/// Period of a group that states none.
const PERIOD_NS: u64 = 100_000 * US;

/// What a group may state. The paths are patterns.
pub(crate) fn knobs() -> Vec<Knob> {
    let weight = "cpu.weight of cgroup v2; 100 weighs as a task of nice 0";
    vec![
        Knob::new(
            "cgroups.<name>.cpu_max",
            "cpu.max",
            KnobType::Text,
            "max",
            "Quota and period in µs: \"10000 100000\" is 10 ms in every 100 ms. A quota alone \
                keeps the period; max is no limit.",
            "cpu.max of cgroup v2 (3.2 on)",
        )
        .live(),
        Knob::new(
            "cgroups.<name>.cpu_max_burst",
            "cpu.max.burst",
            KnobType::Integer,
            0,
            "Unused quota that the group may save for later periods, at most this, in µs.",
            "cpu.max.burst of cgroup v2 (5.14 on)",
        )
        .range(0, QUOTA_MAX_NS / US)
        .live(),
        Knob::new(
            "cgroups.<name>.cpu_weight",
            "cpu.weight",
            KnobType::Integer,
            100,
            "The group's share of CPU time where groups compete for a CPU.",
            weight,
        )
        .range(1, 10_000)
        .live(),
        Knob::new(
            "cgroups.<name>.period_phase",
            "period phase",
            KnobType::Time,
            "auto",
            "Time from 0 to the first refill, at most a period; the pool starts full.",
            "schedscope",
        )
        .range(1, PERIOD_RANGE_NS.1)
        .words([("auto", "drawn within the period, never on a tick")]),
    ]
}

/// Writes one key of a group that is there. A quota without a period keeps the period, as a write
/// to the kernel's file does.
pub(crate) fn put(root: &mut Node, path: &str, mut value: Node) -> Result<(), Fault> {
    let (name, key) = split(path).unwrap_or_default();
    let mut groups = root.member_mut("cgroups").and_then(|groups| groups.value.members_mut());
    let group = groups.iter_mut().flat_map(|groups| groups.iter_mut());
    let group = group.filter(|group| group.key == name).find_map(|group| group.value.members_mut());
    let Some(members) = group else {
        let message = format!("the scenario has no control group \"{}\"", shorten(name));
        let names = groups.iter().flat_map(|groups| groups.iter()).map(|group| group.key.as_str());
        let near = nearest(name, names).map(|near| path_of(&near, key));
        return Err(Fault::new(None, shorten(path), message)
            .expected("a key of cgroups")
            .suggest(near));
    };
    if let Some(before) = members.iter().find(|member| key == "cpu_max" && member.key == key) {
        keep_period(&mut value, &before.value);
    }
    members.retain(|member| !matches!(member.key.strip_prefix(key), Some("" | "_ns" | "_us")));
    members.push(Member { key: key.to_owned(), at: None, value });
    Ok(())
}

/// Adds the period of the cpu.max `before` to a quota in µs without a period.
fn keep_period(value: &mut Node, before: &Node) {
    if let (Value::Text(quota), Value::Text(before)) = (&mut value.value, &before.value)
        && !quota.is_empty()
        && is_whole(quota)
        && let Some((_, period)) = before.split_once(' ')
    {
        quota.push(' ');
        quota.push_str(period);
    }
}

/// Every group, parents first, each with what it states.
pub(crate) fn resolve(
    resolver: &mut Resolver<'_>,
    kernel: &Kernel,
    seed: u64,
) -> Result<Vec<GroupSpec>, Fault> {
    let mut groups = vec![GroupSpec::root()];
    let Some(member) = resolver.root.member("cgroups") else { return Ok(groups) };
    let stated = object(&member.value, "cgroups")?;
    for group in stated {
        check_path(group)?;
        for (end, _) in group.key.match_indices('/').chain([(group.key.len(), "")]) {
            let path = &group.key[..end];
            if groups.iter().all(|known| known.path != path) {
                let above = path.rsplit_once('/').map_or("", |(above, _)| above);
                let parent =
                    groups.iter().position(|known| known.path == above).unwrap_or(0) as u32;
                groups.push(GroupSpec { path: path.to_owned(), parent, ..GroupSpec::root() });
            }
        }
        if groups.len() > GROUPS_MAX {
            return Err(Fault::new(group.at, "cgroups", "there are too many control groups")
                .expected(format!("at most {GROUPS_MAX}")));
        }
    }
    for group in stated {
        let at = groups.iter().position(|known| known.path == group.key).unwrap_or(0);
        let (weight, bandwidth) =
            Stated { resolver, name: &group.key, node: &group.value, groups: &groups }
                .read(kernel, seed, at as u64)?;
        (groups[at].weight, groups[at].bandwidth) = (weight, bandwidth);
    }
    note_parents(resolver, &groups);
    Ok(groups)
}

/// v2 lets a child have more than its parent, which then limits it all the same.
fn note_parents(resolver: &mut Resolver<'_>, groups: &[GroupSpec]) {
    let ratio = |group: &GroupSpec| {
        group
            .bandwidth
            .and_then(|quota| Some((u128::from(quota.quota_ns?), u128::from(quota.period_ns))))
    };
    for group in groups.iter().skip(1) {
        if let (Some(own), Some(above)) = (ratio(group), ratio(&groups[group.parent as usize]))
            && own.0 * above.1 > above.0 * own.1
        {
            resolver.notes.push(format!(
                "cgroups: {} may use more than {}, which limits it",
                group.path, groups[group.parent as usize].path
            ));
        }
    }
}

fn check_path(group: &Member) -> Result<(), Fault> {
    let path = group.key.as_str();
    let parts = path.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
    let plain =
        path.len() <= PATH_MAX && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"');
    if parts && plain {
        return Ok(());
    }
    if parts && path.len() > PATH_MAX {
        let message = format!("a path of {} bytes is longer than one may be", path.len());
        return Err(Fault::new(group.at, "cgroups", message)
            .expected(format!("at most {PATH_MAX} bytes with all names above")));
    }
    let message = format!("\"{}\" is no path of a control group", shorten(path));
    Err(Fault::new(group.at, "cgroups", message)
        .expected("names separated by /, without a leading one, such as \"user.slice/web\""))
}

/// One group's object.
struct Stated<'r, 'n, 'g> {
    resolver: &'r mut Resolver<'n>,
    name: &'g str,
    node: &'g Node,
    /// All groups, those read before with their limits.
    groups: &'g [GroupSpec],
}

impl Stated<'_, '_, '_> {
    fn read(
        &mut self,
        kernel: &Kernel,
        seed: u64,
        index: u64,
    ) -> Result<(u32, Option<Quota>), Fault> {
        let members = object(self.node, path_of(self.name, "").trim_end_matches('.'))?;
        let known = |key: &str| {
            KEYS.contains(&key) || ["period_phase_ns", "period_phase_us"].contains(&key)
        };
        if let Some(member) = members.iter().find(|member| !known(&member.key)) {
            return Err(unknown_key(member, path_of(self.name, "").trim_end_matches('.'), &KEYS));
        }
        let (weight, _) = self.setting("cpu_weight")?;
        let shares = if let Setting::Integer(weight) = weight {
            (weight * u64::from(GROUP_WEIGHT) + 50) / 100
        } else {
            0
        };
        let (max, at) = self.setting("cpu_max")?;
        let Setting::Word(max) = max else { return Ok((shares as u32, None)) };
        let Quota { quota_ns, period_ns, .. } =
            cpu_max(&max, None, &path_of(self.name, "cpu_max"), at)?;
        let (burst, burst_at) = self.setting("cpu_max_burst")?;
        let burst_us = if let Setting::Integer(burst) = burst { burst } else { 0 };
        let burst_fault = |message: String, expected: &str, other: String| {
            Fault::new(burst_at, path_of(self.name, "cpu_max_burst"), message)
                .expected(expected)
                .decided_with([other, "kernel.version".to_owned()])
        };
        if burst_us > 0 && !kernel.bandwidth.has_burst() {
            return Err(burst_fault(
                NO_BURST.to_owned(),
                "0, or kernel.bandwidth \"5.14\"",
                crate::resolve::bandwidth::PATH.to_owned(),
            ));
        }
        if quota_ns.is_some_and(|quota_ns| burst_us * US > quota_ns) {
            return Err(burst_fault(
                format!("a burst of {burst_us} µs is more than the quota"),
                "at most the quota of cpu_max",
                path_of(self.name, "cpu_max"),
            ));
        }
        let limited = quota_ns.is_some();
        if limited
            && !kernel.has_bandwidth_control()
            && self.resolver.stated("kernel.bandwidth")?.is_none()
        {
            let message =
                format!("kernel {} has no bandwidth control: it came with 3.2", kernel.version());
            return Err(Fault::new(at, path_of(self.name, "cpu_max"), message)
                .expected("\"max\", or kernel.version \"3.2\" or later")
                .decided_with(["kernel.version"]));
        }
        let phase_ns = self.phase(kernel, seed, index, period_ns)?;
        let bandwidth = Quota { quota_ns, period_ns, burst_ns: burst_us * US, phase_ns };
        let stated = limited || self.node.member("cpu_max").is_some();
        Ok((shares as u32, stated.then_some(bandwidth)))
    }

    /// Drawn for each group, for all groups of one period where the kernel aligns their timers, and
    /// moved off a tick by 1 us (docs/model/bandwidth.md#bandwidth-phases).
    fn phase(
        &mut self,
        kernel: &Kernel,
        seed: u64,
        index: u64,
        period_ns: u64,
    ) -> Result<u64, Fault> {
        let (phase, at) = self.setting("period_phase")?;
        if let Setting::Time(ns) = phase {
            let fits = ns <= period_ns;
            let message =
                || format!("the first refill is later than a period of {} µs", period_ns / US);
            return if fits {
                Ok(ns)
            } else {
                Err(Fault::new(at, path_of(self.name, "period_phase"), message())
                    .expected("at most the period")
                    .decided_with([path_of(self.name, "cpu_max")]))
            };
        }
        if kernel.aligns_period_timers() {
            let mut others = self.groups.iter().filter_map(|group| group.bandwidth);
            if let Some(other) = others.find(|other| other.period_ns == period_ns) {
                return Ok(other.phase_ns);
            }
        }
        let drawn = 1 + below(seed, Purpose::PeriodPhase, index, 0, period_ns - 2 * US);
        let on_tick = drawn % kernel.tick_ns() == kernel.tick_grid_ns();
        Ok(if on_tick { drawn + US } else { drawn })
    }

    /// The key as stated, else its default; remembered.
    fn setting(&mut self, key: &str) -> Result<(Setting, Option<usize>), Fault> {
        let path = path_of(self.name, key);
        let knob = self.resolver.knob(&path);
        let found = setting::read_in(self.node, knob).map_err(|fault| fault.at_path(&path))?;
        let stated = found.is_some();
        let (setting, at) = match found {
            Some(found) => (found.setting, found.at),
            None => (setting::typed(knob, &Node::from_json(&knob.default))?, None),
        };
        let origin = if stated { Origin::Stated } else { Origin::Default };
        self.resolver.record_as(path, setting.to_json(), origin);
        Ok((setting, at))
    }
}

/// Why there is no burst.
pub(crate) const NO_BURST: &str = "this kernel's bandwidth control has no burst: it came with 5.14";

/// `before`, or what a group has that says nothing, with the text of a cpu.max in its place.
pub(crate) fn cpu_max(
    text: &str,
    before: Option<Quota>,
    path: &str,
    at: Option<usize>,
) -> Result<Quota, Fault> {
    before.unwrap_or(UNLIMITED).with_cpu_max(text).ok_or_else(|| {
        let message = format!("\"{}\" is no cpu.max", shorten(text));
        Fault::new(at, path, message).expected(
            "quota and period in µs, such as \"10000 100000\", or a quota alone; quota from 1000 \
                or max, period from 1000 to 1000000",
        )
    })
}

/// What a group that says nothing has, before its phase is drawn.
const UNLIMITED: Quota =
    Quota { quota_ns: None, period_ns: PERIOD_NS, burst_ns: 0, phase_ns: PERIOD_NS };

/// The group that rt-app's `taskgroup` at `path` names, with or without a leading slash; none is
/// the root.
pub(crate) fn taskgroup(node: &Node, path: &str, groups: &[GroupSpec]) -> Result<u32, Fault> {
    let Some(member) = node.member("taskgroup") else { return Ok(0) };
    let path = crate::reading::json::join(path, "taskgroup");
    let stated = text(&member.value, &path)?;
    let name = stated.strip_prefix('/').unwrap_or(stated);
    let found = groups.iter().position(|group| group.path == name);
    found.map(|index| index as u32).ok_or_else(|| {
        let near = nearest(name, groups.iter().skip(1).map(|group| group.path.as_str()))
            .map(|near| format!("\"/{near}\""));
        let message = format!("there is no control group \"{}\"", shorten(stated));
        Fault::new(member.value.at, path, message)
            .expected("\"/\" or a key of cgroups")
            .suggest(near)
    })
}
