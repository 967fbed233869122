//! A program as the phases of an rt-app task.

use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{Op, Phase, Policy, Program, Rounds, Setup, TaskSpec};

use super::events::{Value, Writing};

/// The phases of a task, and how often they are repeated; none is for ever.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) loops: Option<u32>,
    pub(super) phases: Vec<Written>,
}

/// One phase of the file.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// None is for ever.
    pub(super) loops: Option<u32>,
    pub(super) cpus: Option<CpuMask>,
    pub(super) policy: Option<Policy>,
    /// Their names without the number that makes a key unique.
    pub(super) events: Vec<(&'static str, Value)>,
}

impl Written {
    fn looping(loops: Option<u32>) -> Self {
        Self { loops, ..Self::default() }
    }
}

/// Why the whole task is left out; none if it is written.
pub(super) fn left_out(task: &TaskSpec, setup: &Setup) -> Option<&'static str> {
    match &task.program {
        Program::Ops { .. } => task.program.ops().find_map(|op| cannot_wait(op, setup)),
        Program::Cyclictest { .. } => None,
        Program::RtNoise { .. } | Program::Ksoftirqd | Program::Migration => {
            Some("left out: a task of the kernel or of the model's noise")
        }
    }
}

/// rt-app would not wait where the task does.
fn cannot_wait(op: &Op, setup: &Setup) -> Option<&'static str> {
    use schedscope_engine::setup::Object;
    let at_start = |sem: u32| match setup.objects[sem as usize].object {
        Object::Semaphore { value } => value,
        _ => 0,
    };
    match op {
        Op::Put { .. } | Op::Get { .. } => Some("left out: rt-app has no messages"),
        Op::Enlist { .. }
        | Op::TakeAll { .. }
        | Op::ResumeAll { .. }
        | Op::Suspend
        | Op::Resume { .. } => Some("left out: rt-app does not remember a resume that comes first"),
        Op::SemWait { sem } | Op::SemPost { sem } if at_start(*sem) > 0 => {
            Some("left out: a semaphore of rt-app starts empty")
        }
        _ => None,
    }
}

/// The phases of a task that is not left out.
pub(super) fn body(program: &Program, writing: &mut Writing<'_, '_>) -> Body {
    match program {
        Program::Ops { loops, phases } => {
            let mut written = Vec::new();
            for phase in phases {
                written.extend(phase_of(phase, writing));
            }
            written.retain(|phase| !phase.events.is_empty());
            Body { loops: *loops, phases: written }
        }
        Program::Cyclictest { .. } => cyclictest(program, writing),
        Program::RtNoise { .. } | Program::Ksoftirqd | Program::Migration => {
            Body { loops: None, phases: Vec::new() }
        }
    }
}

/// rt-app sets policy and CPUs where a phase begins, so that a change amid the ops of one round
/// begins a phase of its own.
fn phase_of(phase: &Phase, writing: &mut Writing<'_, '_>) -> Vec<Written> {
    let once = matches!(phase.rounds, Rounds::Times(0 | 1));
    let loops = rounds(phase.rounds, writing);
    let mut written = vec![Written::looping(loops)];
    for op in &phase.ops {
        let sets = matches!(op, Op::SetCpus { .. } | Op::SetPolicy { .. });
        let begun = written.last().is_some_and(|last| !last.events.is_empty());
        if sets && begun && !once {
            writing.lose("a change of policy or CPUs amid a loop is left out");
            continue;
        }
        if sets && begun {
            written.push(Written::looping(loops));
        }
        let Some(last) = written.last_mut() else { continue };
        match op {
            Op::SetCpus { cpus } => last.cpus = Some(*cpus),
            Op::SetPolicy { policy } => last.policy = Some(*policy),
            _ => last.events.extend(writing.events(op)),
        }
    }
    written
}

fn rounds(rounds: Rounds, writing: &mut Writing<'_, '_>) -> Option<u32> {
    match rounds {
        Rounds::Endless => None,
        Rounds::Times(times) => Some(times.max(1)),
        Rounds::Drawn(amount) => {
            writing.lose("a number of rounds that is drawn is its median");
            Some(u32::try_from(amount.median(writing.setup)).unwrap_or(u32::MAX).max(1))
        }
        Rounds::Until(_) => {
            writing.lose("a loop until an instant has no end");
            None
        }
    }
}

/// An absolute timer, then the body. rt-app's timer counts from the task's start.
fn cyclictest(program: &Program, writing: &mut Writing<'_, '_>) -> Body {
    let Program::Cyclictest { first_due_ns, interval_ns, body_ns, extra_ns, until } = *program
    else {
        return Body { loops: None, phases: Vec::new() };
    };
    writing.lose("a timer with a run, which measures nothing and skips no missed period");
    if first_due_ns < interval_ns {
        writing.lose("the first expiry is one interval after the start");
    }
    if extra_ns > 0 {
        writing.lose("the part of the body that is drawn is its median");
    }
    if until.break_us > 0 {
        writing.lose("the latency that ends the program is left out");
    }
    let mut phase = Written::looping(u32::try_from(until.loops).ok().filter(|loops| *loops > 0));
    let timer = writing.timer("unique".to_owned(), interval_ns, true);
    phase.events.push(("timer", timer));
    let body_ns = body_ns + extra_ns / 2;
    if body_ns > 0 {
        phase.events.push(("run", writing.us(body_ns)));
    }
    Body { loops: Some(1), phases: vec![phase] }
}
