//! hackbench of rt-tests. With -F main becomes SCHED_FIFO, which only root may do.

use crate::real::line::Line;
use crate::real::run::Own;

pub(super) fn line(own: &Own<'_>) -> Line {
    let [groups, fds, loops, datasize] =
        ["groups", "fds", "loops", "datasize"].map(|key| own.text(key));
    let pipe = if own.is("pipe", true) { " -p" } else { "" };
    let text = format!("hackbench -g {groups} -f {fds} -l {loops} -s {datasize}{pipe}");
    match own.is("fifo", true) {
        true => Line::program_of_root(format!("{text} -F")),
        false => Line::program(text),
    }
}
