//! Changes laid over a file, precedence of switches, and what a run says about itself.

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{Kernel, Version};
use schedscope_engine::named::Named;
use schedscope_engine::setup::{
    Amount, IdleKind, NEVER, NoiseWhen, Object, Op, Phase, Policy, Program, Rounds, Section, Setup,
};
use schedscope_scenario::{Origin, Prepared, ScenarioError, prepare};
use serde_json::{Value, json};

use crate::support::name;

const HERD: &str = include_str!("../../../../scenarios/rt-pull-herd/scenario.json");

fn with(set: &[(&str, Value)]) -> Result<Prepared, ScenarioError> {
    let set: Vec<(String, Value)> =
        set.iter().map(|(path, value)| ((*path).to_owned(), value.clone())).collect();
    prepare("rt-pull-herd", HERD, &set)
}

fn resolved(prepared: &Prepared, path: &str) -> (Value, Origin) {
    let knob = prepared.meta.knobs.iter().find(|knob| knob.path == path).unwrap();
    (knob.value.clone(), knob.origin)
}

#[test]
fn the_herd_is_what_the_thread_ran() {
    let prepared = with(&[]).unwrap();
    assert_eq!(prepared.setup.tasks.len(), 48);
    assert_eq!((prepared.meta.cpus, prepared.meta.package_size), (40, 10));
    assert_eq!(prepared.meta.locks.len(), 41);
    assert_eq!(
        (prepared.meta.locks[39].as_str(), prepared.meta.locks[40].as_str()),
        ("rq 39", "rto_lock")
    );
    let noise = prepared.setup.noise.unwrap();
    assert_eq!(
        (noise.first_task, noise.tasks, noise.when, noise.min_gap_ns),
        (40, 8, NoiseWhen::Random, 30_000)
    );
    assert_eq!(prepared.setup.tasks[12].name, "cyclictest.12");
    assert_eq!(prepared.setup.tasks[12].policy, Policy::Fifo { rt_priority: 95 });
    let Program::Cyclictest { body_ns, extra_ns, interval_ns, .. } =
        prepared.setup.tasks[12].program
    else {
        unreachable!("a cyclictest")
    };
    assert_eq!((body_ns, extra_ns, interval_ns), (7_000, 3_000, 100_000));
    assert_eq!(prepared.meta.herd_slack_ns, Some(90_000));
    assert_eq!(prepared.meta.replay, "schedscope run rt-pull-herd");
    assert_eq!(
        prepared.setup.machine.idle,
        IdleKind::Poll,
        "cyclictest holds the PM-QoS latency request at 0"
    );
}

#[test]
fn values_are_read_by_their_names_of_before() {
    for (before, now) in [("seed_v4", "chiluk_v4"), ("seed_v1_v2_v5", "chiluk_v1_v2_v5")] {
        let old = with(&[("kernel.bandwidth", json!(before))]).unwrap();
        let new = with(&[("kernel.bandwidth", json!(now))]).unwrap();
        assert_eq!(old.setup.to_bytes(), new.setup.to_bytes());
        assert_eq!(resolved(&old, "kernel.bandwidth"), (json!(now), Origin::Stated));
        let file = HERD.replacen(
            "\"kernel\": {",
            &format!("\"kernel\": {{ \"bandwidth\": \"{before}\","),
            1,
        );
        assert_ne!(file, HERD);
        let stated = prepare("rt-pull-herd", &file, &[]).unwrap();
        assert_eq!(stated.setup.kernel.bandwidth, new.setup.kernel.bandwidth);
    }
}

