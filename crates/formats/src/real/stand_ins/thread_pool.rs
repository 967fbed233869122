//! A pool of threads that a client hands work to.

use super::played::{HANDED_OUT, Played, gap_us, mean_us};
use crate::real::made::{every, for_ever, object, plain};
use crate::real::run::Own;

pub(super) fn played(own: &Own<'_>) -> Option<Played> {
    let client = object([for_ever(), ("timer", every(gap_us(own))), ("sem_post", plain("tasks"))]);
    let worker = object([
        ("instance", plain(own.number("workers"))),
        for_ever(),
        ("sem_wait", plain("tasks")),
        ("run", plain(mean_us(own))),
    ]);
    let tasks = vec![("pool_client".to_owned(), client), ("pool_worker".to_owned(), worker)];
    Some(Played { tasks, notes: HANDED_OUT })
}
