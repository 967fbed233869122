//! rt-app's events, and our own for kernel work, as ops.

use std::collections::BTreeSet;

use schedscope_engine::setup::{Op, SERIES_MAX, Section};

use super::critical::Spin;
use super::resources::{Resources, Sort};
use super::words::TIME_MAX_US;
use crate::error::Fault;
use crate::reading::json::{Node, join};
use crate::reading::values::{integer, known_object, missing, object, text};
use crate::text::readable as shorten;

/// How an event's value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Microseconds.
    Time,
    /// `{ "ref", "period", "mode" }`.
    Timer,
    /// A resource's or task's name.
    Name,
    /// A name, or empty.
    MaybeName,
    /// `{ "ref", "mutex" }`.
    Pair,
    /// Microseconds, fixed or drawn.
    Amount,
    /// An amount, or one with preemption points, a mutex or a wake-up.
    Kernel,
    /// An amount, or one with a wake-up.
    NoPreempt,
    /// A name, or `{ "ref", "slice_extension" }`.
    SpinLock,
    /// An amount, or `{ "us", "share_milli" }`.
    Fault,
}

pub(crate) const EVENTS: &[(&str, Shape)] = &[
    ("run", Shape::Amount),
    ("runtime", Shape::Time),
    ("sleep", Shape::Amount),
    ("timer", Shape::Timer),
    ("lock", Shape::Name),
    ("unlock", Shape::Name),
    ("wait", Shape::Pair),
    ("signal", Shape::Name),
    ("broad", Shape::Name),
    ("sync", Shape::Pair),
    ("barrier", Shape::Name),
    ("suspend", Shape::MaybeName),
    ("resume", Shape::Name),
    ("sem_wait", Shape::Name),
    ("sem_post", Shape::Name),
    ("yield", Shape::MaybeName),
    ("fork", Shape::Name),
    ("kernel", Shape::Kernel),
    ("nopreempt", Shape::NoPreempt),
    ("irqoff", Shape::Amount),
    ("migrate_disable", Shape::MaybeName),
    ("migrate_enable", Shape::MaybeName),
    ("stamp", Shape::Name),
    ("sample", Shape::Name),
    ("spin_lock", Shape::SpinLock),
    ("spin_unlock", Shape::Name),
    ("page_fault", Shape::Fault),
];

/// rt-app's `runtime` looks at the clock after every 32 us of work.
const RUNTIME_ROUND_NS: u64 = 32_000;

/// A timer of a task: its own, or one all share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimerRef {
    Own,
    Shared(u32),
}

/// A `fork` event: the task it names, and where.
#[derive(Clone, Debug)]
pub(super) struct ForkRef {
    pub(super) name: String,
    pub(super) at: Option<usize>,
    pub(super) path: String,
}

/// What reading one task's events needs and finds.
#[derive(Debug)]
pub(super) struct Reader<'r, 'w> {
    pub(super) resources: &'r mut Resources<'w>,
    pub(super) task: &'r str,
    pub(super) instances: u32,
    /// Timers by name; an op counts them from 0.
    pub(super) timers: Vec<(String, TimerRef)>,
    /// `fork` events; an op counts them from 0.
    pub(super) forks: Vec<ForkRef>,
    /// What its `sample` events measure.
    pub(super) series: BTreeSet<String>,
    pub(super) barrier: Option<(Option<usize>, String)>,
}

/// The event that a key names: the event's name, or the name with digits or underscores after it.
pub(super) fn event_of(key: &str) -> Option<(&'static str, Shape)> {
    let name = key.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
    EVENTS.iter().copied().find(|(event, _)| *event == name)
}

/// Microseconds as ns.
pub(super) fn us(node: &Node, path: &str) -> Result<u64, Fault> {
    Ok(integer(node, path, 1, TIME_MAX_US)?.unsigned_abs() * 1_000)
}

