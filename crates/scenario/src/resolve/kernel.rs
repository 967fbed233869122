//! The kernel's switches: stated, else the version's, else a default; and what a version does not
//! offer.

use schedscope_engine::kernel::config::table::CGROUP_MODE;
use schedscope_engine::kernel::config::{
    Beside, Kernel, Reader, Row, RtBalance, RtPushIpi, Spelling, Version,
};
use schedscope_engine::named::Named;

use super::resolver::{Origin, Resolver, Unavailable, Unstated};
use super::{bandwidth, rt_throttle, rules};
use crate::error::{Fault, one_of};
use crate::reading::json::Value;
use crate::reading::tree::find;
use crate::reading::values::missing;

pub(crate) fn kernel(resolver: &mut Resolver<'_>, cpus: u32) -> Result<Kernel, Fault> {
    let root = resolver.root;
    let node = find(root, "kernel")
        .ok_or_else(|| missing(root, "", "kernel", "an object with at least \"version\""))?;
    if resolver.stated("kernel.version")?.is_none() {
        return Err(missing(
            node,
            "kernel",
            "version",
            "a version as a text, such as \"3.19-push-ipi\"",
        ));
    }
    let version = Version::parse(&resolver.word("kernel.version")?.value)
        .expect("the knob takes releases alone");
    if let Some(Value::Text(text)) = node.member("version").map(|member| &member.value.value) {
        resolver.notes.extend(spelling_note(text));
    }
    let mut kernel = Kernel::of_version(version, cpus);
    kernel.hz =
        u32::try_from(resolver.amount("kernel.hz")?.value).expect("the table's maximum fits");
    kernel.tick_skew = resolver.flag("kernel.tick_skew")?;
    kernel.tick_phase_ns = resolver.amount("kernel.tick_phase")?.value;
    let unsettled = kernel.read(&mut Stated { resolver, version })?;
    kernel.settle(unsettled, cpus);
    say_settled(resolver, &kernel);
    kernel.bugs_2007 = bugs_2007(resolver, kernel.rt_balance)?;
    nohz_full(resolver, &mut kernel, cpus)?;
    cgroup_mode(resolver, &kernel);
    slice_extension(resolver, &mut kernel);
    say_without_effect(resolver, &kernel);
    rules::say_without_effect(resolver, &kernel);
    rt_throttle::resolve(resolver, &mut kernel)?;
    bandwidth::resolve(resolver, &mut kernel)?;
    Ok(kernel)
}

/// What is not known of a kernel whose name, as `uname -r` prints it, says more than its release.
pub fn spelling_note(text: &str) -> Option<String> {
    let Spelling { version, rest } = Version::read(text)?;
    if rest.is_empty() {
        return None;
    }
    if rest.starts_with("-rc") {
        return Some(format!(
            "{text} is a candidate: it is taken to have what {version} has, and may lack some of it"
        ));
    }
    // Debian up to 12 and Ubuntu name every stable release .0.
    let hidden = version.stable() == 0 && text[..text.len() - rest.len()].ends_with(".0");
    let hint = if hidden { "; if the .0 hides a stable release, `uname -v` has it" } else { "" };
    let rt = if rest.contains("-rt") {
        "; -rt in its name is PREEMPT_RT, which kernel.preempt states"
    } else {
        ""
    };
    Some(format!(
        "{text} is taken to be {version} as kernel.org has it: what the distribution changed in it \
            is not known{hint}{rt}"
    ))
}

/// Reads the rows of the table of kernels: stated, else what the version has.
struct Stated<'r, 'n> {
    resolver: &'r mut Resolver<'n>,
    version: Version,
}

impl Reader for Stated<'_, '_> {
    type Fault = Fault;

    fn named<T: Named>(&mut self, row: &Row<T>, beside: Beside<T>) -> Result<T, Fault> {
        let unstated = self.unstated(row, beside);
        let Some(words) = &row.words else { return Ok(unstated.value) };
        let value = self.resolver.named_or(words.path, unstated)?;
        self.check_offer(row, words.path, value)?;
        Ok(value)
    }

