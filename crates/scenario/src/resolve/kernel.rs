//! The kernel's switches: stated, else the version's, else a default; and what a version does not offer.

use schedscope_engine::kernel::config::{
    DoubleLock, Fair, Kernel, LADDER, NohzIlb, Preempt, Preset, RtBalance, RtPushIpi, Rung, TtwuQueue, Version, default_preempt,
    generation_default, nearest_offered, offer_note, offered, offers, resolve_push_ipi, version_named,
};
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::named::Named;

use super::{Origin, Resolver, Unavailable, origin_of};
use crate::error::{Fault, one_of};
use crate::read::missing;
use crate::settings::{self, find};
use crate::units::parse_cpu_list;
use crate::{bandwidth, rt_throttle};

/// The kernel of a machine with `cpus` CPUs.
pub(crate) fn kernel(resolver: &mut Resolver<'_>, cpus: u32) -> Result<Kernel, Fault> {
    let root = resolver.root;
    let node = find(root, "kernel").ok_or_else(|| missing(root, "", "kernel", "an object with at least \"version\""))?;
    if settings::read(root, "kernel.version")?.is_none() {
        return Err(missing(node, "kernel", "version", "a version as a text, such as \"3.19-push-ipi\""));
    }
    let version = version_named(&resolver.word("kernel.version")?.value).expect("the table holds the engine's versions");
    let rung = LADDER.iter().find(|rung| rung.version == version).expect("every version has a rung");
    let hz = resolver.amount("kernel.hz")?.value;
    let tick_skew = resolver.flag("kernel.tick_skew")?;
    let tick_phase_ns = resolver.amount("kernel.tick_phase")?.value;
    let rt_balance = resolver.preset("kernel.rt_balance", rung.rt_balance)?;
    let preempt = preempt(resolver, version)?;
    let rt_push_ipi = push_ipi(resolver, rung, rt_balance, preempt, cpus)?;
    let of_version = Kernel::of_version(version, cpus);
    let fair = preempt.config_preemption() && of_version.has_fair_double_lock();
    let by_config = if fair { DoubleLock::Fair } else { DoubleLock::Unfair };
    let mut kernel = Kernel {
        hz: u32::try_from(hz).expect("the table's maximum fits"),
        tick_skew,
        tick_phase_ns,
        spinlock: resolver.preset("kernel.spinlock", rung.spinlock)?,
        double_lock: stated_or(resolver, "kernel.double_lock", by_config, Some("CONFIG_PREEMPTION, from kernel.preempt"))?,
        rt_balance,
        rt_push_ipi,
        overload_def: resolver.preset("kernel.overload_def", rung.overload_def)?,
        rto_scope: resolver.preset("kernel.rto_scope", rung.rto_scope)?,
        bugs_2007: bugs_2007(resolver, rt_balance)?,
        lowest_pick: resolver.preset("kernel.lowest_pick", rung.lowest_pick)?,
        cpupri: resolver.preset("kernel.cpupri", rung.cpupri)?,
        ttwu_queue: resolver.preset("kernel.ttwu_queue", ttwu_queue(rung, preempt))?,
        ipi_polling_elide: resolver.preset("kernel.ipi_polling_elide", rung.ipi_polling_elide)?,
        preempt,
        push_running: resolver.preset_flag("kernel.push_running", rung.push_running)?,
        ksoftirqd_defers: resolver.preset_flag("kernel.ksoftirqd_defers", rung.ksoftirqd_defers)?,
        nohz_ilb: nohz_ilb(resolver, rung, rt_balance)?,
        idle_stop: resolver.preset("kernel.idle_stop_policy", rung.idle_stop)?,
        nohz_full: nohz_full(resolver, cpus)?,
        ..of_version
    };
    fair_class(resolver, rung, &mut kernel)?;
    rt_throttle::resolve(resolver, rung, &mut kernel)?;
    bandwidth::resolve(resolver, &mut kernel)?;
    Ok(kernel)
}

/// The fair class and its load balancing; two of its switches are EEVDF's.
fn fair_class(resolver: &mut Resolver<'_>, rung: &Rung, kernel: &mut Kernel) -> Result<(), Fault> {
    const SLICE: &str = "kernel.base_slice";
    const DELAY: &str = "kernel.delay_dequeue";
    const BALANCE: &str = "kernel.load_balance";
    const RANDOM: &str = "kernel.ni_random";
    kernel.fair = resolver.preset("kernel.fair", rung.fair)?;
    kernel.delay_dequeue = resolver.preset_flag(DELAY, rung.delay_dequeue)?;
    kernel.load_balance = resolver.preset_flag(BALANCE, rung.load_balance)?;
    kernel.ni_random = resolver.preset_flag(RANDOM, rung.ni_random)?;
    if !kernel.rt_balance.is_active() {
        resolver.inert(BALANCE, "kernel.rt_balance passive_2624 brings the load balancing of 2.6.24, which is never off");
        resolver.inert(RANDOM, "kernel.rt_balance passive_2624 brings the load balancing of 2.6.24");
    } else if !kernel.load_balance {
        resolver.inert(RANDOM, "kernel.load_balance is off");
    }
    let stated = settings::read(resolver.root, SLICE)?;
    kernel.base_slice_ns = match stated.as_ref().map(|stated| &stated.setting) {
        Some(settings::Setting::Time(ns)) => u32::try_from(*ns).expect("the table's maximum fits"),
        _ => rung.base_slice_ns.value,
    };
    let (origin, source) = if stated.is_some() { (Origin::Stated, None) } else { origin_of(rung.base_slice_ns.source) };
    resolver.record(SLICE, settings::Setting::Time(u64::from(kernel.base_slice_ns)).to_json(), origin, source);
    if kernel.fair == Fair::Cfs {
        resolver.inert(SLICE, "kernel.fair is cfs");
        resolver.inert(DELAY, "kernel.fair is cfs");
    }
    Ok(())
}

