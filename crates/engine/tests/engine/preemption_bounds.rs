//! How long a task waits for a CPU whose hog must be preempted:
//! docs/model/preemption.md#preemption-bounds.

use schedscope_engine::kernel::config::{Preempt, TtwuQueue};
use schedscope_engine::named::Named;
use schedscope_engine::setup::{Amount, Op, Section};

use crate::support::build::{fair, fifo, work};
use crate::support::hogs::{
    GAP_NS, LONG_NS, RATES, SECTION_NS, SWITCH_NS, assert_bound, hog_and_sleeper, kernel,
    latencies, latencies_in, play, woken_from_afar,
};
use crate::support::{MS, US};

/// At every HZ.
#[test]
fn an_rt_task_over_a_hog_in_a_long_system_call_waits_as_its_model_says() {
    let hog = [kernel(Section::Preemptible, LONG_NS, Some(GAP_NS))];
    for hz in RATES {
        let found = |model| latencies(&hog_and_sleeper(model, hz, &hog, fifo(50), 1700));
        for model in Preempt::ALL
            .iter()
            .copied()
            .filter(|model| *model != Preempt::Rfc2023None && *model != Preempt::Auto2024None)
        {
            assert_bound(
                model.name(),
                &found(model),
                if model.preempts_kernel() { 0 } else { GAP_NS },
            );
        }
        // Arora 2023's none asks a higher class lazily too: the next tick at the latest
        // (docs/develop/decisions/0007-preemption.md).
        assert_bound("rfc2023-none", &found(Preempt::Rfc2023None), 1_000_000_000 / u64::from(hz));
    }
    // The second version of Arora's series upgrades only if the fair tick wants a resched, and the
    // hog is the only fair task here.
    let found = latencies(&hog_and_sleeper(Preempt::Auto2024None, 250, &hog, fifo(50), 1700));
    assert_bound("auto2024-none", &found, LONG_NS);
}

/// A wake-up that is granted preemption waits for the next cond_resched, at any HZ.
#[test]
fn a_fair_task_over_a_fair_hog_in_the_kernel_waits_for_a_cond_resched_under_none_and_voluntary() {
    let hog = [kernel(Section::Preemptible, 100 * MS, Some(GAP_NS))];
    for hz in RATES {
        for model in
            [Preempt::None, Preempt::Voluntary, Preempt::DynamicNone, Preempt::DynamicVoluntary]
        {
            assert_bound(
                model.name(),
                &latencies(&hog_and_sleeper(model, hz, &hog, fair(), 1700)),
                GAP_NS,
            );
        }
    }
}

#[test]
fn without_cond_resched_none_waits_for_the_rest_of_the_system_call() {
    let hog = [kernel(Section::Preemptible, LONG_NS, None)];
    for model in [Preempt::None, Preempt::Voluntary, Preempt::DynamicNone] {
        assert_bound(
            model.name(),
            &latencies(&hog_and_sleeper(model, 250, &hog, fifo(50), 1700)),
            LONG_NS,
        );
    }
}

#[test]
fn might_sleep_points_serve_voluntary_but_not_none() {
    let sleepy = [Op::Kernel {
        section: Section::Preemptible,
        ns: Amount::Fixed(LONG_NS),
        cond_resched: None,
        might_sleep: Some(Amount::Fixed(MS)),
    }];
    assert_bound(
        "voluntary",
        &latencies(&hog_and_sleeper(Preempt::Voluntary, 250, &sleepy, fifo(50), 1700)),
        MS,
    );
    assert_bound(
        "none",
        &latencies(&hog_and_sleeper(Preempt::None, 250, &sleepy, fifo(50), 1700)),
        LONG_NS,
    );
}

#[test]
fn a_section_with_preemption_off_bounds_full_and_lazy_and_not_rt() {
    let hog = [kernel(Section::NoPreempt, SECTION_NS, None)];
    for model in [
        Preempt::Full,
        Preempt::Lazy,
        Preempt::DynamicFull,
        Preempt::Rfc2023Voluntary,
        Preempt::Rfc2023Full,
    ] {
        assert_bound(
            model.name(),
            &latencies(&hog_and_sleeper(model, 1000, &hog, fifo(50), 1700)),
            SECTION_NS,
        );
    }
    assert_bound("rt", &latencies(&hog_and_sleeper(Preempt::Rt, 1000, &hog, fifo(50), 1700)), 0);
}

#[test]
fn a_section_with_interrupts_off_bounds_every_model() {
    let hog = [kernel(Section::IrqOff, SECTION_NS, None)];
    for model in Preempt::ALL
        .iter()
        .copied()
        .filter(|model| !matches!(model, Preempt::Rfc2023None | Preempt::Auto2024None))
    {
        assert_bound(
            model.name(),
            &latencies(&hog_and_sleeper(model, 1000, &hog, fifo(50), 1700)),
            SECTION_NS,
        );
    }
}