    fn flag(&mut self, row: &Row<bool>, beside: Beside<bool>) -> Result<bool, Fault> {
        let unstated = self.unstated(row, beside);
        row.words
            .as_ref()
            .map_or(Ok(unstated.value), |words| self.resolver.flag_or(words.path, unstated))
    }

    fn time(&mut self, row: &Row<u32>, beside: Beside<u32>) -> Result<u32, Fault> {
        let unstated = self.unstated(row, beside);
        row.words
            .as_ref()
            .map_or(Ok(unstated.value), |words| self.resolver.time_or(words.path, unstated))
    }
}

impl Stated<'_, '_> {
    /// The value of `row` where the scenario does not state it: what other switches make of it,
    /// else what is chosen for every version, else the version's.
    fn unstated<T: Copy>(&self, row: &Row<T>, beside: Beside<T>) -> Unstated<T> {
        let preset = row.at(self.version);
        let chosen = row.words.as_ref().and_then(|words| words.chosen);
        match beside.or(chosen.map(|rule| (preset.value, rule))) {
            Some((value, rule)) => Unstated { value, origin: Origin::Default, source: Some(rule) },
            None => preset.into(),
        }
    }

    /// Refuses a value that the version does not offer, says which these are, and what is remarked
    /// on the one it has.
    fn check_offer<T: Named>(
        &mut self,
        row: &Row<T>,
        path: &'static str,
        value: T,
    ) -> Result<(), Fault> {
        let (Some(offers), version) = (row.offers, self.version) else { return Ok(()) };
        let refused = |value: &T| (offers.check)(version, *value).err();
        let unavailable = T::ALL.iter().filter_map(|value| Some((value, refused(value)?)));
        self.resolver.unavailable.extend(unavailable.map(|(value, why)| Unavailable {
            path,
            value: value.name(),
            why,
        }));
        if let Some(why) = refused(&value) {
            let at = self.resolver.stated(path)?.and_then(|stated| stated.at);
            let message = format!("kernel {version} has no \"{}\": {why}", value.name());
            let choices = T::ALL.iter().filter(|value| refused(value).is_none());
            return Err(Fault::new(at, path, message)
                .expected(one_of(choices.map(|value| format!("\"{}\"", value.name()))))
                .suggest(Some(format!("\"{}\"", (offers.nearest)(version, value).name())))
                .decided_with(["kernel.version"]));
        }
        let note = (offers.note)(version, value);
        self.resolver.notes.extend(note.map(|note| format!("{path} {}: {note}", value.name())));
        Ok(())
    }
}

/// Says which rows have no effect beside others.
fn say_without_effect(resolver: &mut Resolver<'_>, kernel: &Kernel) {
    const BALANCE: &str = "kernel.load_balance";
    const RANDOM: &str = "kernel.ni_random";
    const HOMES: &str = "kernel.llc_balancing";
    const OF_EEVDF: [&str; 7] = [
        "kernel.base_slice",
        "kernel.delay_dequeue",
        "kernel.protection",
        "kernel.hrtick",
        "kernel.run_to_parity",
        "kernel.place_lag",
        "kernel.preempt_short",
    ];
    if !kernel.rt_balance.is_active() {
        resolver.inert(
            BALANCE,
            "kernel.rt_balance passive_2624 brings the load balancing of \
            2.6.24, which is never off",
        );
        resolver
            .inert(RANDOM, "kernel.rt_balance passive_2624 brings the load balancing of 2.6.24");
        resolver.inert(
            "kernel.nohz_ilb",
            "kernel.rt_balance passive_2624 brings the load balancing of 2.6.24, which does \
                nothing for idle CPUs without a tick",
        );
        resolver.inert(HOMES, "kernel.rt_balance passive_2624 brings the load balancing of 2.6.24");
    } else if !kernel.load_balance {
        resolver.inert(RANDOM, "kernel.load_balance is off");
        resolver.inert(HOMES, "kernel.load_balance is off");
    }
    if !kernel.fair.is_eevdf() {
        for path in OF_EEVDF {
            resolver.inert(path, "kernel.fair is cfs");
        }
    } else if !kernel.has_preempt_short() {
        resolver.inert("kernel.preempt_short", "kernel.rules.has_preempt_short is off");
    }
}

