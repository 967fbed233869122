//! One CPU as hardware: its interrupt flag and lines, its pace, and the locks it owns or spins for.

use super::ipi::Lines;
use super::spinlock::LockId;
use super::topology::FULL_SPEED;

/// The hardware of one CPU. What every event looks at comes first.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Hardware {
    irq_off: u8,
    /// On its way out of the idle state.
    pub idle_exiting: bool,
    /// Pace of the user code that executes, percent of full speed.
    pub pace: u32,
    /// Vector of the handler that runs.
    pub hardirq: Option<usize>,
    /// When the executing step's work ends.
    pub busy_until: Option<u64>,
    held: Vec<LockId>,
    spinning: Option<(LockId, u64)>,
    irq_off_since: u64,
    /// Interrupt lines.
    pub lines: Lines,
}

impl Default for Hardware {
    fn default() -> Self {
        Self {
            irq_off: 0,
            idle_exiting: false,
            pace: FULL_SPEED,
            hardirq: None,
            busy_until: None,
            held: Vec::new(),
            spinning: None,
            irq_off_since: 0,
            lines: Lines::default(),
        }
    }
}

impl Hardware {
    /// Turns interrupts off, nested.
    #[inline]
    pub fn irq_disable(&mut self, now: u64) {
        if self.irq_off == 0 {
            self.irq_off_since = now;
        }
        self.irq_off += 1;
    }

    /// Undoes one [`Self::irq_disable`]; how many ns they were off if they are on now.
    #[inline]
    pub fn irq_enable(&mut self, now: u64) -> Option<u64> {
        self.irq_off -= 1;
        (self.irq_off == 0).then(|| now - self.irq_off_since)
    }

    /// The time with interrupts off counts from `now` on: what came before was no section that
    /// somebody wrote.
    pub fn restart_irq_off(&mut self, now: u64) {
        self.irq_off_since = now;
    }

    /// Whether interrupts are off.
    #[inline]
    pub fn irqs_off(&self) -> bool {
        self.irq_off > 0
    }

    /// Since when interrupts are off, if they are.
    pub fn irqs_off_since(&self) -> Option<u64> {
        self.irqs_off().then_some(self.irq_off_since)
    }

    /// Whether a vector is pending that has to wait until interrupts are on.
    pub fn holds_off_irq(&self) -> bool {
        self.irqs_off() && self.lines.any_pending()
    }

    /// Locks it owns, in the order taken.
    #[inline]
    pub fn held(&self) -> &[LockId] {
        &self.held
    }

    /// It owns `lock` from now on.
    #[inline]
    pub fn hold(&mut self, lock: LockId) {
        self.held.push(lock);
    }

    /// It no longer owns `lock`.
    #[inline]
    pub fn let_go(&mut self, lock: LockId) {
        self.held.retain(|held| *held != lock);
    }

    /// The lock it spins for and since when.
    #[inline]
    pub fn spinning(&self) -> Option<(LockId, u64)> {
        self.spinning
    }

    /// Begins to spin for `lock`.
    pub fn spin_for(&mut self, lock: LockId, now: u64) {
        self.spinning = Some((lock, now));
    }

    /// Ends its spinning: for which lock and since when it did, if it did.
    pub fn stop_spinning(&mut self) -> Option<(LockId, u64)> {
        self.spinning.take()
    }
}
