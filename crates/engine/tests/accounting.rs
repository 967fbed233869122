//! What a task's CPU time is made of: the counters against the trace.

mod support;

use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::run::Options;
use schedscope_engine::setup::Program;
use schedscope_engine::trace::catalogue::{CpuState, Kind, NONE};
use support::{US, herd, run};

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
            assert_eq!(task.voluntary_switches + task.involuntary_switches, switches[id], "seed {seed}: {}", spec.name);
            assert!(task.user_ns <= task.run_ns, "seed {seed}: {}", spec.name);
        }
        let (noise, thread) = (&report.metrics.tasks["rt_noise.0"], &report.metrics.tasks["cyclictest.0"]);
        assert!(noise.involuntary_switches > 0, "cyclictest sets it aside");
        assert_eq!(thread.involuntary_switches, 0, "nothing is stronger than cyclictest");
    }
}
