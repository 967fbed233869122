//! fibtest, which ends after whole seconds.

use crate::real::line::Line;
use crate::real::run::Own;
use crate::real::values::whole_seconds;

pub(super) fn line(own: &Own<'_>) -> Line {
    let threads = match own.is("threads", "auto") {
        true => own.run.cpus.to_string(),
        false => own.text("threads"),
    };
    let seconds = whole_seconds(own.us("seconds") * 1_000);
    Line::program(format!("fibtest -t {threads} -f {} -s {seconds}", own.text("fast")))
}
