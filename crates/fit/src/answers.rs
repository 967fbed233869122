//! What keeps bursts short: limit, period, burst and threads together, for all programs that a
//! group's counters permit. The model reckons every row; the rows that are shown also run.

use schedscope_formats::words::{Bursts, Limit};

use crate::family::longest_us;
use crate::fitting::Fitting;
use crate::limits::undelayed_us;
use crate::model::counted;

/// What is changed: the limit that is set, and the threads that share a burst's work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// The limit.
    pub limit: Limit,
    /// Threads of a burst; none: as many as the program has.
    pub threads: Option<u32>,
}

impl Setting {
    /// The program with these threads: they share the same work.
    pub fn on(&self, bursts: &Bursts) -> Bursts {
        let Some(threads) = self.threads.filter(|threads| *threads < bursts.threads) else {
            return *bursts;
        };
        let work = bursts.work_us * u64::from(bursts.threads);
        Bursts { threads, work_us: work.div_ceil(u64::from(threads)), ..*bursts }
    }
}

/// A setting, and how long the programs' longest bursts take under it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The setting.
    pub setting: Setting,
    /// How many of the limit, the period, the burst and the threads are other than now.
    pub changes: u32,
    /// The longest burst of the program that does best and of the one that does worst, us.
    pub longest_us: (f64, f64),
    /// How many of the programs keep the bound.
    pub keeps: usize,
}

/// The settings that keep a bound, cheapest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Answers {
    /// The setting of the text.
    pub now: Row,
    /// For each kind of change the cheapest setting; at most [`ROWS_MAX`].
    pub rows: Vec<Row>,
    /// The programs that were reckoned, the closest one first.
    pub programs: Vec<Bursts>,
}

/// Rows of an answer at most.
pub const ROWS_MAX: usize = 8;
/// Programs of a family that are reckoned at most.
const PROGRAMS_MAX: usize = 9;
/// CPUs of the limits that are tried, as a multiple of those now.
const LIMITS: [f64; 9] = [1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0];
/// Periods that are tried, us: 100 ms is what nearly everybody has.
const PERIODS: [u64; 6] = [5_000, 10_000, 20_000, 50_000, 100_000, 250_000];
/// Bursts that are tried, in quotas.
const SAVED: [f64; 3] = [0.0, 0.5, 1.0];
/// The end of the range is rounded up to this, us.
const WHOLE_US: u64 = 1_000;
/// Places of a period, and bursts in a row, that are reckoned.
const PLACES: u32 = 12;
const IN_A_ROW: u32 = 24;
/// The kernel takes no shorter quota, us.
const QUOTA_LEAST: u64 = 1_000;

/// The answers for what was fitted; none where no program comes close, or where the counters do
/// not say how much its threads would use.
pub fn answers(fitting: &Fitting) -> Option<Answers> {
    if fitting.is_overload() {
        return None;
    }
    let best = fitting.best().filter(|best| best.off <= 1.0)?.bursts;
    let programs = programs(fitting, best);
    let now = Setting { limit: *fitting.limit(), threads: None };
    let bound_us = fitting.wish().bound_us;
    let row = |setting: Setting| row(setting, &now, &programs, bound_us);
    let mut rows: Vec<Row> = settings(fitting, &programs).into_iter().map(row).collect();
    // Those that most programs keep; of these the cheapest, then the one with the fewest changes.
    rows.sort_by(|one, other| {
        let cost = |row: &Row| row.setting.limit.cpus();
        other
            .keeps
            .cmp(&one.keeps)
            .then(cost(one).total_cmp(&cost(other)))
            .then(one.changes.cmp(&other.changes))
    });
    let most = rows.first().map_or(0, |row| row.keeps);
    let mut shown: Vec<Row> = Vec::new();
    for row in rows.into_iter().filter(|row| row.keeps == most && most > 0) {
        if shown.len() < ROWS_MAX && !shown.iter().any(|known| is_as_good(known, &row, &now)) {
            shown.push(row);
        }
    }
    Some(Answers { now: row(now), rows: shown, programs })
}

