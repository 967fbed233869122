//! The kernel's switches: stated, else the version's, else a default; and what a version does not
//! offer.

use schedscope_engine::kernel::config::table::RT_PUSH_IPI;
use schedscope_engine::kernel::config::{
    DoubleLock, Kernel, Preempt, Reader, Row, RtBalance, RtPushIpi, TtwuQueue, Version,
    default_preempt, generation_default, nearest_offered, offer_note, offered, offers,
    resolve_push_ipi, version_named,
};
use schedscope_engine::named::Named;

use super::resolver::{Origin, Resolver, Unavailable, origin_of};
use super::{bandwidth, rt_throttle};
use crate::error::{Fault, one_of};
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
    let version = version_named(&resolver.word("kernel.version")?.value)
        .expect("the table holds the engine's versions");
    let mut kernel = Kernel::of_version(version, cpus);
    kernel.hz =
        u32::try_from(resolver.amount("kernel.hz")?.value).expect("the table's maximum fits");
    kernel.tick_skew = resolver.flag("kernel.tick_skew")?;
    kernel.tick_phase_ns = resolver.amount("kernel.tick_phase")?.value;
    kernel.preempt = preempt(resolver, version)?;
    let fair = kernel.preempt.config_preemption() && kernel.has_fair_double_lock();
    let by_config = if fair { DoubleLock::Fair } else { DoubleLock::Unfair };
    kernel.double_lock = stated_or(
        resolver,
        "kernel.double_lock",
        by_config,
        Some("CONFIG_PREEMPTION, from kernel.preempt"),
    )?;
    kernel.read(&mut Stated { resolver, version })?;
    kernel.rt_push_ipi = push_ipi(resolver, &kernel, cpus)?;
    ttwu_queue(resolver, &mut kernel)?;
    kernel.bugs_2007 = bugs_2007(resolver, kernel.rt_balance)?;
    kernel.nohz_full = resolver.some_cpus("kernel.nohz_full", cpus)?;
    slice_extension(resolver, &mut kernel);
    say_without_effect(resolver, &kernel);
    rt_throttle::resolve(resolver, &mut kernel)?;
    bandwidth::resolve(resolver, &mut kernel)?;
    Ok(kernel)
}

/// Reads the rows of the table of kernels: stated, else what the version has.
struct Stated<'r, 'n> {
    resolver: &'r mut Resolver<'n>,
    version: Version,
}

impl Reader for Stated<'_, '_> {
    type Fault = Fault;

    fn named<T: Named>(&mut self, row: &Row<T>) -> Result<T, Fault> {
        let preset = row.at(self.version);
        row.words
            .as_ref()
            .map_or(Ok(preset.value), |words| self.resolver.preset(words.path, preset))
    }

    fn flag(&mut self, row: &Row<bool>) -> Result<bool, Fault> {
        let preset = row.at(self.version);
        row.words
            .as_ref()
            .map_or(Ok(preset.value), |words| self.resolver.preset_flag(words.path, preset))
    }

    fn time(&mut self, row: &Row<u32>) -> Result<u32, Fault> {
        let preset = row.at(self.version);
        row.words
            .as_ref()
            .map_or(Ok(preset.value), |words| self.resolver.preset_time(words.path, preset))
    }
}

/// Says which rows have no effect beside others.
fn say_without_effect(resolver: &mut Resolver<'_>, kernel: &Kernel) {
    const BALANCE: &str = "kernel.load_balance";
    const RANDOM: &str = "kernel.ni_random";
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
    } else if !kernel.load_balance {
        resolver.inert(RANDOM, "kernel.load_balance is off");
    }
    if !kernel.fair.is_eevdf() {
        resolver.inert("kernel.base_slice", "kernel.fair is cfs");
        resolver.inert("kernel.delay_dequeue", "kernel.fair is cfs");
    }
}

/// A kernel without slice extensions grants none, whatever is stated.
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

