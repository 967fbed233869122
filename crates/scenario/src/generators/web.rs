//! The generator `web`: requests that come from outside whatever becomes of those before, each
//! worked on in hops (docs/model/programs.md#web-service).
//!
//! ```text
//!   client   at each arrival: hand it to the next frontend
//!   front    take a request ─ hops x { hand it to `fanout` of its workers ─ wait for all } ─ request latency
//!   worker   take a piece ─ run_min .. run_max ─ done
//! ```

use schedscope_engine::ids::CpuId;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{Amount, Machine, Object, Op, Policy, Room};

use super::generator::Generator;
use super::parts::{Source, arrivals, check_size, client, count, forever, run_between, task};
use super::workload::Workload;
use crate::error::Fault;
use crate::knobs::knob::{Knob, KnobType};
use crate::resolve::resolver::Resolver;

/// Pieces that may lie on a worker's desk.
const DESK: u32 = 4_096;
const SECOND_NS: u64 = 1_000_000_000;

pub(super) const GENERATOR: Generator = Generator {
    name: "web",
    kinds: &["web_client", "web_front", "web_worker"],
    group: Some("workload.web.group"),
    outside: "web_client",
    knobs,
    add,
};

const RATE: &str = "workload.web.rate";
const FRONTENDS: &str = "workload.web.frontends";
const WORKERS: &str = "workload.web.workers";
const HOPS: &str = "workload.web.hops";
const FANOUT: &str = "workload.web.fanout";

fn knobs() -> Vec<Knob> {
    use KnobType::{Boolean, Integer, Time};
    const WHY: &str =
        "assumed: Chiluk 2019 says only that 95 % of its answers took 20 ms, then 220";
    vec![
        Knob::new(
            RATE,
            "requests per s",
            Integer,
            40,
            "Mean rate of requests; exponential gaps.",
            WHY,
        )
        .range(1, 100_000),
        Knob::new(FRONTENDS, "frontends", Integer, 4, "Threads that take requests in turn.", WHY)
            .range(1, 256),
        Knob::new(WORKERS, "workers", Integer, 8, "Workers of each frontend.", WHY).range(1, 256),
        Knob::new(HOPS, "hops", Integer, 8, "Steps of a request, one after the other.", WHY)
            .range(1, 256),
        Knob::new(FANOUT, "fan-out", Integer, 2, "Workers that share a step.", WHY).range(1, 256),
        Knob::new(
            "workload.web.run_min",
            "least work",
            Time,
            "1ms",
            "Least CPU time of a piece of work.",
            WHY,
        )
        .range(1_000, SECOND_NS),
        Knob::new(
            "workload.web.run_max",
            "most work",
            Time,
            "2ms",
            "Most CPU time of a piece of work.",
            WHY,
        )
        .range(1_000, SECOND_NS),
        Knob::new(
            "workload.web.pinned",
            "pinned",
            Boolean,
            true,
            "Binds each thread to the next CPU; off: the scheduler places them.",
            WHY,
        ),
    ]
}

