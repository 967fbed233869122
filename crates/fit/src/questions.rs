//! The questions that people have about a throttled group, each answered in one sentence with a
//! figure that a run counted.

use schedscope_formats::words::amounts::{cpus, percent, time};
use schedscope_formats::words::{Bursts, Limit, Reading, kernel};

use crate::answers::{Answers, Row, Setting};
use crate::fitting::{Asked, Fitting, Got};
use crate::sentences;

/// A question and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// `Does a burst help?`
    pub question: &'static str,
    /// One sentence, or two.
    pub answer: String,
    /// The trial that it speaks of, if one.
    pub of: Option<What>,
}

/// What a trial is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The setting of the text.
    Now,
    /// A row of the answers.
    Row(usize),
    /// A cpu.max.burst as large as the quota.
    Burst,
    /// No more threads than the limit has CPUs.
    FewerThreads,
    /// Shorter periods, with as many CPUs.
    ShorterPeriod,
    /// The limit of the group around it alone.
    OuterAlone,
    /// The group's own limit alone.
    OwnAlone,
    /// Another kernel.
    Release,
}

/// A run that a question needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// What it is for.
    pub what: What,
    /// The program.
    pub bursts: Bursts,
    /// The limit.
    pub limit: Limit,
    /// The limit of the group around it; none: the text's, if it has one.
    pub outer: Option<Limit>,
    /// The kernel; none: the text's.
    pub release: Option<&'static str>,
}

impl From<Asked> for Trial {
    fn from(Asked { bursts, limit }: Asked) -> Self {
        Self { what: What::Now, bursts, limit, outer: None, release: None }
    }
}

/// A trial and what its run counted.
pub type Tried = (Trial, Got);

/// Releases that a text's own is held against: from the fewest faults of bandwidth control to the
/// newest.
const OTHER_RELEASES: [&str; 2] = ["5.4", "7.2"];
/// The period that is tried instead, us.
const SHORT_PERIOD_US: u64 = 10_000;
/// The question that the limits answer.
const WHICH_LIMIT: &str = "Which limit?";
/// Two bursts differ where one takes so much longer.
const DIFFERS: f64 = 1.1;

/// The runs that the answers to a text need; the closest program runs in each.
pub fn trials(fitting: &Fitting, answers: &Answers, reading: &Reading) -> Vec<Trial> {
    let bursts = answers.programs[0];
    let now = *fitting.limit();
    let trial = |what, setting: Setting| Trial {
        what,
        bursts: setting.on(&bursts),
        limit: setting.limit,
        outer: None,
        release: None,
    };
    let of = |limit: Limit, threads: Option<u32>| Setting { limit, threads };
    let mut all = vec![trial(What::Now, of(now, None))];
    let rows = answers.rows.iter().enumerate();
    all.extend(rows.map(|(at, row)| trial(What::Row(at), row.setting)));
    if now.burst_us == 0 && fitting.has_burst() {
        let limit = Limit { burst_us: now.quota_us, ..now };
        all.push(trial(What::Burst, of(limit, None)));
    }
    let few = now.cpus().ceil() as u32;
    if few < bursts.threads {
        all.push(trial(What::FewerThreads, of(now, Some(few))));
    }
    if now.period_us > SHORT_PERIOD_US {
        let quota_us = (now.cpus() * SHORT_PERIOD_US as f64).round() as u64;
        let limit = Limit { quota_us, period_us: SHORT_PERIOD_US, burst_us: 0 };
        if limit.wrong().is_none() {
            all.push(trial(What::ShorterPeriod, of(limit, None)));
        }
    }
    let now = trial(What::Now, of(now, None));
    if let Some(outer) = reading.chosen.as_ref().and_then(|chosen| chosen.outer) {
        let free = |period_us: u64| Limit {
            quota_us: period_us * u64::from(bursts.threads) + 2 * bursts.steady_us,
            period_us,
            burst_us: 0,
        };
        all.push(Trial { what: What::OuterAlone, limit: free(now.limit.period_us), ..now });
        all.push(Trial { what: What::OwnAlone, outer: Some(free(outer.period_us)), ..now });
    }
    if let Some(release) = reading.release() {
        let has_burst = |other: &str| now.limit.burst_us == 0 || kernel::has_burst(Some(other));
        let others = OTHER_RELEASES.into_iter().filter(|other| *other != release);
        all.extend(others.filter(|other| has_burst(other)).map(|other| Trial {
            what: What::Release,
            release: Some(other),
            ..now
        }));
    }
    all
}

