//! The simulation: time, the event loop, and how a CPU executes its frames.
//!
//! One event is dispatched at a time; it resumes one CPU, which runs until time must pass on it.
//! All effects on another CPU go through the queue, so there is no re-entrance and every instant is
//! ordered.

mod ahead;
mod costs;
mod devices;
mod execute;
mod hw_noise;
mod interrupts;
mod locks;
mod smt;

use std::sync::Arc;

use crate::account::metrics::Ledger;
use crate::account::pressure::Pressure;
use crate::account::running::Running;
use crate::account::stretches::Stretches;
use crate::ids::{CpuId, GroupId, Id, IdVec, ObjectId, RdId, TaskId, TimerId};
use crate::kernel::config::TtwuQueue;
use crate::kernel::core::idle::Idle;
use crate::kernel::core::rq::Rq;
use crate::kernel::core::task::Task;
use crate::kernel::cpu::Cpu;
use crate::kernel::fair::TaskGroup;
use crate::kernel::fair::bandwidth::CfsBandwidth;
use crate::kernel::fair::sched_cache::SchedCache;
use crate::kernel::frame::Frame;
use crate::kernel::nohz::Nohz;
use crate::kernel::rcu::Callbacks;
use crate::kernel::rt::root_domain::{RootDomain, boot, lock_names};
use crate::kernel::rt::throttle::RtBandwidth;
use crate::kernel::syscall::live::Writes;
use crate::kernel::syscall::objects::{ObjectState, UserLocks};
use crate::machine::hw_noise::HwNoise;
use crate::machine::ipi::{CALL_FUNCTION_SINGLE, DEVICE, IRQ_WORK, RESCHEDULE, VECTORS};
use crate::machine::spinlock::{LockId, Spinlock};
use crate::machine::spread::Spread;
use crate::queue::{EventQueue, class_and_owner, slot_number};
use crate::setup::{NEVER, Op, Program, Setup};
use crate::trace::catalogue::{DIGESTED, Kind};
use crate::trace::columns::Log;
use crate::trace::digest::Digest;
use crate::workload::NoiseState;
use devices::Devices;

/// Bandwidth control of each group, at time 0.
fn bandwidths(setup: &Setup) -> IdVec<GroupId, CfsBandwidth> {
    setup.groups.iter().map(|group| CfsBandwidth::new(group.bandwidth)).collect()
}

/// Objects that tasks share, in their state at time 0.
fn objects(setup: &Setup) -> IdVec<ObjectId, ObjectState> {
    let mut times = vec![false; setup.objects.len()];
    for op in setup.tasks.iter().flat_map(|task| task.program.ops()) {
        if let Op::Get { queue, stamp: Some(_) } = op {
            times[*queue as usize] = true;
        }
    }
    let cpus = setup.machine.topology.cpus();
    setup
        .objects
        .iter()
        .zip(times)
        .map(|(spec, times)| ObjectState::new(spec, cpus, times))
        .collect()
}

/// When the tick of `cpu` comes in its period, ns.
fn tick_phase(setup: &Setup, cpu: CpuId) -> u64 {
    // tick_setup_sched_timer(): half a period shared out among the possible CPUs.
    let step = if setup.kernel.tick_skew {
        setup.kernel.tick_ns() / 2 / u64::from(setup.machine.topology.cpus())
    } else {
        0
    };
    let skew = u64::from(cpu) * (step + u64::from(setup.machine.costs.tick_skew_ns));
    (setup.kernel.tick_grid_ns() + skew) % setup.kernel.tick_ns()
}

/// Vectors that travel as IPIs, in slot order.
pub(crate) const IPI_VECTORS: [usize; 3] = [RESCHEDULE, CALL_FUNCTION_SINGLE, IRQ_WORK];

/// The event that a slot of the event queue schedules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Timer(CpuId),
    Devices,
    Ipi(CpuId, usize),
    HwNoise(CpuId),
    Lock(CpuId),
    Progress(CpuId),
}

