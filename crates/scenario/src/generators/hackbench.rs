//! The generator `hackbench`: groups of senders and receivers, every sender writing to every
//! receiver of its group (rt-tests' hackbench; perf bench sched messaging).
//!
//! ```text
//!   sender     ready ─ start ─ loops x { write to receiver 0 … fds-1 } ─ exit
//!   receiver   ready ─ start ─ loops * fds x { read } ─ exit
//!   main       wait for all ─ note the time ─ start ─ wait for all exits ─ Time:
//! ```

use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{Machine, Object, Op, Phase, Policy, Room, Rounds, TaskSpec};

use super::generator::Generator;
use super::parts::{check_size, count, once, task};
use super::workload::Workload;
use crate::error::Fault;
use crate::knobs::knob::{Knob, KnobType};
use crate::resolve::resolver::Resolver;

/// net.core.wmem_default, bytes: what a socket may hold.
const SOCKET_BYTES: u64 = 212_992;
/// A pipe's pages, and the bytes of one: a message that does not fit into what is left of a page
/// begins the next.
const PIPE_PAGES: u64 = 16;
const PAGE_BYTES: u64 = 4_096;
/// A socket buffer's own bookkeeping beside its data: `struct sk_buff` and `struct
/// skb_shared_info`.
const SKB_BYTES: (u64, u64) = (256, 320);

pub(super) const GENERATOR: Generator = Generator {
    name: "hackbench",
    kinds: &["hackbench_sender", "hackbench_receiver", "hackbench_main"],
    group: Some("workload.hackbench.group"),
    outside: "",
    knobs,
    add,
};

fn knobs() -> Vec<Knob> {
    use KnobType::{Boolean, Integer};
    const RT_TESTS: &str = "rt-tests hackbench";
    vec![
        Knob::new(
            "workload.hackbench.groups",
            "-g",
            Integer,
            10,
            "Groups of senders and receivers.",
            RT_TESTS,
        )
        .range(1, 400),
        Knob::new(
            "workload.hackbench.fds",
            "-f",
            Integer,
            20,
            "Senders, and as many receivers, per group.",
            RT_TESTS,
        )
        .range(1, 200),
        Knob::new(
            "workload.hackbench.loops",
            "-l",
            Integer,
            100,
            "Messages a sender writes to each receiver.",
            RT_TESTS,
        )
        .range(1, 1_000_000),
        Knob::new(
            "workload.hackbench.datasize",
            "-s",
            Integer,
            100,
            "Bytes of a message; here it only decides how many fit into a buffer.",
            RT_TESTS,
        )
        .range(1, 65_536),
        Knob::new(
            "workload.hackbench.pipe",
            "-p",
            Boolean,
            false,
            "Pipes instead of Unix socket pairs.",
            RT_TESTS,
        ),
        Knob::new(
            "workload.hackbench.fifo",
            "-F",
            Boolean,
            false,
            "The main program is SCHED_FIFO 1.",
            RT_TESTS,
        ),
        Knob::new(
            "workload.hackbench.buffer",
            "buffer",
            Integer,
            "auto",
            "Messages that fit between a sender and its receiver.",
            "auto: net.core.wmem_default 212992 bytes, or a pipe's 65536",
        )
        .range(1, 100_000)
        .words([("auto", "as many as the socket's or the pipe's default size holds")]),
    ]
}

