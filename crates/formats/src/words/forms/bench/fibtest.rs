//! fibtest of Dave Chiluk: fast threads that compute and slow ones that wake often, under a limit.

use serde_json::{Map, json};

use super::super::command::Wrapped;
use super::said::{Said, left_out, placed};
use crate::words::case::Case;
use crate::words::getopt::{Given, Opt, Takes};

use Takes::Value;

const OPTIONS: &[Opt] =
    &[Opt("t", "threads", Value), Opt("f", "fast", Value), Opt("s", "seconds", Value)];
const RUN_US: u64 = 1_000_000;

pub(super) fn read(words: &[String], all: &Wrapped<'_>, case: &mut Case) -> Said {
    let given = Given::read(words, OPTIONS);
    let mut value = Map::new();
    let threads = given.number("threads", 1, 4_096)?;
    for (key, number) in [("threads", threads), ("fast", given.number("fast", 0, 1_024)?)] {
        number.map(|number| value.insert(key.to_owned(), json!(number)));
    }
    if let Some(seconds) = given.number("seconds", 1, 3_600)? {
        value.insert("seconds".to_owned(), json!(format!("{seconds}s")));
    }
    case.start("fibtest", value.into(), RUN_US)?;
    let threads = threads
        .map_or("one thread for each CPU".to_owned(), |threads| format!("{threads} threads"));
    let words = format!("fibtest runs {threads}, fast and slow ones");
    case.says.push(format!("{words}."));
    Ok([Some(words), left_out(&given, &[]), placed(all, false)].into_iter().flatten().collect())
}
