//! What rt-app tasks share: made when it is first named, one per kind and name, as rt-app does.

use std::collections::{BTreeMap, BTreeSet};

use schedscope_engine::setup::{Object, ObjectSpec, TimerSpec};

use crate::error::{Fault, one_of};
use crate::generators::workload::Workload;
use crate::knobs::knob::{Knob, KnobType};
use crate::reading::json::{Node, join};
use crate::reading::values::{integer, known_object, missing, object, text};
use crate::text::readable as shorten;

/// The one key of `global` that is a switch.
pub(crate) const PI_ENABLED: &str = "workload.global.pi_enabled";

/// The knobs of rt-app workloads.
pub(crate) fn knobs() -> Vec<Knob> {
    let doc = "Whether a mutex's owner inherits the priority of the highest-priority waiter.";
    vec![Knob::new(
        PI_ENABLED,
        "priority inheritance",
        KnobType::Boolean,
        false,
        doc,
        "rt-app's own option; off by default",
    )]
}

/// Types of `workload.resources`: rt-app's names, and our semaphore.
pub(crate) const RESOURCE_TYPES: &[&str] = &["mutex", "wait", "timer", "barrier", "semaphore"];
/// Most a semaphore may have at the start.
pub(crate) const SEMAPHORE_MAX: i64 = 1_000_000;

/// Kinds of named things; a mutex and a condition may have the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    Mutex,
    Cond,
    Barrier,
    Semaphore,
    Stamp,
    SpinLock,
}

/// Everything named so far.
#[derive(Debug)]
pub(super) struct Resources<'w> {
    pub(super) workload: &'w mut Workload,
    named: BTreeMap<(Sort, String), u32>,
    timers: BTreeMap<String, u32>,
    stamped: BTreeSet<u32>,
    sampled: Vec<(u32, Fault)>,
    pi_enabled: bool,
}

impl<'w> Resources<'w> {
    /// Nothing named yet.
    pub(super) fn new(workload: &'w mut Workload, pi_enabled: bool) -> Self {
        Self {
            workload,
            named: BTreeMap::new(),
            timers: BTreeMap::new(),
            stamped: BTreeSet::new(),
            sampled: Vec::new(),
            pi_enabled,
        }
    }

    /// The stamp of this name, which an event takes.
    pub(super) fn stamp(&mut self, name: &str) -> u32 {
        let stamp = self.object(Sort::Stamp, name);
        self.stamped.insert(stamp);
        stamp
    }

    /// The stamp of this name, since which the event at `node` counts.
    pub(super) fn sample(&mut self, name: &str, node: &Node, path: &str) -> u32 {
        let stamp = self.object(Sort::Stamp, name);
        let message = format!("no event stamps \"{}\"", shorten(name));
        let fault = Fault::new(node.at, path, message);
        self.sampled.push((stamp, fault.expected("a stamp of the same name before the sample")));
        stamp
    }

    /// Refuses a sample whose stamp nothing takes: it would count from the run's begin.
    pub(super) fn check_stamps(self) -> Result<(), Fault> {
        let stamped = self.stamped;
        self.sampled
            .into_iter()
            .find(|(stamp, _)| !stamped.contains(stamp))
            .map_or(Ok(()), |(_, fault)| Err(fault))
    }

    /// Whether every mutex lends its waiters' priority to its owner.
    pub(super) fn pi_enabled(&self) -> bool {
        self.pi_enabled
    }

    pub(super) fn object(&mut self, sort: Sort, name: &str) -> u32 {
        let objects = &mut self.workload.objects;
        let pi = self.pi_enabled;
        *self.named.entry((sort, name.to_owned())).or_insert_with(|| {
            let object = match sort {
                Sort::Mutex => Object::Mutex { pi },
                Sort::Cond => Object::Cond,
                Sort::Barrier => Object::Barrier { parties: 0, drawn: false },
                Sort::Semaphore => Object::Semaphore { value: 0 },
                Sort::Stamp => Object::Stamp,
                Sort::SpinLock => Object::SpinLock { per_cpu: false },
            };
            objects.push(ObjectSpec { name: name.to_owned(), object });
            objects.len() as u32 - 1
        })
    }

    /// The barrier of this name, which so many more tasks come to: rt-app counts the uses in the
    /// file.
    pub(super) fn barrier(&mut self, name: &str, more: u32) -> u32 {
        let index = self.object(Sort::Barrier, name);
        if let Object::Barrier { parties, .. } = &mut self.workload.objects[index as usize].object {
            *parties = parties.saturating_add(more);
        }
        index
    }

    /// The timer of this name, shared by all who use it.
    pub(super) fn timer(&mut self, name: &str) -> u32 {
        let timers = &mut self.workload.timers;
        *self.timers.entry(name.to_owned()).or_insert_with(|| {
            timers.push(TimerSpec { name: name.to_owned() });
            timers.len() as u32 - 1
        })
    }

    /// Reads `workload.resources`: it declares names; only a semaphore's value changes anything.
    pub(super) fn declare(&mut self, node: &Node) -> Result<(), Fault> {
        const PATH: &str = "workload.resources";
        for member in object(node, PATH)? {
            let path = join(PATH, &shorten(&member.key));
            known_object(&member.value, &path, &["type", "value"])?;
            let kind = member
                .value
                .member("type")
                .ok_or_else(|| missing(&member.value, &path, "type", "the resource's type"))?;
            let name = text(&kind.value, &join(&path, "type"))?;
            if !RESOURCE_TYPES.contains(&name) {
                let message = format!("there is no resource type \"{}\"", shorten(name));
                return Err(Fault::new(kind.value.at, join(&path, "type"), message)
                    .expected(one_of(RESOURCE_TYPES)));
            }
            let value = member.value.member("value");
            if let Some(value) = value.filter(|_| name != "semaphore") {
                return Err(Fault::new(
                    value.at,
                    join(&path, "value"),
                    "only a semaphore has a value",
                )
                .expected("\"type\" alone"));
            }
            if let Some(value) = value {
                let value = integer(&value.value, &join(&path, "value"), 0, SEMAPHORE_MAX)?;
                let index = self.object(Sort::Semaphore, &member.key);
                self.workload.objects[index as usize].object =
                    Object::Semaphore { value: u32::try_from(value).expect("SEMAPHORE_MAX fits") };
            }
        }
        Ok(())
    }
}
