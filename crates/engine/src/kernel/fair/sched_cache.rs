//! Cache-aware balancing (7.2): the threads of a process get one last-level cache as their home
//! (docs/model/idle-balancing.md#threads-of-a-process). Read in 7.2.13.
//!
//! ```text
//!   charges ──► run time of the process by CPU, halved each epoch
//!                    └ a tick, once an epoch ──► home: the cache with the most of it
//!                                                   └ a task's next charge ──► what it prefers
//!                                                          └ load balancing (load_balance/home.rs)
//! ```
//! A utilisation is that of the instant here, because no averages are followed: a CPU with fair
//! tasks is fully used, and each of n tasks there uses an n-th part.

use crate::ids::{CpuId, GroupId, IdRange, IdVec, TaskId};
use crate::kernel::fair::sched_domains::{LLC, SMT};
use crate::setup::{Program, Setup};
use crate::sim::Sim;

/// llc_epoch_affinity_timeout: a process of which no tick was seen for so many epochs has no home.
const EPOCHS_MOST: u64 = 5;
/// NICE_0_LOAD: the share of a process that has used all of the time.
const WHOLE_SHARE: u64 = 1 << 20;
/// SCHED_CAPACITY_SCALE: a CPU's.
pub(super) const CAPACITY: u64 = 1024;

/// Run time on one CPU, halved at the end of each epoch, ns.
#[derive(Clone, Copy, Debug, Default)]
struct Ran {
    ns: u64,
    epoch: u64,
}

impl Ran {
    /// The run time left of it in `epoch`, which is no earlier.
    fn decayed(self, epoch: u64) -> Self {
        let halved = u32::try_from(epoch - self.epoch).ok().and_then(|n| self.ns.checked_shr(n));
        Self { ns: halved.unwrap_or(0), epoch }
    }
}

/// struct sched_cache_group: the threads of one process.
#[derive(Clone, Debug)]
struct Process {
    threads: u32,
    /// The CPU that used the most of it in the cache that is its home.
    home: Option<CpuId>,
    /// The epoch of its last scan.
    epoch: u64,
    /// When the next scan may be, jiffies.
    next_scan: u64,
    /// Average number of threads that run at once.
    running: u64,
    /// Empty for a single thread, which never has a home.
    ran: IdVec<CpuId, Ran>,
}

/// What balancing knows of processes.
#[derive(Clone, Debug)]
pub(crate) struct SchedCache {
    processes: Vec<Process>,
    /// The process of each task, an index; kernel threads have none.
    of: IdVec<TaskId, Option<usize>>,
    /// preferred_llc of each task: the first CPU of that cache.
    prefers: IdVec<TaskId, Option<CpuId>>,
    /// Run time of all processes on each CPU.
    cpus: IdVec<CpuId, Ran>,
}

impl SchedCache {
    /// `None` where nothing can come of it: one cache, or caches of one CPU, or no process with
    /// threads.
    pub(crate) fn new(setup: &Setup) -> Option<Box<Self>> {
        let topology = setup.machine.topology;
        if topology.packages() < 2 || topology.package_size() < 2 {
            return None;
        }
        let cpus = || topology.cpu_ids().map(|_| Ran::default()).collect();
        let mut kinds: Vec<&str> = Vec::new();
        let mut processes: Vec<Process> = Vec::new();
        let mut of = Vec::new();
        for task in &setup.tasks {
            let known = kinds.iter().position(|kind| *kind == task.kind && !task.forked);
            let process =
                (!matches!(task.program, Program::Ksoftirqd | Program::Migration)).then(|| {
                    known.unwrap_or_else(|| {
                        kinds.push(if task.forked { "" } else { &task.kind });
                        processes.push(Process {
                            threads: 0,
                            home: None,
                            epoch: 0,
                            next_scan: 0,
                            running: 0,
                            ran: IdVec::default(),
                        });
                        processes.len() - 1
                    })
                });
            if let Some(process) = process {
                processes[process].threads += 1;
            }
            of.push(process);
        }
        let threaded = |process: &&mut Process| process.threads > 1;
        processes.iter_mut().filter(threaded).for_each(|process| process.ran = cpus());
        let prefers = of.iter().map(|_| None).collect();
        processes
            .iter()
            .any(|process| process.threads > 1)
            .then(|| Box::new(Self { processes, of: IdVec::from(of), prefers, cpus: cpus() }))
    }
}

impl Sim {
    /// Whether cache-aware balancing acts.
    #[inline]
    pub(crate) fn sched_cache_enabled(&self) -> bool {
        self.sched_cache.is_some() && self.kernel().llc_balancing()
    }

    /// account_mm_sched(): `task` has run on `cpu` for `ran` ns.
    pub(super) fn account_mm_sched(&mut self, cpu: CpuId, task: TaskId, ran: u64) {
        let epoch = self.cache_epoch();
        let prefers_anew = self.task(task).se.on_rq;
        let Some(cache) = &mut self.sched_cache else { return };
        let Some(process) = cache.of[task] else { return };
        let own = cache.processes[process].ran.get_mut(cpu);
        for time in own.into_iter().chain([&mut cache.cpus[cpu]]) {
            *time = time.decayed(epoch);
            time.ns += ran;
        }
        if epoch - cache.processes[process].epoch > EPOCHS_MOST || self.has_too_many(process, cpu) {
            self.set_home(process, None);
        }
        if prefers_anew {
            let home = self.home_of(task).map(|home| self.llc(home).first());
            if let Some(cache) = &mut self.sched_cache {
                cache.prefers[task] = home;
            }
        }
    }

