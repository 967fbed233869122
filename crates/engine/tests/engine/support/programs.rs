//! Random programs over shared objects that cannot deadlock: locks are paired and taken in one
//! order, every party of a barrier comes to it in every round, and a task that suspends itself is
//! on a list that another task resumes.

use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{
    Amount, NEVER, Object, ObjectSpec, Op, Phase, Program, Room, Rounds, Section, TaskSpec,
    TimerSpec,
};

use super::US;
use super::build::{pause, work};
use super::random::{Dice, affinity, policy};

/// The objects of a random program.
pub struct Shared {
    pub tasks: Vec<TaskSpec>,
    pub objects: Vec<ObjectSpec>,
    pub timers: Vec<TimerSpec>,
    /// Index its first task will have.
    first_task: u32,
    cpus: u32,
}

/// A few groups of tasks that share objects.
pub fn shared(dice: &mut Dice, cpus: u32, first_task: u32, timers: u32) -> Shared {
    let mut made =
        Shared { tasks: Vec::new(), objects: Vec::new(), timers: Vec::new(), first_task, cpus };
    for _ in 0..dice.between(1, 3) {
        match dice.below(6) {
            0 | 1 => lockers(dice, &mut made),
            2 => meeting(dice, &mut made),
            3 => pipes(dice, &mut made),
            4 => lists(dice, &mut made),
            _ => changers(dice, &mut made, timers),
        }
    }
    made
}

impl Shared {
    fn object(&mut self, name: &str, object: Object) -> u32 {
        self.objects.push(ObjectSpec { name: format!("{name}{}", self.objects.len()), object });
        self.objects.len() as u32 - 1
    }

    fn task(&mut self, dice: &mut Dice, start_ns: u64, ops: Vec<Op>) -> u32 {
        let index = self.tasks.len();
        let rounds = if dice.chance(70) {
            Rounds::Endless
        } else {
            Rounds::Drawn(Amount::Uniform { min: 1, max: 9 })
        };
        self.endless(dice, start_ns, rounds, ops);
        self.first_task + index as u32
    }

    fn endless(&mut self, dice: &mut Dice, start_ns: u64, rounds: Rounds, ops: Vec<Op>) {
        let program = Program::Ops { loops: Some(1), phases: vec![Phase { rounds, ops }] };
        let name = format!("shared.{}", self.tasks.len());
        let (policy, cpus) = (policy(dice), affinity(dice, self.cpus));
        self.tasks.push(TaskSpec {
            kind: "shared".to_owned(),
            name,
            policy,
            cpus,
            start_ns,
            measured: dice.chance(80),
            group: 0,
            slice_ns: None,
            forked: false,
            program,
        });
    }
}

fn busy(dice: &mut Dice) -> Op {
    match dice.below(4) {
        0 => Op::RunFor { ns: dice.between(US, 40 * US), round_ns: dice.between(1, 5 * US) },
        1 => {
            let section = dice.pick(&[Section::Preemptible, Section::NoPreempt, Section::IrqOff]);
            let ns = Amount::Uniform { min: US, max: 20 * US };
            Op::Kernel { section, ns, cond_resched: Some(Amount::Fixed(3 * US)), might_sleep: None }
        }
        2 => pause(dice.between(US, 60 * US)),
        _ => work(dice.between(US, 30 * US)),
    }
}

