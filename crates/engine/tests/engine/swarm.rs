//! Random small machines under every switch: every law of the engine at every event, every law of
//! the trace from outside, and at rest the strongest tasks run. A failing case is cut down and
//! printed as a command that replays it.
//!
//! `SWARM_CASES=n` sets how many, `SWARM_FROM=seed` where they start, `SWARM_SEED=seed` runs one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use schedscope_engine::kernel::config::{Kernel, RtBalance};
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::named::Named;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::Policy;
use schedscope_engine::trace::catalogue::{Kind, NONE};

use crate::support::charged::charged_alike;
use crate::support::cut::Cut;
use crate::support::interrupted::ends_alike;
use crate::support::judge::{Written, judge, written};
use crate::support::live::{self, Play, STEPS_BOUND};
use crate::support::pressed::pieces_alike;
use crate::support::random::{Case, Dice, case};
use crate::support::reach::{self, Second};
use crate::support::rowless::rowless_alike;
use crate::support::rows::once_broken;

/// Cases in the usual run: well under a minute on two cores.
const CASES: u64 = 1_500;

static CUTTING: std::sync::Mutex<()> = std::sync::Mutex::new(());

fn number(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number, not {text:?}")))
}

/// Runs a case to its end; the error says what is wrong with it.
fn trial(case: &Case) -> Result<(), String> {
    catch_unwind(AssertUnwindSafe(|| played(case))).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        Err(format!("panic: {}", text.unwrap_or_default()))
    })
}

fn played(case: &Case) -> Result<(), String> {
    // A look at every law takes as long as there are CPUs.
    let check_every = if case.setup.machine.topology.cpus() > 80 { 32 } else { 1 };
    let options = Options {
        window: Options::EVERYTHING,
        max_records: STEPS_BOUND,
        check_every,
        ..Options::default()
    };
    let mut run = Run::new(&live::ready(&case.setup, &case.writes), options)?;
    match Play::new(&case.writes).finish(&mut run) {
        Progress::Finished => {}
        Progress::Limit => return Err("it does not come to an end".to_owned()),
        other => return Err(format!("{other:?}")),
    }
    let written = written(&mut run);
    judge(&live::judged(&case.setup, &case.writes), &written)?;
    if case.comes_to_rest {
        run.sim().check_quiescent()?;
        // docs/model/rt-balancing.md#highest-priority-tasks-run is a property of the active
        // generations; the slips of 2007 lose pulls.
        if case.setup.kernel.rt_balance.is_active() && !case.setup.kernel.has_bugs_2007() {
            strongest_run(case, &written)?;
        }
    }
    let second = match Dice::new(case.setup.seed.rotate_left(40)).below(10) {
        0 => Some(Second::Restored),
        1 => Some(Second::Forked),
        2 | 3 => Some(Second::InPieces),
        4 => Some(Second::Pressed),
        5 => Some(Second::Charged),
        6 => Some(Second::Rowless),
        _ => None,
    };
    match second {
        Some(Second::Pressed) => pieces_alike(case)?,
        Some(Second::Charged) => charged_alike(case, &written)?,
        Some(Second::Rowless) => rowless_alike(case, &written, &run)?,
        Some(second) => ends_alike(case, &written, second)?,
        None => {}
    }
    reach::note(case, &run, &written, second);
    Ok(())
}

/// docs/model/rt-balancing.md#highest-priority-tasks-run: at rest, with full affinities and
/// distinct priorities, the N tasks of highest priority run on the N CPUs, in each partition.
fn strongest_run(case: &Case, written: &Written) -> Result<(), String> {
    let setup = &case.setup;
    let whole = [CpuMask::first(setup.machine.topology.cpus())];
    let domains =
        if setup.machine.domains.is_empty() { &whole[..] } else { &setup.machine.domains };
    domains.iter().try_for_each(|domain| strongest_run_in(domain, case, written))
}

fn strongest_run_in(domain: &CpuMask, case: &Case, written: &Written) -> Result<(), String> {
    let mut running = vec![NONE; case.setup.machine.topology.cpus() as usize];
    written
        .rows
        .iter()
        .filter(|row| row.kind == Kind::SchedSwitch)
        .for_each(|row| running[row.cpu as usize] = row.b);
    let mut running: Vec<u32> =
        domain.iter().map(|cpu| running[cpu.raw() as usize]).filter(|task| *task != NONE).collect();
    running.sort_unstable();
    let here = |task: &u32| {
        case.setup.tasks[*task as usize].kind == "busy"
            && domain.and(&case.setup.tasks[*task as usize].cpus) == *domain
    };
    let mut busy: Vec<u32> = (0..case.setup.tasks.len() as u32).filter(here).collect();
    busy.sort_by_key(|task| match case.setup.tasks[*task as usize].policy {
        Policy::Fifo { rt_priority } | Policy::RoundRobin { rt_priority } => 99 - rt_priority,
        Policy::Fair { .. } | Policy::Idle => 100,
    });
    busy.truncate(domain.count() as usize);
    busy.sort_unstable();
    if running == busy {
        Ok(())
    } else {
        Err(format!("at rest {running:?} run, the strongest are {busy:?}"))
    }
}