impl Reader<'_, '_> {
    /// The events of a phase, in order.
    pub(super) fn events(&mut self, node: &Node, path: &str) -> Result<Vec<Op>, Fault> {
        let mut ops = Vec::new();
        // Mutexes held at this point of the phase.
        let mut held = Vec::new();
        // Spin locks likewise, with their names and whether each asks for a slice extension.
        let mut spins: Vec<Spin> = Vec::new();
        for member in object(node, path)? {
            let Some((name, shape)) = event_of(&member.key) else { continue };
            let path = join(path, &member.key);
            let node = &member.value;
            match shape {
                Shape::Time => {
                    ops.push(Op::RunFor { ns: us(node, &path)?, round_ns: RUNTIME_ROUND_NS })
                }
                Shape::Timer => ops.push(self.timer(node, &path)?),
                Shape::SpinLock => self.spin_lock(node, &path, &mut spins, &mut ops)?,
                Shape::Name if name == "spin_unlock" => {
                    self.spin_unlock(node, &path, &mut spins, &mut ops)?
                }
                Shape::Fault => ops.push(self.fault(node, &path)?),
                Shape::Name | Shape::MaybeName => {
                    self.named(name, shape, node, &path, &mut held, &mut ops)?
                }
                Shape::Pair => self.pair(name, node, &path, &held, &mut ops)?,
                Shape::Amount => {
                    let ns = self.amount(node, &path)?;
                    ops.push(match name {
                        "run" => Op::Run { ns },
                        "sleep" => Op::Sleep { ns },
                        _ => Op::Kernel {
                            section: Section::IrqOff,
                            ns,
                            cond_resched: None,
                            might_sleep: None,
                        },
                    });
                }
                Shape::NoPreempt => ops.push(self.kernel(Section::NoPreempt, node, &path)?),
                Shape::Kernel => ops.push(self.kernel(Section::Preemptible, node, &path)?),
            }
        }
        if let Some(spin) = spins.first() {
            let message = format!("\"{}\" is still held when the phase ends", shorten(&spin.name));
            return Err(Fault::new(spin.at, spin.path.clone(), message)
                .expected("a spin_unlock of the same name later in the same phase"));
        }
        if ops.is_empty() {
            return Err(Fault::new(node.at, path, "nothing happens here: there is no event")
                .expected("at least one, such as run or sleep"));
        }
        Ok(ops)
    }

    fn named(
        &mut self,
        event: &str,
        shape: Shape,
        node: &Node,
        path: &str,
        held: &mut Vec<u32>,
        ops: &mut Vec<Op>,
    ) -> Result<(), Fault> {
        let name = text(node, path)?;
        if name.is_empty() && shape == Shape::Name {
            return Err(Fault::new(node.at, path, "the name is empty").expected("a name"));
        }
        let mut object = |sort| self.resources.object(sort, name);
        match event {
            "lock" => {
                let mutex = object(Sort::Mutex);
                held.push(mutex);
                ops.push(Op::Lock { mutex });
            }
            "unlock" => {
                let mutex = object(Sort::Mutex);
                held.retain(|other| *other != mutex);
                ops.push(Op::Unlock { mutex });
            }
            "signal" => ops.push(Op::Signal { cond: object(Sort::Cond) }),
            "broad" => ops.push(Op::Broadcast { cond: object(Sort::Cond) }),
            "sem_wait" => ops.push(Op::SemWait { sem: object(Sort::Semaphore) }),
            "sem_post" => ops.push(Op::SemPost { sem: object(Sort::Semaphore) }),
            "stamp" => ops.push(Op::Stamp { stamp: self.resources.stamp(name) }),
            "sample" => {
                let stamp = self.resources.sample(name, node, path);
                self.samples(name, node, path)?;
                ops.push(Op::Sample { stamp });
            }
            "resume" | "suspend" => self.suspension(event, name, ops),
            "barrier" => {
                self.barrier.get_or_insert_with(|| (node.at, path.to_owned()));
                let barrier = self.resources.barrier(name, self.instances);
                ops.push(Op::Barrier { barrier, measured: true, stamp: None });
            }
            "fork" => {
                self.forks.push(ForkRef {
                    name: name.to_owned(),
                    at: node.at,
                    path: path.to_owned(),
                });
                ops.push(Op::Fork { task: self.forks.len() as u32 - 1 });
            }
            "yield" => ops.push(Op::Yield),
            "migrate_disable" => ops.push(Op::MigrateDisable),
            _ => ops.push(Op::MigrateEnable),
        }
        Ok(())
    }