fn add(
    resolver: &mut Resolver<'_>,
    machine: &Machine,
    workload: &mut Workload,
) -> Result<(), Fault> {
    let rate = resolver.amount(RATE)?.value;
    let fronts = count(resolver, FRONTENDS)?;
    let workers = count(resolver, WORKERS)?;
    let hops = count(resolver, HOPS)?;
    let fanout = resolver.amount(FANOUT)?;
    if fanout.value > u64::from(workers) {
        let message = format!("a step needs {} workers, a frontend has {workers}", fanout.value);
        return Err(Fault::new(fanout.at, FANOUT, message)
            .expected("at most workload.web.workers")
            .decided_with([WORKERS]));
    }
    let run = run_between(resolver, "workload.web.run_min", "workload.web.run_max")?;
    let pinned = resolver.flag("workload.web.pinned")?;
    let instants = arrivals(workload, Source::Web, SECOND_NS / rate);
    let fanout = fanout.value as u32;
    let pieces = hops * fanout;
    check_size(
        fronts * (workers + 1) + 1,
        (instants.len() as u32).saturating_mul(2),
        &[RATE, FRONTENDS, WORKERS, "duration"],
    )?;
    check_size(0, fronts * (2 * pieces + 4), &[HOPS, FANOUT, FRONTENDS])?;

    let cpus = machine.topology.cpus();
    let place = |thread: u32| {
        if pinned { CpuMask::one(CpuId::new(thread % cpus)) } else { CpuMask::first(cpus) }
    };
    // Every arrival finds room: it does not wait for the arrivals before it.
    let room = (instants.len() as u32).max(1);
    let shape = Shape { workers, hops, fanout, room, run };
    let doors: Vec<u32> =
        (0..fronts).map(|front| frontend(workload, front, shape, place)).collect();
    client("web_client", workload, CpuMask::first(cpus), &instants, |request| {
        vec![Op::Put { queue: doors[request % doors.len()] }]
    });
    Ok(())
}

/// What all frontends have in common.
#[derive(Clone, Copy)]
struct Shape {
    workers: u32,
    /// Steps of a request, one after the other.
    hops: u32,
    /// Workers that each step waits for.
    fanout: u32,
    /// Requests that wait before a frontend's door at most.
    room: u32,
    /// CPU time of a worker for a piece, ns.
    run: Amount,
}

/// A frontend and its workers, thread by thread at its `place`; the queue of its requests.
fn frontend(
    workload: &mut Workload,
    front: u32,
    Shape { workers, hops, fanout, room, run }: Shape,
    place: impl Fn(u32) -> CpuMask,
) -> u32 {
    let queue = |workload: &mut Workload, name: String, capacity| {
        let room = Room::Message;
        let queue = Object::Queue { capacity, filled: 0, closed_when_empty: false, room };
        workload.object(name, queue)
    };
    let first = front * (workers + 1);
    let door = queue(workload, format!("requests {front}"), room);
    // Every frontend's stamps have one name: they make one series.
    let [wait, request] = ["wait", "request"].map(|name| workload.object(name, Object::Stamp));
    let done = workload.object(format!("done {front}"), Object::Semaphore { value: 0 });
    let desks: Vec<u32> = (0..workers)
        .map(|worker| queue(workload, format!("worker {front}.{worker}"), DESK))
        .collect();
    let steps = (0..hops).map(|hop| {
        let desk = |piece: u32| desks[((hop * fanout + piece) % workers) as usize];
        (0..fanout).map(desk).collect()
    });
    let ops = answer(door, [wait, request], steps, done);
    let fair = Policy::Fair { nice: 0 };
    workload.tasks.push(task("web_front", front, fair, place(first), vec![forever(ops)]));
    for (worker, &queue) in (0..).zip(&desks) {
        let ops =
            vec![Op::Get { queue, stamp: None }, Op::Run { ns: run }, Op::SemPost { sem: done }];
        let (nth, cpus) = (front * workers + worker, place(first + 1 + worker));
        workload.tasks.push(task("web_worker", nth, fair, cpus, vec![forever(ops)]));
    }
    door
}

/// One request from the `door` to its answer: in each step it is handed to these desks, which all
/// say when they are done.
fn answer(
    door: u32,
    [wait, request]: [u32; 2],
    steps: impl Iterator<Item = Vec<u32>>,
    done: u32,
) -> Vec<Op> {
    let mut ops = vec![
        Op::Get { queue: door, stamp: Some(wait) },
        Op::Sample { stamp: wait },
        Op::CopyStamp { from: wait, to: request },
    ];
    for desks in steps {
        ops.extend(desks.iter().map(|&queue| Op::Put { queue }));
        ops.extend(desks.iter().map(|_| Op::SemWait { sem: done }));
    }
    ops.push(Op::Sample { stamp: request });
    ops
}