/// The closest program, and others evenly over what a burst needs.
fn programs(fitting: &Fitting, best: Bursts) -> Vec<Bursts> {
    let mut all: Vec<Bursts> =
        fitting.family().members.iter().map(|member| member.bursts).collect();
    all.sort_by_key(|bursts| (bursts.work_us * u64::from(bursts.threads), bursts.threads));
    let mut chosen = vec![best];
    let others = PROGRAMS_MAX - 1;
    let count = all.len();
    chosen.extend((0..others.min(count)).map(|at| all[at * (count - 1) / (others - 1).max(1)]));
    chosen.dedup();
    chosen
}

/// Settings with at most two changes.
fn settings(fitting: &Fitting, programs: &[Bursts]) -> Vec<Setting> {
    let now = *fitting.limit();
    let most = programs.iter().map(|bursts| bursts.threads).max().unwrap_or(1);
    let enough = fitting.range().map(|range| {
        let quota_us = range.high.div_ceil(WHOLE_US) * WHOLE_US;
        quota_us as f64 / now.quota_us as f64
    });
    let mut all = Vec::new();
    for times in LIMITS.into_iter().chain(enough) {
        for period_us in PERIODS.into_iter().chain([now.period_us]) {
            for saved in SAVED.into_iter().filter(|saved| *saved == 0.0 || fitting.has_burst()) {
                for threads in threads(now.cpus() * times, most) {
                    let quota = (now.cpus() * times * period_us as f64).round() as u64;
                    let burst_us = (quota as f64 * saved) as u64;
                    let limit = Limit { quota_us: quota, period_us, burst_us };
                    let setting = Setting { limit, threads };
                    let is_few = changes(&setting, &Setting { limit: now, threads: None }) <= 2;
                    if is_few && quota >= QUOTA_LEAST && limit.wrong().is_none() {
                        all.push(setting);
                    }
                }
            }
        }
    }
    all
}

/// Numbers of threads that are tried: as it is, and as many as the limit has CPUs.
fn threads(cpus: f64, most: u32) -> Vec<Option<u32>> {
    let mut all = vec![None];
    for threads in [cpus.floor(), cpus.ceil()] {
        if threads >= 1.0 && threads < f64::from(most) && !all.contains(&Some(threads as u32)) {
            all.push(Some(threads as u32));
        }
    }
    all
}

fn row(setting: Setting, now: &Setting, programs: &[Bursts], bound_us: Option<f64>) -> Row {
    let mut longest_us = (f64::INFINITY, 0.0_f64);
    let mut keeps = 0;
    for bursts in programs {
        let longest = longest(&setting.on(bursts), &setting.limit);
        longest_us = (longest_us.0.min(longest), longest_us.1.max(longest));
        keeps += usize::from(longest <= bound_us.unwrap_or_else(|| undelayed_us(bursts)));
    }
    Row { setting, changes: changes(&setting, now), longest_us, keeps }
}

/// The longest burst, us: with a burst of the limit, after others.
fn longest(bursts: &Bursts, limit: &Limit) -> f64 {
    if limit.burst_us == 0 {
        return longest_us(bursts, limit, PLACES);
    }
    counted(bursts, limit, bursts.threads, 0.0, IN_A_ROW).longest_us
}

/// Which of limit, period, burst and threads are other than now.
fn kind(setting: &Setting, now: &Setting) -> [bool; 4] {
    let (limit, was) = (&setting.limit, &now.limit);
    let is_other = |one: f64, other: f64| (one / other - 1.0).abs() > 1e-3;
    [
        is_other(limit.cpus(), was.cpus()),
        limit.period_us != was.period_us,
        limit.burst_us != was.burst_us,
        setting.threads.is_some(),
    ]
}

/// Whether a row that is as cheap changes nothing that the other does not change too.
fn is_as_good(known: &Row, other: &Row, now: &Setting) -> bool {
    let pairs = kind(&known.setting, now).into_iter().zip(kind(&other.setting, now));
    known.setting.limit.cpus() <= other.setting.limit.cpus()
        && pairs.into_iter().all(|(known, other)| other || !known)
}

fn changes(setting: &Setting, now: &Setting) -> u32 {
    kind(setting, now).into_iter().map(u32::from).sum()
}
