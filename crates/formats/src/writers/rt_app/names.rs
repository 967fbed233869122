//! Names of what tasks share. rt-app knows a thing by its name and type alone.

use std::collections::{BTreeMap, BTreeSet};

use schedscope_engine::setup::{Object, Op, Program, Setup};

/// The names of a run's objects and timers in the file.
#[derive(Debug)]
pub(super) struct Names {
    /// By object.
    pub(super) objects: Vec<String>,
    /// By timer; none for the timer of one task, whose name begins with "unique".
    pub(super) timers: Vec<Option<String>>,
}

impl Names {
    pub(super) fn of(setup: &Setup) -> Self {
        let mut taken = BTreeSet::new();
        let objects = setup.objects.iter();
        let objects =
            objects.map(|spec| free(&mut taken, resource(&spec.object), &spec.name)).collect();
        let mut users: BTreeMap<u32, BTreeSet<usize>> = BTreeMap::new();
        for (task, spec) in setup.tasks.iter().enumerate() {
            for op in spec.program.ops() {
                if let Op::Timer { timer, .. } = op {
                    users.entry(*timer).or_default().insert(task);
                }
            }
        }
        let shared = |timer: u32| users.get(&timer).is_some_and(|tasks| tasks.len() > 1);
        let timers = (0_u32..).zip(&setup.timers).map(|(timer, spec)| {
            let name = spec.name.strip_prefix("unique").unwrap_or(&spec.name);
            shared(timer).then(|| free(&mut taken, "timer", name))
        });
        let timers = timers.collect();
        Self { objects, timers }
    }
}

/// How often the file's events name each barrier: rt-app waits for as many tasks.
pub(super) fn barrier_uses<'p>(
    objects: usize,
    programs: impl Iterator<Item = &'p Program>,
) -> Vec<u32> {
    let mut uses = vec![0; objects];
    for op in programs.flat_map(Program::ops) {
        if let Op::Barrier { barrier, .. } = op {
            uses[*barrier as usize] += 1;
        }
    }
    uses
}

/// The type that the object has in rt-app; a spin lock becomes a mutex.
fn resource(object: &Object) -> &'static str {
    match object {
        Object::Mutex { .. } | Object::SpinLock { .. } => "mutex",
        Object::Cond => "wait",
        Object::Barrier { .. } => "barrier",
        Object::Semaphore { .. } => "sem",
        Object::Queue { .. } | Object::List | Object::Stamp => "none",
    }
}

/// The name, or one with lines after it where a thing of this type has the name.
fn free(taken: &mut BTreeSet<(&'static str, String)>, of: &'static str, name: &str) -> String {
    let mut name = name.to_owned();
    while !taken.insert((of, name.clone())) {
        name.push('_');
    }
    name
}
