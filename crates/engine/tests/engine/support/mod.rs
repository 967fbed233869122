//! Setups for tests: the herd of Rostedt 2015 and small machines, built the way scenarios are.

pub mod bandwidths;
pub mod build;
pub mod charged;
pub mod cut;
pub mod distributions;
pub mod extensions;
pub mod hogs;
pub mod hw_noise;
pub mod interrupted;
pub mod interrupts;
pub mod judge;
pub mod kernel_wakes;
pub mod live;
pub mod locks;
pub mod pressed;
pub mod programs;
pub mod quota;
pub mod quota_laws;
pub mod random;
pub mod rare;
pub mod reach;
pub mod reach_values;
pub mod rowless;
pub mod rows;
pub mod samples;
pub mod shape;
pub mod softirqs;
pub mod user_spins;
pub mod waterfall;

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{Kernel, RtBalance, Version};
use schedscope_engine::machine::costs::{Costs, CostsName};
use schedscope_engine::machine::topology::{CpuMask, Topology};
use schedscope_engine::rng::{Purpose, below};
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::{
    GroupSpec, IdleKind, Machine, NoiseTrigger, NoiseWhen, Policy, Program, Setup, TaskSpec, Until,
};

pub const MS: u64 = 1_000_000;
pub const US: u64 = 1_000;

/// A machine with a preset's costs, which do not vary, and its idle loop.
pub fn machine(cpus: u32, costs: CostsName) -> Machine {
    let package = match costs {
        CostsName::Ticket2012 => 10,
        CostsName::Qspin2s => 32,
        CostsName::Vm2 | CostsName::Zero | CostsName::FourWay2007 | CostsName::Vm4Cal2023 => cpus,
    };
    let idle = if matches!(costs, CostsName::Vm2 | CostsName::Vm4Cal2023) {
        IdleKind::Halt
    } else {
        IdleKind::Poll
    };
    Machine {
        topology: Topology::new(cpus, package),
        costs_name: costs,
        costs: Costs::preset(costs).steady(),
        idle,
        polls_from_boot: false,
        domains: Vec::new(),
    }
}

/// cyclictest on every CPU, phases within `window_ns`, and one noise task.
pub fn herd(cpus: u32, seed: u64, window_ns: u64, costs: CostsName) -> Setup {
    let interval = 100 * US;
    let base = below(seed, Purpose::CyclictestStart, 0, 0, interval);
    let mut tasks: Vec<TaskSpec> = (0..cpus)
        .map(|cpu| TaskSpec {
            kind: "cyclictest".to_owned(),
            name: format!("cyclictest.{cpu}"),
            policy: Policy::Fifo { rt_priority: 95 },
            cpus: CpuMask::one(CpuId::new(cpu)),
            start_ns: 0,
            measured: true,
            group: 0,
            slice_ns: None,
            forked: false,
            program: Program::Cyclictest {
                first_due_ns: interval
                    + base
                    + below(seed, Purpose::CyclictestPhase, u64::from(cpu), 0, window_ns),
                interval_ns: interval,
                body_ns: window_ns + 4 * US,
                extra_ns: window_ns,
                until: Until::default(),
            },
        })
        .collect();
    tasks.push(TaskSpec {
        kind: "rt_noise".to_owned(),
        name: "rt_noise.0".to_owned(),
        policy: Policy::Fifo { rt_priority: 50 },
        cpus: CpuMask::first(cpus),
        start_ns: 0,
        measured: true,
        group: 0,
        slice_ns: None,
        forked: false,
        program: Program::RtNoise { run_ns: 30 * US },
    });
    let mut kernel = Kernel::of_version(Version::V3_19_PUSH_IPI, cpus);
    kernel.rt_push_ipi = false;
    Setup {
        seed,
        duration_ns: 100 * MS,
        machine: machine(cpus, costs),
        kernel,
        tasks,
        objects: Vec::new(),
        timers: Vec::new(),
        quantiles: Vec::new(),
        noise: Some(NoiseTrigger {
            first_task: cpus,
            tasks: 1,
            when: NoiseWhen::AllCpusInCyclictest,
            min_gap_ns: 600 * US,
        }),
        softirq: None,
        hw_noise: [None; 2],
        device_irq: None,
        rcu: None,
        groups: vec![GroupSpec::root()],
    }
}

/// `setup` with this generation of RT balancing and its bit.
pub fn with_balance(mut setup: Setup, balance: RtBalance, on: bool) -> Setup {
    setup.kernel.rt_balance = balance;
    setup.kernel.rt_push_ipi = on;
    setup
}

/// Runs to the end with every law checked as often as asked.
pub fn run(setup: &Setup, window: Option<(u64, u64)>, check_every: u32) -> Run {
    let mut run = Run::new(setup, Options { window, check_every, ..Options::default() })
        .expect("the setup is valid");
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished, "seed {}", setup.seed);
    run
}