/// Arora 2023's second version upgrades only if the tick itself asks; here the hog has always used
/// up its slice by then.
const LAZY_FOR_FAIR: [Preempt; 6] = [
    Preempt::Lazy,
    Preempt::DynamicLazy,
    Preempt::Rfc2023None,
    Preempt::Rfc2023Voluntary,
    Preempt::Auto2024None,
    Preempt::Auto2024Voluntary,
];

#[test]
fn a_fair_task_over_a_fair_hog_in_the_kernel_waits_a_tick_under_lazy() {
    let hog = [kernel(Section::Preemptible, 100 * MS, Some(GAP_NS))];
    for hz in RATES {
        let tick = 1_000_000_000 / u64::from(hz);
        for model in LAZY_FOR_FAIR {
            assert_bound(
                model.name(),
                &latencies(&hog_and_sleeper(model, hz, &hog, fair(), 1700)),
                tick,
            );
        }
    }
}

/// The wake-up asks at once in every model's full mode, and under rt: the sleeper is far behind the
/// hog.
#[test]
fn a_fair_task_over_a_fair_hog_in_the_kernel_goes_first_at_once_in_every_full_mode_and_under_rt() {
    let hog = [kernel(Section::Preemptible, 100 * MS, Some(GAP_NS))];
    for hz in RATES {
        for model in [
            Preempt::Full,
            Preempt::DynamicFull,
            Preempt::Rfc2023Full,
            Preempt::Auto2024Full,
            Preempt::Rt,
        ] {
            assert_bound(
                model.name(),
                &latencies(&hog_and_sleeper(model, hz, &hog, fair(), 1700)),
                0,
            );
        }
    }
}

/// Arora 2023's none asks for it lazily, so no IPI comes: the next tick at the latest.
#[test]
fn an_rt_task_woken_from_another_cpu_over_user_code_waits_for_up_to_a_tick_under_rfc_none_alone() {
    for hz in RATES {
        let tick = 1_000_000_000 / u64::from(hz);
        let woken = |model| woken_from_afar(model, hz, &[work(50 * MS)], fifo(50), TtwuQueue::Off);
        let setup = woken(Preempt::Rfc2023None);
        let written = play(&setup);
        assert_bound("rfc2023-none", &latencies_in(&setup, &written), tick);
        assert_eq!(written.report.metrics.ipi.reschedule.sent, 0);
        for model in
            [Preempt::None, Preempt::Full, Preempt::Lazy, Preempt::Rfc2023Voluntary, Preempt::Rt]
        {
            assert_bound(model.name(), &latencies(&woken(model)), 0);
        }
    }
}

/// The sum of a section, a time with interrupts off and a switch: a tick of 50 us falls into a
/// section with preemption off while the task waits for the section's end.
#[test]
fn a_section_with_preemption_off_and_an_interrupt_inside_it_add_up() {
    const TICK_NS: u32 = 50 * US as u32;
    for model in Preempt::ALL
        .iter()
        .copied()
        .filter(|model| !matches!(model, Preempt::Rfc2023None | Preempt::Auto2024None))
    {
        let mut setup = hog_and_sleeper(
            model,
            1000,
            &[kernel(Section::NoPreempt, SECTION_NS, None)],
            fifo(50),
            3000,
        );
        setup.machine.costs.tick_ns = TICK_NS;
        let section = if model == Preempt::Rt { 0 } else { SECTION_NS };
        assert_bound(model.name(), &latencies(&setup), section + u64::from(TICK_NS));
    }
}

/// The bound for lazy models has T in front: the tick that makes a lazy flag "now" is itself an
/// interrupt of 50 us.
#[test]
fn a_tick_and_an_interrupt_add_up_where_the_flag_is_lazy() {
    const TICK_NS: u32 = 50 * US as u32;
    for (model, policy) in [
        (Preempt::Rfc2023None, fifo(50)),
        (Preempt::Lazy, fair()),
        (Preempt::Rfc2023Voluntary, fair()),
    ] {
        let mut setup = hog_and_sleeper(
            model,
            1000,
            &[kernel(Section::Preemptible, 100 * MS, None)],
            policy,
            3000,
        );
        setup.machine.costs.tick_ns = TICK_NS;
        let found = latencies(&setup);
        assert_bound(model.name(), &found, MS + u64::from(TICK_NS));
        assert!(
            found.iter().any(|ns| *ns > MS + SWITCH_NS),
            "{}: none waited for both",
            model.name()
        );
    }
}
