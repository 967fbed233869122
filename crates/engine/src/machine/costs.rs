//! Costs: every duration of the machine is a field of a named preset, with its provenance.
//!
//! Nothing is tuned in code. A range in a source is stored as its middle; the range stays in the
//! field's note.

use crate::named_enum;

named_enum! {
    /// The machines whose published descriptions suffice to derive costs.
    pub enum CostsName {
        Ticket2012 = "2012_40core_ticket", "A big server of about 2012 with ticket locks, packages \
            of 10 CPUs. Assumed: no published hold times exist";
        Qspin2s = "modern_2s_qspin", "A current two-socket server with queued locks, packages of \
            32 CPUs. Assumed";
        Vm2 = "vm2_meas", "A two-vCPU KVM guest, 6.18: lock and line costs measured, a pipe's \
            operation and a wake-up calibrated to that guest's 2 µs and 8 µs, the rest assumed; \
            one package of any size";
        Zero = "zero", "Everything but user work is free: for comparing with simulators that have \
            no costs";
        FourWay2007 = "2007_4way", "The 4-way box of Rostedt 2007: every cost at the upper end of \
            its range, because it is the oldest machine here. Assumed; one package of any size";
        Vm4Cal2023 = "vm4_2023_cal", "The 4-vCPU guest of Fernandes 2023, whose hardware is not \
            published: 40 µs of busy CPU per wake-up, ticks 20 µs apart, timers 50 µs late on \
            average, calibrated to the reported IPI counts; the rest as vm2_meas; one package of \
            any size";
    }
}

named_enum! {
    /// How well a cost is known.
    pub enum Provenance {
        Measured = "measured", "measured on a machine";
        Published = "published", "published by its author";
        Derived = "derived", "arithmetic on measured or published figures";
        Assumed = "assumed", "a free parameter within a plausible range";
        Calibrated = "calibrated", "chosen so that the run reproduces a reported figure; decision \
            0022 names that figure and a second one as a check";
        Stated = "stated", "set for this run";
    }
}

/// One documented field of a preset.
#[derive(Clone, Copy, Debug)]
pub struct CostField {
    /// Field name, unit last.
    pub name: &'static str,
    /// The knob that sets it alone.
    pub path: &'static str,
    /// Meaning and range.
    pub doc: &'static str,
    /// How the value of each preset is known, in the order of [`CostsName`].
    pub provenance: [Provenance; 6],
}

