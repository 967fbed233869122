//! Cases that small machines and short runs never reach: hundreds of CPUs, seconds, servers,
//! callbacks that cannot keep up, buddies, active balances; and, here and there in any other case,
//! amounts of a long tail, might_sleep points, costs of no preset, tasks that resume one another.

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{Bandwidth, Fair, Release, RtBalance, RtThrottle, Version};
use schedscope_engine::machine::costs::{Costs, CostsName};
use schedscope_engine::machine::topology::{CpuMask, Topology};
use schedscope_engine::setup::{
    Amount, CPUS_MAX, GroupSpec, Object, Op, Policy, Program, Quota, Section, Setup, TaskSpec,
    TimerSpec,
};

use super::bandwidths::FIXES_OF_2019;
use super::build::{fair, fifo, forever, pause, work};
use super::random::{Case, Dice, affinity, mixed, policy, sharing, spec};
use super::shape;
use super::{MS, US};

/// Makes one case in ten a rare one; the others get something here and there.
pub fn vary(dice: &mut Dice, case: &mut Case) {
    // A long case of 2.6.24 is there for its migration thread.
    if case.setup.duration_ns > 251 * MS {
        return;
    }
    match dice.below(1_000) {
        0..12 => rare(dice, case, great),
        12..18 => rare(dice, case, aged),
        18..32 => rare(dice, case, late),
        32..44 => rare(dice, case, crowded),
        44..56 => rare(dice, case, uneven),
        56..80 => rare(dice, case, slack),
        80..92 => rare(dice, case, loaded),
        92..98 => rare(dice, case, lopsided),
        _ if !case.comes_to_rest => {
            let setup = &mut case.setup;
            if dice.chance(12) {
                amounts(dice, setup);
            }
            if dice.chance(12) {
                sleeping_points(dice, setup);
            }
            if dice.chance(12) {
                parked(dice, setup);
            }
            if dice.chance(10) {
                costs(dice, setup);
            }
            if dice.chance(15) {
                extensions(dice, setup);
            }
        }
        _ => {}
    }
}

/// The machine and the kernel of the case, with nothing to do, for `make` to fill.
fn rare(dice: &mut Dice, case: &mut Case, make: fn(&mut Dice, &mut Setup)) {
    let setup = &mut case.setup;
    setup.tasks.clear();
    setup.objects.clear();
    (setup.noise, setup.softirq) = (None, None);
    setup.machine.domains.clear();
    setup.kernel.nohz_full = CpuMask::EMPTY;
    setup.groups.truncate(1);
    case.writes.clear();
    case.comes_to_rest = false;
    make(dice, setup);
}

fn cpus(setup: &mut Setup, cpus: u32, package: u32) {
    setup.machine.topology = Topology::new(cpus, package);
}

/// 81 to 1024 CPUs for a few hundred microseconds.
fn great(dice: &mut Dice, setup: &mut Setup) {
    let count = match dice.below(10) {
        0..7 => dice.between(81, 256),
        7..9 => dice.between(257, 600),
        _ => dice.between(900, u64::from(CPUS_MAX)),
    } as u32;
    let package = dice.pick(&[8, 10, 32, 64, count]);
    cpus(setup, count, package.min(count));
    setup.duration_ns = dice.between(60 * US, 300 * US);
    if dice.chance(30) {
        setup.groups.push(GroupSpec { path: "great".to_owned(), ..GroupSpec::root() });
    }
    (setup.tasks, setup.noise) = mixed(dice, count);
    setup.timers = (0..2 * setup.tasks.len())
        .map(|index| TimerSpec { name: format!("timer{index}") })
        .collect();
    for task in &mut setup.tasks {
        task.group = dice.below(setup.groups.len() as u64) as u32;
    }
    shape::cores(dice, setup);
}

