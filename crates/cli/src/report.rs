//! The text of `run` for people: the headline first, then the figures behind it; long lists of
//! similar kinds are cut short.

use std::collections::BTreeMap;

use schedscope_engine::account::groups::GroupMetrics;
use schedscope_engine::account::report::{IpiVector, Latency, Metrics};
use schedscope_engine::kernel::syscall::TIMER_SLACK_NS;
use schedscope_engine::machine::costs::Provenance;
use schedscope_engine::run::Report;
use schedscope_runs::Side;
use schedscope_runs::execute::Outcome;
use schedscope_runs::figures::{figures, per_second};
use schedscope_runs::numbers::{
    figure, grouped, more, natural, percent, shares, table, three_figures, time,
};
use schedscope_scenario::units::time_text;
use schedscope_scenario::versions::knowledge;
use schedscope_scenario::{
    Document, Prepared, Presentation, Reference, Source, metric_at, sampled_at,
};

use crate::cpu_stat;
use crate::waits;

/// Kinds of tasks whose latencies are listed without `--all`.
const KINDS_SHOWN: usize = 8;
/// Kinds whose causes are listed without `--all`.
const CAUSES_SHOWN: usize = 3;

/// Everything a run has to say; `all` leaves nothing out.
pub fn text(document: &Document, side: &Side, outcome: &Outcome, all: bool) -> String {
    let (presentation, report) = (&document.presentation, &outcome.report);
    let cpus = side.prepared.meta.cpus;
    let question = document.question(&[cpus]);
    let mut text = format!("{}: {question}\n{}\n\n", side.prepared.meta.slug, side.headline());
    if let Some(limit) = &outcome.limit {
        let planned = time_text(side.prepared.meta.duration_ns);
        text.push_str(&format!(
            "INCOMPLETE: stopped {limit}, of {planned}: every figure below is of that part\n\n"
        ));
    }
    text.push_str(&headline(presentation, report));
    text.push_str(&herd_sentence(side.prepared.meta.herd_slack_ns, report));
    text.push_str(&waits::table(&outcome.open, &side.prepared, report.simulated_ns, all));
    text.push_str(&latencies(presentation, &side.prepared, outcome, all));
    text.push_str(&counters(&report.metrics, cpus, all));
    text.push_str(&references(&presentation.references));
    text.push_str(&sources(&presentation.source));
    text.push_str(&summary(side, report));
    text
}

/// The scenario's headline metrics, first; a total's row has one per second below it.
fn headline(presentation: &Presentation, report: &Report) -> String {
    let paths = &presentation.headline;
    if paths.is_empty() {
        return String::new();
    }
    let metrics = figures(&report.metrics);
    let shown = |path: &String| {
        let reported = metric_at(&metrics, path)?.as_i64()?;
        let text = match sampled_at(&metrics, path) {
            Some(_) => figure(path, reported),
            None => "-".to_owned(),
        };
        let name = presentation.metric_in_words(path);
        let rate = per_second(paths, path, reported, report.simulated_ns);
        let rate =
            rate.map(|ns| vec![format!("{name}, per second"), three_figures(ns.unsigned_abs())]);
        Some(std::iter::once(vec![name, text]).chain(rate))
    };
    let rows: Vec<Vec<String>> = paths.iter().filter_map(shown).flatten().collect();
    if rows.is_empty() { String::new() } else { format!("{}\n", table(&rows)) }
}

/// Why a herd need not show in cyclictest's own figures.
fn herd_sentence(slack_ns: Option<u64>, report: &Report) -> String {
    slack_ns.map_or_else(String::new, |slack| {
        let longest = report.metrics.rq_lock.irq_off_max_ns;
        let is = if longest > slack { "more" } else { "not more" };
        format!(
            "cyclictest's latency shows a herd only if a wait is longer than interval - longest \
                body = {}; in this run a CPU had interrupts off for up to {}, which is {is}\n\n",
            time_text(slack),
            time(longest)
        )
    })
}

/// Kinds in the order of the output: those of the headline first, then by greatest latency.
fn kinds<'m>(presentation: &Presentation, metrics: &'m Metrics) -> Vec<(&'m String, &'m Latency)> {
    let of = |path: &str, kind: &str| {
        path.strip_prefix("latency.")
            .and_then(|rest| rest.rsplit_once('.'))
            .is_some_and(|(of, _)| of == kind)
    };
    let named = |kind: &str| presentation.headline.iter().any(|path| of(path, kind));
    let mut kinds: Vec<_> = metrics.latency.iter().collect();
    kinds.sort_by(|(a, one), (b, other)| {
        named(b)
            .cmp(&named(a))
            .then_with(|| other.max_ns.cmp(&one.max_ns))
            .then_with(|| natural(a, b))
    });
    kinds
}