    /// What a task measures is known by the first word of the name.
    fn samples(&mut self, name: &str, node: &Node, path: &str) -> Result<(), Fault> {
        self.series.insert(name.split(' ').next().unwrap_or_default().to_owned());
        if self.series.len() <= SERIES_MAX {
            return Ok(());
        }
        let message = format!(
            "with \"{}\" the task takes samples of more than {SERIES_MAX} things",
            shorten(name)
        );
        Err(Fault::new(node.at, path, message)
            .expected(format!("at most {SERIES_MAX} names, of which the first word counts")))
    }

    /// rt-app suspends on a condition of the task's name and resumes by a broadcast: one that comes
    /// too early is lost.
    fn suspension(&mut self, event: &str, name: &str, ops: &mut Vec<Op>) {
        let name = if name.is_empty() { self.task } else { name };
        let (mutex, cond) =
            (self.resources.object(Sort::Mutex, name), self.resources.object(Sort::Cond, name));
        let middle =
            if event == "suspend" { Op::Wait { cond, mutex } } else { Op::Broadcast { cond } };
        ops.extend([Op::Lock { mutex }, middle, Op::Unlock { mutex }]);
    }

    /// `wait` needs its mutex held; `sync` outside a lock takes and releases it around itself, as
    /// rt-app's manual has it.
    fn pair(
        &mut self,
        event: &str,
        node: &Node,
        path: &str,
        held: &[u32],
        ops: &mut Vec<Op>,
    ) -> Result<(), Fault> {
        known_object(node, path, &["ref", "mutex"])?;
        let mut name = |key: &str, sort| {
            let member = node.member(key).ok_or_else(|| {
                missing(node, path, key, "the name of a condition and of its mutex")
            })?;
            let name = text(&member.value, &join(path, key))?;
            if name.is_empty() {
                return Err(Fault::new(member.value.at, join(path, key), "the name is empty")
                    .expected("a name"));
            }
            Ok(self.resources.object(sort, name))
        };
        let (cond, mutex) = (name("ref", Sort::Cond)?, name("mutex", Sort::Mutex)?);
        if event == "wait" {
            ops.push(Op::Wait { cond, mutex });
        } else if held.contains(&mutex) {
            ops.push(Op::Sync { cond, mutex });
        } else {
            ops.extend([Op::Lock { mutex }, Op::Sync { cond, mutex }, Op::Unlock { mutex }]);
        }
        Ok(())
    }

    fn timer(&mut self, node: &Node, path: &str) -> Result<Op, Fault> {
        known_object(node, path, &["ref", "period", "mode"])?;
        let period = node
            .member("period")
            .ok_or_else(|| missing(node, path, "period", "the period in microseconds"))?;
        let period_ns = us(&period.value, &join(path, "period"))?;
        let reference = node
            .member("ref")
            .ok_or_else(|| missing(node, path, "ref", "\"unique\", or a timer's name"))?;
        let name = text(&reference.value, &join(path, "ref"))?;
        let absolute = match node
            .member("mode")
            .map(|mode| (text(&mode.value, &join(path, "mode")), &mode.value))
        {
            None => false,
            Some((mode, node)) => match mode? {
                "relative" => false,
                "absolute" => true,
                other => {
                    return Err(Fault::new(
                        node.at,
                        join(path, "mode"),
                        format!("there is no timer mode \"{}\"", shorten(other)),
                    )
                    .expected("\"relative\" or \"absolute\""));
                }
            },
        };
        let known = self.timers.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            // rt-app gives every thread its own timer if the name starts with "unique"; any other
            // name is one timer for all.
            let timer = if name.starts_with("unique") {
                TimerRef::Own
            } else {
                TimerRef::Shared(self.resources.timer(name))
            };
            self.timers.push((name.to_owned(), timer));
            self.timers.len() - 1
        });
        Ok(Op::Timer { timer: known as u32, period_ns, absolute })
    }
}