/// One or two CPUs for one to two and a half seconds, with an RT task that leaves nothing to the
/// rest.
fn aged(dice: &mut Dice, setup: &mut Setup) {
    let count = dice.between(1, 2) as u32;
    cpus(setup, count, count);
    setup.duration_ns = dice.between(1_000 * MS, 2_500 * MS);
    setup.kernel.hz = dice.pick(&[100, 250]);
    setup.kernel.rt_throttle = dice.pick(&[
        RtThrottle::DlServer,
        RtThrottle::DlServer,
        RtThrottle::Share,
        RtThrottle::NoShare,
    ]);
    if setup.kernel.rt_throttle != RtThrottle::DlServer {
        (setup.kernel.rt_runtime_ns, setup.kernel.rt_period_ns) =
            (Some(dice.between(300 * MS, 950 * MS)), 1_000 * MS);
    }
    let mut add = |name: &str, policy: Policy, cpu: CpuMask, ops: &[Op]| {
        let index = setup.tasks.len();
        setup.tasks.push(spec(name, index, policy, cpu, 0, forever(ops)));
    };
    for cpu in 0..count {
        add(
            "hog",
            fifo(dice.between(1, 50) as u8),
            CpuMask::one(CpuId::new(cpu)),
            &[work(3_600_000 * MS)],
        );
        add(
            "starved",
            fair(),
            CpuMask::one(CpuId::new(cpu)),
            &[work(dice.between(MS, 300 * MS)), pause(dice.between(MS, 40 * MS))],
        );
        let (run, sleep) =
            (work(dice.between(20 * US, 3 * MS)), pause(dice.between(3 * MS, 30 * MS)));
        add(
            "late",
            fifo(dice.between(51, 99) as u8),
            CpuMask::one(CpuId::new(cpu)),
            &[run.clone(), sleep.clone()],
        );
        add("lesser", Policy::RoundRobin { rt_priority: 1 }, affinity(dice, count), &[run, sleep]);
    }
}

/// Periods of a millisecond whose callback takes longer than that.
fn late(dice: &mut Dice, setup: &mut Setup) {
    let count = dice.between(2, 6) as u32;
    cpus(setup, count, count);
    setup.duration_ns = dice.between(20 * MS, 60 * MS);
    let versions = [
        Version::V5_4,
        Version::V5_7,
        Version::V5_8,
        Version::V5_14,
        Version::V6_1,
        Version::V6_3,
        Version::V6_12,
        Version::V6_18,
    ];
    setup.kernel.bandwidth = Bandwidth::of_version(dice.pick(&versions));
    setup.kernel.bandwidth_slice_ns = dice.pick(&[5 * MS, MS, 100 * US]);
    (setup.kernel.rt_runtime_ns, setup.kernel.load_balance) = (None, dice.chance(50));
    let quota = |dice: &mut Dice| Quota {
        quota_ns: Some(MS),
        period_ns: MS,
        burst_ns: 0,
        phase_ns: dice.between(1, MS),
    };
    setup.groups.push(GroupSpec {
        path: "late".to_owned(),
        bandwidth: Some(quota(dice)),
        ..GroupSpec::root()
    });
    if dice.chance(30) {
        setup.groups.push(GroupSpec {
            path: "late/in".to_owned(),
            parent: 1,
            bandwidth: Some(quota(dice)),
            ..GroupSpec::root()
        });
    }
    let costs = &mut setup.machine.costs;
    (costs.bw_hold_ns, costs.bw_unthrottle_ns) =
        (dice.between(20_000, 400_000) as u32, dice.between(1_000, 400_000) as u32);
    for index in 0..2 * count as usize {
        let ops = [work(dice.between(500 * US, 9 * MS)), pause(dice.between(10 * US, 500 * US))];
        let mut task = spec(
            "late",
            index,
            fair(),
            CpuMask::one(CpuId::new(index as u32 % count)),
            0,
            forever(&ops),
        );
        task.group = setup.groups.len() as u32 - 1;
        setup.tasks.push(task);
    }
}

