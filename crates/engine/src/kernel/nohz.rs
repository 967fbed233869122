//! NOHZ: idle CPUs without a tick, and which CPU balances for them
//! (docs/model/idle-balancing.md#nohz-idle-balancing; Fernandes 2023).
//!
//! ```text
//!   idle, tick stops ─► mask, needs_update        busy tick ─► leaves the mask ─► BALANCER_KICK ─► IPI to an idle CPU
//!                                                                                        └► SCHED softirq ─► RUN(flags)
//! ```
//! `tick.rs`: when a tick stops and jiffies advance; `mask.rs`: entering and leaving the mask;
//! `kick.rs`: which CPU the tick kicks, and why; `run.rs`: the walk over the idle CPUs;
//! `newidle.rs`: the way without an IPI; `lost.rs`: lost updates and kicks; `full.rs`: nohz_full
//! CPUs.

pub mod full;
pub mod kick;
mod lost;
pub mod mask;
pub mod newidle;
pub mod run;
#[cfg(test)]
mod tests;
pub mod tick;

use serde::Serialize;

use crate::ids::{CpuId, IdVec};
use crate::machine::topology::CpuMask;
use crate::trace::codes::KickReason;

/// Bit of nohz_flags: balance for the idle CPUs.
const BALANCE: u8 = KickReason::Balance as u8;
/// Bit of nohz_flags: refresh their blocked load.
const STATS: u8 = KickReason::BlockedLoad as u8;
/// Bit of nohz_flags: a newly idle CPU refreshes blocked load itself, without an IPI.
const NEWILB: u8 = KickReason::NewlyIdle as u8;
/// Bit of nohz_flags: bring nohz.next_balance up to date (commit 7fd7a9e0caba).
pub const NEXT: u8 = KickReason::NextBalance as u8;
/// A kicker that finds one of these bits set leaves the kick to the CPU that set it.
pub const KICK_MASK: u8 = BALANCE | STATS | NEXT;

/// Kicks of idle balancing (docs/model/idle-balancing.md#kick): `kicks` is the sum of the next
/// four.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NohzKick {
    /// Times a tick wanted a kick.
    pub kicks: u64,
    /// Left as an IPI, counted in `call_function` too.
    pub sent: u64,
    /// The target polled: its flag was set instead.
    pub polling: u64,
    /// A kick of the target was under way, or from 5.8 on another call.
    pub already_owned: u64,
    /// No idle CPU was found.
    pub no_target: u64,
    /// Kicks that asked to balance.
    pub balance: u64,
    /// Kicks that asked for blocked load.
    pub stats: u64,
    /// Kicks that asked for next_balance.
    pub next: u64,
    /// How long the targets had been idle; kicks without a target do not count.
    pub idle_age: IdleAge,
    /// Kicks of `already_owned` without a call under way: their request is lost (`rfc_2023_10`).
    pub lost_kicks: u64,
    /// Times an idle CPU wanted balancing before nohz.next_balance, and no CPU was about to look
    /// (`pre516`, `rfc_2023_10`, `v2_2023_10_20`, `v2_newidle_next`).
    pub lost_updates: u64,
}

/// How long the targets of kicks had been idle (docs/model/idle-balancing.md#kick): how many less
/// than so long, and not less than the one before.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IdleAge {
    /// Less than 30 us.
    pub under_30us: u64,
    /// Less than 100 us.
    pub under_100us: u64,
    /// Less than 300 us.
    pub under_300us: u64,
    /// Less than 1 ms.
    pub under_1ms: u64,
    /// Less than 10 ms.
    pub under_10ms: u64,
    /// 10 ms and more.
    pub longer: u64,
}

impl IdleAge {
    /// One more target that has been idle for `ns`.
    fn add(&mut self, ns: u64) {
        *match ns {
            0..30_000 => &mut self.under_30us,
            30_000..100_000 => &mut self.under_100us,
            100_000..300_000 => &mut self.under_300us,
            300_000..1_000_000 => &mut self.under_1ms,
            1_000_000..10_000_000 => &mut self.under_10ms,
            _ => &mut self.longer,
        } += 1;
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.under_30us
            + self.under_100us
            + self.under_300us
            + self.under_1ms
            + self.under_10ms
            + self.longer
    }
}

/// State of the whole machine.
#[derive(Clone, Debug)]
pub struct Nohz {
    /// CPUs whose tick stopped and that have not ticked since.
    pub idle_mask: CpuMask,
    /// How many there are.
    pub nr_cpus: u32,
    /// Some idle CPU has blocked load.
    has_blocked: bool,
    /// A CPU has entered the mask that `next_balance` does not know of.
    pub needs_update: bool,
    /// When idle CPUs are to be balanced for, jiffies.
    next_balance: u64,
    /// Not before this is blocked load refreshed, jiffies.
    next_blocked: u64,
    /// The kernel's clock in ticks, as of its last update.
    pub jiffies: u64,
    /// From this time on jiffies are behind, ns.
    next_jiffy_ns: u64,
    /// The CPU whose tick advances jiffies.
    duty: Option<CpuId>,
    /// CPUs outside the mask, of each cache within a root domain, under its lowest CPU
    /// (nr_busy_cpus).
    pub nr_busy: IdVec<CpuId, u32>,
    /// RUNs with NEXT under way.
    pub next_runs: u32,
    /// RUNs under way.
    runs: u32,
    runs_begun: u32,
    /// See [`NohzKick`].
    pub kicks: NohzKick,
}

/// One run queue's part.
#[derive(Clone, Copy, Debug, Default)]
pub struct NohzRq {
    /// In the mask (nohz_tick_stopped).
    pub tick_stopped: bool,
    /// May have load of sleeping tasks that decays.
    has_blocked_load: bool,
    /// Until when it has, ns.
    blocked_until: u64,
    /// Jiffy of its last refresh.
    refreshed: u64,
    /// Requests to this CPU, or by it.
    pub flags: u8,
    /// The work of the SCHED softirq (nohz_idle_balance).
    latched: u8,
    /// nohz_csd is queued here.
    pub csd: bool,
    /// Since when the CPU is idle, ns.
    idle_since: u64,
    /// A tick has run since do_idle() began.
    pub idle_ticked: bool,
    /// The fair server was queued when nr_running last changed, so a nohz_full CPU ticks.
    pub server_ticks: bool,
    /// RUN(NEXT) has passed it since it entered the mask.
    pub noted: bool,
    /// The RUN that passed it last, and the next_balance it saw there; the most if the CPU was
    /// busy.
    visited: (u32, u64),
    /// The RUN that passed it last, other runs under way or not.
    seen_by: u32,
    /// No RUN that wrote next_balance has passed it since it entered the mask.
    unseen: bool,
    /// The CPU's request to be balanced is lost at present, see `lost.rs`.
    lost: bool,
    lost_before: bool,
}

impl Nohz {
    /// The state while no CPU is idle.
    pub fn new(cpus: usize) -> Self {
        Self {
            idle_mask: CpuMask::EMPTY,
            nr_cpus: 0,
            has_blocked: false,
            needs_update: false,
            next_balance: 0,
            next_blocked: 0,
            jiffies: 0,
            next_jiffy_ns: 0,
            duty: None,
            nr_busy: vec![0; cpus].into(),
            next_runs: 0,
            runs: 0,
            runs_begun: 0,
            kicks: NohzKick::default(),
        }
    }
}