/// PREEMPT_RT turns the TTWU_QUEUE feature off by default.
fn ttwu_queue(resolver: &mut Resolver<'_>, kernel: &mut Kernel) -> Result<(), Fault> {
    const PATH: &str = "kernel.ttwu_queue";
    if kernel.preempt.is_rt() && resolver.stated_named::<TtwuQueue>(PATH)?.is_none() {
        kernel.ttwu_queue = TtwuQueue::Off;
        let source = Some("PREEMPT_RT: TTWU_QUEUE is off by default (read in 5.17, 6.1 and 6.12)");
        resolver.overrule(PATH, TtwuQueue::Off.name().into(), Origin::Known, source);
    }
    Ok(())
}

/// The preemption model: stated and offered by the version, else the version's own.
fn preempt(resolver: &mut Resolver<'_>, version: Version) -> Result<Preempt, Fault> {
    const PATH: &str = "kernel.preempt";
    let refused =
        Preempt::ALL.iter().filter_map(|model| Some((model, offers(version, *model).err()?)));
    resolver.unavailable.extend(refused.map(|(model, why)| Unavailable {
        path: PATH,
        value: model.name(),
        why,
    }));
    let stated = resolver.stated(PATH)?;
    let preempt =
        stated_or(resolver, PATH, default_preempt(version), Some("full; lazy from 7.0 on"))?;
    if let Err(why) = offers(version, preempt) {
        let message = format!("kernel {} has no \"{}\": {why}", version.name(), preempt.name());
        let choices = offered(version).map(|model| format!("\"{}\"", model.name()));
        return Err(Fault::new(stated.and_then(|stated| stated.at), PATH, message)
            .expected(one_of(choices))
            .suggest(Some(format!("\"{}\"", nearest_offered(version, preempt).name())))
            .decided_with(["kernel.version"]));
    }
    if let Some(note) = offer_note(version, preempt) {
        resolver.notes.push(format!("{PATH} {}: {note}", preempt.name()));
    }
    Ok(preempt)
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

fn stated_or<T: Named>(
    resolver: &mut Resolver<'_>,
    path: &'static str,
    default: T,
    rule: Option<&'static str>,
) -> Result<T, Fault> {
    let stated = resolver.stated_named(path)?;
    let value = stated.unwrap_or(default);
    let (origin, source) =
        if stated.is_some() { (Origin::Stated, None) } else { (Origin::Default, rule) };
    resolver.record(path, value.name().into(), origin, source);
    Ok(value)
}

/// The RT_PUSH_IPI bit: as stated; else, if the generation was stated, that generation's default;
/// else the version's.
fn push_ipi(resolver: &mut Resolver<'_>, kernel: &Kernel, cpus: u32) -> Result<bool, Fault> {
    const PATH: &str = "kernel.rt_push_ipi";
    let (balance, of_version) = (kernel.rt_balance, RT_PUSH_IPI.at(kernel.version()));
    let generation_stated = resolver.stated_named::<RtBalance>("kernel.rt_balance")?.is_some();
    let (bit, origin, source) = match resolver.stated_named::<RtPushIpi>(PATH)? {
        Some(bit) => (bit, Origin::Stated, None),
        None if generation_stated => (
            generation_default(balance),
            Origin::Default,
            Some("the default of the stated kernel.rt_balance"),
        ),
        None => {
            let (origin, source) = origin_of(of_version.source);
            (of_version.value, origin, source)
        }
    };
    let on = resolve_push_ipi(balance, bit, cpus, kernel.preempt);
    let resolved = if on { RtPushIpi::On } else { RtPushIpi::Off };
    resolver.overrule(PATH, resolved.name().into(), origin, source);
    if !balance.has_push_ipi_bit() {
        let why = format!(
            "kernel.rt_balance {} was compiled before the RT_PUSH_IPI bit existed",
            balance.name()
        );
        if origin == Origin::Stated {
            resolver.notes.push(format!("{PATH} has no effect: {why}"));
        }
        resolver.inert(PATH, &why);
    }
    Ok(on)
}
