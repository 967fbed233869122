//! One CPU as hardware: its interrupt flag and lines, its pace, and the locks it owns or spins for.

use super::ipi::Lines;
use super::spinlock::LockId;
use super::topology::FULL_SPEED;

/// The hardware of one CPU. The fields that every event reads come first.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Hardware {
    irq_off: u8,
    idle_exiting: bool,
    pace: u32,
    hardirq: Option<usize>,
    busy_until: Option<u64>,
    /// Stopped by hardware noise until then; 0 while it runs.
    stopped_until: u64,
    held: Vec<LockId>,
    spinning: Option<(LockId, u64)>,
    irq_off_since: u64,
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
            stopped_until: 0,
            held: Vec::new(),
            spinning: None,
            irq_off_since: 0,
            lines: Lines::default(),
        }
    }
}

impl Hardware {
    /// When the executing step's work ends, if it is at work.
    #[inline]
    pub fn busy_until(&self) -> Option<u64> {
        self.busy_until
    }

    /// Pace of the user code that executes, percent of full speed.
    #[inline]
    pub fn pace(&self) -> u32 {
        self.pace
    }

    /// Begins work that ends at `until`, at `pace` percent of full speed.
    #[inline]
    pub fn work(&mut self, until: u64, pace: u32) {
        (self.busy_until, self.pace) = (Some(until), pace);
    }

    /// The work it is at ends at `until`, not when it would have.
    #[inline]
    pub fn end_work_at(&mut self, until: u64) {
        self.busy_until = Some(until);
    }

    /// Ends its work, done or not: when it would have ended, if it was at work.
    #[inline]
    pub fn stop_work(&mut self) -> Option<u64> {
        self.busy_until.take()
    }

    /// Whether hardware noise stops it.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped_until != 0
    }

    /// The earliest time at which the CPU executes again: `now` while it runs.
    #[inline]
    pub fn resumes_at(&self, now: u64) -> u64 {
        self.stopped_until.max(now)
    }

    /// Executes nothing until `until`.
    pub fn stop(&mut self, until: u64) {
        self.stopped_until = until;
    }

    pub fn go_on(&mut self) {
        self.stopped_until = 0;
    }

    /// Vector of the handler that runs.
    #[inline]
    pub fn hardirq(&self) -> Option<usize> {
        self.hardirq
    }

    /// The handler of `vector` begins; any idle state is over.
    pub fn enter_hardirq(&mut self, vector: usize) {
        self.idle_exiting = false;
        self.hardirq = Some(vector);
    }

    /// The handler ends.
    pub fn leave_hardirq(&mut self) {
        self.hardirq = None;
    }

    /// On its way out of the idle state.
    #[inline]
    pub fn idle_exiting(&self) -> bool {
        self.idle_exiting
    }

    /// Sets out on the way out of the idle state, or has come to its end.
    #[inline]
    pub fn set_idle_exiting(&mut self, on_its_way: bool) {
        self.idle_exiting = on_its_way;
    }

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

    /// Restarts the count of time with interrupts off at `now`: the time before was idle, not a
    /// section of kernel code.
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

    /// The CPU owns `lock` from now on.
    #[inline]
    pub fn hold(&mut self, lock: LockId) {
        self.held.push(lock);
    }

    /// The CPU no longer owns `lock`.
    #[inline]
    pub fn let_go(&mut self, lock: LockId) {
        self.held.retain(|held| *held != lock);
    }

    /// The lock it spins for and since when.
    #[inline]
    pub fn spinning(&self) -> Option<(LockId, u64)> {
        self.spinning
    }

    pub fn spin_for(&mut self, lock: LockId, now: u64) {
        self.spinning = Some((lock, now));
    }

    /// Ends its spinning: for which lock and since when it did, if it did.
    pub fn stop_spinning(&mut self) -> Option<(LockId, u64)> {
        self.spinning.take()
    }
}
