//! Judges a whole written run from outside: trace, wake-ups and metrics have to agree.

use std::collections::BTreeMap;

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::Preempt;
use schedscope_engine::kernel::rt::root_domain::spans;
use schedscope_engine::machine::ipi::{CALL_FUNCTION_SINGLE, RESCHEDULE};
use schedscope_engine::machine::topology::Distance;
use schedscope_engine::run::{Options, Report, Run};
use schedscope_engine::setup::Setup;
use schedscope_engine::trace::catalogue::{CATALOGUE, CAUSES, CPU_STATES, CpuState, Kind, NONE};
use schedscope_engine::trace::columns::{Columns, Wakes};

use super::locks::{Hardware, check};
use super::programs::ever_allowed;

/// One row of the trace.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub time: u64,
    pub kind: Kind,
    pub cpu: u32,
    pub a: u32,
    pub b: u32,
}

pub fn rows(trace: &Columns) -> Vec<Row> {
    (0..trace.time.len())
        .map(|at| {
            let kind = CATALOGUE[trace.kind[at] as usize].kind;
            Row {
                time: trace.time[at],
                kind,
                cpu: u32::from(trace.cpu[at]),
                a: trace.a[at],
                b: trace.b[at],
            }
        })
        .collect()
}

/// Tasks, run queues and the push chain, from the rows.
struct Scheduler {
    running: Vec<Option<u32>>,
    since: Vec<u64>,
    waking: Vec<bool>,
    wakings: Vec<u64>,
    woken_once: Vec<bool>,
    home: BTreeMap<u32, u32>,
    /// ns each task has run, at least and at most: its run begins and ends inside schedule(),
    /// before the switch.
    run_ns: Vec<(u64, u64)>,
    /// Since when each CPU has executed only schedule().
    quiet: Vec<Option<u64>>,
    /// When each CPU was first asked to reschedule since its last switch, where tasks stop for
    /// their quotas.
    asked: Vec<Option<u64>>,
    /// When that began before the last switch.
    entered: Vec<u64>,
    lane: Vec<(u32, u64)>,
    lane_ns: Vec<[u64; CPU_STATES.len()]>,
    /// By root domain, or by the chain's own CPU under ipi_4_1.
    chain_at: BTreeMap<u32, u32>,
    chain_sent: u64,
    overloaded: Vec<bool>,
    /// The run queue each CPU takes fair tasks from.
    balancing: Vec<Option<u32>>,
    /// Taken off one run queue and not on another yet.
    on_way: Vec<bool>,
    /// Between softirq_entry and softirq_exit.
    in_softirq: Vec<bool>,
}

/// Everything a finished run wrote, taken out of it.
pub struct Written {
    pub rows: Vec<Row>,
    pub wakes: Wakes,
    pub report: Report,
}

/// Takes the rows since the start.
pub fn written(run: &mut Run) -> Written {
    Written { rows: rows(&run.take_trace()), wakes: run.take_wakes(), report: run.report() }
}

/// Runs a setup with every law checked at every event, and judges its rows.
pub fn play(setup: &Setup) -> Written {
    let written = written(&mut super::run(setup, Options::EVERYTHING, 1));
    judge(setup, &written).expect("the trace keeps the laws");
    written
}

/// When `name` last left its CPU, in whole us: a program's jumps take 1 ns each.
pub fn ended(written: &Written, setup: &Setup, name: &str) -> u64 {
    let id =
        setup.tasks.iter().position(|task| task.name == name).expect("the task is there") as u32;
    let off = written.rows.iter().rfind(|row| row.kind == Kind::SchedSwitch && row.a == id);
    off.map_or(u64::MAX, |row| row.time / super::US)
}