/// The answers about a text, in the order in which people ask.
pub fn said(
    fitting: &Fitting,
    answers: &Answers,
    tried: &[Tried],
    reading: &Reading,
) -> Vec<Answer> {
    let of = |what: What| tried.iter().find(|(trial, _)| trial.what == what);
    let Some((_, now)) = of(What::Now) else { return Vec::new() };
    let mut all = Vec::new();
    let mut say = |question, of, answer: Option<String>| {
        all.extend(answer.map(|answer| Answer { question, answer, of }));
    };
    let kind = reading.group_kind();
    let limits = sentences::limits(fitting, kind);
    let first = (!limits.is_empty()).then(|| limits[..limits.len().min(3)].join(" "));
    say(WHICH_LIMIT, None, first);
    let with = |what: What, words: &dyn Fn(&Tried) -> String| (Some(what), of(what).map(words));
    let (trial, words) = with(What::Burst, &|(_, got)| burst(fitting, now, got));
    say("Does a burst help?", trial, words);
    let (trial, words) = with(What::FewerThreads, &|(trial, got)| threads(trial, now, got));
    say("Fewer threads?", trial, words);
    let (trial, words) = with(What::ShorterPeriod, &|(trial, got)| period(trial, now, got));
    say("A shorter period?", trial, words);
    let outer = reading.outer_kind().zip(of(What::OuterAlone)).zip(of(What::OwnAlone));
    let of_two = outer.map(|((around, (_, outer)), (_, own))| {
        of_two((named(kind), own), (named(around), outer), now)
    });
    say("Which of the two limits?", Some(What::OwnAlone), of_two);
    let releases: Vec<&Tried> =
        tried.iter().filter(|(trial, _)| trial.what == What::Release).collect();
    say("Is it the kernel?", None, (!releases.is_empty()).then(|| kernel(now, &releases)));
    say("What does cpu.pressure say?", None, now.pressure.map(pressure));
    let wide = answers.rows.is_empty() && fitting.range().is_some();
    let none = wide.then(|| "None of the settings that were tried.".to_owned());
    say("What keeps the bound?", None, none);
    all
}

fn beside(now: &Got, got: &Got) -> String {
    format!("the longest burst takes {} instead of {}", time(got.longest_us), time(now.longest_us))
}

/// Whether one run's longest burst is shorter than the other's by more than little.
fn is_shorter(got: &Got, now: &Got) -> bool {
    got.longest_us * DIFFERS < now.longest_us
}

fn burst(fitting: &Fitting, now: &Got, got: &Got) -> String {
    let with = format!("With a cpu.max.burst as large as the quota {}", beside(now, got));
    match (is_shorter(got, now), fitting.burst()) {
        (true, Some(enough)) => format!("Yes: {} is enough. {with}.", time(enough as f64)),
        (true, None) => format!("In part. {with}."),
        (false, _) if fitting.is_overload() => {
            format!("No: there is never unused quota that could be saved. {with}.")
        }
        (false, _) => format!("No. {with}: what earlier periods leave does not cover it."),
    }
}

fn threads(trial: &Trial, now: &Got, got: &Got) -> String {
    let threads = trial.bursts.threads;
    let many = if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
    let yes = if is_shorter(got, now) { "Yes" } else { "No" };
    format!(
        "{yes}. With {many} for the same work {}, and {} of the periods are throttled instead of \
         {}.",
        beside(now, got),
        percent(got.throttled, got.periods),
        percent(now.throttled, now.periods)
    )
}

fn period(trial: &Trial, now: &Got, got: &Got) -> String {
    let yes = if is_shorter(got, now) { "Yes" } else { "No" };
    let (quota, period) = (trial.limit.quota_us as f64, trial.limit.period_us as f64);
    format!("{yes}. With {} in every {} {}.", time(quota), time(period), beside(now, got))
}

/// What the text calls a group, as a word.
fn named(kind: &str) -> String {
    if kind.is_empty() { "group".to_owned() } else { kind.replace('-', " ").to_lowercase() }
}

/// Each of the two: what it is called, and what a run with its limit alone counted.
fn of_two(
    (own, with_own): (String, &Got),
    (around, with_around): (String, &Got),
    now: &Got,
) -> String {
    let who = match (is_shorter(with_around, now), is_shorter(with_own, now)) {
        (true, false) => format!("That of the {own}"),
        (false, true) => format!("That of the {around}"),
        (true, true) => "Both".to_owned(),
        (false, false) => "Either alone delays as much".to_owned(),
    };
    format!(
        "{who}: with the limit of the {own} alone the longest burst takes {}, with that of the \
         {around} alone {}, with both {}.",
        time(with_own.longest_us),
        time(with_around.longest_us),
        time(now.longest_us)
    )
}

fn kernel(now: &Got, releases: &[&Tried]) -> String {
    let others: Vec<String> = releases
        .iter()
        .filter_map(|(trial, got)| {
            Some(format!("{} under {}", time(got.longest_us), trial.release?))
        })
        .collect();
    let differs = releases.iter().any(|(_, got)| is_shorter(got, now) || is_shorter(now, got));
    let beside = format!(
        "The same program's longest burst takes {} here, {}",
        time(now.longest_us),
        others.join(", ")
    );
    if differs {
        format!("In part. {beside}: schedscope bisect has the change.")
    } else {
        format!("No. {beside}.")
    }
}

fn pressure((some, full): (f64, f64)) -> String {
    format!(
        "some {:.1} %, full {:.1} % of the run's time: so long at least one task, and every task \
         that could run, waited for a CPU or for quota.",
        some * 100.0,
        full * 100.0
    )
}

/// A row's setting in words, in the columns limit, period, burst and threads.
pub fn columns(row: &Row) -> [String; 4] {
    let Setting { limit, threads } = row.setting;
    let burst = match limit.burst_us {
        0 => "-".to_owned(),
        us => time(us as f64),
    };
    let threads = threads.map_or_else(|| "as now".to_owned(), |threads| threads.to_string());
    [cpus(limit.cpus()), time(limit.period_us as f64), burst, threads]
}