    /// task_tick_cache() of the fair task that runs on `cpu`, and task_cache_work(), which the task
    /// does on its way back to user code: here in the tick, for no cost of it is known.
    pub(super) fn task_tick_cache(&mut self, cpu: CpuId, task: TaskId) {
        let (epoch, now, period) = (self.cache_epoch(), self.nohz.jiffies, self.epoch_period());
        let Some(cache) = &mut self.sched_cache else { return };
        let Some(process) = cache.of[task] else { return };
        let state = &mut cache.processes[process];
        if state.epoch >= epoch {
            return;
        }
        state.epoch = epoch;
        if now < state.next_scan {
            return;
        }
        state.next_scan = now + period;
        if self.has_too_many(process, cpu) {
            self.set_home(process, None);
        } else {
            self.find_home(process, cpu);
        }
    }

    /// Moves the home to the cache with the most run time of the process, if that is more than
    /// twice what the present home has; counts its running threads into their average.
    fn find_home(&mut self, process: usize, cpu: CpuId) {
        let home = self.sched_cache.as_ref().and_then(|cache| cache.processes[process].home);
        let topology = self.setup.machine.topology;
        let (mut best, mut at_home, mut running) = ((0, None), 0, 0);
        let mut from = CpuId::FIRST;
        while from < topology.cpu_ids().end() {
            let near = self.llc(from);
            from = near.end();
            let mut sum = 0;
            let mut busiest = (0, None);
            for cpu in near.clone().filter(|cpu| self.has_llc_domain(*cpu)) {
                let share = self.share_of_time(process, cpu);
                sum += share;
                if share > busiest.0 {
                    busiest = (share, Some(cpu));
                }
                running += u64::from(self.rqs[cpu].curr.is_some_and(|curr| {
                    self.sched_cache.as_ref().is_some_and(|cache| cache.of[curr] == Some(process))
                }));
            }
            if sum > best.0 {
                best = (sum, busiest.1);
            }
            if home.is_some_and(|home| near.contains(home)) {
                at_home = sum;
            }
        }
        if best.0 > 2 * at_home {
            self.set_home(process, best.1);
        }
        let divisor = (self.llc_size(cpu) / 4).clamp(2, 8) as i64;
        if let Some(cache) = &mut self.sched_cache {
            let average = &mut cache.processes[process].running;
            *average = (*average as i64 + (running as i64 - *average as i64) / divisor) as u64;
        }
    }

    /// fraction_mm_sched(): the part of `cpu`'s time that the process had.
    fn share_of_time(&self, process: usize, cpu: CpuId) -> u64 {
        let Some(cache) = &self.sched_cache else { return 0 };
        let ran = |time: Ran| time.decayed(self.cache_epoch()).ns;
        WHOLE_SHARE * ran(cache.processes[process].ran[cpu]) / (ran(cache.cpus[cpu]) + 1)
    }

    /// invalid_llc_nr(): one thread only, or more threads at once than a cache has cores for.
    pub(super) fn has_too_many(&self, process: usize, cpu: CpuId) -> bool {
        let Some(cache) = &self.sched_cache else { return true };
        let process = &cache.processes[process];
        let threads = process.running * u64::from(self.threads_of_core(cpu));
        // fits_capacity(): a quarter more than now.
        process.threads <= 1 || threads * 1280 >= self.llc_size(cpu) * 1024
    }

    fn set_home(&mut self, process: usize, home: Option<CpuId>) {
        if let Some(cache) = &mut self.sched_cache {
            cache.processes[process].home = home;
        }
    }

    pub(super) fn process_of(&self, task: TaskId) -> Option<usize> {
        self.sched_cache.as_ref()?.of[task]
    }

    /// The CPU whose cache is the home of `task`'s process.
    pub(super) fn home_of(&self, task: TaskId) -> Option<CpuId> {
        let cache = self.sched_cache.as_ref()?;
        cache.processes[cache.of[task]?].home
    }

    /// Whether `task` prefers the cache of `cpu`, since its last charge.
    pub(super) fn prefers_llc(&self, task: TaskId, cpu: CpuId) -> bool {
        let prefers = self.sched_cache.as_ref().and_then(|cache| cache.prefers[task]);
        prefers == Some(self.llc(cpu).first())
    }

    pub(super) fn llc(&self, cpu: CpuId) -> IdRange<CpuId> {
        self.setup.machine.topology.llc_of(cpu)
    }

    /// CPUs of the cache's domain (sd_llc_size).
    fn llc_size(&self, cpu: CpuId) -> u64 {
        let domains = &self.rqs[cpu].balance.domains;
        u64::from(domains[LLC].weight.max(domains[SMT].weight))
    }

    fn has_llc_domain(&self, cpu: CpuId) -> bool {
        self.llc_size(cpu) > 1
    }

    pub(super) fn threads_of_core(&self, cpu: CpuId) -> u32 {
        if self.setup.machine.topology.has_smt() {
            self.setup.machine.topology.core_of(cpu).len() as u32
        } else {
            1
        }
    }

    /// llc_epoch_period, jiffies.
    fn epoch_period(&self) -> u64 {
        u64::from(self.kernel().hz / 100).max(1)
    }

    /// cpu_epoch of every CPU, which is brought up to date before each use.
    fn cache_epoch(&self) -> u64 {
        self.nohz.jiffies.div_ceil(self.epoch_period())
    }

    /// Utilisation of the cache of `cpu`, and its capacity.
    pub(super) fn llc_use(&self, cpu: CpuId) -> (u64, u64) {
        let span = self.rd(cpu).span;
        let cpus = self.llc(cpu).filter(|cpu| span.has(*cpu));
        cpus.fold((0, 0), |(used, all), cpu| {
            let busy = self.rqs[cpu].cfs[GroupId::ROOT].h_nr_runnable() > 0;
            (used + u64::from(busy) * CAPACITY, all + CAPACITY)
        })
    }
}