macro_rules! costs {
    ($($field:ident: $doc:literal, [
        $ticket:literal $tp:ident, $qspin:literal $qp:ident, $vm:literal $vp:ident
    ];)+) => {
        /// A cost preset: all values in ns unless the name says otherwise.
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub struct Costs { $(#[doc = $doc] pub $field: u32,)+ }

        /// Every field with its meaning and provenance.
        pub const COST_FIELDS: &[CostField] = &[$(CostField {
            name: stringify!($field), path: concat!("machine.costs.", stringify!($field)),
            doc: $doc,
            provenance: [Provenance::$tp, Provenance::$qp, Provenance::$vp, Provenance::Assumed,
                Provenance::Assumed, Provenance::Assumed],
        },)+];

        impl Costs {
            pub fn preset(name: CostsName) -> Self {
                match name {
                    CostsName::Ticket2012 => Self { $($field: $ticket,)+ },
                    CostsName::Qspin2s => Self { $($field: $qspin,)+ },
                    CostsName::Vm2 => Self { $($field: $vm,)+ },
                    CostsName::Zero => Self { $($field: 0,)+ },
                    CostsName::FourWay2007 => Self::four_way_2007(),
                    CostsName::Vm4Cal2023 => Self::vm4_cal_2023(),
                }
            }

            /// These costs without a spread, and timers in time.
            pub fn steady(self) -> Self {
                Self { spread_milli: 0, timer_late_ns: 0, ..self }
            }

            pub fn field_mut(&mut self, name: &str) -> Option<&mut u32> {
                match name {
                    $(stringify!($field) => Some(&mut self.$field),)+
                    _ => None,
                }
            }

            /// Name and value of every field, in declaration order.
            pub fn values(&self) -> Vec<(&'static str, u32)> {
                vec![$((stringify!($field), self.$field),)+]
            }
        }
    };
}

costs! {
    // Locks: docs/model/locks-and-ipis.md#lock-costs.
    lock_local_ns: "taking and releasing a free lock whose line is \
        local", [20 Assumed, 15 Assumed, 6 Measured];
    line_llc_ns: "moving a cache line one way inside a last-level cache (2012: 60; modern 50..120; \
        VM 175..205)", [60 Assumed, 85 Assumed, 190 Measured];
    line_cross_ns: "moving a cache line one way across packages (2012: 150..300; modern \
        120..250)", [225 Assumed, 185 Assumed, 190 Assumed];
    handoff_llc_ns: "handing a contended lock to the next CPU in the same last-level cache (2012: \
        120; modern 100..200; VM 160..470)", [120 Assumed, 150 Assumed, 315 Measured];
    handoff_cross_ns: "handing a contended lock to the next CPU across packages: handoff_llc plus \
        the difference of the line transfers", [285 Derived, 250 Derived, 315 Assumed];
    handoff_waiter_llc_ns: "ticket lock: extra hand-off time per further waiter, same last-level \
        cache", [40 Assumed, 0 Assumed, 0 Assumed];
    handoff_waiter_cross_ns: "ticket lock: extra hand-off time per further waiter, across packages \
        (100..200)", [150 Assumed, 0 Assumed, 0 Assumed];
    holder_slowdown_percent: "ticket lock: how much slower the holder runs per waiter that hammers \
        its line, in percent", [5 Assumed, 0 Assumed, 0 Assumed];
    // Sections with interrupts off: docs/model/locks-and-ipis.md#locked-sections.
    schedule_ns: "schedule(): dequeue, pick and switch in equal parts, own rq lock held \
        (500..2500)", [900 Assumed, 900 Assumed, 297 Calibrated];
    ttwu_local_ns: "try_to_wake_up on the waker's own CPU, rq lock held \
        (200..1000)", [400 Assumed, 400 Assumed, 132 Calibrated];
    ttwu_remote_llc_ns: "try_to_wake_up on a remote rq in the same last-level cache \
        (300..3000)", [700 Assumed, 700 Assumed, 700 Assumed];
    ttwu_remote_cross_ns: "try_to_wake_up on a remote rq across packages \
        (300..3000)", [1500 Assumed, 1500 Assumed, 1500 Assumed];
    wakelist_drain_ns: "activating one task from the wake-list \
        (200..800)", [350 Assumed, 350 Assumed, 350 Assumed];
    tick_ns: "scheduler tick, own rq lock held \
        (300..2000)", [600 Assumed, 600 Assumed, 600 Assumed];
    push_llc_ns: "push_rt_task: moving one task, both rq locks held, same last-level cache \
        (800..6000)", [1500 Assumed, 1500 Assumed, 1500 Assumed];
    push_cross_ns: "push_rt_task: moving one task, both rq locks held, across packages \
        (800..6000)", [3000 Assumed, 3000 Assumed, 3000 Assumed];
    push_search_ns: "find_lowest_rq, source rq lock held \
        (200..1500)", [300 Assumed, 300 Assumed, 300 Assumed];
    push_search_level_ns: "find_lowest_rq: each cpupri level looked \
        at", [20 Assumed, 20 Assumed, 20 Assumed];
    pull_inspect_llc_ns: "pull_rt_task: looking at a source with nothing to take, both rq locks \
        held (200..2000)", [400 Assumed, 400 Assumed, 400 Assumed];
    pull_inspect_cross_ns: "pull_rt_task: looking at a source with nothing to take, across \
        packages (200..2000)", [900 Assumed, 900 Assumed, 900 Assumed];
    pull_llc_ns: "pull_rt_task: moving one task, both rq locks held, same last-level cache \
        (800..6000)", [1500 Assumed, 1500 Assumed, 1500 Assumed];
    pull_cross_ns: "pull_rt_task: moving one task, both rq locks held, across packages \
        (800..6000)", [3000 Assumed, 3000 Assumed, 3000 Assumed];
    rto_hop_ns: "choosing the next CPU of the RT push chain, rto_lock held \
        (80..500)", [150 Assumed, 150 Assumed, 150 Assumed];
    // Interrupts: docs/model/locks-and-ipis.md#ipi-costs.
    ipi_send_ns: "writing the interrupt command register (100..300; a guest pays a VM exit, 710 on \
        average)", [200 Assumed, 200 Assumed, 710 Published];
    ipi_flight_llc_ns: "from the send to the target's interrupt line, same package (600..1200; \
        guest: 1300..1450 per IPI less the exit)", [900 Assumed, 900 Assumed, 665 Derived];
    ipi_flight_cross_ns: "from the send to the target's interrupt line, across packages \
        (900..1800)", [1350 Assumed, 1350 Assumed, 665 Derived];
    ipi_self_ns: "from the send to the sender's own interrupt line (50..150; a local call in the \
        published benchmarks: 51..69)", [100 Assumed, 100 Assumed, 100 Assumed];
    irq_kernel_ns: "interrupt entry plus exit, from kernel \
        code", [300 Assumed, 300 Assumed, 300 Assumed];
    irq_user_ns: "interrupt entry plus exit, from user \
        code", [400 Assumed, 400 Assumed, 400 Assumed];
    resched_handler_ns: "body of the reschedule interrupt \
        (50..100)", [75 Assumed, 75 Assumed, 75 Assumed];
    hrtimer_ns: "running one expired hrtimer, without the wake-up it \
        does", [150 Assumed, 150 Assumed, 150 Assumed];
    device_irq_ns: "body of a device interrupt, without the wake-up it \
        does", [300 Assumed, 300 Assumed, 300 Assumed];
    // Bandwidth control: docs/model/locks-and-ipis.md#locked-sections.
    bw_hold_ns: "taking, returning or refilling run time, the group's lock held \
        (20..200)", [50 Assumed, 50 Assumed, 50 Assumed];
    bw_unthrottle_ns: "putting a throttled queue back, its rq lock held \
        (500..2000)", [1000 Assumed, 1000 Assumed, 1000 Assumed];
    // Idle: docs/model/wake-ups.md#polling-idle.
    idle_exit_poll_ns: "leaving the polling idle loop", [200 Assumed, 200 Assumed, 200 Assumed];
    idle_exit_mwait_ns: "leaving C1 (500..2000)", [1250 Assumed, 1250 Assumed, 1250 Assumed];
    idle_exit_halt_ns: "leaving halt (bare metal as C1; a halted vCPU 5000..50000 through the \
        host's scheduler)", [1250 Assumed, 1250 Assumed, 27500 Assumed];
    idle_leave_ns: "from the interrupt that ends a sleep of the idle loop to schedule(), where the \
        tick is started again and the timer programmed (a guest's write exits to the host: \
        700..1500)", [0 Assumed, 0 Assumed, 1100 Assumed];
    // Caches: the time that the switch to a woken task takes longer, because caches are cold; the
    // dearest that applies, and nothing if the preset has 0.
    cold_idle_ns: "switching to a woken task on a CPU that was idle, cold caches, \
        median", [0 Assumed, 0 Assumed, 7500 Assumed];
    cold_migrated_ns: "switching to a woken task that last ran on another CPU, cold caches, \
        median", [0 Assumed, 0 Assumed, 3000 Assumed];
    cold_sleep_ns: "switching to a woken task that slept for cold_after or longer while its \
        CPU ran others, median", [0 Assumed, 0 Assumed, 7500 Calibrated];
    cold_after_ns: "how long a task sleeps before others have replaced its cache \
        lines", [0 Assumed, 0 Assumed, 100000 Assumed];
    cold_sigma_milli: "spread of the cold times, if not spread_milli: sigma of their log-normal \
        distribution in thousandths, one draw per wake-up; 0: \
        spread_milli", [0 Assumed, 0 Assumed, 0 Assumed];
    // Guests: docs/model/time.md#tick-phase, docs/model/time.md#timer-slack.
    tick_skew_ns: "how much later each next CPU's tick comes", [0 Assumed, 0 Assumed, 0 Assumed];
    timer_jitter_ns: "how late a fair task's timer fires on average: drawn from 0 to twice this \
        each time, in place of the timer slack; 0: the slack", [0 Assumed, 0 Assumed, 0 Assumed];
    // Idle balancing.
    nohz_visit_ns: "balancing for one idle CPU, its rq lock held \
        (100..500)", [250 Assumed, 250 Assumed, 250 Assumed];
    // How much costs vary: docs/model/time.md#spread.
    spread_milli: "how much costs vary: each interrupt, system call and schedule() draws one \
        factor for the costs of its CPU, log-Laplace with median 1 and this scale in thousandths \
        (100: a tenth of them take 1.17 times as long or longer, a hundredth 1.48 times); 0: not \
        at all", [100 Assumed, 100 Assumed, 175 Calibrated];
    timer_late_ns: "how late the timer's interrupt comes, on average, exponential (0..1000 in the \
        examples of rtla timerlat)", [500 Assumed, 500 Assumed, 500 Assumed];
    // System calls.
    syscall_entry_ns: "from a sleep system call to schedule(), timer armed on the \
        way", [300 Assumed, 300 Assumed, 300 Assumed];
    call_entry_ns: "from a system call that arms no timer to the work it asks \
        for", [300 Assumed, 300 Assumed, 99 Calibrated];
    syscall_exit_ns: "from the end of the kernel's work to the first user \
        instruction", [150 Assumed, 150 Assumed, 50 Calibrated];
    // Objects: docs/model/programs.md#shared-objects.
    futex_wake_min_ns: "futex work of one wake-up, without try_to_wake_up, at least \
        (1000..3000)", [1000 Assumed, 1000 Assumed, 1000 Assumed];
    futex_wake_max_ns: "futex work of one wake-up, without try_to_wake_up, at most; each wake-up \
        draws its own", [3000 Assumed, 3000 Assumed, 3000 Assumed];
    pipe_ns: "reading or writing one message of a pipe or queue, without the wake-up it does \
        (300..1000; a guest whose null system call takes 164 ns: \
        171)", [500 Assumed, 500 Assumed, 165 Calibrated];
    socket_ns: "reading or writing one message of a Unix socket, with a buffer per message (four \
        times pipe_ns on that guest: 686)", [500 Assumed, 500 Assumed, 660 Derived];
    sched_change_ns: "changing a task's policy, priority or affinity, rq lock held \
        (200..1000)", [400 Assumed, 400 Assumed, 400 Assumed];
}

impl Costs {
    /// Fernandes 2023's guest: 40 us of busy CPU per wake-up: a body of 4 us, and the rest in equal
    /// parts on the way into and out of the kernel, where a guest programs its timer; schedule()
    /// and interrupts come on top, and the way out of the idle state takes the least that a halted
    /// vCPU needs (docs/develop/decisions/0014-nohz.md). The values that `vm2_meas` calibrates to
    /// its own guest are not copied.
    fn vm4_cal_2023() -> Self {
        Self {
            schedule_ns: 900,
            ttwu_local_ns: 400,
            pipe_ns: 500,
            socket_ns: 500,
            idle_exit_halt_ns: 5_000,
            idle_leave_ns: 0,
            cold_idle_ns: 0,
            cold_migrated_ns: 0,
            cold_sleep_ns: 0,
            cold_after_ns: 0,
            spread_milli: 100,
            syscall_entry_ns: 18_000,
            call_entry_ns: 18_000,
            syscall_exit_ns: 18_000,
            tick_skew_ns: 20_000,
            timer_jitter_ns: 50_000,
            ..Self::preset(CostsName::Vm2)
        }
    }

    /// Rostedt 2007 describes no cost of its machine. Costs with a range have the upper end of the
    /// range; the rest is as in 2012.
    fn four_way_2007() -> Self {
        Self {
            line_cross_ns: 300,
            handoff_cross_ns: 360,
            handoff_waiter_cross_ns: 200,
            schedule_ns: 2_500,
            ttwu_local_ns: 1_000,
            ttwu_remote_llc_ns: 3_000,
            ttwu_remote_cross_ns: 3_000,
            wakelist_drain_ns: 800,
            tick_ns: 2_000,
            push_llc_ns: 6_000,
            push_cross_ns: 6_000,
            push_search_ns: 1_500,
            pull_inspect_llc_ns: 2_000,
            pull_inspect_cross_ns: 2_000,
            pull_llc_ns: 6_000,
            pull_cross_ns: 6_000,
            rto_hop_ns: 500,
            ipi_send_ns: 300,
            ipi_flight_llc_ns: 1_200,
            ipi_flight_cross_ns: 1_800,
            resched_handler_ns: 100,
            idle_exit_mwait_ns: 2_000,
            idle_exit_halt_ns: 2_000,
            ..Self::preset(CostsName::Ticket2012)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named::Named;

    #[test]
    fn every_field_of_every_preset_has_a_provenance() {
        let fields = COST_FIELDS.len();
        assert_eq!(Costs::preset(CostsName::Ticket2012).values().len(), fields);
        assert!(Costs::preset(CostsName::Zero).values().iter().all(|(_, value)| *value == 0));
        assert!(COST_FIELDS.iter().all(|field| field.provenance.len() == CostsName::ALL.len()));
    }

    #[test]
    fn the_oldest_machine_is_nowhere_faster_than_the_one_of_2012() {
        let (old, newer) = (
            Costs::preset(CostsName::FourWay2007).values(),
            Costs::preset(CostsName::Ticket2012).values(),
        );
        assert!(
            old.iter()
                .zip(&newer)
                .all(|((name, old), (_, newer))| old >= newer || panic!("{name}"))
        );
    }
}
