//! rt-migrate-test of rt-tests. What its -r and -s take is not read: some versions read them in ns,
//! and others do not use what they read.

use serde_json::{Map, json};

use super::super::command::Wrapped;
use super::said::{Said, left_out, placed};
use crate::words::case::Case;
use crate::words::getopt::{Given, Opt, Takes, whole};

use Takes::{Nothing, Value};

const OPTIONS: &[Opt] = &[
    Opt("p", "prio", Value),
    Opt("l", "loops", Value),
    Opt("m", "maxerr", Value),
    Opt("c", "check", Nothing),
    Opt("e", "equal", Nothing),
    Opt("r", "run-time", Value),
    Opt("s", "sleep-time", Value),
    Opt("D", "duration", Value),
    Opt("q", "quiet", Nothing),
    Opt("", "json", Value),
    Opt("h", "help", Nothing),
];
/// Options that have nothing like them here.
const WITHOUT: &[&str] = &["run-time", "sleep-time", "duration", "help"];
const RUN_US: u64 = 1_000_000;

pub(super) fn read(words: &[String], all: &Wrapped<'_>, case: &mut Case) -> Said {
    let given = Given::read(words, OPTIONS);
    let threads = given.words.first().map(|word| {
        let threads = whole(word).filter(|threads| (1..=97).contains(threads));
        threads.ok_or_else(|| format!("{word} threads; expected a whole number from 1 to 97"))
    });
    let threads = threads.transpose()?;
    let mut value = Map::new();
    let numbers = [
        ("threads", threads),
        ("priority", given.number("prio", 1, 97)?),
        ("iterations", given.number("loops", 1, 1_000_000)?),
    ];
    for (key, number) in numbers {
        number.map(|number| value.insert(key.to_owned(), json!(number)));
    }
    if let Some(us) = given.number("maxerr", 0, 1_000_000)? {
        value.insert("max_err".to_owned(), json!(format!("{us}us")));
    }
    for key in ["check", "equal"].into_iter().filter(|key| given.has(key)) {
        value.insert(key.to_owned(), json!(true));
    }
    case.start("rt_migrate_test", value.into(), RUN_US)?;
    let threads = threads
        .map_or("one thread more than CPUs".to_owned(), |threads| format!("{threads} threads"));
    let words = format!("rt-migrate-test starts {threads}, each of a higher priority");
    case.says.push(format!("{words}: the strongest should run, whatever CPU they begin on."));
    let names = given.those(|key| WITHOUT.contains(&key));
    Ok([Some(words), left_out(&given, &names), placed(all, false)].into_iter().flatten().collect())
}
