//! A web service: each frontend hands the pieces of a step to its workers in turn and waits for as
//! many answers.

use super::played::{HANDED_OUT, Played, gap_us, mean_us};
use crate::real::made::{cpus, every, for_ever, object, plain};
use crate::real::run::Own;
use crate::words::Node;

/// Most events of a file: a scenario may have far more.
const EVENTS_MAX: u64 = 5_000;

struct Web<'r> {
    own: &'r Own<'r>,
    workers: u64,
    hops: u64,
    fanout: u64,
}

pub(super) fn played(own: &Own<'_>) -> Option<Played> {
    let [fronts, workers, hops, fanout] =
        ["frontends", "workers", "hops", "fanout"].map(|key| own.number(key));
    if fronts.saturating_mul(workers.saturating_add(2 * hops.saturating_mul(fanout))) > EVENTS_MAX {
        return None;
    }
    let web = Web { own, workers, hops, fanout };
    let client = (0..fronts).flat_map(|front| {
        [
            (format!("timer{front}"), every(gap_us(own))),
            (format!("sem_post{front}"), plain(format!("requests_{front}"))),
        ]
    });
    let (key, end) = for_ever();
    let client = object(std::iter::once((key.to_owned(), end)).chain(client));
    let mut tasks = vec![("web_client".to_owned(), client)];
    for front in 0..fronts {
        tasks.push((format!("web_front_{front}"), web.front(front)));
        let worker = |worker| (format!("web_worker_{front}_{worker}"), web.worker(front, worker));
        tasks.extend((0..workers).map(worker));
    }
    Some(Played { tasks, notes: HANDED_OUT })
}

impl Web<'_> {
    /// Where a thread runs, and that it never ends.
    fn begin(&self, thread: u64) -> Vec<(String, Node)> {
        let cpu = u32::try_from(thread % u64::from(self.own.run.cpus.max(1))).unwrap_or(0);
        let place = self.own.is("pinned", true).then(|| cpus([cpu]));
        let members = std::iter::once(for_ever()).chain(place);
        members.map(|(key, value)| (key.to_owned(), value)).collect()
    }

    fn front(&self, front: u64) -> Node {
        let mut events = self.begin(front * (self.workers + 1));
        events.push(("sem_wait".to_owned(), plain(format!("requests_{front}"))));
        for hop in 0..self.hops {
            events.extend((0..self.fanout).map(|piece| {
                let worker = (hop * self.fanout + piece).checked_rem(self.workers).unwrap_or(0);
                (format!("sem_post{hop}_{piece}"), plain(format!("desk_{front}_{worker}")))
            }));
            events.extend(
                (0..self.fanout).map(|piece| {
                    (format!("sem_wait{hop}_{piece}"), plain(format!("done_{front}")))
                }),
            );
        }
        object(events)
    }

    fn worker(&self, front: u64, worker: u64) -> Node {
        let mut events = self.begin(front * (self.workers + 1) + 1 + worker);
        events.extend([
            ("sem_wait".to_owned(), plain(format!("desk_{front}_{worker}"))),
            ("run".to_owned(), plain(mean_us(self.own))),
            ("sem_post".to_owned(), plain(format!("done_{front}"))),
        ]);
        object(events)
    }
}