/// nohz_full is the scenario's own choice; a kernel that knew no such CPUs has them here too.
fn nohz_full(resolver: &mut Resolver<'_>, kernel: &mut Kernel, cpus: u32) -> Result<(), Fault> {
    const PATH: &str = "kernel.nohz_full";
    kernel.nohz_full = resolver.some_cpus(PATH, cpus)?;
    if !kernel.nohz_full.is_empty() && !kernel.has_nohz_full() {
        resolver.hypothetical(PATH, kernel.version(), "nohz_full CPUs, which came with 3.10");
    }
    Ok(())
}

/// Whether `version` has debugfs' sched/cgroup_mode, which came with the newest value of its row.
pub(crate) fn has_cgroup_mode(version: Version) -> bool {
    CGROUP_MODE.since.last().is_some_and(|since| since.release <= version)
}

/// A kernel without the file has one meaning of cpu.weight; here it has the stated one.
fn cgroup_mode(resolver: &mut Resolver<'_>, kernel: &Kernel) {
    let version = kernel.version();
    if !has_cgroup_mode(version) && kernel.cgroup_mode != CGROUP_MODE.value(version) {
        let what = "another meaning of cpu.weight than smp, which came with 7.3";
        resolver.hypothetical("kernel.cgroup_mode", version, what);
    }
}

/// A kernel without slice extensions grants none, even if the scenario states that it does.
fn slice_extension(resolver: &mut Resolver<'_>, kernel: &mut Kernel) {
    const PATH: &str = "kernel.rseq_slice_extension";
    const LENGTH: &str = "kernel.rseq_slice_extension_length";
    if !kernel.has_slice_extensions() {
        const WHY: &str = "this kernel has no slice extensions: they came with 7.0";
        if kernel.rseq_slice_extension {
            resolver.notes.push(format!("{PATH} has no effect: {WHY}"));
        }
        kernel.rseq_slice_extension = false;
        resolver.inert(PATH, WHY);
        resolver.inert(LENGTH, WHY);
    } else if !kernel.rseq_slice_extension {
        resolver.inert(LENGTH, "kernel.rseq_slice_extension is off");
    }
}

/// The slips of the first 2007 code are in that code only.
fn bugs_2007(resolver: &mut Resolver<'_>, balance: RtBalance) -> Result<bool, Fault> {
    const PATH: &str = "kernel.bugs_2007";
    let on = resolver.flag(PATH)?;
    if !balance.is_2007() {
        let why = format!("kernel.rt_balance {} is not the code of 2007 and 2008", balance.name());
        if on {
            resolver.notes.push(format!("{PATH} has no effect: {why}"));
        }
        resolver.inert(PATH, &why);
    }
    Ok(on)
}

/// What the bit of RT_PUSH_IPI came to, and where it has no effect.
fn say_settled(resolver: &mut Resolver<'_>, kernel: &Kernel) {
    const PATH: &str = "kernel.rt_push_ipi";
    let on = if kernel.rt_push_ipi { RtPushIpi::On } else { RtPushIpi::Off };
    let stated = resolver.settled_to(PATH, on.name().into()) == Some(Origin::Stated);
    if !kernel.rt_balance.has_push_ipi_bit() {
        let why = format!(
            "kernel.rt_balance {} was compiled before the RT_PUSH_IPI bit existed",
            kernel.rt_balance.name()
        );
        if stated {
            resolver.notes.push(format!("{PATH} has no effect: {why}"));
        }
        resolver.inert(PATH, &why);
    }
}