fn add(
    resolver: &mut Resolver<'_>,
    machine: &Machine,
    workload: &mut Workload,
) -> Result<(), Fault> {
    let groups = count(resolver, "workload.hackbench.groups")?;
    let fds = count(resolver, "workload.hackbench.fds")?;
    let loops = count(resolver, "workload.hackbench.loops")?;
    let datasize = resolver.amount("workload.hackbench.datasize")?.value;
    let pipe = resolver.flag("workload.hackbench.pipe")?;
    let fifo = resolver.flag("workload.hackbench.fifo")?;
    let stated = resolver.integer("workload.hackbench.buffer")?.value;
    let (capacity, room) =
        if pipe { pipe_messages(datasize) } else { (socket_messages(datasize), Room::Quarter) };
    let capacity = u32::try_from(stated.unwrap_or(capacity)).expect("a buffer's size fits");
    let cpus = CpuMask::first(machine.topology.cpus());
    let fair = Policy::Fair { nice: 0 };

    let workers = groups * fds * 2;
    check_size(
        workers + 1,
        workers * fds,
        &["workload.hackbench.groups", "workload.hackbench.fds"],
    )?;
    let now = workload.object("elapsed", Object::Stamp);
    let ready = workload.object("ready", Object::Semaphore { value: 0 });
    let exits = workload.object("exits", Object::Semaphore { value: 0 });
    let go = workload.object("wakefd", Object::Barrier { parties: workers + 1, drawn: false });
    let arrive = Op::Barrier { barrier: go, measured: false, stamp: None };
    let begin = once(vec![Op::SemPost { sem: ready }, arrive.clone()]);
    let end = once(vec![Op::SemPost { sem: exits }]);
    let through = Object::Queue { capacity, filled: 0, closed_when_empty: false, room };
    for group in 0..groups {
        let what = format!("{} {group}", if pipe { "pipe" } else { "socket" });
        let first = workload.objects.len() as u32;
        (0..fds).for_each(|fd| {
            workload.object(format!("{what}.{fd}"), through);
        });
        for (nth, (name, phase)) in (0..).zip(messages(first, fds, loops)) {
            let phases = vec![begin.clone(), phase, end.clone()];
            let worker = task(name, group * fds + nth % fds, fair, cpus, phases);
            workload.tasks.push(TaskSpec { forked: true, ..worker });
        }
    }
    let policy = if fifo { Policy::Fifo { rt_priority: 1 } } else { fair };
    let all = |sem| Phase { rounds: Rounds::Times(workers), ops: vec![Op::SemWait { sem }] };
    let start = once(vec![Op::Stamp { stamp: now }, arrive]);
    let main = task(
        "hackbench_main",
        0,
        policy,
        cpus,
        vec![all(ready), start, all(exits), once(vec![Op::Sample { stamp: now }])],
    );
    workload.tasks.push(main);
    Ok(())
}

/// What the receivers, then the senders of a group do whose queues are `fds` from `first` on: each
/// sender writes to each receiver, `loops` times.
fn messages(first: u32, fds: u32, loops: u32) -> impl Iterator<Item = (&'static str, Phase)> {
    let queues = first..first + fds;
    let reads = Rounds::Times(loops.saturating_mul(fds));
    let read = move |queue| Phase { rounds: reads, ops: vec![Op::Get { queue, stamp: None }] };
    let puts = queues.clone().map(|queue| Op::Put { queue }).collect();
    let write = Phase { rounds: Rounds::Times(loops), ops: puts };
    let receivers = queues.map(move |queue| ("hackbench_receiver", read(queue)));
    receivers.chain((0..fds).map(move |_| ("hackbench_sender", write.clone())))
}

/// Messages of `bytes` a Unix socket takes: each is charged the memory its buffer really has, and
/// one more is let in as long as those before it have not used up the limit
/// (sock_alloc_send_pskb()).
fn socket_messages(bytes: u64) -> u64 {
    let (head, tail) = SKB_BYTES;
    SOCKET_BYTES.div_ceil(head + (bytes + tail).next_power_of_two())
}

/// Messages of `bytes` a pipe takes, and how many make a page. A message longer than a page takes
/// pages of its own.
fn pipe_messages(bytes: u64) -> (u64, Room) {
    match PAGE_BYTES / bytes {
        0 => ((PIPE_PAGES / bytes.div_ceil(PAGE_BYTES)).max(1), Room::Page(1)),
        page => (PIPE_PAGES * page, Room::Page(u32::try_from(page).expect("a page has few bytes"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_socket_holds_hundreds_of_the_default_messages() {
        assert_eq!(socket_messages(100), 278);
        assert_eq!([500, 1_000].map(socket_messages), [167, 93]);
        assert_eq!(socket_messages(1_000_000), 1);
    }

    #[test]
    fn a_default_pipe_holds_whole_messages_page_by_page() {
        assert_eq!(pipe_messages(1), (65_536, Room::Page(4_096)));
        assert_eq!(pipe_messages(100), (640, Room::Page(40)));
        assert_eq!(pipe_messages(4_000), (16, Room::Page(1)));
        assert_eq!(pipe_messages(65_536), (1, Room::Page(1)));
    }
}