#[test]
fn values_are_typed_by_their_knob() {
    assert_eq!(with(&[("machine.cpus", json!("96"))]).unwrap().meta.cpus, 96);
    assert_eq!(with(&[("machine.cpus", json!(96))]).unwrap().meta.cpus, 96);
    assert_eq!(with(&[("kernel.hz", json!("250"))]).unwrap().setup.kernel.hz, 250);
    assert!(
        !with(&[("workload.cyclictest.pinned", json!("false"))]).unwrap().setup.tasks[3]
            .cpus
            .is_empty()
    );
    let error = with(&[("kernel.version", json!(3.19))]).unwrap_err();
    assert_eq!(
        (error.path.as_str(), error.line, error.suggestion.as_deref()),
        ("kernel.version", None, Some("\"3.19\""))
    );
    let error = with(&[("kernel.hz", json!(251))]).unwrap_err();
    assert_eq!(error.suggestion, None, "quoted it would be just as wrong: {error}");
    let error = with(&[("kernel.rt_push_ip", json!("on"))]).unwrap_err();
    assert_eq!(error.suggestion.as_deref(), Some("kernel.rt_push_ipi"));
    assert_eq!(
        with(&[("rt_push_ipi", json!("on"))]).unwrap_err().suggestion.as_deref(),
        Some("kernel.rt_push_ipi")
    );
    assert!(
        with(&[("kernel.nohz_ilb", json!("x"))]).unwrap_err().message.contains("there is no \"x\"")
    );
}

#[test]
fn a_generator_must_be_in_the_scenario_to_be_changed() {
    let chain = include_str!("../../../../scenarios/rt-fifo-preempt/scenario.json");
    let set = [("workload.cyclictest.interval".to_owned(), json!("200us"))];
    let error = prepare("x", chain, &set).unwrap_err();
    assert!(error.message.contains("has no cyclictest"), "{error}");
}

#[test]
fn setting_cpus_resets_the_topology_unless_both_are_set() {
    let text = HERD.replace("\"topology\": \"auto\"", "\"topology\": \"2x20\"");
    let run = |set: &[(&str, Value)]| {
        let set: Vec<(String, Value)> =
            set.iter().map(|(path, value)| ((*path).to_owned(), value.clone())).collect();
        prepare("x", &text, &set)
    };
    assert_eq!(run(&[]).unwrap().meta.package_size, 20);
    assert_eq!(run(&[("machine.cpus", json!(96))]).unwrap().meta.package_size, 10, "auto again");
    assert_eq!(
        run(&[("machine.cpus", json!(96)), ("machine.topology", json!("3x32"))])
            .unwrap()
            .meta
            .package_size,
        32
    );
    assert_eq!(
        run(&[("machine.topology", json!("3x32")), ("machine.cpus", json!(96))])
            .unwrap()
            .meta
            .package_size,
        32
    );
    let error =
        run(&[("machine.cpus", json!(96)), ("machine.topology", json!("2x20"))]).unwrap_err();
    assert_eq!(error.path, "machine.topology");
}

#[test]
fn the_bit_follows_statement_then_generation_then_version() {
    let text = HERD.replace(", \"rt_push_ipi\": \"off\"", "");
    let bit = |set: &[(&str, &str)]| {
        let set: Vec<(String, Value)> =
            set.iter().map(|(path, value)| ((*path).to_owned(), json!(value))).collect();
        let prepared = prepare("x", &text, &set).unwrap();
        (prepared.setup.kernel.rt_push_ipi, resolved(&prepared, "kernel.rt_push_ipi").1)
    };
    assert_eq!(bit(&[]), (true, Origin::Known), "3.19-push-ipi turns it on above 16 CPUs");
    assert_eq!(bit(&[("machine.cpus", "16")]), (false, Origin::Known));
    assert_eq!(bit(&[("machine.cpus", "17")]), (true, Origin::Known));
    assert_eq!(bit(&[("kernel.version", "3.19")]), (false, Origin::Known));
    assert_eq!(bit(&[("kernel.rt_push_ipi", "off")]), (false, Origin::Stated));
    assert_eq!(
        bit(&[("kernel.rt_balance", "ipi_4_15"), ("machine.cpus", "8")]),
        (true, Origin::Default),
        "a stated generation brings its own default"
    );
    assert_eq!(
        bit(&[
            ("kernel.version", "4.1"),
            ("kernel.rt_balance", "ipi_v1_2015"),
            ("machine.cpus", "8")
        ]),
        (false, Origin::Default)
    );
    for version in Version::LADDER {
        let kernel = Kernel::of_version(*version, 40);
        assert_eq!(
            bit(&[("kernel.version", name(version))]),
            bit(&[
                ("kernel.version", name(version)),
                ("kernel.rt_balance", kernel.rt_balance.name())
            ]),
            "{version:?}: stating its own generation changes nothing"
        );
    }
    assert_eq!(
        bit(&[("kernel.rt_balance", "ipi_4_15"), ("kernel.rt_push_ipi", "off")]),
        (false, Origin::Stated)
    );
    assert_eq!(bit(&[("kernel.version", "4.15"), ("machine.cpus", "4")]), (true, Origin::Known));
}