/// Drops tasks, CPUs and time as long as the case still fails.
fn shrink(whole: &Case) -> (Cut, String) {
    let mut cut = Cut::whole(whole);
    let mut broken = trial(whole).expect_err("only failing cases are cut down");
    let mut budget = 150;
    loop {
        let before = cut.clone();
        let mut options: Vec<Cut> = [cut.cpus / 2, cut.cpus - 1]
            .iter()
            .map(|cpus| Cut { cpus: *cpus, ..cut.clone() })
            .collect();
        if !whole.comes_to_rest {
            options.extend([2, 4].iter().map(|part| Cut {
                duration_ns: cut.duration_ns - cut.duration_ns / part,
                ..cut.clone()
            }));
        }
        let half = cut.tasks.len() / 2;
        options.extend(
            [cut.tasks[..half].to_vec(), cut.tasks[half..].to_vec()]
                .map(|tasks| Cut { tasks, ..cut.clone() }),
        );
        options.extend((0..cut.tasks.len()).map(|at| {
            let mut smaller = cut.clone();
            smaller.tasks.remove(at);
            smaller
        }));
        for option in options
            .into_iter()
            .filter(|option| option.cpus > 0 && option.duration_ns > 0 && *option != before)
        {
            budget -= 1;
            let left = option.of(whole);
            // A setup that is refused would be another fault.
            if let (Ok(()), Err(what)) = (left.setup.check(), trial(&left)) {
                (cut, broken) = (option, what);
                break;
            }
        }
        if cut == before || budget <= 0 {
            return (cut, broken);
        }
    }
}

fn replay(seed: u64, cut: &Cut) -> String {
    let tasks: Vec<String> = cut.tasks.iter().map(ToString::to_string).collect();
    format!(
        "SWARM_SEED={seed} SWARM_CPUS={} SWARM_TASKS={} SWARM_NS={} cargo test -p \
            schedscope-engine --test engine -- swarm::",
        cut.cpus,
        tasks.join(","),
        cut.duration_ns
    )
}

fn fail(seed: u64, case: &Case) -> ! {
    let _one_at_a_time = CUTTING.lock();
    let (cut, what) = shrink(case);
    let left = cut.of(case);
    panic!("{what}\n{}\n{:#?}", replay(seed, &cut), left.setup);
}

/// One case as the environment asks for it, cut as it says.
fn single(seed: u64) {
    let whole = case(seed);
    let mut cut = Cut::whole(&whole);
    cut.cpus = number("SWARM_CPUS").map_or(cut.cpus, |cpus| cpus as u32);
    cut.duration_ns = number("SWARM_NS").unwrap_or(cut.duration_ns);
    if let Ok(list) = std::env::var("SWARM_TASKS") {
        cut.tasks = list.split(',').filter_map(|index| index.parse().ok()).collect();
    }
    if let Err(what) = trial(&cut.of(&whole)) {
        panic!("{what}\n{}\n{:#?}", replay(seed, &cut), cut.of(&whole).setup);
    }
}

#[test]
fn no_machine_kernel_or_workload_breaks_a_law() {
    if let Some(seed) = number("SWARM_SEED") {
        return single(seed);
    }
    let (from, cases) = (number("SWARM_FROM").unwrap_or(1), number("SWARM_CASES").unwrap_or(CASES));
    for seed in once_broken() {
        let case = case(seed);
        if trial(&case).is_err() {
            fail(seed, &case);
        }
    }
    let next = AtomicU64::new(from);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= from + cases {
                        return;
                    }
                    let case = case(seed);
                    if let Err(what) = trial(&case) {
                        println!("seed {seed}: {what}; cutting it down");
                        next.store(from + cases, Ordering::Relaxed);
                        fail(seed, &case);
                    }
                }
            });
        }
    });
    let table = reach::table();
    table.iter().for_each(|(runs, name)| println!("{runs:8} {name}"));
    // Every row of the table must occur in the seeds of `npm test`, and in any great number of
    // seeds.
    if (from == 1 && cases >= CASES) || cases >= 10 * CASES {
        let missing: Vec<&String> =
            table.iter().filter(|(runs, _)| *runs == 0).map(|(_, name)| name).collect();
        assert!(missing.is_empty(), "no run of {cases} cases counts for {missing:?}");
    }
}

#[test]
fn all_active_generations_leave_the_same_tasks_running() {
    let resting = (1..).map(case).filter(|case| case.comes_to_rest).take(30);
    for case in resting {
        for balance in RtBalance::ALL.iter().copied().filter(|balance| balance.is_active()) {
            let mut case = case.clone();
            // Not every generation has that bit.
            case.writes.retain(|write| !matches!(write.what, live::Switch::RtPushIpi(_)));
            case.setup.kernel = Kernel {
                rt_balance: balance,
                rt_push_ipi: balance.has_push_ipi_bit(),
                bugs_2007: false,
                ..case.setup.kernel
            };
            case.writes.retain(|write| write.fits(&case.setup));
            trial(&case)
                .unwrap_or_else(|what| panic!("seed {} {balance:?}: {what}", case.setup.seed));
        }
    }
}
