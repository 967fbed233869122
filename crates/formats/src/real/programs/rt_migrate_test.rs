//! rt-migrate-test of rt-tests. It has -r and -s too, but its help is wrong about both: some
//! versions read them in ns, and others do not use what they read.

use crate::real::line::Line;
use crate::real::run::Own;

pub(super) fn line(own: &Own<'_>) -> Line {
    let check = match own.is("check", true) {
        true => format!(" -c -m {}", own.us("max_err")),
        false => String::new(),
    };
    let equal = if own.is("equal", true) { " -e" } else { "" };
    let threads = match own.is("threads", "auto") {
        true => (own.run.cpus + 1).to_string(),
        false => own.text("threads"),
    };
    let (priority, iterations) = (own.text("priority"), own.text("iterations"));
    Line::program_of_root(format!(
        "rt-migrate-test -p {priority} -l {iterations}{check}{equal} {threads}"
    ))
}