#[test]
fn a_generation_without_the_bit_says_so_once() {
    let prepared =
        with(&[("kernel.rt_balance", json!("active_plist")), ("kernel.rt_push_ipi", json!("on"))])
            .unwrap();
    assert!(!prepared.setup.kernel.rt_push_ipi);
    let knob = prepared.meta.knobs.iter().find(|knob| knob.path == "kernel.rt_push_ipi").unwrap();
    assert!(knob.inert.as_ref().is_some_and(|why| why.contains("active_plist")));
    assert_eq!(prepared.meta.notes.iter().filter(|note| note.contains("rt_push_ipi")).count(), 1);
}

#[test]
fn double_lock_follows_config_preemption() {
    use schedscope_engine::kernel::config::DoubleLock;
    let lock = |set: &[(&str, Value)]| with(set).unwrap().setup.kernel.double_lock;
    assert_eq!(lock(&[]), DoubleLock::Fair);
    assert_eq!(lock(&[("kernel.preempt", json!("none"))]), DoubleLock::Unfair);
    assert_eq!(
        lock(&[("kernel.preempt", json!("none")), ("kernel.double_lock", json!("fair"))]),
        DoubleLock::Fair
    );
}

#[test]
fn idle_follows_the_machine_and_the_workload() {
    let idle = |text: &str, set: &[(&str, &str)]| {
        let set: Vec<(String, Value)> =
            set.iter().map(|(path, value)| ((*path).to_owned(), json!(value))).collect();
        prepare("x", text, &set).unwrap().setup.machine.idle
    };
    let plain = include_str!("../../../../scenarios/rt-fifo-preempt/scenario.json");
    assert_eq!(idle(HERD, &[("machine.costs", "vm2_meas")]), IdleKind::Halt);
    assert_eq!(idle(HERD, &[("machine.idle", "halt")]), IdleKind::Halt);
    assert_eq!(idle(plain, &[]), IdleKind::Mwait);
}

#[test]
fn a_body_shorter_than_the_window_gets_a_note_and_one_that_does_not_fit_is_refused() {
    assert!(with(&[]).unwrap().meta.notes.is_empty());
    let short = with(&[("workload.cyclictest.body", json!("2us"))]).unwrap();
    assert!(
        short.meta.notes.iter().any(|note| note.contains("no instant")),
        "{:?}",
        short.meta.notes
    );
    assert_eq!(short.meta.herd_slack_ns, Some(95_000));
    let error = with(&[("workload.cyclictest.body", json!("99us"))]).unwrap_err();
    assert_eq!(error.path, "workload.cyclictest.body");
    let error = with(&[("workload.cyclictest.phase_window", json!("60us"))]).unwrap_err();
    assert_eq!(error.path, "workload.cyclictest.phase_window");
}

#[test]
fn same_seed_different_switch_same_arrivals() {
    let arrivals = |set: &[(&str, Value)]| {
        with(set).unwrap().setup.tasks.into_iter().map(|task| task.program).collect::<Vec<_>>()
    };
    assert_eq!(arrivals(&[]), arrivals(&[("kernel.rt_push_ipi", json!("on"))]));
    assert_ne!(arrivals(&[]), arrivals(&[("seed", json!(8))]));
}