/// The first law the written run breaks.
pub fn judge(setup: &Setup, written: &Written) -> Result<(), String> {
    let setup = &setup.clone().with_stoppers();
    let cpus = setup.machine.topology.cpus() as usize;
    let mut hardware = Hardware::default();
    let mut scheduler = Scheduler {
        running: vec![None; cpus],
        since: vec![0; cpus],
        waking: vec![false; setup.tasks.len()],
        wakings: vec![0; setup.tasks.len()],
        woken_once: vec![false; setup.tasks.len()],
        home: BTreeMap::new(),
        run_ns: vec![(0, 0); setup.tasks.len()],
        quiet: vec![None; cpus],
        asked: vec![None; cpus],
        entered: vec![0; cpus],
        lane: vec![(0, 0); cpus],
        lane_ns: vec![[0; CPU_STATES.len()]; cpus],
        chain_at: BTreeMap::new(),
        chain_sent: 0,
        overloaded: vec![false; cpus],
        balancing: vec![None; cpus],
        on_way: vec![false; setup.tasks.len()],
        in_softirq: vec![false; cpus],
    };
    let mut time = 0;
    for (at, row) in written.rows.iter().enumerate() {
        let judged = check(row.time >= time, "time runs back")
            .and_then(|()| scheduler.row(setup, &hardware, row))
            .and_then(|()| hardware.row(row, cpus as u32));
        judged.map_err(|what| format!("{what}: row {at} {row:?}"))?;
        time = row.time;
    }
    let end = written.report.simulated_ns;
    scheduler.ends(setup, &written.report, end)?;
    totals(&hardware, &written.report)?;
    paths(written, cpus)?;
    super::quota_laws::judge(setup, written)?;
    super::samples::judge(setup, written)?;
    super::extensions::judge(setup, written)?;
    super::user_spins::judge(setup, written).and_then(|_| wakes(setup, written))
}

/// docs/model/locks-and-ipis.md#interrupt-delivery: an IPI to another CPU travels no faster than
/// the machine lets it.
fn flight(setup: &Setup, row: &Row) -> Result<(), String> {
    let costs = &setup.machine.costs;
    let least =
        match setup.machine.topology.distance(CpuId::new(row.a & 0xffff), CpuId::new(row.cpu)) {
            Distance::Same => 0,
            Distance::Llc => costs.ipi_send_ns + costs.ipi_flight_llc_ns,
            Distance::Cross => costs.ipi_send_ns + costs.ipi_flight_cross_ns,
        };
    check(row.b >= super::locks::shortest(setup, least), "an IPI arrives sooner than it can travel")
}

/// docs/model/wake-ups.md#wake-up-paths: each wake-up took one path (but those under way at the
/// end), each interrupt saved has its row.
fn paths(written: &Written, cpus: usize) -> Result<(), String> {
    let count = |kind: Kind| written.rows.iter().filter(|row| row.kind == kind).count() as u64;
    let metrics = &written.report.metrics;
    let paths = metrics.wakeups;
    let sum = paths.local + paths.remote_direct + paths.wake_list + paths.still_queued;
    let begun = count(Kind::SchedWaking);
    check(
        sum <= begun && sum + cpus as u64 >= begun,
        "the paths of the wake-ups are not their number",
    )?;
    check(
        paths.wake_list == count(Kind::WakelistQueue),
        "the wake-list's wake-ups are not its rows",
    )?;
    let saved = metrics.ipi.reschedule.elided_polling + metrics.ipi.call_function.elided_polling;
    check(saved == count(Kind::IdleWithoutIpi), "the IPIs saved by polling are not their rows")
}

impl Scheduler {
    fn row(&mut self, setup: &Setup, hardware: &Hardware, row: &Row) -> Result<(), String> {
        match row.kind {
            Kind::SchedWaking => self.waking(row),
            Kind::SchedWakeup => self.wakeup(setup, hardware, row),
            Kind::WakeupNew => self.wakeup_new(setup, hardware, row),
            Kind::SchedSwitch => self.switch(setup, hardware, row),
            Kind::MigrateTask => self.migrate(setup, hardware, row),
            Kind::CpuState => self.lane(setup, row),
            Kind::SoftirqEntry | Kind::SoftirqExit => {
                self.in_softirq[row.cpu as usize] = row.kind == Kind::SoftirqEntry;
                Ok(())
            }
            // A task that stops for its quota (6.18) is charged until it has the lock under which
            // it asks for a schedule().
            Kind::NeedResched | Kind::NeedReschedLazy if setup.kernel.bandwidth.per_task => {
                let held = u64::from(setup.machine.costs.bw_hold_ns);
                self.asked[row.cpu as usize].get_or_insert(row.time.saturating_sub(held));
                Ok(())
            }
            Kind::RtoHop => self.hop(row),
            Kind::RtoSet | Kind::RtoClear if setup.kernel.has_bugs_2007() => Ok(()),
            Kind::RtoSet => check(
                !std::mem::replace(&mut self.overloaded[row.cpu as usize], true),
                "rto_mask bit set twice",
            ),
            Kind::RtoClear => check(
                std::mem::replace(&mut self.overloaded[row.cpu as usize], false),
                "rto_mask bit cleared twice",
            ),
            Kind::PullTry if row.b == 2 => self.balances(row.cpu, row.a),
            Kind::PullTry => {
                check(!setup.kernel.rt_push_ipi, "a CPU pulls although it should ask to push")
            }
            Kind::StopWork if row.b == 2 => self.balances(row.cpu, row.cpu),
            Kind::PullOk if std::mem::take(&mut self.on_way[row.a as usize]) => {
                let home = self.home[&row.a];
                check(hardware.holds(row.cpu, home), "a task is attached without the rq lock")
            }
            Kind::IpiArrive => flight(setup, row),
            Kind::WakeDone => check(
                self.running[row.cpu as usize] == Some(row.a),
                "a wake-up ends where its task does not run",
            ),
            _ => Ok(()),
        }?;
        if [Kind::RtoSet, Kind::RtoClear].contains(&row.kind) && !setup.kernel.has_bugs_2007() {
            let span = spans(setup)[row.b as usize];
            check(span.has(CpuId::new(row.cpu)), "a CPU sets a bit in another root domain")?;
            let bits = span.iter().filter(|cpu| self.overloaded[cpu.raw() as usize]).count();
            check(bits == row.a as usize, "rto_count is not the number of bits")?;
        }
        Ok(())
    }