/// Mutexes, semaphores and spin locks around work, always in the order of their indices.
fn lockers(dice: &mut Dice, made: &mut Shared) {
    let locks: Vec<u32> = (0..dice.between(1, 4))
        .map(|_| {
            let object = match dice.below(6) {
                0 => Object::Semaphore { value: dice.between(1, 2) as u32 },
                1 => Object::SpinLock { per_cpu: dice.chance(50) },
                2 => Object::Mutex { pi: false },
                _ => Object::Mutex { pi: true },
            };
            made.object("lock", object)
        })
        .collect();
    for _ in 0..dice.between(2, 6) {
        let mut ops = vec![work(dice.between(US, 10 * US))];
        let mut held: Vec<u32> = Vec::new();
        for lock in &locks {
            if dice.chance(60) {
                ops.push(taken(made, *lock));
                ops.push(busy(dice));
                held.push(*lock);
            }
            if !held.is_empty() && dice.chance(30) {
                let at = dice.below(held.len() as u64) as usize;
                ops.push(given(made, held.remove(at)));
            }
        }
        ops.extend(held.into_iter().map(|lock| given(made, lock)));
        ops.push(busy(dice));
        let start = dice.below(100 * US);
        made.task(dice, start, ops);
    }
}

fn taken(made: &Shared, lock: u32) -> Op {
    match made.objects[lock as usize].object {
        Object::Semaphore { .. } => Op::SemWait { sem: lock },
        Object::SpinLock { .. } => Op::SpinLock { lock },
        _ => Op::Lock { mutex: lock },
    }
}

fn given(made: &Shared, lock: u32) -> Op {
    match made.objects[lock as usize].object {
        Object::Semaphore { .. } => Op::SemPost { sem: lock },
        Object::SpinLock { .. } => Op::SpinUnlock { lock },
        _ => Op::Unlock { mutex: lock },
    }
}

/// A barrier for all, and a condition that some wait for and others signal.
fn meeting(dice: &mut Dice, made: &mut Shared) {
    let parties = dice.between(1, 6) as u32;
    let barrier = made.object("barrier", Object::Barrier { parties, drawn: dice.chance(50) });
    let stamp = made.object("stamp", Object::Stamp);
    let (cond, mutex) = (
        made.object("cond", Object::Cond),
        made.object("mutex", Object::Mutex { pi: dice.chance(50) }),
    );
    for _ in 0..parties {
        let mut ops = vec![work(dice.between(US, 5 * US)), busy(dice)];
        match dice.below(4) {
            0 => ops.push(Op::Stamp { stamp }),
            1 => ops.extend([Op::Lock { mutex }, Op::Broadcast { cond }, Op::Unlock { mutex }]),
            2 => ops.push(Op::Signal { cond }),
            _ => {}
        }
        ops.push(Op::Barrier {
            barrier,
            measured: dice.chance(70),
            stamp: dice.chance(50).then_some(stamp),
        });
        let start = dice.below(50 * US);
        made.endless(dice, start, Rounds::Endless, ops);
    }
    for _ in 0..dice.below(4) {
        let wait =
            if dice.chance(70) { Op::Wait { cond, mutex } } else { Op::Sync { cond, mutex } };
        let ops = vec![
            work(dice.between(US, 5 * US)),
            Op::Lock { mutex },
            wait,
            work(dice.below(5 * US)),
            Op::Unlock { mutex },
            busy(dice),
        ];
        let start = dice.below(50 * US);
        made.task(dice, start, ops);
    }
}

/// Writers and readers of a queue.
fn pipes(dice: &mut Dice, made: &mut Shared) {
    let capacity = dice.between(1, 5) as u32;
    let filled = dice.below(u64::from(capacity) + 1) as u32;
    let closed_when_empty = dice.chance(15);
    let room = [Room::Message, Room::Page(1), Room::Page(2), Room::Page(3), Room::Quarter]
        [dice.below(5) as usize];
    let queue = made.object("queue", Object::Queue { capacity, filled, closed_when_empty, room });
    let (arrival, kept, sampled) = (
        made.object("arrival", Object::Stamp),
        made.object("kept", Object::Stamp),
        capacity.is_multiple_of(2),
    );
    for _ in 0..dice.between(1, 4) {
        let writes = dice.chance(50);
        let end = if writes {
            Op::Put { queue }
        } else {
            Op::Get { queue, stamp: sampled.then_some(arrival) }
        };
        let mut ops = vec![work(dice.between(US, 5 * US)); 1];
        ops.extend(vec![end; dice.between(1, 4) as usize]);
        if sampled && !writes {
            ops.extend([Op::CopyStamp { from: arrival, to: kept }, Op::Sample { stamp: kept }]);
        }
        ops.push(busy(dice));
        made.task(dice, 0, ops);
    }
}