#[test]
fn canonical_bytes_name_what_runs_and_not_how_it_is_written() {
    let bytes = |text: &str| prepare("x", text, &[]).unwrap().canonical();
    let base = bytes(HERD);
    assert_eq!(base, bytes(&HERD.replace("\"100us\"", "\"0.1ms\"")));
    assert_eq!(base, bytes(&HERD.replace("\"interval\": \"100us\"", "\"interval_us\": 100")));
    assert_eq!(base, bytes(&HERD.replace("Why do 40 CPUs wait for one lock?", "?")));
    assert_eq!(base, bytes(&HERD.replace("\"auto\", \"costs\"", "\"4x10\", \"costs\"")));
    assert_ne!(base, bytes(&HERD.replace("\"seed\": 7", "\"seed\": 8")));
    assert_ne!(base, bytes(&HERD.replace("\"30us\"", "\"31us\"")));
}

#[test]
fn a_list_of_cpus_may_repeat_itself_and_is_told_as_the_kernel_prints_it() {
    for (path, stated, told) in [
        ("kernel.nohz_full", "3,1,2,2", "1-3"),
        ("workload.cyclictest.affinity", "0,0,0", "0"),
        ("machine.partitions", "3,0-2,1;9", "0-3;9"),
    ] {
        let [repeats, plain] = [stated, told].map(|value| with(&[(path, json!(value))]).unwrap());
        assert_eq!(resolved(&repeats, path), (json!(told), Origin::Stated));
        assert_eq!(repeats.canonical(), plain.canonical(), "{path}");
    }
}

#[test]
fn rt_app_programs_keep_their_order_and_their_own_defaults() {
    let run = |ns| Op::Run { ns: Amount::Fixed(ns) };
    let sleep = |ns| Op::Sleep { ns: Amount::Fixed(ns) };
    let text = r#"{ "schema": 1, "title": "t", "machine": { "cpus": 4 },
        "kernel": { "version": "3.19" },
      "workload": { "global": { "duration": 2, "default_policy": "SCHED_RR" }, "tasks": {
        "a": { "instance": 2, "run0": 5, "sleep": 7, "run1": 6,
            "timer": { "ref": "unique", "period": 10, "mode": "absolute" } },
        "b": { "policy": "SCHED_OTHER", "priority": -5, "cpus": "1,3", "delay": 9, "loop": 3,
               "phases": { "one": { "run": 1 }, "two": { "loop": 2, "sleep": 4,
                   "timer": { "ref": "tick", "period": 8 } } } } } } }"#;
    let prepared = prepare("x", text, &[]).unwrap();
    assert_eq!(prepared.setup.duration_ns, 2_000_000_000);
    let names: Vec<&str> = prepared.setup.tasks.iter().map(|task| task.name.as_str()).collect();
    // Two fair CPUs, so load may be balanced: the stoppers follow the tasks.
    assert_eq!(
        names,
        ["a.0", "a.1", "b.0", "migration.0", "migration.1", "migration.2", "migration.3"]
    );
    let us = 1_000;
    let ops = vec![
        run(5 * us),
        sleep(7 * us),
        run(6 * us),
        Op::Timer { timer: 2, period_ns: 10 * us, absolute: true },
    ];
    assert_eq!(
        prepared.setup.tasks[1].program,
        Program::Ops { loops: Some(1), phases: vec![Phase { rounds: Rounds::Endless, ops }] }
    );
    assert_eq!(prepared.setup.tasks[1].policy, Policy::RoundRobin { rt_priority: 10 });
    let b = &prepared.setup.tasks[2];
    assert_eq!(
        (b.policy, b.start_ns, b.cpus.iter().map(CpuId::raw).collect::<Vec<_>>()),
        (Policy::Fair { nice: -5 }, 9_000, vec![1, 3])
    );
    let two = Phase {
        rounds: Rounds::Times(2),
        ops: vec![sleep(4 * us), Op::Timer { timer: 0, period_ns: 8 * us, absolute: false }],
    };
    assert_eq!(
        b.program,
        Program::Ops {
            loops: Some(3),
            phases: vec![Phase { rounds: Rounds::Times(1), ops: vec![run(us)] }, two]
        }
    );
}

