//! perf bench sched pipe. perf binds nothing itself: it is started on the CPUs.

use crate::real::line::Line;
use crate::real::run::Own;

pub(super) fn line(own: &Own<'_>) -> Line {
    let on = match own.text("cpus").as_str() {
        "one" => "taskset -c 0 ",
        "two" => "taskset -c 0,1 ",
        _ => "",
    };
    let threaded = if own.is("threaded", true) { " -T" } else { "" };
    Line::program(format!("{on}perf bench sched pipe -l {}{threaded}", own.text("loops")))
}