/// No IPI has this vector.
const HW_NOISE: usize = 1 + DEVICE;
const LOCK: usize = 1 + VECTORS;
const PROGRESS: usize = LOCK + 1;

impl Slot {
    /// Classes in the order of equal times: timers, devices, IPI arrivals by vector, and in
    /// the place of the device's vector hardware noise; lock grants, progress.
    #[inline]
    pub(crate) const fn number(self) -> usize {
        match self {
            Self::Timer(cpu) => slot_number(0, cpu.raw() as usize),
            Self::Devices => slot_number(1, 0),
            Self::Ipi(cpu, vector) => slot_number(1 + vector, cpu.raw() as usize),
            Self::HwNoise(cpu) => slot_number(HW_NOISE, cpu.raw() as usize),
            Self::Lock(cpu) => slot_number(LOCK, cpu.raw() as usize),
            Self::Progress(cpu) => slot_number(PROGRESS, cpu.raw() as usize),
        }
    }

    #[inline]
    const fn numbered(slot: usize) -> Self {
        let (class, cpu) = class_and_owner(slot);
        let cpu = CpuId::new(cpu as u32);
        match class {
            0 => Self::Timer(cpu),
            1 => Self::Devices,
            HW_NOISE => Self::HwNoise(cpu),
            LOCK => Self::Lock(cpu),
            PROGRESS => Self::Progress(cpu),
            _ => Self::Ipi(cpu, class - 1),
        }
    }
}

/// The whole state of a run; a clone is a snapshot.
#[derive(Clone, Debug)]
pub struct Sim {
    /// Machine time, ns.
    pub now: u64,
    /// The setup of this simulation.
    pub setup: Arc<Setup>,
    pub(crate) queue: EventQueue,
    /// The slot of the event under way.
    slot: usize,
    pub(crate) cpus: IdVec<CpuId, Cpu>,
    pub(crate) rqs: IdVec<CpuId, Rq>,
    pub(crate) locks: IdVec<LockId, Spinlock>,
    pub(crate) tasks: IdVec<TaskId, Task>,
    /// Next expiry of each timer of the setup; `None` before its first use.
    pub(crate) app_timers: IdVec<TimerId, Option<u64>>,
    /// Objects that tasks share.
    pub(crate) objects: IdVec<ObjectId, ObjectState>,
    pub(crate) rds: IdVec<RdId, RootDomain>,
    /// Root domain of each CPU.
    pub(crate) rd_of: IdVec<CpuId, RdId>,
    pub(crate) rt_bandwidth: RtBandwidth,
    pub(crate) bandwidths: IdVec<GroupId, CfsBandwidth>,
    /// Groups whose books this event may have changed.
    pub(crate) bw_touched: Vec<GroupId>,
    /// The largest sched_cfs_bandwidth_slice so far, ns.
    pub(crate) bw_slice_most: u64,
    /// State of each control group, the root first.
    pub(crate) groups: IdVec<GroupId, TaskGroup>,
    /// The rule of the wake-list this kernel was compiled with, once its bit has been written.
    pub(crate) ttwu_compiled: Option<TtwuQueue>,
    /// Whether DELAY_DEQUEUE was on when it was written.
    pub(crate) had_delayed: bool,
    /// Cache-aware balancing; absent where nothing can come of it.
    pub(crate) sched_cache: Option<Box<SchedCache>>,
    /// Whether the fair tasks of a CPU are on one queue (flat_queue).
    pub(crate) flat: bool,
    pub(crate) nohz: Nohz,
    /// Writes to tasks and groups during the run, in order.
    pub(crate) writes: Writes,
    pub(crate) noise: NoiseState,
    pub(crate) devices: Devices,
    /// Hardware noise of each CPU; empty without any.
    pub(crate) hw_noise: IdVec<CpuId, HwNoise>,
    /// RCU callbacks by CPU; empty without an RCU load.
    pub(crate) rcu: IdVec<CpuId, Callbacks>,
    /// When the program cyclictest ends: its threads look after each sample. `u64::MAX` for not
    /// yet.
    pub(crate) cyclictest_ends: u64,
    pub(crate) ledger: Ledger,
    /// CPU pressure; absent where no report has it.
    pub(crate) pressure: Option<Box<Pressure>>,
    pub(crate) digest: Digest,
    pub(crate) user_locks: UserLocks,
    /// Rows written or that would have been.
    pub(crate) records: u64,
    /// Steps of frames taken, and ops of programs played.
    pub(crate) steps: u64,
    /// CPUs by the priority of their running tasks.
    pub(crate) running: Running,
    /// Tasks woken and waiting on a run queue that were free to leave its CPU when they came there:
    /// whether they could run elsewhere is followed (`account/roaming.rs`).
    pub(crate) roaming: Vec<TaskId>,
    /// A task waiting on a run queue, one of them or not, has come to another CPU since a switch
    /// last looked at them. Without any of them no switch looks, and this stays set.
    pub(crate) roaming_moved: bool,
    /// Empty lists of stretches, whose memory the next wake-ups use.
    pub(crate) spare_stretches: Vec<Stretches>,
    /// The law of the costs' factors.
    pub(crate) spread: Spread,
    /// See [`crate::run::Options::in_pieces`].
    pub(crate) in_pieces: bool,
    /// See [`crate::run::Options::charge_preempted`].
    pub(crate) charge_preempted: bool,
    /// The first law the simulator itself broke.
    pub(crate) fault: Option<String>,
    /// The output; nothing in the simulation reads it.
    pub(crate) log: Log,
}

