//! What a fit says to people: asked and got side by side, and the limits in the words of the tool
//! that the text came from.

use schedscope_formats::words::amounts::{cpus, percent, time};
use schedscope_formats::words::{Bursts, Limit};

use crate::fitting::{Fitting, Range, Tried};

/// A figure that was asked for, and what the closest run counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    /// What it is: `throttled periods`.
    pub figure: &'static str,
    /// What the text has.
    pub asked: String,
    /// What the run has.
    pub got: String,
}

/// Asked and got.
pub fn beside(fitting: &Fitting, best: &Tried) -> Vec<Beside> {
    let (asked, got) = (fitting.happened(), best.got);
    let mut all = vec![
        Beside {
            figure: "throttled periods",
            asked: percent(asked.throttled, asked.periods),
            got: percent(got.throttled, got.periods),
        },
        Beside {
            figure: "throttled time in such a period",
            asked: asked.each_us().map_or_else(|| "not counted".to_owned(), time),
            got: time(got.each_us()),
        },
    ];
    if let Some(used) = asked.used_us() {
        all.push(Beside {
            figure: "CPU time of a period",
            asked: time(used),
            got: time(got.used_us()),
        });
    }
    all
}

/// How well the closest program does, a sentence each.
pub fn fit(fitting: &Fitting, best: &Tried) -> Vec<String> {
    let mut all = vec![format!("Assumed to run in the group: {}.", best.bursts.words())];
    if fitting.is_overload() {
        all.push(
            match fitting.happened().each_us() {
                Some(_) => {
                    "It is throttled in nearly every period: the counters say how many threads \
                     wait, and not how much they would use without a limit."
                }
                None => {
                    "It is throttled in nearly every period: the counters say neither how many \
                     threads wait nor how much they would use without a limit."
                }
            }
            .to_owned(),
        );
    }
    if best.off > 1.0 {
        all.push(format!(
            "No program in bursts was found that counts the same: the closest one is off as shown. \
             {}",
            helps(fitting)
        ));
    }
    all
}

/// The text that would help.
fn helps(fitting: &Fitting) -> &'static str {
    let happened = fitting.happened();
    if happened.throttled_us.is_none() {
        return "A line with throttled_usec (cgroup v1: throttled_time) tells more.";
    }
    match (happened.usage_us, happened.since_start, fitting.wish().cpus) {
        (None, ..) => "A line with usage_usec (cgroup v1: cpuacct.usage) tells more.",
        (_, true, _) => {
            "Two readings of cpu.stat a minute apart tell more than one since the start."
        }
        (.., None) => "A line with nproc, the CPUs that the group may use, tells more.",
        _ => "A recording of the scheduler (trace-cmd record -e sched) tells more.",
    }
}

/// The limits that are enough, a sentence each; `kind`: what the text calls the group.
pub fn limits(fitting: &Fitting, kind: &str) -> Vec<String> {
    let Some(range) = fitting.range() else { return without_range(fitting) };
    let (low, high) = (floored(range.low), raised(range.high));
    let period = time(fitting.limit().period_us as f64);
    let what = match range.bound_us {
        Some(bound) => format!("Every burst ends within {}", time(bound)),
        None => "Throttling delays no burst".to_owned(),
    };
    let of = |quota_us: u64| cpus(Limit { quota_us, ..*fitting.limit() }.cpus());
    let needs = if fitting.best().is_some_and(|best| best.off <= 1.0) {
        format!(
            "{} programs of the model count the same; this is what they need, from the least to \
             the most.",
            fitting.members()
        )
    } else {
        "That is by the model alone, for the programs that come closest: no run counted the same."
            .to_owned()
    };
    let mut all = vec![format!(
        "{what} from a limit of {} to {} in every {period} on ({} to {}). {needs}",
        time(low as f64),
        time(high as f64),
        of(low),
        of(high)
    )];
    if range.hopeless > 0 {
        all.push(format!(
            "For {} of them no limit does it: the work of a burst alone takes longer.",
            range.hopeless
        ));
    } else {
        let setting = setting(kind, fitting.limit(), high);
        all.push(format!("Enough for all of them: {setting}."));
    }
    all.extend(instead(fitting));
    all.extend(narrows(fitting, &range));
    all
}

/// A quota in whole ms, where it has some: the lower end down, the upper end up.
fn floored(quota_us: u64) -> u64 {
    if quota_us < 10_000 { quota_us } else { quota_us / 1_000 * 1_000 }
}

