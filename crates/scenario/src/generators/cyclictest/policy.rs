//! cyclictest's `-p`, `--policy` and `--priospread`: the policy of each thread, as rt-tests'
//! process_options settles it.

use schedscope_engine::setup::Policy;

use crate::error::Fault;
use crate::resolve::resolver::{Found, Resolver};

const PRIORITY: &str = "workload.cyclictest.priority";
/// What decides a thread's priority besides [`PRIORITY`].
const DECIDING: [&str; 4] = [
    "workload.cyclictest.priospread",
    "workload.cyclictest.threads",
    "workload.cyclictest.policy",
    "machine.cpus",
];

/// What the threads run under.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Policies {
    /// rt_priority of the first thread; 0 for SCHED_OTHER and SCHED_IDLE.
    pub(crate) priority: u32,
    /// SCHED_RR instead of SCHED_FIFO.
    pub(crate) round_robin: bool,
    /// SCHED_IDLE instead of SCHED_OTHER.
    pub(crate) idle: bool,
    /// Each next thread is one weaker.
    pub(crate) spread: bool,
}

impl Policies {
    /// Reads the three options of `threads` threads.
    pub(crate) fn resolve(resolver: &mut Resolver<'_>, threads: u32) -> Result<Self, Fault> {
        let stated = resolver.amount(PRIORITY)?;
        let word = resolver.word("workload.cyclictest.policy")?.value;
        let spread = resolver.flag("workload.cyclictest.priospread")?;
        let mut priority = u32::try_from(stated.value).expect("the table's maximum fits");
        if priority == 0 && (spread || word == "fifo" || word == "rr") {
            priority = threads + 1;
            resolver.notes.push(format!(
                "{PRIORITY}: defaulting realtime priority to {priority}, as the tool does"
            ));
        }
        let idle = word == "idle" && priority == 0;
        if word == "idle" && !idle {
            resolver.notes.push(format!(
                "{PRIORITY}: policy and priority do not match; SCHED_FIFO is used, as in the tool"
            ));
        }
        let this = Self { priority, round_robin: word == "rr", idle, spread };
        this.check(stated, threads).map(|()| this)
    }

    /// Refuses what sched_setscheduler() would: the program would end there.
    fn check(self, stated: Found<u64>, threads: u32) -> Result<(), Fault> {
        let refused = |message: String, expected: String| {
            Err(Fault::new(stated.at, PRIORITY, message).expected(expected).decided_with(DECIDING))
        };
        if self.priority > 99 {
            return refused(
                format!("{threads} threads would default to the priority {}", self.priority),
                "a priority from 1 to 99".to_owned(),
            );
        }
        if self.spread && threads > self.priority + 1 {
            let message =
                format!("with priospread thread {} would get the priority -1", self.priority + 1);
            return refused(message, format!("at least {}, or fewer threads", threads - 1));
        }
        Ok(())
    }

    /// The policy of one thread: spread priorities that come down to 0 are SCHED_OTHER.
    pub(crate) fn of(self, thread: u32) -> Policy {
        let priority =
            if self.spread { self.priority.saturating_sub(thread) } else { self.priority };
        let rt_priority = u8::try_from(priority).expect("checked");
        match (rt_priority, self.round_robin) {
            (0, _) if self.idle => Policy::Idle,
            (0, _) => Policy::Fair { nice: 0 },
            (_, true) => Policy::RoundRobin { rt_priority },
            (_, false) => Policy::Fifo { rt_priority },
        }
    }
}
