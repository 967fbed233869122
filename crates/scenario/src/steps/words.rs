//! Words of the steps: moments by their meanings, and what a focus may be called.

use schedscope_engine::named_enum;

/// Fewest and most steps of a scenario that has any.
pub(super) const COUNT: (usize, usize) = (3, 6);
/// Fewest and most choices of a bet.
pub(super) const CHOICES: (usize, usize) = (2, 4);
/// Most characters of a choice: it is the label of a button.
pub(super) const CHOICE_CHARS: usize = 32;

named_enum! {
    /// An instant of a run by its meaning, which survives a changed knob.
    pub enum Moment {
        Start = "start", "The run's first instant.";
        DeepestQueue = "deepest_queue", "The longest queue on one run-queue lock is reached first; \
            `lock` says which lock.";
        WorstWakeup = "worst_wakeup", "The wake-up with the highest latency was due; `task` names \
            its task or kind.";
        FirstDivergence = "first_divergence", "The first record in which A and B differ.";
        LongestThrottle = "longest_throttle", "The longest throttled stretch begins.";
        LongestLazyFlag = "longest_lazy_flag", "The need_resched_lazy flag that stays set longest \
            is set.";
        LongestHolderOut = "longest_holder_out", "The task that holds a spin lock of user space is \
            preempted for longest.";
        Refill = "refill", "A period's quota is added to the pool.";
        Take = "take", "A CPU asks the pool for run time.";
        Return = "return", "A CPU returns unused run time to the pool.";
        SlackTimer = "slack_timer", "The slack timer is armed, fires, or is not armed.";
        Throttle = "throttle", "A group's run queue is throttled.";
        Unthrottle = "unthrottle", "A group's run queue is unthrottled.";
        Expiry = "expiry", "Run time on a CPU expires.";
        PoolExpiry = "pool_expiry", "A refill throws away what was left in the pool.";
        Drop = "drop", "Run time that a CPU would return is too old and lost.";
        DoubleSpend = "double_spend", "Run time is spent twice.";
        Burst = "burst", "A period that used more than one quota ends.";
        Pull = "pull", "A CPU pulls a task to itself.";
        Push = "push", "A CPU pushes a task away.";
        PushIpi = "push_ipi", "The RT push chain goes to the next CPU.";
        Overload = "overload", "A CPU becomes RT-overloaded.";
        Migration = "migration", "A task's CPU changes.";
        Wakeup = "wakeup", "A wake-up begins.";
        SwitchIn = "switch_in", "A CPU switches to a task.";
        Block = "block", "A task blocks on a mutex, a condition, a barrier, a queue or a \
            semaphore.";
        Fork = "fork", "A forked task is on a run queue for the first time.";
        Flag = "flag", "need_resched is set.";
        LazyFlag = "lazy_flag", "need_resched_lazy is set.";
        LazyUpgrade = "lazy_upgrade", "A lazy flag becomes need_resched.";
        Boost = "boost", "Priority inheritance changes a task's priority.";
        SliceExtension = "slice_extension", "A task's slice is extended.";
        Kick = "kick", "A busy tick asks an idle CPU to balance.";
        IdleBalance = "idle_balance", "A CPU looks at all idle CPUs.";
        Tick = "tick", "The scheduler tick runs.";
        TickStop = "tick_stop", "An idle CPU stops its tick.";
        Softirq = "softirq", "A softirq handler starts.";
        RtThrottle = "rt_throttle", "The RT class of a CPU has used up its runtime.";
        RtUnthrottle = "rt_unthrottle", "The RT class of a CPU may run again.";
        Finding = "finding", "The run reports a finding.";
    }
}

impl Moment {
    /// Keys that say which of its kind is meant.
    pub fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Start | Self::FirstDivergence => &[],
            Self::DeepestQueue => &["lock"],
            Self::WorstWakeup => &["task"],
            Self::LongestThrottle
            | Self::Refill
            | Self::Take
            | Self::Return
            | Self::SlackTimer
            | Self::Throttle
            | Self::Unthrottle
            | Self::Expiry
            | Self::PoolExpiry
            | Self::Drop
            | Self::DoubleSpend
            | Self::Burst => &["group", "cpu", "nth"],
            Self::Pull
            | Self::Push
            | Self::Migration
            | Self::Wakeup
            | Self::SwitchIn
            | Self::Block
            | Self::Fork
            | Self::Flag
            | Self::LazyFlag
            | Self::LazyUpgrade
            | Self::Boost
            | Self::SliceExtension => &["task", "cpu", "nth"],
            Self::LongestLazyFlag
            | Self::LongestHolderOut
            | Self::PushIpi
            | Self::Overload
            | Self::Kick
            | Self::IdleBalance
            | Self::Tick
            | Self::TickStop
            | Self::Softirq
            | Self::RtThrottle
            | Self::RtUnthrottle
            | Self::Finding => &["cpu", "nth"],
        }
    }
}

/// What a focus may name by its meaning in the view; a thing of the scenario that has such a name
/// itself comes first.
pub(super) const MEANINGS: [(&str, &str); 3] =
    [("lock", "deepest"), ("group", "most_throttled"), ("wakeup", "worst")];
pub(super) const SIDES: [&str; 2] = ["a", "b"];
/// Tracks and marks that carry a step.
pub(super) const HEROES: [&str; 6] = ["queue", "tank", "ring", "instead", "pennant", "kick"];