impl Sim {
    /// The machine of `setup` at time 0, every task asleep on one of its CPUs: its number says on
    /// which.
    pub fn new(setup: Arc<Setup>, log: Log) -> Self {
        let cpus = setup.machine.topology.cpus();
        let cpu_ids = setup.machine.topology.cpu_ids();
        let count = cpus as usize;
        let (rds, rd_of) = boot(&setup);
        let mut sim = Self {
            now: 0,
            queue: EventQueue::new(count),
            slot: 0,
            cpus: cpu_ids
                .clone()
                .map(|cpu| Cpu::new(Frame::Idle(Idle::Loop), tick_phase(&setup, cpu)))
                .collect(),
            rqs: vec![Rq::new(setup.groups.len()); count].into(),
            locks: vec![Spinlock::default(); lock_names(&setup).len()].into(),
            tasks: IdVec::default(),
            app_timers: vec![None; setup.timers.len()].into(),
            objects: objects(&setup),
            rds,
            rd_of,
            rt_bandwidth: RtBandwidth::default(),
            bandwidths: bandwidths(&setup),
            bw_touched: Vec::new(),
            bw_slice_most: setup.kernel.bandwidth_slice_ns,
            groups: vec![TaskGroup::default(); setup.groups.len()].into(),
            ttwu_compiled: None,
            had_delayed: false,
            sched_cache: SchedCache::new(&setup),
            flat: setup.kernel.has_flat_queue(),
            nohz: Nohz::new(count),
            writes: Writes::default(),
            noise: NoiseState::new(&setup),
            devices: Devices::default(),
            hw_noise: IdVec::default(),
            rcu: IdVec::default(),
            cyclictest_ends: u64::MAX,
            ledger: Ledger::new(&setup),
            pressure: Self::new_pressure(&setup),
            digest: Digest::new(),
            user_locks: UserLocks::default(),
            records: 0,
            steps: 0,
            running: Running::new(count),
            roaming: Vec::new(),
            roaming_moved: false,
            spare_stretches: Vec::new(),
            spread: Spread::new(setup.machine.costs.spread_milli),
            in_pieces: false,
            charge_preempted: false,
            fault: None,
            log,
            setup,
        };
        for (id, lock) in sim.locks.iter_mut().enumerate() {
            let push_lock = id.checked_sub(count + sim.rds.len());
            lock.place_line(CpuId::at(push_lock.unwrap_or(id.min(count - 1)) % count));
        }
        sim.reset_rt_runtime();
        sim.start_tasks();
        sim.start_noise();
        sim.start_softirq();
        sim.start_bandwidth();
        sim.boot_nohz();
        sim.start_hw_noise();
        sim.start_device_irq();
        sim.start_rcu();
        cpu_ids.for_each(|cpu| sim.run_cpu(cpu));
        sim
    }

