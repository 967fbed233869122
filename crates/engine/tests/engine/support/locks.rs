//! Judges the locks and interrupts of a written trace, without looking into the engine's state.

use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};

use schedscope_engine::machine::ipi::{CALL_FUNCTION_SINGLE, IRQ_WORK, RESCHEDULE, VECTORS};
use schedscope_engine::machine::spread::{Spread, WHOLE};
use schedscope_engine::setup::Setup;
use schedscope_engine::trace::catalogue::{CpuState, Kind};

use super::judge::Row;

/// The state of one CPU by the rows so far.
#[derive(Clone, Debug, Default)]
struct Seen {
    held: Vec<u32>,
    spinning: Option<(u32, u64)>,
    handler: Option<u32>,
    flagged: Option<u64>,
    /// When a slice was last extended, which clears the flag without a lock.
    extended: Option<u64>,
    pending: BTreeMap<u32, u64>,
    stopped: bool,
}

/// Locks, interrupts and flags, from the rows.
#[derive(Default)]
pub struct Hardware {
    cpus: BTreeMap<u32, Seen>,
    owner: BTreeMap<u32, u32>,
    queues: BTreeMap<u32, VecDeque<(u32, u64)>>,
    /// (target, vector) -> (sender, time sent)
    flying: BTreeMap<(u32, u32), Vec<(u32, u64)>>,
    pub sent: [u64; VECTORS],
    pub coalesced: [u64; VECTORS],
    pub max_waiters: u32,
    pub waited_ns: u64,
}

impl Hardware {
    /// Whether `cpu` owns `lock`.
    pub fn holds(&self, cpu: u32, lock: u32) -> bool {
        self.owner.get(&lock) == Some(&cpu)
    }
    /// IPIs of `vector` under way.
    pub fn in_flight(&self, vector: u32) -> u64 {
        self.flying
            .iter()
            .filter(|((_, flying), _)| *flying == vector)
            .map(|(_, list)| list.len() as u64)
            .sum()
    }

    /// Takes one row; the error says what is wrong with it.
    pub fn row(&mut self, row: &Row, rto_lock: u32) -> Result<(), String> {
        self.not_while_it_stands_still(row)?;
        match row.kind {
            Kind::LockWait => self.wait(row, rto_lock),
            Kind::LockAcq => self.acquire(row, rto_lock),
            Kind::LockRel => self.release(row),
            Kind::IpiSend => self.send(row),
            Kind::IpiArrive => self.arrive(row),
            Kind::IrqEntry => self.enter(row),
            Kind::IrqExit => self.leave(row),
            Kind::NeedResched => self.flag(row),
            Kind::NeedReschedLazy => self.flag(row),
            Kind::NeedReschedUpgrade => self.upgrade(row),
            Kind::NeedReschedClear => self.unflag(row),
            Kind::SliceGrant => {
                self.cpus.entry(row.cpu).or_default().extended = Some(row.time);
                Ok(())
            }
            Kind::CpuState => self.state(row),
            Kind::CpuStop => {
                self.cpus.entry(row.cpu).or_default().stopped = true;
                Ok(())
            }
            Kind::CpuGo => {
                let stopped = &mut self.cpus.entry(row.cpu).or_default().stopped;
                check(std::mem::take(stopped), "a CPU goes on that was not stopped")
            }
            _ => Ok(()),
        }
    }

    fn not_while_it_stands_still(&self, row: &Row) -> Result<(), String> {
        let done_to_it = [
            Kind::CpuState,
            Kind::NeedResched,
            Kind::NeedReschedLazy,
            Kind::NeedReschedUpgrade,
            Kind::IpiArrive,
            Kind::CpupriSet,
            Kind::RtoSet,
            Kind::RtoClear,
            Kind::NoiseFire,
            Kind::RtThrottle,
            Kind::RtUnthrottle,
            Kind::BwSilo,
            Kind::BwTake,
            Kind::BwReturn,
            Kind::BwExpireSilo,
            Kind::BwDrop,
            Kind::BwThrottle,
            Kind::BwUnthrottle,
            Kind::BwStep,
            Kind::CpuStop,
            Kind::CpuGo,
        ];
        let spins = self.cpus.get(&row.cpu).is_some_and(|cpu| cpu.spinning.is_some());
        let stopped = self.cpus.get(&row.cpu).is_some_and(|cpu| cpu.stopped);
        check(!stopped || done_to_it.contains(&row.kind), "a CPU acts while it is stopped")?;
        check(
            !spins || row.kind == Kind::LockAcq || done_to_it.contains(&row.kind),
            "a CPU acts while it spins",
        )
    }

    fn wait(&mut self, row: &Row, rto_lock: u32) -> Result<(), String> {
        let queue = self.queues.entry(row.a).or_default();
        check(self.owner.contains_key(&row.a) || !queue.is_empty(), "a CPU waits for a free lock")?;
        check(self.owner.get(&row.a) != Some(&row.cpu), "a CPU waits for a lock it owns")?;
        queue.push_back((row.cpu, row.time));
        check(queue.len() as u32 == row.b, "the depth is not the number of CPUs that spin")?;
        if row.a < rto_lock {
            self.max_waiters = self.max_waiters.max(row.b);
        }
        let cpu = self.cpus.entry(row.cpu).or_default();
        check(
            cpu.held.iter().all(|held| *held < row.a),
            "a CPU waits for a lock ordered before one it holds",
        )?;
        cpu.spinning = Some((row.a, row.time));
        Ok(())
    }