fn latencies(
    presentation: &Presentation,
    prepared: &Prepared,
    outcome: &Outcome,
    all: bool,
) -> String {
    let metrics = &outcome.report.metrics;
    let kinds = kinds(presentation, metrics);
    if kinds.iter().all(|(_, latency)| latency.count == 0) {
        let still =
            if outcome.open.is_empty() { "" } else { "; tasks that still wait are listed above" };
        return format!("latency: no wake-up ended{still}\n\n");
    }
    let mut text = latency_table(presentation, &kinds, if all { usize::MAX } else { KINDS_SHOWN });
    let late: Vec<_> = kinds.into_iter().filter(|(_, latency)| latency.sum_ns > 0).collect();
    let shown = if all { late.len() } else { late.len().min(CAUSES_SHOWN) };
    late[..shown]
        .iter()
        .for_each(|(kind, latency)| text.push_str(&causes(presentation, kind, latency, prepared)));
    text.push_str(&more("why ", late.len() - shown, "other kinds were late"));
    text
}

fn latency_cells(latency: &Latency) -> Vec<String> {
    // A percentile p says something from 10 / (1 - p) samples on; below that it is the maximum
    // under another name.
    let times = [
        (1, latency.min_ns),
        (20, latency.p50_ns),
        (100, latency.p90_ns),
        (1_000, latency.p99_ns),
        (10_000, latency.p999_ns),
        (1, latency.max_ns),
    ];
    let cell = |(needed, ns)| if latency.count < needed { "-".to_owned() } else { time(ns) };
    std::iter::once(grouped(latency.count)).chain(times.map(cell)).collect()
}

/// One row per kind; kinds with the same figures share one.
fn latency_table(
    presentation: &Presentation,
    kinds: &[(&String, &Latency)],
    most: usize,
) -> String {
    let mut groups: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for (kind, latency) in kinds {
        let cells = latency_cells(latency);
        match groups.iter_mut().find(|(_, known)| *known == cells) {
            Some((names, _)) => names.push(presentation.kind_in_words(kind)),
            None => groups.push((vec![presentation.kind_in_words(kind)], cells)),
        }
    }
    let head = ["latency", "wake-ups", "min", "p50", "p90", "p99", "p99.9", "max"]
        .map(str::to_owned)
        .to_vec();
    let row = |(names, cells): &(Vec<String>, Vec<String>)| {
        let name = match names.as_slice() {
            [first, second] => format!("  {first}, {second}"),
            [first, rest @ ..] if !rest.is_empty() => format!("  {first} and {} alike", rest.len()),
            names => format!("  {}", names.concat()),
        };
        std::iter::once(name).chain(cells.iter().cloned()).collect::<Vec<String>>()
    };
    let shown = groups.len().min(most);
    let left: usize = groups[shown..].iter().map(|(names, _)| names.len()).sum();
    let rows: Vec<Vec<String>> =
        std::iter::once(head).chain(groups[..shown].iter().map(row)).collect();
    format!(
        "{}{}",
        table(&rows),
        if left == 0 { "\n".to_owned() } else { more("  ", left, "more kinds") }
    )
}

fn causes(
    presentation: &Presentation,
    kind: &str,
    latency: &Latency,
    prepared: &Prepared,
) -> String {
    let mut causes: Vec<(&str, u64)> = latency
        .causes_ns
        .iter()
        .map(|(cause, ns)| (*cause, *ns))
        .filter(|(_, ns)| *ns > 0)
        .collect();
    causes.sort_by_key(|(_, ns)| std::cmp::Reverse(*ns));
    let shares = shares(&causes.iter().map(|(_, ns)| *ns).collect::<Vec<_>>());
    let row = |((cause, ns), share): (&(&str, u64), u64)| {
        vec![format!("  {cause}"), time(*ns), format!("{} %", percent(share))]
    };
    let rows: Vec<Vec<String>> = causes.iter().zip(shares).map(row).collect();
    let delayed =
        latency.causes_ns.get("irq_delay").is_some_and(|ns| *ns >= u64::from(TIMER_SLACK_NS));
    let mut tasks = prepared.setup.tasks.iter().filter(|task| task.kind == kind);
    let late = tasks.any(|task| task.policy.class().row().has_timer_slack);
    let slack = if delayed && late { SLACK_NOTE } else { "" };
    let name = presentation.kind_in_words(kind);
    format!("why {name} was late, all wake-ups together\n{}{slack}\n", table(&rows))
}

