//! One event of a recording.

use schedscope_engine::trace::catalogue::Kind;

/// An event; `a` and `b` mean what they mean in a simulated run's row of that kind
/// (docs/use/trace.md), with these differences: an [`Kind::IrqEntry`] has the number of the
/// interrupt in `b`, and [`Kind::CpuState`] comes from cpu_idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The recording's own clock, ns.
    pub ns: u64,
    /// First column of the kind.
    pub a: u32,
    /// Second column.
    pub b: u32,
    /// The CPU that wrote the event.
    pub cpu: u16,
    /// What happened.
    pub kind: Kind,
    /// Kernel priority of the task of a wake-up or of the next one of a switch: 0 to 98 real-time,
    /// 100 to 139 fair; 255 where the event does not say it.
    pub prio: u8,
    /// How the previous task of a switch left its CPU, a [`Left`].
    pub left: Left,
}

/// How a task left its CPU (prev_state of sched_switch).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Left {
    /// The event says nothing, or there is no previous task.
    #[default]
    Unknown,
    /// Still runnable, `R`: the kernel took the CPU away on the way back to user code, or it
    /// yielded.
    Runnable,
    /// `R+`: preempted inside the kernel.
    Preempted,
    /// `S`, `I`, `T` and others that wait for a wake-up.
    Sleeps,
    /// `D`.
    Uninterruptible,
    /// `X` or `Z`: it has ended.
    Ended,
}

impl Left {
    /// From the letters that the kernel prints, or the number that some tools do.
    pub fn of(text: &str) -> Self {
        let first = text.bytes().next().unwrap_or(b'?');
        match first {
            b'0'..=b'9' => text.parse().map_or(Self::Unknown, Self::of_number),
            b'R' if text.contains('+') => Self::Preempted,
            b'R' => Self::Runnable,
            b'D' => Self::Uninterruptible,
            b'X' | b'Z' | b'x' => Self::Ended,
            b'S' | b'I' | b'T' | b't' | b'K' | b'W' | b'P' | b'N' | b'n' => Self::Sleeps,
            _ => Self::Unknown,
        }
    }

    /// From prev_state as the event has it: the bits of a task's state, and one above them that is
    /// set where the task was preempted (`TASK_REPORT_MAX`: 0x100 from 4.14 on, 0x400 to 0x1000
    /// before; `TASK_STATE_MAX` of older kernels is 1024, 2048 or 4096).
    pub fn of_number(state: u64) -> Self {
        match state {
            0 => Self::Runnable,
            0x100 | 0x400 | 0x800 | 0x1000 => Self::Preempted,
            _ if state & 0x2 != 0 => Self::Uninterruptible,
            _ if state & 0x30 != 0 => Self::Ended,
            _ => Self::Sleeps,
        }
    }

    /// Whether it wants to go on.
    pub fn is_runnable(self) -> bool {
        matches!(self, Self::Runnable | Self::Preempted)
    }
}