/// PREEMPT_RT turns the TTWU_QUEUE feature off by default.
fn ttwu_queue(rung: &Rung, preempt: Preempt) -> Preset<TtwuQueue> {
    match preempt {
        Preempt::Rt => {
            Preset { value: TtwuQueue::Off, source: Some("PREEMPT_RT: TTWU_QUEUE is off by default (read in 5.17, 6.1 and 6.12)") }
        }
        _ => rung.ttwu_queue,
    }
}

/// The preemption model: stated and offered by the version, else the version's own.
fn preempt(resolver: &mut Resolver<'_>, version: Version) -> Result<Preempt, Fault> {
    const PATH: &str = "kernel.preempt";
    let refused = Preempt::ALL.iter().filter_map(|model| Some((model, offers(version, *model).err()?)));
    resolver.unavailable.extend(refused.map(|(model, why)| Unavailable { path: PATH, value: model.name(), why }));
    let stated = settings::read(resolver.root, PATH)?;
    let preempt = stated_or(resolver, PATH, default_preempt(version), Some("full; lazy from 7.0 on"))?;
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

/// 2.6.24 balances in its own way.
fn nohz_ilb(resolver: &mut Resolver<'_>, rung: &Rung, balance: RtBalance) -> Result<NohzIlb, Fault> {
    const PATH: &str = "kernel.nohz_ilb";
    let value = resolver.preset(PATH, rung.nohz_ilb)?;
    if !balance.is_active() {
        resolver.inert(
            PATH,
            "kernel.rt_balance passive_2624 brings the load balancing of 2.6.24, which does nothing for idle CPUs without a tick",
        );
    }
    Ok(value)
}

/// The CPU list; one CPU has to stay out of it, to keep the time.
fn nohz_full(resolver: &mut Resolver<'_>, cpus: u32) -> Result<CpuMask, Fault> {
    const PATH: &str = "kernel.nohz_full";
    let stated = resolver.word(PATH)?;
    if stated.value == "none" {
        return Ok(CpuMask::EMPTY);
    }
    let listed = parse_cpu_list(&stated.value).filter(|full| full.last() < Some(cpus) && full.count() < cpus);
    listed.ok_or_else(|| {
        let message = format!("\"{}\" is no list of this machine's CPUs that leaves one of them out", settings::shorten(&stated.value));
        Fault::new(stated.at, PATH, message)
            .expected(format!("\"none\", or CPUs from 0 to {}, such as \"2-5,7\", but not all", cpus - 1))
            .decided_with(["machine.cpus"])
    })
}

fn stated_or<T: Named>(resolver: &mut Resolver<'_>, path: &'static str, default: T, rule: Option<&'static str>) -> Result<T, Fault> {
    let stated = resolver.stated_named(path)?;
    let value = stated.unwrap_or(default);
    let (origin, source) = if stated.is_some() { (Origin::Stated, None) } else { (Origin::Default, rule) };
    resolver.record(path, value.name().into(), origin, source);
    Ok(value)
}

/// The RT_PUSH_IPI bit: as stated; else, if the generation was stated, that generation's default; else the version's.
fn push_ipi(resolver: &mut Resolver<'_>, rung: &Rung, balance: RtBalance, preempt: Preempt, cpus: u32) -> Result<bool, Fault> {
    const PATH: &str = "kernel.rt_push_ipi";
    let generation_stated = resolver.stated_named::<RtBalance>("kernel.rt_balance")?.is_some();
    let (bit, origin, source) = match resolver.stated_named::<RtPushIpi>(PATH)? {
        Some(bit) => (bit, Origin::Stated, None),
        None if generation_stated => (generation_default(balance), Origin::Default, Some("the default of the stated kernel.rt_balance")),
        None => {
            let (origin, source) = origin_of(rung.rt_push_ipi.source);
            (rung.rt_push_ipi.value, origin, source)
        }
    };
    let on = resolve_push_ipi(balance, bit, cpus, preempt);
    let resolved = if on { RtPushIpi::On } else { RtPushIpi::Off };
    resolver.record(PATH, resolved.name().into(), origin, source);
    if !balance.has_push_ipi_bit() {
        let why = format!("kernel.rt_balance {} was compiled before the RT_PUSH_IPI bit existed", balance.name());
        if origin == Origin::Stated {
            resolver.notes.push(format!("{PATH} has no effect: {why}"));
        }
        resolver.inert(PATH, &why);
    }
    Ok(on)
}