    fn start_tasks(&mut self) {
        let setup = Arc::clone(&self.setup);
        for (nth, spec) in setup.tasks.iter().enumerate().skip(self.tasks.len()) {
            let allowed: Vec<CpuId> = spec.cpus.iter().collect();
            let cpu = allowed[nth % allowed.len()];
            let id = self.tasks.push(Task::asleep(spec, cpu));
            let first = match spec.program {
                Program::Cyclictest { first_due_ns, .. } => Some(first_due_ns),
                Program::Ops { .. } => (spec.start_ns != NEVER).then_some(spec.start_ns),
                Program::RtNoise { .. } | Program::Ksoftirqd | Program::Migration => None,
            };
            if let Some(first) = first {
                self.arm_sleep(cpu, id, first);
            }
        }
    }

    /// Takes in tasks that were added behind the others of its setup and that nothing starts by
    /// itself: stoppers.
    pub(crate) fn take_in_tasks(&mut self) {
        self.start_tasks();
        self.ledger.take_in_tasks(&self.setup);
        if let Some(pressure) = &mut self.pressure {
            pressure.take_in_tasks(&self.setup);
        }
        self.log.take_in_kinds(self.ledger.kinds.len());
    }

    /// Runs the next event if it lies at or before `until`; whether there was one.
    #[inline]
    pub fn step(&mut self, until: u64) -> bool {
        let Some((time, slot)) = self.queue.pop(until) else { return false };
        self.law(time >= self.now, || format!("time runs back to {time}"));
        (self.now, self.slot) = (time, slot);
        match Slot::numbered(slot) {
            Slot::Timer(cpu) => self.timer_fires(cpu),
            Slot::Devices => self.devices_fire(),
            Slot::Ipi(cpu, vector) => self.ipi_arrives(cpu, vector),
            Slot::HwNoise(cpu) => self.hw_noise_changes(cpu),
            Slot::Lock(cpu) => self.lock_granted(cpu),
            Slot::Progress(cpu) => {
                let state = self.cpu(cpu);
                state.hw.stop_work();
                state.top().remaining = 0;
                self.run_cpu(cpu);
            }
        }
        self.queue.settle();
        self.check_touched();
        true
    }

    pub(crate) fn cpu(&mut self, cpu: CpuId) -> &mut Cpu {
        &mut self.cpus[cpu]
    }

    /// Stops the run with a message if the simulator broke a law.
    #[inline]
    pub(crate) fn law(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.broken(what);
        }
    }

    #[cold]
    #[inline(never)]
    fn broken(&mut self, what: impl FnOnce() -> String) {
        if self.fault.is_none() {
            self.fault = Some(format!("at {} ns: {}", self.now, what()));
        }
    }

    /// Writes a trace row. Even if no window keeps the row, it counts, and enters the digest if the
    /// digest covers its kind.
    #[inline]
    pub(crate) fn emit(&mut self, kind: Kind, cpu: CpuId, a: u32, b: u32) {
        if DIGESTED[kind as usize] {
            self.digest.row(self.now, kind, cpu.raw(), a, b);
        }
        if matches!(
            kind,
            Kind::SchedSwitch | Kind::SchedWakeup | Kind::WakeupNew | Kind::MigrateTask
        ) {
            self.count_pressure(kind, cpu, a, b);
        }
        self.emit_undigested(kind, cpu, a, b);
    }

    /// Writes a row of a kind that the digest does not cover.
    #[inline]
    fn emit_undigested(&mut self, kind: Kind, cpu: CpuId, a: u32, b: u32) {
        self.records += 1;
        if self.log.keeps(self.now) {
            self.log.row(self.now, kind, cpu.raw(), a, b);
        }
    }
}
