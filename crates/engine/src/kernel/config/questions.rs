//! Questions of yes or no that the kernel's code asks a policy. Code outside the configuration asks
//! these, or matches with an arm for every value (`cargo xtask tidy` refuses comparisons there).

use super::bandwidth::{BwDistribution, Expiry, Refill, SiloReturn};
use super::switches::{
    CpupriGen, DoubleLock, Fair, LowestPick, Preempt, Protection, RtThrottle, RtoScope, TtwuOnCpu,
    TtwuQueue,
};
use crate::questions;

questions! { Fair {
    /// Whether entities are placed and picked by lag and virtual deadline.
    is_eevdf: Eevdf, not Cfs;
} }

questions! { Protection {
    /// Whether the shortest slice queued may end it before the deadline does.
    is_by_least_slice: LeastSlice | LeastSliceAtPick | ShortSlices, not UntilDeadline;
    /// Whether it begins only with a pick, not after a change of the running task.
    is_set_by_picks_alone: LeastSliceAtPick | ShortSlices, not UntilDeadline | LeastSlice;
    /// Whether shorter slices end it at the task's share, and preempt as soon as they are eligible.
    is_for_short_slices: ShortSlices, not UntilDeadline | LeastSlice | LeastSliceAtPick;
} }

questions! { DoubleLock {
    /// Whether the second lock is tried, and waited for where order allows, with the first held.
    is_unfair: Unfair, not Fair;
} }

questions! { RtoScope {
    /// Whether exclusive cpuset partitions have masks of their own.
    follows_partitions: Cpuset | RootDomain, not Global;
} }

questions! { LowestPick {
    /// Whether the lowest CPU number among the weakest is taken, without regard to domains.
    takes_first_scanned: FirstScan, not DomainFirst | DomainDistribute;
    /// Whether the CPUs of a domain are taken in turn.
    goes_round: DomainDistribute, not FirstScan | DomainFirst;
} }

questions! { CpupriGen {
    /// Whether there is a map of priorities; without one every CPU is looked at.
    has_map: V102 | V101, not Off;
} }

questions! { TtwuQueue {
    /// Whether a wake-list travels as a function call: since 5.8 (commit a148866489fb) it is a list
    /// of calls.
    by_call: CrossLlcCall | CrossLlcOrIdle, not Off | AllRemote | CrossLlc;
    /// Whether any wake-up goes through a wake-list.
    has_wakelist: AllRemote | CrossLlc | CrossLlcCall | CrossLlcOrIdle, not Off;
} }

questions! { TtwuOnCpu {
    /// Whether the run queue where the task last ran is locked before a CPU is chosen.
    locks_old_cpu: OldLock, not Spin | WfOnCpu | AnyRule;
} }

questions! { RtThrottle {
    /// Whether a CPU's RT tasks have so much time a period and no more
    /// (sched_rt_runtime_us, sched_rt_period_us).
    has_limit: Share | NoShare, not Off | DlServer;
    /// Whether a CPU borrows RT runtime of its peers (RT_RUNTIME_SHARE).
    borrows: Share, not Off | NoShare | DlServer;
    /// Whether a deadline server runs fair tasks (docs/model/rt-balancing.md).
    has_fair_server: DlServer, not Off | Share | NoShare;
} }

questions! { Expiry {
    /// Whether run time has a deadline. After it, returned run time is lost, and so is the time
    /// that a CPU holds, except under `broken_tick`.
    has_deadline: TimeCmp | BrokenTick | Seq, not Never;
    /// Whether a number identifies each period.
    is_by_seq: Seq, not TimeCmp | BrokenTick | Never;
} }

questions! { SiloReturn {
    /// Whether idle CPUs' queues are listed for the slack timer, which gathers their run time.
    gathers: SegallList, not Keep1ms | Keep0 | V4;
    /// Whether nothing is kept back.
    keeps_nothing: Keep0, not Keep1ms | V4 | SegallList;
} }

questions! { BwDistribution {
    /// Whether each queue's share is taken from the pool itself, under the group's lock.
    takes_under_lock: NewLocked, not Pre317 | OldCopy;
    /// Whether a walk empties the pool and puts the rest back at the end: run time that comes in
    /// between is added on top, and the part that expires with the rest is lost.
    takes_pool_along: Pre317, not OldCopy | NewLocked;
    /// Whether other CPUs may meanwhile take run time from the pool that a walk hands out.
    may_spend_twice: OldCopy, not Pre317 | NewLocked;
} }

questions! { Refill {
    /// Whether run time left in the pool stays there, up to quota and burst.
    keeps_rest: Accumulate, not Reset;
} }