/// One queue of CFS with eight tasks and more, where sleepers preempt.
fn crowded(dice: &mut Dice, setup: &mut Setup) {
    let count = dice.between(1, 2) as u32;
    cpus(setup, count, count);
    setup.duration_ns = dice.between(60 * MS, 200 * MS);
    let versions = [
        Version::V3_2,
        Version::V3_16,
        Version::V4_2,
        Version::V4_19,
        Version::V5_10,
        Version::V6_1,
        Version::V6_3,
    ];
    (setup.kernel.fair, setup.kernel.release) = (Fair::Cfs, Release::of(dice.pick(&versions)));
    setup.groups.push(GroupSpec { path: "crowd".to_owned(), ..GroupSpec::root() });
    let group = dice.below(2) as u32;
    for index in 0..dice.between(9, 16) as usize {
        let ops = if dice.chance(60) {
            vec![work(dice.between(5 * MS, 40 * MS))]
        } else {
            vec![work(dice.between(20 * US, MS)), pause(dice.between(MS, 30 * MS))]
        };
        let nice = Policy::Fair { nice: dice.pick(&[0, 0, 0, -5, 3]) };
        let mut task = spec(
            "crowd",
            index,
            nice,
            CpuMask::one(CpuId::new(0)),
            dice.below(5 * MS),
            forever(&ops),
        );
        task.group = group;
        setup.tasks.push(task);
    }
}

/// A crowd under a quota whose slack timer fires, in the eras whose slack timers differ.
fn slack(dice: &mut Dice, setup: &mut Setup) {
    setup.kernel.hz = dice.pick(&[100, 250]);
    let versions = [
        Version::V3_2,
        Version::V3_17,
        Version::V4_15,
        Version::V4_19,
        Version::V5_4,
        Version::V5_4,
        Version::V5_7,
        Version::V6_12,
    ];
    setup.kernel.bandwidth = Bandwidth::of_version(dice.pick(&versions));
    if dice.chance(40) {
        setup.kernel.bandwidth = Bandwidth::of_preset(dice.pick(&FIXES_OF_2019));
    }
    let count = dice.between(4, 6) as u32;
    cpus(setup, count, count);
    setup.duration_ns = 120 * MS;
    let slice = 5 * MS;
    setup.kernel.bandwidth_slice_ns = slice;
    (setup.kernel.rt_runtime_ns, setup.kernel.load_balance) = (None, dice.chance(30));
    // A slice for every task: those that an RT task holds up have run time left when the hog is out
    // of its.
    let period_ns = dice.between(30 * MS, 45 * MS);
    let quota_ns = Some(slice * u64::from(count) - dice.below(2 * MS));
    let bandwidth =
        Some(Quota { quota_ns, period_ns, burst_ns: 0, phase_ns: dice.between(1, period_ns) });
    setup.groups.push(GroupSpec { path: "slack".to_owned(), bandwidth, ..GroupSpec::root() });
    let mut add = |cpu: u32, policy: Policy, group: u32, start_ns: u64, ops: &[Op]| {
        let task = spec(
            "slack",
            setup.tasks.len(),
            policy,
            CpuMask::one(CpuId::new(cpu)),
            start_ns,
            forever(ops),
        );
        setup.tasks.push(TaskSpec { group, ..task });
    };
    add(0, fair(), 1, 0, &[work(dice.between(50 * MS, 90 * MS)), pause(dice.between(10 * US, MS))]);
    let every = |timer: u32| Op::Timer { timer, period_ns, absolute: true };
    for cpu in 1..count {
        let (run, held) = (dice.between(100 * US, 2 * MS), dice.between(4 * MS, 10 * MS));
        add(cpu, fair(), 1, 0, &[work(run), every(2 * cpu)]);
        add(cpu, fifo(10), 0, dice.between(10 * US, run), &[work(held), every(2 * cpu + 1)]);
    }
    setup.timers =
        (0..2 * count).map(|index| TimerSpec { name: format!("timer{index}") }).collect();
}