    fn waking(&mut self, row: &Row) -> Result<(), String> {
        let task = row.a as usize;
        self.wakings[task] += 1;
        check(!std::mem::replace(&mut self.waking[task], true), "a task is woken twice at once")?;
        check(
            self.home.insert(row.a, row.b).is_none_or(|home| home == row.b),
            "sched_waking names a CPU the task was not on",
        )
    }

    fn wakeup(&mut self, setup: &Setup, hardware: &Hardware, row: &Row) -> Result<(), String> {
        let task = row.a as usize;
        check(std::mem::take(&mut self.waking[task]), "sched_wakeup without sched_waking")?;
        self.woken_once[task] = true;
        check(self.home.get(&row.a) == Some(&row.b), "a task is enqueued where it is not")?;
        check(
            ever_allowed(&setup.tasks[task]).has(CpuId::new(row.b)),
            "a task is enqueued on a CPU it may not use",
        )?;
        let itself = self.running[row.b as usize] == Some(row.a) && row.cpu == row.b;
        check(itself || hardware.holds(row.cpu, row.b), "a task is enqueued without the rq lock")
    }

    /// A forked task's first place: no sched_waking comes before it, and no migration.
    fn wakeup_new(&mut self, setup: &Setup, hardware: &Hardware, row: &Row) -> Result<(), String> {
        let task = row.a as usize;
        check(
            !self.waking[task] && !self.running.contains(&Some(row.a)),
            "a task is forked that lives",
        )?;
        self.woken_once[task] = true;
        self.home.insert(row.a, row.b);
        check(
            ever_allowed(&setup.tasks[task]).has(CpuId::new(row.b)),
            "a task is forked on a CPU it may not use",
        )?;
        check(hardware.holds(row.cpu, row.b), "a task is forked without the rq lock")
    }

    fn switch(&mut self, setup: &Setup, hardware: &Hardware, row: &Row) -> Result<(), String> {
        let cpu = row.cpu as usize;
        check(hardware.holds(row.cpu, row.cpu), "a switch without the rq lock")?;
        check(row.a != row.b, "a switch from a task to itself")?;
        let (prev, next) = ((row.a != NONE).then_some(row.a), (row.b != NONE).then_some(row.b));
        check(self.running[cpu] == prev, "a switch from a task that does not run")?;
        if let Some(prev) = prev {
            self.has_run(cpu, prev, row.time);
        }
        if let Some(next) = next {
            check(
                !self.waking[next as usize] && self.woken_once[next as usize],
                "a task runs before it is woken",
            )?;
            check(!self.running.contains(&Some(next)), "a task runs on two CPUs")?;
            check(
                !self.on_way[next as usize],
                "a task runs that is on its way between two queues",
            )?;
            check(self.home.get(&next) == Some(&row.cpu), "a task runs where it is not queued")?;
            check(
                ever_allowed(&setup.tasks[next as usize]).has(CpuId::new(row.cpu)),
                "a task runs on a CPU it may not use",
            )?;
        }
        self.running[cpu] = next;
        self.since[cpu] = row.time;
        self.entered[cpu] = self.quiet[cpu].unwrap_or(row.time);
        Ok(())
    }

    /// `task` leaves `cpu` at `end`, or is seen there when the run ends.
    fn has_run(&mut self, cpu: usize, task: u32, end: u64) {
        let (least, most) = &mut self.run_ns[task as usize];
        let stops = self.quiet[cpu].unwrap_or(end).min(self.asked[cpu].take().unwrap_or(end));
        *least += stops.saturating_sub(self.since[cpu]);
        *most += end - self.entered[cpu];
    }