#[test]
fn an_rt_app_task_or_phase_may_be_sched_idle_and_has_no_priority_then() {
    use schedscope_engine::setup::Op;
    let text = r#"{ "schema": 1, "title": "t", "machine": { "cpus": 4 },
        "kernel": { "version": "6.6" },
      "workload": { "global": { "duration": 1, "default_policy": "SCHED_IDLE" }, "tasks": {
        "a": { "run": 5, "sleep": 7 },
        "b": { "policy": "SCHED_OTHER", "phases": { "one": { "run": 1 },
            "two": { "policy": "SCHED_IDLE", "run": 4 } } } } } }"#;
    let prepared = prepare("x", text, &[]).unwrap();
    assert_eq!(
        (prepared.setup.tasks[0].policy, prepared.setup.tasks[1].policy),
        (Policy::Idle, Policy::Fair { nice: 0 })
    );
    assert_eq!((prepared.meta.tasks[0].policy, prepared.meta.tasks[0].priority), ("SCHED_IDLE", 0));
    let Program::Ops { phases, .. } = &prepared.setup.tasks[1].program else { panic!("a program") };
    assert!(phases[1].ops.contains(&Op::SetPolicy { policy: Policy::Idle }), "{phases:?}");
    let error = prepare("x", &text.replace("\"run\": 5", "\"priority\": 3, \"run\": 5"), &[])
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("workload.tasks.a.priority") && error.contains("SCHED_IDLE has no priority"),
        "{error}"
    );
}

#[test]
fn the_replay_command_names_every_change() {
    let prepared = with(&[("seed", json!(9)), ("kernel.rt_push_ipi", json!("on"))]).unwrap();
    assert_eq!(
        prepared.meta.replay,
        "schedscope run rt-pull-herd --set seed=9 --set kernel.rt_push_ipi=on"
    );
}

#[test]
fn an_rt_runtime_of_minus_one_is_no_limit_and_one_beyond_its_period_is_refused() {
    let with = |runtime: Value| {
        prepare("rt-pull-herd", HERD, &[("kernel.sched_rt_runtime_us".to_owned(), runtime)])
    };
    for none in [json!(-1), json!("-1")] {
        assert_eq!(with(none).unwrap().setup.kernel.rt_runtime_ns, None);
    }
    assert_eq!(with(json!(10)).unwrap().setup.kernel.rt_runtime_ns, Some(10_000));
    assert!(with(json!(1_000_001)).unwrap_err().to_string().contains("do not fit into a period"));
    assert!(with(json!(-2)).is_err());
}

/// Every op of that task, phase after phase.
fn ops_of(setup: &Setup, name: &str) -> Vec<Op> {
    let task = setup.tasks.iter().find(|task| task.name == name).unwrap();
    let Program::Ops { phases, .. } = &task.program else {
        panic!("{name} has a program of its own")
    };
    phases.iter().flat_map(|phase| phase.ops.clone()).collect()
}