/// Hogs that all start in one of two caches, as many as it has CPUs: no task waits, so none can be
/// pulled.
fn uneven(dice: &mut Dice, setup: &mut Setup) {
    let half = dice.between(2, 4) as u32;
    cpus(setup, 2 * half, half);
    shape::cores(dice, setup);
    setup.duration_ns = dice.between(40 * MS, 120 * MS);
    setup.kernel.load_balance = true;
    let everywhere = CpuMask::first(2 * half);
    for cpu in 0..half {
        let held = [
            Op::SetCpus { cpus: CpuMask::one(CpuId::new(cpu)) },
            work(MS),
            Op::SetCpus { cpus: everywhere },
            work(3_600_000 * MS),
        ];
        setup.tasks.push(spec(
            "uneven",
            cpu as usize,
            fair(),
            everywhere,
            0,
            super::build::once(&held),
        ));
    }
    if dice.chance(50) {
        let ops = [work(dice.between(20 * US, 2 * MS)), pause(dice.between(MS, 8 * MS))];
        setup.tasks.push(spec("napper", half as usize, policy(dice), everywhere, 0, forever(&ops)));
    }
}

/// Two CPUs, most of whose load runs and cannot be pulled, while the waiting tasks may not leave.
fn lopsided(dice: &mut Dice, setup: &mut Setup) {
    cpus(setup, 2, 2);
    setup.duration_ns = dice.between(150 * MS, 240 * MS);
    setup.kernel.hz = 1000;
    setup.kernel.load_balance = true;
    let (both, first) = (CpuMask::first(2), CpuMask::one(CpuId::new(0)));
    let second = CpuMask::one(CpuId::new(1));
    let let_go =
        [Op::SetCpus { cpus: first }, work(MS), Op::SetCpus { cpus: both }, work(3_600_000 * MS)];
    let hog = [work(3_600_000 * MS)];
    for (nice, on, ops) in
        [(-20, both, &let_go[..]), (19, first, &hog), (-19, second, &hog), (-6, second, &hog)]
    {
        let at = setup.tasks.len();
        let program = super::build::once(ops);
        setup.tasks.push(spec("lopsided", at, Policy::Fair { nice }, on, 0, program));
    }
}

/// 2.6.24 on two or three CPUs: the fourth failure, which wakes its migration thread, takes 256 ms
/// and more.
fn loaded(dice: &mut Dice, setup: &mut Setup) {
    let count = dice.between(2, 3) as u32;
    cpus(setup, count, count);
    setup.duration_ns = 700 * MS;
    setup.kernel.hz = dice.pick(&[100, 250]);
    (setup.kernel.rt_balance, setup.kernel.rt_push_ipi) = (RtBalance::Passive2624, false);
    setup.tasks = sharing(dice, count);
}

pub fn each_op(setup: &mut Setup, mut change: impl FnMut(&mut Op)) {
    for task in &mut setup.tasks {
        if let Program::Ops { phases, .. } = &mut task.program {
            phases.iter_mut().flat_map(|phase| &mut phase.ops).for_each(&mut change);
        }
    }
}

/// Some works and sleeps are drawn anew each time, a few of them far longer than most.
fn amounts(dice: &mut Dice, setup: &mut Setup) {
    each_op(setup, |op| {
        if let Op::Run { ns: amount } | Op::Sleep { ns: amount } = op
            && let Amount::Fixed(ns) = *amount
            && ns > US
            && dice.chance(50)
        {
            *amount = Amount::LogNormal {
                median: ns,
                sigma_milli: dice.between(1, 2_000) as u32,
                max: ns * dice.between(1, 30),
            };
        }
    });
}

/// Some work is done in the kernel, with might_sleep points, with cond_resched points or with both.
fn sleeping_points(dice: &mut Dice, setup: &mut Setup) {
    each_op(setup, |op| {
        let ns = match op {
            Op::Run { ns: Amount::Fixed(ns) } if *ns > US => Amount::Fixed(*ns),
            Op::Kernel { ns, .. } => *ns,
            _ => return,
        };
        if dice.chance(60) {
            let apart = |dice: &mut Dice| Some(Amount::Fixed(dice.between(500, 9 * US)));
            let might_sleep = apart(dice);
            let cond_resched = if dice.chance(50) { apart(dice) } else { None };
            *op = if dice.chance(20) {
                let sleep = Amount::Fixed(dice.between(US, 50 * US));
                Op::KernelSleep {
                    ns,
                    cond_resched,
                    might_sleep,
                    share_milli: dice.between(1, 1_000) as u32,
                    sleep,
                }
            } else {
                Op::Kernel { section: Section::Preemptible, ns, cond_resched, might_sleep }
            };
        }
    });
}