questions! { Preempt {
    /// Whether the model is PREEMPT_RT: spinlock_t sections are preemptible, softirqs run in
    /// threads.
    is_rt: Rt, not None | Voluntary | Full | Lazy | DynamicNone | DynamicVoluntary | DynamicFull
        | DynamicLazy | Rfc2023None | Rfc2023Voluntary | Rfc2023Full | Auto2024None
        | Auto2024Voluntary | Auto2024Full;
    /// Whether kernel code is preempted at interrupt exit and preempt_enable.
    preempts_kernel: Full | Lazy | Rt | DynamicFull | DynamicLazy | Rfc2023None | Rfc2023Voluntary
        | Rfc2023Full | Auto2024None | Auto2024Voluntary | Auto2024Full,
        not None | Voluntary | DynamicNone | DynamicVoluntary;
    /// Whether might_sleep() is a place where a flag is honoured.
    honours_might_sleep: Voluntary | DynamicVoluntary, not None | Full | Lazy | Rt | DynamicNone
        | DynamicFull | DynamicLazy | Rfc2023None | Rfc2023Voluntary | Rfc2023Full | Auto2024None
        | Auto2024Voluntary | Auto2024Full;
    /// Whether a mode of PREEMPT_DYNAMIC: switchable in a running kernel.
    is_dynamic: DynamicNone | DynamicVoluntary | DynamicFull | DynamicLazy, not None | Voluntary
        | Full | Lazy | Rt | Rfc2023None | Rfc2023Voluntary | Rfc2023Full | Auto2024None
        | Auto2024Voluntary | Auto2024Full;
    /// CONFIG_PREEMPTION: whether double_lock_balance is the fair one; a PREEMPT_DYNAMIC kernel
    /// always is (docs/model/locks-and-ipis.md#double-lock).
    config_preemption: Full | Lazy | Rt | DynamicNone | DynamicVoluntary | DynamicFull
        | DynamicLazy | Rfc2023None | Rfc2023Voluntary | Rfc2023Full | Auto2024None
        | Auto2024Voluntary | Auto2024Full, not None | Voluntary;
} }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named::Named;

    /// The answers of each value, in the order of the list of values.
    fn answers<T: Named>(asked: fn(T) -> bool) -> String {
        T::ALL.iter().map(|value| if asked(*value) { '1' } else { '0' }).collect()
    }

    #[test]
    fn every_policy_of_balancing_and_wake_ups_answers_as_was_written_down_for_it() {
        assert_eq!(answers(Fair::is_eevdf), "01");
        assert_eq!(answers(Protection::is_by_least_slice), "0111");
        assert_eq!(answers(Protection::is_set_by_picks_alone), "0011");
        assert_eq!(answers(Protection::is_for_short_slices), "0001");
        assert_eq!(answers(DoubleLock::is_unfair), "01");
        assert_eq!(answers(RtoScope::follows_partitions), "011");
        assert_eq!(answers(LowestPick::takes_first_scanned), "100");
        assert_eq!(answers(LowestPick::goes_round), "001");
        assert_eq!(answers(CpupriGen::has_map), "011");
        assert_eq!(answers(TtwuQueue::by_call), "00011");
        assert_eq!(answers(TtwuQueue::has_wakelist), "01111");
        assert_eq!(answers(TtwuOnCpu::locks_old_cpu), "1000");
        assert_eq!(answers(RtThrottle::has_limit), "0110");
        assert_eq!(answers(RtThrottle::borrows), "0100");
        assert_eq!(answers(RtThrottle::has_fair_server), "0001");
    }

    #[test]
    fn every_policy_of_bandwidth_answers_as_was_written_down_for_it() {
        assert_eq!(answers(Expiry::has_deadline), "1110");
        assert_eq!(answers(Expiry::is_by_seq), "0010");
        assert_eq!(answers(SiloReturn::gathers), "0001");
        assert_eq!(answers(SiloReturn::keeps_nothing), "0100");
        assert_eq!(answers(BwDistribution::takes_under_lock), "001");
        assert_eq!(answers(BwDistribution::takes_pool_along), "100");
        assert_eq!(answers(BwDistribution::may_spend_twice), "010");
        assert_eq!(answers(Refill::keeps_rest), "01");
    }

    /// none, voluntary, full, lazy, rt; the four dynamic modes; the three of each posted series.
    #[test]
    fn every_preemption_model_answers_as_was_written_down_for_it() {
        assert_eq!(answers(Preempt::is_rt), "000010000000000");
        assert_eq!(answers(Preempt::preempts_kernel), "001110011111111");
        assert_eq!(answers(Preempt::honours_might_sleep), "010000100000000");
        assert_eq!(answers(Preempt::is_dynamic), "000001111000000");
        assert_eq!(answers(Preempt::config_preemption), "001111111111111");
    }
}
