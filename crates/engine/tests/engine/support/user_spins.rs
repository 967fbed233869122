//! Judges spinning in user code from the rows: lanes, spins and the report agree.

use std::collections::BTreeMap;

use schedscope_engine::setup::Setup;
use schedscope_engine::trace::catalogue::{CpuState, Kind, NONE, SPUN_HIGH, SPUN_TASK};

use super::judge::{Row, Written};
use super::locks::check;

/// A spin under way: its lock, when it began, and the time that lanes had shown of its task's spins
/// before.
#[derive(Clone, Copy)]
struct Spin {
    lock: u32,
    since: u64,
    shown: u64,
}

/// The state that the rows so far imply.
#[derive(Default)]
pub struct Spins {
    spinning: BTreeMap<u32, Spin>,
    /// The owner by lock, while a task spins for the lock.
    owners: BTreeMap<u32, u32>,
    /// By CPU: state, task and since when.
    lanes: BTreeMap<u32, (u32, u32, u64)>,
    /// By CPU: the last switch.
    switches: BTreeMap<u32, (u64, u32, u32)>,
    /// ns that lanes show a task spinning.
    pub shown: BTreeMap<u32, u64>,
    /// ns of the spins that have ended.
    pub spun: BTreeMap<u32, u64>,
}

/// The sum of a task's spins is its `spin_ns`, except for a spin that the end of the run cut off.
/// Lanes show no more than that, and show no other work as a spin.
pub fn judge(setup: &Setup, written: &Written) -> Result<Spins, String> {
    let mut spins = Spins::default();
    for row in &written.rows {
        spins.row(row).map_err(|what| format!("{what}: {row:?}"))?;
    }
    let end = written.report.simulated_ns;
    for (state, task, since) in std::mem::take(&mut spins.lanes).into_values() {
        spins.show(state, task, end - since);
    }
    for (id, spec) in (0..).zip(&setup.tasks) {
        let Some(metrics) = written.report.metrics.tasks.get(&spec.name) else { continue };
        let spun = spins.spun.get(&id).copied().unwrap_or_default();
        let shown = spins.shown.get(&id).copied().unwrap_or_default();
        let open = spins.spinning.get(&id);
        let most = spun + open.map_or(0, |spin| end - spin.since);
        let least = spun + open.map_or(0, |spin| shown - spin.shown);
        check(
            (least..=most).contains(&metrics.spin_ns) && shown <= metrics.spin_ns,
            &format!(
                "{} spun {least} to {most} ns by its rows, {shown} by the lanes, {} by the report",
                spec.name, metrics.spin_ns
            ),
        )?;
    }
    Ok(spins)
}

impl Spins {
    fn show(&mut self, state: u32, task: u32, ns: u64) {
        if state == CpuState::UserSpin as u32 {
            *self.shown.entry(task).or_default() += ns;
        }
    }

    fn row(&mut self, row: &Row) -> Result<(), String> {
        let runs = self.switches.get(&row.cpu).map_or(NONE, |(_, _, next)| *next);
        match row.kind {
            Kind::CpuState => self.lane(row),
            Kind::SchedSwitch => {
                self.switches.insert(row.cpu, (row.time, row.a, row.b));
                Ok(())
            }
            Kind::UserSpin => {
                check(runs == row.b, "a task spins that does not run")?;
                let shown = self.shown.get(&row.b).copied().unwrap_or_default();
                let begun = Spin { lock: row.a, since: row.time, shown };
                let before = self.spinning.get(&row.b).copied();
                let on = before.map_or(begun, |spin| Spin { lock: row.a, ..spin });
                self.spinning.insert(row.b, on);
                self.forget(before);
                check(before.is_none_or(|spin| spin.lock != row.a), "a spin begins twice")
            }
            Kind::UserSpinEnd => self.end(row, runs),
            Kind::UserLockOwner => {
                check(
                    self.spinning.values().any(|spin| spin.lock == row.a),
                    "an owner is told for whom nobody waits",
                )?;
                self.owners.insert(row.a, row.b);
                Ok(())
            }
            Kind::UserLockOut => {
                let (time, prev, _) = self.switches.get(&row.cpu).copied().unwrap_or_default();
                check((time, prev) == (row.time, row.b), "a holder is preempted without a switch")?;
                let told = self.owners.get(&row.a);
                check(told.is_none_or(|owner| *owner == row.b), "another has that lock")
            }
            _ => Ok(()),
        }
    }

    fn lane(&mut self, row: &Row) -> Result<(), String> {
        let state = row.a & 255;
        if let Some((was, task, since)) = self.lanes.insert(row.cpu, (state, row.b, row.time)) {
            self.show(was, task, row.time - since);
        }
        let spins = self.spinning.contains_key(&row.b);
        check(spins || state != CpuState::UserSpin as u32, "a lane shows a spin that is none")?;
        check(!spins || state != CpuState::User as u32, "a lane hides a spin")
    }

    fn end(&mut self, row: &Row, runs: u32) -> Result<(), String> {
        let task = SPUN_TASK.of(row.a);
        let ns = u64::from(SPUN_HIGH.of(row.a)) << 32 | u64::from(row.b);
        check(runs == task, "a task that does not run takes a lock")?;
        let spin = self.spinning.remove(&task).ok_or("a spin ends that never began")?;
        self.forget(Some(spin));
        // The lane has its row at the end of this instant.
        let lane = self.lanes.get(&row.cpu).copied().unwrap_or_default();
        let spins = (lane.0, lane.1) == (CpuState::UserSpin as u32, task);
        let open = if spins { row.time - lane.2 } else { 0 };
        let shown = self.shown.get(&task).copied().unwrap_or_default() + open - spin.shown;
        let most = row.time - spin.since;
        check(
            (shown..=most).contains(&ns),
            &format!("a spin is to be from {shown} to {most} ns long"),
        )?;
        *self.spun.entry(task).or_default() += ns;
        Ok(())
    }

    /// Forgets the owner of a lock that no task spins for any more, because no row will name it.
    fn forget(&mut self, left: Option<Spin>) {
        if let Some(Spin { lock, .. }) = left
            && !self.spinning.values().any(|spin| spin.lock == lock)
        {
            self.owners.remove(&lock);
        }
    }
}
