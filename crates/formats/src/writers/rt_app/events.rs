//! Ops as rt-app's events.

use schedscope_engine::setup::{Amount, KernelWakee, Object, Op, Setup};

use super::losses::Losses;
use super::names::Names;
use crate::json_text::quoted;

/// The most that rt-app reads into its `int`.
const MOST: u64 = i32::MAX.unsigned_abs() as u64;
/// rt-app's `runtime` looks at the clock after so much work.
const RUNTIME_ROUND_NS: u64 = 32_000;

/// The value of an event.
#[derive(Debug)]
pub(super) enum Value {
    /// Microseconds.
    Us(u64),
    Text(String),
    Timer {
        name: String,
        period_us: u64,
        absolute: bool,
    },
    Pair {
        cond: String,
        mutex: String,
    },
}

/// What the events of one task need.
pub(super) struct Writing<'s, 'l> {
    pub(super) setup: &'s Setup,
    pub(super) names: &'s Names,
    /// How many tasks rt-app would count at each barrier.
    pub(super) barrier_uses: &'s [u32],
    pub(super) kind: &'s str,
    pub(super) losses: &'l mut Losses,
    /// The task's own timers in the order of their first use.
    pub(super) own: Vec<u32>,
    /// The keys of the tasks that it forks.
    pub(super) keys: &'s dyn Fn(u32) -> Option<String>,
}

impl Writing<'_, '_> {
    /// Notes what this task loses.
    pub(super) fn lose(&mut self, what: &str) {
        self.losses.of_kind(self.kind, what);
    }

    /// The events of an op, in order; nothing for one that is lost.
    pub(super) fn events(&mut self, op: &Op) -> Vec<(&'static str, Value)> {
        let name = |index: u32| self.names.objects[index as usize].clone();
        let text = |index: u32| Value::Text(name(index));
        let event = match op {
            Op::Run { ns } => ("run", self.amount(*ns)),
            Op::RunFor { ns, round_ns } => {
                if *round_ns != RUNTIME_ROUND_NS {
                    self.lose("a busy loop looks at the clock every 32 us");
                }
                ("runtime", self.us(*ns))
            }
            Op::Sleep { ns } => ("sleep", self.amount(*ns)),
            Op::Timer { timer, period_ns, absolute } => {
                let name = self.timer_name(*timer);
                ("timer", self.timer(name, *period_ns, *absolute))
            }
            Op::Yield => ("yield", Value::Text(String::new())),
            Op::Lock { mutex } => ("lock", text(*mutex)),
            Op::Unlock { mutex } => ("unlock", text(*mutex)),
            Op::Wait { cond, mutex } => {
                ("wait", Value::Pair { cond: name(*cond), mutex: name(*mutex) })
            }
            Op::Sync { cond, mutex } => {
                ("sync", Value::Pair { cond: name(*cond), mutex: name(*mutex) })
            }
            Op::Signal { cond } => ("signal", text(*cond)),
            Op::Broadcast { cond } => ("broad", text(*cond)),
            Op::SemWait { sem } => ("sem_wait", self.semaphore(*sem)),
            Op::SemPost { sem } => ("sem_post", self.semaphore(*sem)),
            Op::Barrier { barrier, .. } => return self.barrier(*barrier),
            Op::Fork { task } => return self.fork(*task),
            _ => return self.approximate(op),
        };
        vec![event]
    }

    /// What rt-app has something like.
    fn approximate(&mut self, op: &Op) -> Vec<(&'static str, Value)> {
        match op {
            Op::Kernel { ns, .. } | Op::KernelSleep { ns, .. } => {
                self.lose("kernel work is run, and its preemption points and sleeps are left out");
                vec![("run", self.amount(*ns))]
            }
            Op::KernelWakes { ns, wakes, .. } => {
                self.lose("a wake-up from inside of kernel work comes after it");
                let name = |object: u32| Value::Text(self.names.objects[object as usize].clone());
                let woken = match wakes.who {
                    KernelWakee::Signal(cond) => ("signal", name(cond)),
                    KernelWakee::Broadcast(cond) => ("broad", name(cond)),
                    KernelWakee::Post(sem) => ("sem_post", name(sem)),
                };
                vec![("run", self.amount(*ns)), woken]
            }
            Op::KernelMutex { mutex, ns } => {
                self.lose("kernel work under a mutex is lock, run and unlock");
                let name = || Value::Text(self.names.objects[*mutex as usize].clone());
                let (lock, unlock) = (("lock", name()), ("unlock", name()));
                vec![lock, ("run", self.amount(*ns)), unlock]
            }
            Op::PageFault { ns, share_milli } => {
                self.lose("page faults are run, as long as they take on average");
                let ns = ns.median(self.setup).saturating_mul(u64::from(*share_milli)) / 1_000;
                if ns < 500 { Vec::new() } else { vec![("run", self.us(ns))] }
            }
            Op::SpinLock { lock } | Op::SpinOrSleep { lock, .. } => self.spin("lock", *lock),
            Op::SpinUnlock { lock } => self.spin("unlock", *lock),
            _ => {
                self.lose(left_out(op));
                Vec::new()
            }
        }
    }

