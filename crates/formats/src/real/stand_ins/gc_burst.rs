//! Collectors of garbage: the main thread and its workers meet at two barriers. rt-app counts every
//! instance of a task that names one.

use super::played::{Played, us};
use crate::real::made::{every, for_ever, object, plain};
use crate::real::run::Own;

pub(super) fn played(own: &Own<'_>) -> Option<Played> {
    let threads = match own.is("threads", "auto") {
        true => u64::from(own.run.cpus),
        false => own.number("threads"),
    };
    let main = object([
        for_ever(),
        ("timer", every(us(own, "period"))),
        ("barrier0", plain("gc_start")),
        ("barrier1", plain("gc_end")),
    ]);
    let worker = object([
        ("instance", plain(threads)),
        for_ever(),
        ("barrier0", plain("gc_start")),
        ("run", plain(us(own, "work"))),
        ("barrier1", plain("gc_end")),
    ]);
    let tasks = vec![("gc_main".to_owned(), main), ("gc_worker".to_owned(), worker)];
    Some(Played { tasks, notes: &[] })
}