#[test]
fn every_event_of_rt_app_becomes_ops_and_names_become_objects() {
    let prepared = prepare("x", include_str!("../data/rt-app.json"), &[]).unwrap();
    let setup = &prepared.setup;
    let ops = |name| ops_of(setup, name);
    let index = |name: &str, object: Object| {
        setup.objects.iter().position(|spec| spec.name == name && spec.object == object).unwrap()
            as u32
    };
    let task = |name: &str| setup.tasks.iter().position(|task| task.name == name).unwrap() as u32;
    let (mutex, cond) = (index("m", Object::Mutex { pi: true }), index("c", Object::Cond));
    let sem = index("slots", Object::Semaphore { value: 2 });
    let us = 1_000;
    let (run, sleep) = (
        |us: u64| Op::Run { ns: Amount::Fixed(us * 1_000) },
        |us: u64| Op::Sleep { ns: Amount::Fixed(us * 1_000) },
    );
    let (lock, unlock) = (Op::Lock { mutex }, Op::Unlock { mutex });
    let runtime = Op::RunFor { ns: 40 * us, round_ns: 32 * us };
    assert_eq!(
        ops("locker.2"),
        [
            lock.clone(),
            run(20),
            unlock.clone(),
            Op::SemWait { sem },
            runtime,
            Op::SemPost { sem },
            sleep(30)
        ]
    );
    assert_eq!(ops("waiter.0"), [lock.clone(), Op::Wait { cond, mutex }, unlock.clone(), run(5)]);
    assert_eq!(ops("giver.0")[..4], [lock, Op::Signal { cond }, Op::Broadcast { cond }, unlock]);
    // One timer of that name for all; a sync outside a lock takes its mutex itself.
    let (q, p) = (index("q", Object::Mutex { pi: true }), index("p", Object::Cond));
    assert_eq!(ops("giver.0")[4], Op::Timer { timer: 0, period_ns: 100 * us, absolute: true });
    assert_eq!(
        ops("ping.0"),
        [
            Op::Lock { mutex: q },
            Op::Sync { cond: p, mutex: q },
            Op::Unlock { mutex: q },
            run(3),
            Op::Timer { timer: 0, period_ns: 50 * us, absolute: false }
        ]
    );
    // Suspend and resume meet at a mutex and a condition of the suspended task's name.
    let (guard, parked) =
        (index("parked", Object::Mutex { pi: true }), index("parked", Object::Cond));
    let at_parked = |middle| [Op::Lock { mutex: guard }, middle, Op::Unlock { mutex: guard }];
    assert_eq!(ops("parked.0")[..3], at_parked(Op::Wait { cond: parked, mutex: guard }));
    assert_eq!(ops("waker.0")[1..], at_parked(Op::Broadcast { cond: parked }));
    let barrier = index("all", Object::Barrier { parties: 3, drawn: false });
    assert_eq!(ops("meets.1")[1], Op::Barrier { barrier, measured: true, stamp: None });
    // A task of no instances is there once for each fork event, and begins with it.
    assert_eq!(
        ops("parent.0"),
        [Op::Fork { task: task("child.0") }, run(10), Op::Yield, sleep(100)]
    );
    assert_eq!(setup.tasks[task("child.0") as usize].start_ns, NEVER);
}

#[test]
fn scheduling_in_phases_of_rt_app_becomes_ops_where_each_phase_begins() {
    let prepared = prepare("x", include_str!("../data/rt-app.json"), &[]).unwrap();
    let run = |us: u64| Op::Run { ns: Amount::Fixed(us * 1_000) };
    // A phase's scheduling is set where it begins; without cpus of its own it has the task's.
    let moves = ops_of(&prepared.setup, "moves.0");
    let cpus = |list: &[u32]| Op::SetCpus { cpus: list.iter().copied().map(CpuId::new).collect() };
    let policy = |policy| Op::SetPolicy { policy };
    assert_eq!(
        moves[..5],
        [
            cpus(&[1]),
            run(10),
            cpus(&[2, 3]),
            policy(Policy::RoundRobin { rt_priority: 7 }),
            Op::MigrateDisable
        ]
    );
    assert_eq!(
        moves[7..9],
        [cpus(&[2, 3]), policy(Policy::RoundRobin { rt_priority: 8 })],
        "the policy stays, its priority changes"
    );
    assert_eq!(moves[11], policy(Policy::Fair { nice: 0 }));
    let sections: Vec<Section> = moves
        .iter()
        .filter_map(|op| if let Op::Kernel { section, .. } = op { Some(*section) } else { None })
        .collect();
    assert_eq!(
        sections,
        [Section::Preemptible, Section::Preemptible, Section::NoPreempt, Section::IrqOff]
    );
}