    fn migrate(&mut self, setup: &Setup, hardware: &Hardware, row: &Row) -> Result<(), String> {
        let from =
            self.home.insert(row.a, row.b).ok_or("a task migrates before it was ever woken")?;
        let both = hardware.holds(row.cpu, from) && hardware.holds(row.cpu, row.b);
        // Load balancing holds one lock at a time: between them a task is on no queue.
        let detached = hardware.holds(row.cpu, from)
            && self.balancing[row.cpu as usize] == Some(from)
            && !both;
        self.on_way[row.a as usize] |= detached && !self.waking[row.a as usize];
        check(
            self.waking[row.a as usize] || both || detached,
            "a queued task migrates without both rq locks",
        )?;
        check(
            !self.running.contains(&Some(row.a)) || self.waking[row.a as usize],
            "a running task migrates",
        )?;
        check(
            from != row.b && ever_allowed(&setup.tasks[row.a as usize]).has(CpuId::new(row.b)),
            "a task migrates to where it may not run",
        )
    }

    fn balances(&mut self, cpu: u32, source: u32) -> Result<(), String> {
        self.balancing[cpu as usize] = Some(source);
        Ok(())
    }

    fn lane(&mut self, setup: &Setup, row: &Row) -> Result<(), String> {
        let cpu = row.cpu as usize;
        // Under PREEMPT_RT a softirq may be preempted.
        let works = self.in_softirq[cpu] && setup.kernel.preempt != Preempt::Rt;
        let foreign = [CpuState::Idle, CpuState::User, CpuState::Kernel].map(|state| state as u32);
        check(!works || !foreign.contains(&(row.a & 255)), "a lane hides a softirq")?;
        check(
            self.running[cpu].unwrap_or(NONE) == row.b,
            "a lane shows another task than the last switch",
        )?;
        let (state, since) = std::mem::replace(&mut self.lane[cpu], (row.a & 255, row.time));
        self.lane_ns[cpu][state as usize] += row.time - since;
        // A spin that a stop interrupts goes on after the stop.
        let quiet = row.a & 255 == CpuState::Spin as u32
            || row.a & 511 == CpuState::Kernel as u32 | 256
            || row.a & 255 == CpuState::Stopped as u32 && self.quiet[cpu].is_some();
        self.quiet[cpu] = quiet.then(|| self.quiet[cpu].unwrap_or(row.time));
        Ok(())
    }

    /// One IPI at most: only the CPU the chain is at may send it on, and only an idle chain can be
    /// started.
    fn hop(&mut self, row: &Row) -> Result<(), String> {
        check(
            self.chain_at.get(&row.b).is_none_or(|at| *at == row.cpu),
            "a CPU moves a push chain that is elsewhere",
        )?;
        if row.a == NONE {
            self.chain_at.remove(&row.b)
        } else {
            self.chain_at.insert(row.b, row.a)
        };
        self.chain_sent += u64::from(row.a != NONE);
        check(
            row.a == NONE || self.overloaded[row.a as usize],
            "the push chain goes to a CPU that is not overloaded",
        )
    }

    fn ends(&mut self, setup: &Setup, report: &Report, end: u64) -> Result<(), String> {
        for cpu in 0..self.lane.len() {
            let (state, since) = self.lane[cpu];
            self.lane_ns[cpu][state as usize] += end - since;
            check(
                self.lane_ns[cpu].iter().sum::<u64>() == end,
                "a CPU's states do not tile the run",
            )?;
            if let Some(task) = self.running[cpu] {
                self.has_run(cpu, task, end);
            }
        }
        for ((spec, (least, most)), (begun, under_way)) in
            setup.tasks.iter().zip(&self.run_ns).zip(self.wakings.iter().zip(&self.waking))
        {
            // Stoppers that never ran are left out.
            let Some(metrics) = report.metrics.tasks.get(&spec.name) else {
                check(*most == 0, &format!("{} ran and is not told of", spec.name))?;
                continue;
            };
            let metric = metrics.run_ns;
            let told = (*least..=*most).contains(&metric);
            check(
                told,
                &format!(
                    "{} ran {least} to {most} ns by its switches, {metric} by the metrics",
                    spec.name
                ),
            )?;
            let ran = metrics.wakeups;
            let least = begun - u64::from(*begun > 0);
            let fits = (least..=*begun).contains(&ran) && !(*under_way && ran == *begun);
            check(fits, &format!("{} was woken {begun} times, {ran} of them ran", spec.name))?;
        }
        if let Some(chain) = &report.metrics.ipi.rto_push {
            let walks = setup.kernel.rt_balance.walks_domain();
            // In 4.1 a hop onto itself, or onto a CPU whose list is not empty, needs no IPI.
            let counted =
                if walks { chain.sent == self.chain_sent } else { chain.sent <= self.chain_sent };
            let most = if walks { 1 } else { self.lane.len() as u64 };
            check(counted && chain.max_in_flight <= most, "the push chain's IPIs are miscounted")?;
        }
        Ok(())
    }
}

