//! Generators that model no program, as rt-app would play them: a file and a row each. Which task
//! waits for which and how much each works are the scenario's; what the scenario draws at random
//! comes evenly here. Events and their meaning: rt-app's doc/tutorial.txt and
//! src/rt-app_parse_config.c of May 2026.

mod gc_burst;
mod played;
mod rt_noise;
mod thread_pool;
mod web;

use super::groups::procs_of;
use super::line::{Line, TaskFile};
use super::made::{object, plain};
use super::rt_app::{CALIBRATE, TaskFiles};
use super::run::{Own, Run};
use super::values::whole_seconds;
use crate::words::Node;
use played::Played;

/// How a generator is played; none where that takes too many steps.
type Row = (&'static str, fn(&Own<'_>) -> Option<Played>);

/// The generators that rt-app plays.
const ROWS: &[Row] = &[
    ("gc_burst", gc_burst::played),
    ("thread_pool", thread_pool::played),
    ("web", web::played),
    ("rt_noise", rt_noise::played),
];

/// A web service of many frontends, hops and workers.
const TOO_LARGE: &str = "No file for rt-app starts the web service: it has too many steps for one.";

/// What plays the made-up generators of a run, a file for each group. `suffix` distinguishes the
/// files of one side from those of the other.
pub(super) fn of(run: &Run, suffix: &str) -> TaskFiles {
    let mut missing = Vec::new();
    let mut groups: Vec<(String, Vec<Played>)> = Vec::new();
    for (name, played) in ROWS.iter().filter(|(name, _)| run.has(name)) {
        let own = run.own(name);
        let Some(played) = played(&own) else {
            missing.push(TOO_LARGE.to_owned());
            continue;
        };
        let group = own.group();
        match groups.iter_mut().find(|(known, _)| *known == group) {
            Some((_, parts)) => parts.push(played),
            None => groups.push((group, vec![played])),
        }
    }
    let files = groups.into_iter().enumerate();
    let files = files.map(|(nth, (group, parts))| file(run, &group, parts, nth, suffix));
    TaskFiles { files: files.collect(), missing }
}

fn file(run: &Run, group: &str, parts: Vec<Played>, nth: usize, suffix: &str) -> TaskFile {
    let number = if nth == 0 { String::new() } else { format!("-{}", nth + 1) };
    let name = format!("stand-in{suffix}{number}.json");
    let mut notes: Vec<String> = Vec::new();
    for note in parts.iter().flat_map(|part| part.notes).copied() {
        if !notes.iter().any(|known| known == note) {
            notes.push(note.to_owned());
        }
    }
    let mut command = Line::program_of_root(format!("rt-app {name}"));
    if !group.is_empty() {
        command = command.inside(&procs_of(run, group));
        notes.push(CALIBRATE.to_owned());
    }
    let tasks: Vec<(String, Node)> = parts.into_iter().flat_map(|part| part.tasks).collect();
    let global = object([("duration", plain(whole_seconds(run.duration_ns)))]);
    let text = object([("global", global), ("tasks", object(tasks))]).text();
    TaskFile { name, text, command, notes }
}