/// Timer slack has no cause of its own.
const SLACK_NOTE: &str = "  irq_delay includes the timer slack of fair tasks, 50 us for each sleep \
    a timer ended (`schedscope explain` shows it apart)\n";

/// A wait of all CPUs seems to leave no CPU that has the lock.
const WAITERS_NOTE: &str = "  all CPUs wait at once for a moment: the CPU that gets the lock spins \
    until it notices\n";

fn group(title: &str, rows: &[(&str, String)], note: &str) -> String {
    let rows: Vec<Vec<String>> =
        rows.iter().map(|(name, value)| vec![format!("  {name}"), value.clone()]).collect();
    format!("{title}\n{}{note}\n", table(&rows))
}

/// Locks, IPIs and the scheduler's own counts.
fn counters(metrics: &Metrics, cpus: u32, all: bool) -> String {
    let (lock, sched) = (&metrics.rq_lock, &metrics.sched);
    let waiters = if lock.max_waiters == cpus { WAITERS_NOTE } else { "" };
    let locks = group(
        "run-queue locks",
        &[
            ("most CPUs that wait for one lock", format!("{} of {cpus}", lock.max_waiters)),
            ("CPU time spinning, interrupts off", time(lock.wait_ns)),
            ("longest interrupts-off stretch", time(lock.irq_off_max_ns)),
            ("acquisitions", grouped(lock.acquisitions)),
            ("of them contended", grouped(lock.contended)),
            ("remote locks taken by pull_rt_task", grouped(lock.pull_remote_acquisitions)),
        ],
        waiters,
    );
    let scheduler = group(
        "scheduler",
        &[
            ("context switches, all CPUs, idle included", grouped(sched.context_switches)),
            ("migrations", grouped(sched.migrations)),
            ("RT pushes", grouped(sched.pushes)),
            ("pulls, by pull_rt_task and load balancing", grouped(sched.pulls)),
            ("ticks", grouped(sched.ticks)),
        ],
        "",
    );
    format!(
        "{locks}{}{}{scheduler}{}{}",
        ipi_table(metrics),
        kick_ages(metrics),
        groups(metrics, all),
        switches(metrics, all)
    )
}

/// How long the CPUs had been idle that a tick chose to balance for the others.
fn kick_ages(metrics: &Metrics) -> String {
    let Some(kick) = metrics.ipi.nohz_kick.filter(|kick| kick.idle_age.count() > 0) else {
        return String::new();
    };
    let head = [
        "kicked CPUs, by idle time",
        "< 30 us",
        "< 100 us",
        "< 300 us",
        "< 1 ms",
        "< 10 ms",
        "longer",
    ]
    .map(str::to_owned)
    .to_vec();
    let age = kick.idle_age;
    let counts = [
        age.under_30us,
        age.under_100us,
        age.under_300us,
        age.under_1ms,
        age.under_10ms,
        age.longer,
    ]
    .map(grouped);
    let row = std::iter::once("  kicks".to_owned()).chain(counts).collect();
    format!("{}\n", table(&[head, row]))
}

/// The quota and usage of control groups.
fn groups(metrics: &Metrics, all: bool) -> String {
    if metrics.groups.is_empty() {
        return String::new();
    }
    let mut groups: Vec<_> = metrics.groups.iter().collect();
    groups.sort_by(|(a, one), (b, other)| {
        other.throttled_ns.cmp(&one.throttled_ns).then_with(|| natural(a, b))
    });
    let head = [
        "control groups",
        "quota x periods",
        "granted (pool full at start)",
        "used",
        "most in a period",
        "throttled",
        "periods",
        "of them throttled",
    ];
    let row = |(path, group): &(&String, &GroupMetrics)| {
        let mut times = [
            group.entitled_ns,
            group.granted_ns,
            group.usage_ns,
            group.max_period_usage_ns,
            group.throttled_ns,
        ]
        .map(time);
        if group.entitled_ns == 0 {
            (times[0], times[1]) = ("no limit".to_owned(), "-".to_owned());
            times[3] = "-".to_owned();
        }
        let counts = [group.nr_periods, group.nr_throttled].map(grouped);
        std::iter::once(format!("  {path}")).chain(times).chain(counts).collect::<Vec<_>>()
    };
    let shown = if all { groups.len() } else { groups.len().min(KINDS_SHOWN) };
    let rows: Vec<Vec<String>> = std::iter::once(head.map(str::to_owned).to_vec())
        .chain(groups[..shown].iter().map(row))
        .collect();
    let left = groups.len() - shown;
    let end = if left == 0 { "\n".to_owned() } else { more("  ", left, "more groups") };
    format!("{}{end}{}", table(&rows), cpu_stat::text(&groups[..shown]))
}