fn totals(hardware: &Hardware, report: &Report) -> Result<(), String> {
    let ipi = &report.metrics.ipi;
    for (vector, counts) in
        [(RESCHEDULE, &ipi.reschedule), (CALL_FUNCTION_SINGLE, &ipi.call_function)]
    {
        check(counts.sent == hardware.sent[vector], "IPIs sent are miscounted")?;
        check(counts.coalesced == hardware.coalesced[vector], "IPIs merged are miscounted")?;
        check(
            counts.in_flight == hardware.in_flight(vector as u32),
            "IPIs under way are miscounted",
        )?;
        check(
            counts.sent == counts.delivered + counts.coalesced + counts.in_flight,
            "IPIs are lost",
        )?;
    }
    check(
        report.metrics.rq_lock.max_waiters == hardware.max_waiters,
        "max_waiters is not the deepest queue",
    )?;
    check(
        report.metrics.rq_lock.wait_ns >= hardware.waited_ns,
        "wait_ns is less than the waits that ended",
    )
}

/// Waterfalls sum to latencies; latencies, WakeDone rows and metrics agree.
fn wakes(setup: &Setup, written: &Written) -> Result<(), String> {
    let wakes = &written.wakes;
    let mut done: Vec<(u64, u32, u32)> = Vec::new();
    let mut totals: BTreeMap<&str, (u64, u64, u64, [u64; CAUSES.len()])> = BTreeMap::new();
    let mut from = 0;
    let mut nth = vec![0; setup.tasks.len()];
    let mut begun: Vec<Vec<u64>> = vec![Vec::new(); setup.tasks.len()];
    for row in written.rows.iter().filter(|row| row.kind == Kind::SchedWaking) {
        begun[row.a as usize].push(row.time);
    }
    for at in 0..wakes.task.len() {
        let (task, latency) = (wakes.task[at], wakes.latency[at]);
        let to = wakes.segments_end[at] as usize;
        let kind = totals.entry(&setup.tasks[task as usize].kind).or_default();
        let mut sum = 0;
        for segment in from..to {
            sum += u64::from(wakes.segment_ns[segment]);
            kind.3[wakes.segment_cause[segment] as usize] += u64::from(wakes.segment_ns[segment]);
        }
        check(sum == latency, "a waterfall does not sum to its latency")?;
        // A task that sleeps in between is woken once more. At the instant at which that wake-up is
        // due, another one may have come and gone before.
        let within = |time: &&u64| **time > wakes.due[at] && **time < wakes.due[at] + latency;
        let woken_when_due = begun[task as usize].contains(&wakes.due[at]);
        let more = begun[task as usize].iter().filter(within).count();
        check(more <= usize::from(!woken_when_due), "a wake-up holds a sleep")?;
        check(wakes.nth[at] == nth[task as usize], "a task's wake-ups are not counted one by one")?;
        nth[task as usize] += 1;
        (kind.0, kind.1, kind.2) = (kind.0 + 1, kind.1 + latency, kind.2.max(latency));
        done.push((wakes.due[at] + latency, task, u32::try_from(latency).unwrap_or(u32::MAX)));
        from = to;
    }
    let rows = written.rows.iter().filter(|row| row.kind == Kind::WakeDone);
    check(
        rows.map(|row| (row.time, row.a, row.b)).eq(done),
        "the wake-ups are not the WakeDone rows",
    )?;
    for (name, metric) in &written.report.metrics.latency {
        let (count, sum, max, causes) = totals.get(name.as_str()).copied().unwrap_or_default();
        let same = (metric.count, metric.sum_ns, metric.max_ns) == (count, sum, max);
        check(same, &format!("{name}: count, sum, max are {count}, {sum}, {max} by the wake-ups"))?;
        let by_cause = CAUSES
            .iter()
            .zip(causes)
            .all(|((cause, _, _), ns)| metric.causes_ns.get(cause).copied().unwrap_or(0) == ns);
        check(by_cause, &format!("{name}: the causes are not those of the wake-ups"))?;
    }
    Ok(())
}