/// schbench's pattern: workers enlist and suspend themselves, one takes the list and resumes them.
fn lists(dice: &mut Dice, made: &mut Shared) {
    let (list, stamp) = (made.object("list", Object::List), made.object("stamp", Object::Stamp));
    let lock = made.object("spin", Object::SpinLock { per_cpu: true });
    made.endless(
        dice,
        0,
        Rounds::Endless,
        vec![work(US), Op::TakeAll { list }, Op::ResumeAll { stamp }],
    );
    for _ in 0..dice.between(1, 5) {
        let mut ops = vec![
            work(dice.between(US, 5 * US)),
            Op::Enlist { list },
            Op::Suspend,
            Op::Sample { stamp },
        ];
        if dice.chance(60) {
            ops.extend([
                Op::SpinLock { lock },
                work(dice.between(US, 20 * US)),
                Op::SpinUnlock { lock },
            ]);
        }
        ops.push(busy(dice));
        let start = dice.below(50 * US);
        made.task(dice, start, ops);
    }
}

/// Tasks that change their own scheduling, share a timer, resume and fork each other.
fn changers(dice: &mut Dice, made: &mut Shared, timers: u32) {
    made.timers.push(TimerSpec { name: "shared".to_owned() });
    let timer = timers + made.timers.len() as u32 - 1;
    let child_ops = vec![work(dice.between(US, 10 * US)), Op::Yield];
    let rounds = Rounds::Times(dice.between(1, 3) as u32);
    made.endless(dice, NEVER, rounds, child_ops);
    let child = made.first_task + made.tasks.len() as u32 - 1;
    for _ in 0..dice.between(1, 4) {
        let mut ops = vec![work(dice.between(US, 5 * US))];
        for _ in 0..dice.between(1, 6) {
            match dice.below(7) {
                0 => ops.push(Op::Yield),
                1 => ops.push(Op::SetPolicy { policy: policy(dice) }),
                2 => ops.push(Op::SetCpus { cpus: affinity(dice, made.cpus) }),
                3 => ops.extend([Op::MigrateDisable, busy(dice), Op::MigrateEnable]),
                4 => ops.push(Op::Fork { task: child }),
                5 => ops.push(Op::Timer {
                    timer,
                    period_ns: dice.between(5 * US, 50 * US),
                    absolute: dice.chance(50),
                }),
                _ => ops.push(busy(dice)),
            }
        }
        let start = dice.below(50 * US);
        made.task(dice, start, ops);
    }
}

/// The ops of a task that is kept when only some CPUs and tasks are: `index_of` says where a task
/// is now.
pub fn narrowed(task: &mut TaskSpec, cpus: u32, index_of: impl Fn(u32) -> Option<u32>) {
    let Program::Ops { phases, .. } = &mut task.program else { return };
    for phase in phases {
        phase.ops.retain_mut(|op| match op {
            Op::Fork { task } | Op::Resume { task } => {
                index_of(*task).map(|index| *task = index).is_some()
            }
            Op::SetCpus { cpus: mask } => {
                *mask = mask.and(&CpuMask::first(cpus));
                !mask.is_empty()
            }
            _ => true,
        });
    }
}

/// Every CPU `task` may ever use.
pub fn ever_allowed(task: &TaskSpec) -> CpuMask {
    let Program::Ops { phases, .. } = &task.program else { return task.cpus };
    let mut all = task.cpus;
    for op in phases.iter().flat_map(|phase| &phase.ops) {
        if let Op::SetCpus { cpus } = op {
            cpus.iter().for_each(|cpu| all.set(cpu));
        }
    }
    all
}
