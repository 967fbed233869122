//! A build: `make -j16 vmlinux`, whatever it builds.

use serde_json::json;

use super::super::command::Wrapped;
use super::said::{Said, placed};
use crate::words::case::Case;
use crate::words::getopt::{Given, Opt, Takes, whole};

const OPTIONS: &[Opt] = &[Opt("j", "jobs", Takes::Maybe)];
/// Enough of them that the build lasts as long as the run.
const FILES: u32 = 4_096;
const RUN_US: u64 = 1_000_000;

pub(super) fn read(words: &[String], all: &Wrapped<'_>, case: &mut Case) -> Said {
    let given = Given::read(words, OPTIONS);
    if !given.has("jobs") {
        return Err("make without -j runs one compiler at a time".to_owned());
    }
    // `-j 8`: make takes the next word where it is a number.
    let stated = given.value("jobs").filter(|jobs| !jobs.is_empty()).map(str::to_owned);
    let behind = given.words.first().filter(|word| whole(word).is_some()).cloned();
    let jobs = stated.or(behind).map(|jobs| {
        let number = whole(&jobs).filter(|jobs| (1..=4_096).contains(jobs));
        number.ok_or_else(|| format!("-j is {jobs}; expected a whole number from 1 to 4096"))
    });
    let jobs = jobs.transpose()?;
    let mut value = json!({ "files": FILES });
    match jobs {
        Some(jobs) => value["jobs"] = json!(jobs),
        None => value["load"] = json!("max"),
    }
    case.start("kernbench", value, RUN_US)?;
    let many = jobs.map_or("as many compilers as files".to_owned(), |jobs| {
        format!("{jobs} compilers at a time")
    });
    let words = format!("a build runs {many} (kernbench)");
    case.says.push(format!("{words}."));
    Ok([Some(words), placed(all, false)].into_iter().flatten().collect())
}