/// Switches away from tasks, by kind: time(1) counts them as %c and %w.
fn switches(metrics: &Metrics, all: bool) -> String {
    let mut kinds: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for (name, task) in &metrics.tasks {
        let kind = kinds.entry(name.rsplit_once('.').map_or(name, |(kind, _)| kind)).or_default();
        kind.0 += task.involuntary_switches;
        kind.1 += task.voluntary_switches;
    }
    let mut kinds: Vec<_> = kinds.into_iter().filter(|(_, counts)| *counts != (0, 0)).collect();
    kinds.sort_by(|(a, one), (b, other)| {
        (other.0 + other.1).cmp(&(one.0 + one.1)).then_with(|| natural(a, b))
    });
    if kinds.is_empty() {
        return String::new();
    }
    let head = ["switches away from", "involuntary", "voluntary"].map(str::to_owned).to_vec();
    let row = |(kind, counts): &(&str, (u64, u64))| {
        vec![format!("  {kind}"), grouped(counts.0), grouped(counts.1)]
    };
    let shown = if all { kinds.len() } else { kinds.len().min(KINDS_SHOWN) };
    let rows: Vec<Vec<String>> =
        std::iter::once(head).chain(kinds[..shown].iter().map(row)).collect();
    let left = kinds.len() - shown;
    format!(
        "{}{}",
        table(&rows),
        if left == 0 { "\n".to_owned() } else { more("  ", left, "more kinds") }
    )
}

fn ipi_table(metrics: &Metrics) -> String {
    let head = ["IPIs", "sent", "delivered", "coalesced", "under way", "not needed"]
        .map(str::to_owned)
        .to_vec();
    let row = |name: &str, ipi: &IpiVector| {
        let elided = ipi.elided_polling + ipi.elided_list + ipi.elided_set;
        let counts = [ipi.sent, ipi.delivered, ipi.coalesced, ipi.in_flight, elided];
        std::iter::once(format!("  {name}")).chain(counts.map(grouped)).collect::<Vec<_>>()
    };
    let mut rows = vec![
        head,
        row("reschedule", &metrics.ipi.reschedule),
        row("call_function", &metrics.ipi.call_function),
    ];
    if let Some(push) = &metrics.ipi.rto_push {
        rows.push(vec!["  rto_push".to_owned(), grouped(push.sent)]);
    }
    format!("{}\n", table(&rows))
}

fn references(references: &[Reference]) -> String {
    if references.is_empty() {
        return String::new();
    }
    let line = |reference: &Reference| {
        let show = |value: i64| {
            if reference.metric.ends_with("_ns") {
                time_text(value.unsigned_abs())
            } else {
                value.to_string()
            }
        };
        let range = if reference.low == reference.high {
            show(reference.low)
        } else {
            format!("{} to {}", show(reference.low), show(reference.high))
        };
        format!("  {}: {range} ({}, {})\n", reference.metric, reference.label, reference.source)
    };
    let lines: String = references.iter().map(line).collect();
    format!(
        "reported by the source, on its own machine; the figures above are this model's\n{lines}\n"
    )
}

fn sources(sources: &[Source]) -> String {
    let line = |source: &Source| {
        let said = [&source.id, &source.title, &source.url].map(String::as_str);
        let said: Vec<&str> = said.into_iter().filter(|part| !part.is_empty()).collect();
        format!("  {}\n", said.join(", "))
    };
    let lines: String = sources.iter().map(line).collect();
    if lines.is_empty() { lines } else { format!("the scenario comes from\n{lines}\n") }
}

fn summary(side: &Side, report: &Report) -> String {
    let findings: String = report
        .findings
        .iter()
        .map(|finding| {
            format!(
                "finding at {}: {}: {}\n",
                time_text(finding.time_ns),
                finding.kind,
                finding.what
            )
        })
        .collect();
    let costs = &side.prepared.meta.costs;
    let known_as = |provenance| costs.iter().filter(|cost| cost.provenance == provenance).count();
    let assumed = known_as(Provenance::Assumed);
    let fitted = match known_as(Provenance::Calibrated) {
        0 => "none is calibrated".to_owned(),
        fitted => format!("{fitted} calibrated to a figure of that machine"),
    };
    let version = side.prepared.setup.kernel.version();
    format!(
        "{findings}{assumed} of {} costs are assumed, {fitted}\nkernel {version}: {}\n\
            {} of machine time, {} records, digest {}\n",
        costs.len(),
        knowledge(version),
        time_text(report.simulated_ns),
        grouped(report.records),
        report.digest
    )
}