    fn acquire(&mut self, row: &Row, rto_lock: u32) -> Result<(), String> {
        check(!self.owner.contains_key(&row.a), "a lock has two owners")?;
        let waited = match self.queues.entry(row.a).or_default().pop_front() {
            Some((cpu, since)) => {
                check(cpu == row.cpu, "the lock is not granted in the order of arrival")?;
                row.time - since
            }
            None => 0,
        };
        check(waited == u64::from(row.b), "the wait is not the time it spun")?;
        if row.a < rto_lock {
            self.waited_ns += waited;
        }
        self.owner.insert(row.a, row.cpu);
        let cpu = self.cpus.entry(row.cpu).or_default();
        cpu.spinning = None;
        cpu.held.push(row.a);
        Ok(())
    }

    fn release(&mut self, row: &Row) -> Result<(), String> {
        check(self.owner.remove(&row.a) == Some(row.cpu), "a CPU releases a lock it does not own")?;
        check(
            self.queues.entry(row.a).or_default().len() as u32 == row.b,
            "the release miscounts those who wait",
        )?;
        self.cpus.entry(row.cpu).or_default().held.retain(|held| *held != row.a);
        Ok(())
    }

    fn send(&mut self, row: &Row) -> Result<(), String> {
        self.sent[row.b as usize] += 1;
        self.flying.entry((row.a, row.b)).or_default().push((row.cpu, row.time));
        Ok(())
    }

    fn arrive(&mut self, row: &Row) -> Result<(), String> {
        let (sender, vector, merged) = (row.a & 0xffff, row.a >> 16 & 0xff, row.a >> 24 == 1);
        let flying = self.flying.entry((row.cpu, vector)).or_default();
        let sent = row.time - u64::from(row.b);
        let at = flying
            .iter()
            .position(|ipi| *ipi == (sender, sent))
            .ok_or("an IPI arrives that nobody sent")?;
        flying.remove(at);
        let pending = &mut self.cpus.entry(row.cpu).or_default().pending;
        check(
            pending.contains_key(&vector) == merged,
            "an arrival is merged iff its vector is pending",
        )?;
        pending.entry(vector).or_insert(row.time);
        self.coalesced[vector as usize] += u64::from(merged);
        Ok(())
    }

    fn enter(&mut self, row: &Row) -> Result<(), String> {
        let cpu = self.cpus.entry(row.cpu).or_default();
        check(cpu.handler.is_none(), "a handler starts inside another")?;
        check(cpu.held.is_empty(), "a handler starts while its CPU holds a lock")?;
        cpu.handler = Some(row.a);
        if [RESCHEDULE as u32, CALL_FUNCTION_SINGLE as u32, IRQ_WORK as u32].contains(&row.a) {
            let since = cpu.pending.remove(&row.a).ok_or("a handler starts without an arrival")?;
            check(
                row.time - since == u64::from(row.b),
                "the handler's delay is not the time since the arrival",
            )?;
        }
        Ok(())
    }

    fn leave(&mut self, row: &Row) -> Result<(), String> {
        let cpu = self.cpus.entry(row.cpu).or_default();
        check(cpu.handler.take() == Some(row.a), "a handler ends that did not start")?;
        check(cpu.held.is_empty(), "a handler ends with a lock held")
    }

    fn flag(&mut self, row: &Row) -> Result<(), String> {
        let cpu = self.cpus.entry(row.cpu).or_default();
        check(cpu.flagged.replace(row.time).is_none(), "need_resched is set twice")
    }

    /// A lazy flag lives on when it becomes need_resched.
    fn upgrade(&mut self, row: &Row) -> Result<(), String> {
        let cpu = self.cpus.entry(row.cpu).or_default();
        check(cpu.flagged.is_some(), "a flag is upgraded that is not set")
    }

    fn unflag(&mut self, row: &Row) -> Result<(), String> {
        let extended = self.cpus.entry(row.cpu).or_default().extended == Some(row.time);
        let held = self.holds(row.cpu, row.cpu);
        check(held || extended, "need_resched is cleared without the rq lock")?;
        let since = self
            .cpus
            .entry(row.cpu)
            .or_default()
            .flagged
            .take()
            .ok_or("need_resched is cleared, not set")?;
        check(row.time - since == u64::from(row.b), "need_resched was set for another time")
    }

    fn state(&mut self, row: &Row) -> Result<(), String> {
        let cpu = self.cpus.entry(row.cpu).or_default();
        let (state, irq_off) = (row.a & 255, row.a >> 8 & 1 == 1);
        check(
            (state == CpuState::Stopped as u32) == cpu.stopped,
            "a lane shows a stop iff the CPU is stopped",
        )?;
        check(
            (state == CpuState::Spin as u32) == (cpu.spinning.is_some() && !cpu.stopped),
            "a lane shows spinning iff the CPU spins",
        )?;
        check(
            irq_off || (cpu.held.is_empty() && cpu.spinning.is_none()),
            "a CPU holds or awaits a lock with interrupts on",
        )?;
        check(irq_off || cpu.handler.is_none(), "a handler runs with interrupts on")?;
        check(
            cpu.stopped
                || state == CpuState::Spin as u32
                || state == CpuState::IdleExit as u32
                || (state == CpuState::Hardirq as u32) == cpu.handler.is_some(),
            "hardirq",
        )
    }
}

/// An error with the text `what`, unless `holds`.
pub fn check(holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}

/// The least that two costs of `ns` together come to, by the outermost of the quantiles that
/// factors are drawn from (docs/model/time.md#spread).
pub fn shortest(setup: &Setup, ns: u32) -> u32 {
    thread_local! {
        static LEAST: Cell<(u32, u16)> = const { Cell::new((0, WHOLE)) };
    }
    let milli = setup.machine.costs.spread_milli;
    if LEAST.get().0 != milli {
        LEAST.set((milli, Spread::new(milli).factor(0)));
    }
    // Each of the two is rounded down.
    Spread::scaled(u64::from(ns), LEAST.get().1).saturating_sub(2) as u32
}