fn raised(quota_us: u64) -> u64 {
    if quota_us < 10_000 { quota_us } else { quota_us.div_ceil(1_000) * 1_000 }
}

/// Whether a burst does it instead, for the program that is assumed.
fn instead(fitting: &Fitting) -> Option<String> {
    fitting.best().filter(|best| best.off <= 1.0)?;
    let is_new = fitting.limit().burst_us == 0;
    match fitting.burst() {
        Some(burst) => Some(format!(
            "Instead, for the assumed program: a cpu.max.burst of {} at the same limit (5.14 on).",
            time(raised(burst) as f64)
        )),
        None if !fitting.has_burst() => {
            Some("Its kernel has no cpu.max.burst: it came with 5.14.".to_owned())
        }
        None if is_new => Some(
            "No cpu.max.burst does it for the assumed program: at most a quota more can be saved, \
             and only what earlier periods leave."
                .to_owned(),
        ),
        None => None,
    }
}

fn without_range(fitting: &Fitting) -> Vec<String> {
    if fitting.is_overload() {
        return overload(fitting);
    }
    let why = match (fitting.wish().bound_us, fitting.members()) {
        (_, 0) if fitting.wish().burst_us.is_some() => {
            "No program with bursts of that length counts the same."
        }
        (_, 0) => "No limit is looked for, since no program was found that counts the same.",
        (Some(_), _) => {
            "No limit keeps that bound: the work of a burst alone takes longer, in every program \
             that counts the same."
        }
        _ => "No limit was found.",
    };
    vec![why.to_owned()]
}

/// What can be said of threads that never rest: they use all that they get.
fn overload(fitting: &Fitting) -> Vec<String> {
    let limit = fitting.limit();
    let Some(best) = fitting.best() else { return Vec::new() };
    let threads = best.bursts.threads;
    let burst = "A burst does not help: there is never unused quota that could be saved.";
    if fitting.happened().throttled_us.is_none() {
        let above = format!(
            "A limit is enough somewhere above {} of CPU time: without the throttled time the \
             counters say no more.",
            cpus(limit.cpus())
        );
        return vec![above, burst.to_owned()];
    }
    vec![
        format!(
            "A limit is enough somewhere above {} of CPU time and, if nothing more than these {} \
             runs, at most {}: between them the counters do not decide.",
            cpus(limit.cpus()),
            if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") },
            cpus(f64::from(threads))
        ),
        burst.to_owned(),
    ]
}

/// What would narrow a wide range.
fn narrows(fitting: &Fitting, range: &Range) -> Option<String> {
    const WIDE: f64 = 1.25;
    let [least, most] = range.ends;
    let is_wide = range.high as f64 > WIDE * range.low as f64;
    (is_wide && fitting.wish().burst_us.is_none()).then(|| {
        format!(
            "Which of them it is the counters do not say: one burst of the first takes {} without \
             a limit, of the last {}. Measure one, and the range is narrower.",
            time(least.work_us as f64),
            time(most.work_us as f64)
        )
    })
}

/// A quota as the tool of the text writes it.
pub fn setting(kind: &str, limit: &Limit, quota_us: u64) -> String {
    let of = Limit { quota_us, ..*limit };
    // Rounded up to what the tools take: a thousandth of a CPU, a hundredth, a per cent.
    let millis = (of.cpus() * 1_000.0).ceil();
    let hundredths = (millis / 10.0).ceil() / 100.0;
    match kind {
        // Engines without Kubernetes have containers, too.
        "container" => {
            format!("limits: cpu: {millis}m in Kubernetes, --cpus={hundredths:.2} in docker")
        }
        "Pod" | "init-container" => {
            format!("limits: cpu: {millis}m (kubectl set resources … --limits=cpu={millis}m)")
        }
        "service" => format!("--cpus={hundredths:.2}"),
        "unit" => format!("CPUQuota={}%", (millis / 10.0).ceil()),
        _ => format!("cpu.max “{} {}”", quota_us, limit.period_us),
    }
}

/// The program of a group that is not throttled: bursts that stay far below the limit.
pub fn not_throttled(limit: &Limit, used_us: Option<f64>, cpus: u32) -> Bursts {
    const BURST: f64 = 0.1;
    const PERIODS: u64 = 10;
    let quota = limit.quota_us as f64;
    let steady = used_us.unwrap_or(0.0).min(0.9 * quota);
    Bursts {
        threads: cpus,
        work_us: (((quota - steady) * BURST / f64::from(cpus)) as u64).max(1),
        every_us: PERIODS * limit.period_us,
        steady_us: steady as u64,
    }
}