    fn spin(&mut self, event: &'static str, lock: u32) -> Vec<(&'static str, Value)> {
        let spec = &self.setup.objects[lock as usize];
        if spec.object == (Object::SpinLock { per_cpu: true }) {
            self.lose("the spin lock of each CPU is left out");
            return Vec::new();
        }
        self.lose("a spin lock is a mutex: its waiters sleep");
        vec![(event, Value::Text(self.names.objects[lock as usize].clone()))]
    }

    fn semaphore(&mut self, sem: u32) -> Value {
        self.lose("sem_wait and sem_post need an rt-app of 2026 or later; older ones skip them");
        Value::Text(self.names.objects[sem as usize].clone())
    }

    fn barrier(&mut self, barrier: u32) -> Vec<(&'static str, Value)> {
        let uses = self.barrier_uses[barrier as usize];
        let spec = &self.setup.objects[barrier as usize];
        match spec.object {
            Object::Barrier { parties, .. } if parties == uses => {
                vec![("barrier", Value::Text(self.names.objects[barrier as usize].clone()))]
            }
            _ => {
                let name = &spec.name;
                let what =
                    format!("barrier {name} is left out: rt-app would wait for {uses} tasks");
                self.lose(&what);
                Vec::new()
            }
        }
    }

    fn fork(&mut self, task: u32) -> Vec<(&'static str, Value)> {
        match (self.keys)(task) {
            Some(key) => {
                self.lose("fork needs an rt-app newer than 1.0, which skips it");
                vec![("fork", Value::Text(key))]
            }
            None => {
                self.lose("the fork of a task that is left out, or that forks itself, is left out");
                Vec::new()
            }
        }
    }

    fn timer_name(&mut self, timer: u32) -> String {
        if let Some(shared) = &self.names.timers[timer as usize] {
            return shared.clone();
        }
        let nth = self.own.iter().position(|own| *own == timer).unwrap_or_else(|| {
            self.own.push(timer);
            self.own.len() - 1
        });
        if nth == 0 { "unique".to_owned() } else { format!("unique{nth}") }
    }

    /// The value of a timer event.
    pub(super) fn timer(&mut self, name: String, period_ns: u64, absolute: bool) -> Value {
        Value::Timer { name, period_us: self.rounded(period_ns), absolute }
    }

    fn amount(&mut self, amount: Amount) -> Value {
        if !matches!(amount, Amount::Fixed(_)) {
            self.lose("a time that is drawn is its median");
        }
        self.us(amount.median(self.setup))
    }

    /// The value of an event that takes this long.
    pub(super) fn us(&mut self, ns: u64) -> Value {
        Value::Us(self.rounded(ns))
    }

    /// Whole microseconds that rt-app can read.
    pub(super) fn rounded(&mut self, ns: u64) -> u64 {
        let us = ((ns + 500) / 1_000).clamp(1, MOST);
        if us * 1_000 != ns {
            self.lose("times are rounded to whole microseconds, from 1 to 2147483647");
        }
        us
    }
}

/// What is lost with an op that has no event.
fn left_out(op: &Op) -> &'static str {
    match op {
        Op::Stamp { .. } | Op::Sample { .. } | Op::CopyStamp { .. } => {
            "what the tool measures itself is left out"
        }
        Op::SliceRequest | Op::SliceYield => "requests for slice extensions are left out",
        Op::MigrateDisable | Op::MigrateEnable => {
            "migrate_disable() and migrate_enable() are left out"
        }
        _ => "an event that rt-app has not is left out",
    }
}

impl Value {
    pub(super) fn text(&self) -> String {
        match self {
            Self::Us(us) => us.to_string(),
            Self::Text(text) => quoted(text),
            Self::Timer { name, period_us, absolute } => {
                let mode = if *absolute { "absolute" } else { "relative" };
                let name = quoted(name);
                format!("{{ \"ref\": {name}, \"period\": {period_us}, \"mode\": \"{mode}\" }}")
            }
            Self::Pair { cond, mutex } => {
                format!("{{ \"ref\": {}, \"mutex\": {} }}", quoted(cond), quoted(mutex))
            }
        }
    }
}
