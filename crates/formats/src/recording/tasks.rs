//! Tasks of a recording by pid, with the names and priorities that events give them.

use schedscope_engine::trace::catalogue::NONE;

/// A kernel priority where an event states none.
pub const NO_PRIO: u8 = u8::MAX;
/// Most pids that a kernel gives (`PID_MAX_LIMIT`).
const PID_MAX: usize = 4 * 1024 * 1024;

/// A task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Thread id.
    pub pid: u32,
    /// The last name that is one; `<...>` where the file has none.
    pub comm: String,
    /// The last kernel priority.
    pub prio: Prio,
}

/// A kernel priority: 0 to 98 real-time, -1 deadline, 100 to 139 fair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prio(pub u8);

impl Prio {
    /// No event has said it.
    pub const UNKNOWN: Self = Self(NO_PRIO);
    /// What [`Row::prio`](super::Row) holds for a deadline task, whose priority is -1.
    pub const DEADLINE: Self = Self(254);

    /// A number that the kernel prints.
    pub fn of(number: i64) -> Self {
        match number {
            -1 => Self::DEADLINE,
            0..=139 => Self(u8::try_from(number).unwrap_or(NO_PRIO)),
            _ => Self::UNKNOWN,
        }
    }

    /// `FIFO or RR 80`, `fair, nice 0`.
    pub fn words(self) -> String {
        match self.0 {
            NO_PRIO => "priority not recorded".to_owned(),
            254 => "deadline".to_owned(),
            prio @ 0..=99 => format!("real-time {}", 99 - i32::from(prio)),
            prio => format!("fair, nice {}", i32::from(prio) - 120),
        }
    }

    /// Whether a task of this priority runs before one of `other`, is its equal (false, false) or
    /// runs after it: (stronger, weaker). Fair tasks are equals, whatever their nice.
    pub fn against(self, other: Self) -> Option<std::cmp::Ordering> {
        let class = |prio: Self| match prio.0 {
            NO_PRIO => None,
            254 => Some(0_u8),
            prio @ 0..=99 => Some(prio + 1),
            _ => Some(u8::MAX),
        };
        Some(class(self)?.cmp(&class(other)?))
    }
}

/// Tasks by pid.
#[derive(Clone, Debug, Default)]
pub(super) struct Tasks {
    pub(super) all: Vec<Task>,
    /// Index by pid; [`NONE`] for pids that no event names.
    by_pid: Vec<u32>,
}

impl Tasks {
    /// The task of this pid, which is made when it is first named; [`NONE`] for the idle task, and
    /// for what is no pid.
    pub(super) fn of(&mut self, pid: u32, comm: &str) -> u32 {
        let at = pid as usize;
        if pid == 0 || at > PID_MAX {
            return NONE;
        }
        if at >= self.by_pid.len() {
            self.by_pid.resize(at + 1, NONE);
        }
        if self.by_pid[at] == NONE {
            self.by_pid[at] = self.all.len() as u32;
            self.all.push(Task { pid, comm: comm.to_owned(), prio: Prio::UNKNOWN });
            return self.by_pid[at];
        }
        let task = &mut self.all[self.by_pid[at] as usize];
        if task.comm != comm && is_name(comm) {
            comm.clone_into(&mut task.comm);
        }
        self.by_pid[at]
    }

    /// The pid is free: what has it next is another task.
    pub(super) fn end(&mut self, pid: u32) {
        if let Some(task) = self.by_pid.get_mut(pid as usize) {
            *task = NONE;
        }
    }

    pub(super) fn set_prio(&mut self, task: u32, prio: Prio) {
        if let Some(task) = self.all.get_mut(task as usize).filter(|_| prio != Prio::UNKNOWN) {
            task.prio = prio;
        }
    }
}

fn is_name(comm: &str) -> bool {
    !comm.is_empty() && comm != "<...>"
}