/// One task resumes others, which park in between; they live where a task of the case does.
fn parked(dice: &mut Dice, setup: &mut Setup) {
    if setup.tasks.is_empty() {
        return;
    }
    let first = setup.tasks.len() as u32;
    let parkers = dice.between(1, 3) as u32;
    let mut wakes = vec![work(dice.between(US, 10 * US))];
    for index in 0..parkers {
        let ops = [work(dice.between(US, 20 * US)), Op::Suspend];
        add(dice, setup, "parked", forever(&ops));
        wakes.push(Op::Resume { task: first + index });
    }
    wakes.push(pause(dice.between(5 * US, 100 * US)));
    add(dice, setup, "resumer", forever(&wakes));
}

/// Some work is a critical section whose task asks for a slice extension; a few of them hold a page
/// fault or another system call.
fn extensions(dice: &mut Dice, setup: &mut Setup) {
    setup.kernel.rseq_slice_extension |= dice.chance(50);
    let shared: Vec<bool> = setup
        .objects
        .iter()
        .map(|spec| spec.object == Object::SpinLock { per_cpu: false })
        .collect();
    each_op(setup, |op| {
        if let Op::SpinLock { lock } = *op
            && shared[lock as usize]
            && dice.chance(50)
        {
            let (spin_ns, sleep_ns) = (dice.below(10 * US), dice.between(1, 20 * US));
            let sleep_max_ns = sleep_ns * dice.between(1, 4);
            *op = Op::SpinOrSleep { lock, spin_ns, sleep_ns, sleep_max_ns };
        }
    });
    for task in &mut setup.tasks {
        let Program::Ops { phases, .. } = &mut task.program else { continue };
        for phase in phases {
            let plain = std::mem::take(&mut phase.ops);
            for op in plain {
                let asks = matches!(op, Op::Run { .. } | Op::RunFor { .. }) && dice.chance(70);
                if !asks {
                    phase.ops.push(op);
                    continue;
                }
                phase.ops.extend([Op::SliceRequest, op]);
                match dice.below(4) {
                    0 => phase.ops.extend([
                        Op::PageFault {
                            ns: Amount::Uniform { min: 1, max: 5 * US },
                            share_milli: dice.between(1, 1_000) as u32,
                        },
                        work(dice.below(4 * US)),
                    ]),
                    1 => phase.ops.extend([Op::Yield, work(dice.below(4 * US))]),
                    _ => {}
                }
                phase.ops.push(Op::SliceYield);
            }
        }
    }
}

fn add(dice: &mut Dice, setup: &mut Setup, name: &str, program: Program) {
    let like = setup.tasks[dice.below(setup.tasks.len() as u64) as usize].clone();
    let index = setup.tasks.len();
    setup.tasks.push(TaskSpec {
        group: like.group,
        ..spec(name, index, policy(dice), like.cpus, dice.below(50 * US), program)
    });
}

/// Random costs of a machine: each between nothing and three times the preset's, except that a
/// switch is never free.
fn costs(dice: &mut Dice, setup: &mut Setup) {
    if setup.machine.costs_name == CostsName::Zero {
        return;
    }
    let mut tree = serde_json::to_value(&setup.machine.costs).expect("costs are plain numbers");
    for value in tree.as_object_mut().into_iter().flat_map(serde_json::Map::values_mut) {
        let preset = value.as_u64().expect("costs are plain numbers");
        *value = (preset * dice.below(301) / 100).max(preset.min(1)).into();
    }
    let drawn: Costs = serde_json::from_value(tree).expect("what was written can be read");
    setup.machine.costs = drawn;
}
