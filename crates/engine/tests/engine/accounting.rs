//! The parts of a task's CPU time: the counters against the trace.

use schedscope_engine::kernel::config::{Bandwidth, Preempt, TtwuQueue, Version};
use schedscope_engine::machine::costs::{Costs, CostsName};
use schedscope_engine::run::Options;
use schedscope_engine::setup::Program;
use schedscope_engine::trace::catalogue::{CpuState, Kind, NONE};

use crate::support::build::{fair, fifo, forever, pause, task, work};
use crate::support::hogs::{play, woken_from_afar};
use crate::support::quota::{ERAS, group_of, machine, member, quota};
use crate::support::{MS, US, herd, run};

#[test]
fn user_time_and_switches_of_every_task_are_those_of_the_trace() {
    for seed in 1..=5 {
        let mut setup = herd(6, seed, 3 * US, CostsName::Qspin2s);
        setup.duration_ns = 5_000 * US;
        // Longer than an interval: cyclictest sets it aside everywhere.
        setup.tasks[6].program = Program::RtNoise { run_ns: 250 * US };
        let mut run = run(&setup, Options::EVERYTHING, 256);
        let rows = run.take_trace();
        let (mut user, mut switches) = (vec![0; setup.tasks.len()], vec![0_u64; setup.tasks.len()]);
        let mut shown = [(0_u64, false, NONE); 6];
        for row in 0..rows.time.len() {
            let (time, cpu) = (rows.time[row], rows.cpu[row] as usize);
            if rows.kind[row] == Kind::SchedSwitch as u8 && rows.a[row] != NONE {
                switches[rows.a[row] as usize] += 1;
            }
            if rows.kind[row] == Kind::CpuState as u8 {
                let (since, in_user, task) = shown[cpu];
                if in_user && task != NONE {
                    user[task as usize] += time - since;
                }
                shown[cpu] = (time, rows.a[row] & 0xff == CpuState::User as u32, rows.b[row]);
            }
        }
        for (since, in_user, task) in shown {
            if in_user && task != NONE {
                user[task as usize] += setup.duration_ns - since;
            }
        }
        let report = run.report();
        for (id, spec) in setup.tasks.iter().enumerate() {
            let task = &report.metrics.tasks[&spec.name];
            assert_eq!(task.user_ns, user[id], "seed {seed}: {}", spec.name);
            assert_eq!(
                task.voluntary_switches + task.involuntary_switches,
                switches[id],
                "seed {seed}: {}",
                spec.name
            );
            assert!(task.user_ns <= task.run_ns, "seed {seed}: {}", spec.name);
        }
        let (noise, thread) =
            (&report.metrics.tasks["rt_noise.0"], &report.metrics.tasks["cyclictest.0"]);
        assert!(noise.involuntary_switches > 0, "cyclictest sets it aside");
        assert_eq!(thread.involuntary_switches, 0, "nothing is stronger than cyclictest");
    }
}

/// ns that the tasks of group a have run by the report, and ns their group was charged: run time
/// since the last charge is in the first only.
fn run_and_usage(version: Version, body_ns: u64) -> (u64, u64) {
    let mut setup =
        machine(4, Bandwidth::of_version(version), &[(0, quota(40 * MS, 37 * MS + 437 * US))]);
    setup.duration_ns = 500 * MS;
    setup.machine.costs = Costs::preset(CostsName::Qspin2s);
    for index in 0..6 {
        let own = [index % 4];
        let cpus: &[u32] = if index < 4 { &own } else { &[0, 1, 2, 3] };
        setup.tasks.push(member(
            1,
            &format!("t{index}"),
            cpus,
            0,
            forever(&[work(body_ns), pause(body_ns)]),
        ));
    }
    setup.tasks.push(member(
        0,
        "outside",
        &[1],
        0,
        forever(&[work(3 * body_ns), pause(20 * body_ns)]),
    ));
    let run = run(&setup, None, 64);
    let metrics = run.report().metrics;
    let ran = metrics
        .tasks
        .iter()
        .filter(|(name, _)| name.starts_with('t'))
        .map(|(_, task)| task.run_ns)
        .sum();
    (ran, group_of(&run, "a").usage_ns)
}

#[test]
fn a_group_is_charged_what_its_tasks_have_run_however_short_their_bodies() {
    for version in ERAS {
        for body_ns in [5 * US, 50 * US, 3 * MS] {
            let (ran, usage) = run_and_usage(version, body_ns);
            // Four CPUs may be in the midst of a run that the next tick charges.
            let open = ran - usage;
            assert!(
                usage > 50 * MS && open <= 4 * 4 * MS,
                "{version:?}, bodies of {body_ns} ns: ran {ran} ns, charged {usage}"
            );
            assert!(
                body_ns > 50 * US || open <= 4 * (body_ns + 20 * US),
                "{version:?}, bodies of {body_ns} ns: {open} ns are missing"
            );
        }
    }
}

/// With a search of the other CPUs that takes 3 ms, SCHED_SOFTIRQ is long enough for wake-ups to
/// fall into it. The judge checks that the lanes show the softirq.
#[test]
fn a_task_queued_while_its_cpu_balances_load_waits_for_the_softirq() {
    for (queue, busy) in
        [(TtwuQueue::Off, true), (TtwuQueue::CrossLlcOrIdle, true), (TtwuQueue::Off, false)]
    {
        let hog = if busy { [work(50 * MS)] } else { [pause(4_100 * US)] };
        let mut setup = woken_from_afar(Preempt::Full, 250, &hog, fifo(50), queue);
        // CPU 1 is busy too, so it is CPU 0 that looks; an idle one because two tasks there make
        // CPU 1 ask it.
        for name in ["one", "two"] {
            setup.tasks.push(task(name, fair(), &[1], 0, forever(&[work(MS)])));
        }
        setup.machine.costs.push_search_ns = 3_000 * US as u32;
        let written = play(&setup);
        let latency = &written.report.metrics.latency["sleeper"];
        assert!(
            latency.causes_ns["softirq"] > 20 * MS,
            "{queue:?}, busy is {busy}: {:?}",
            latency.causes_ns
        );
        assert_eq!(latency.causes_ns["nonpreemptible"], 0, "{queue:?}, busy is {busy}");
        // 1250 to leave mwait.
        assert!(
            latency.causes_ns["idle_exit"] <= latency.count * 1_250,
            "{queue:?}, busy is {busy}"
        );
    }
}
