//! `schedscope run`: one scenario, its figures as a table or as the `schedscope.run/1` object.

use clap::Args;
use schedscope_engine::account::report::{Latency, Metrics};
use schedscope_engine::run::{Options, Report};
use schedscope_scenario::units::{parse_time, time_text};
use schedscope_scenario::{Reference, document, metric_at, report_json};

use crate::Changes;
use crate::execute::{Outcome, Watch, execute};
use crate::failure::Failure;
use crate::numbers::{grouped, percent, shares, table, us};
use crate::side::Side;
use crate::target::{Target, link_sets};
use crate::tools::{self, Latencies, Output, Ran, cyclictest};
use crate::trace_out::TraceFile;

/// Arguments of `run`.
#[derive(Args)]
pub struct Arguments {
    /// A shipped scenario, a file, or a link
    scenario: String,
    #[command(flatten)]
    changes: Changes,
    /// What to keep of the trace: full, none, or window=FROM..TO (window=10ms..12ms); figures are the same whatever it says
    #[arg(long, value_name = "WHAT", value_parser = parse_trace)]
    trace: Option<Trace>,
    /// Write the kept trace to this file: .jsonl as JSON lines, any other as tab-separated text
    #[arg(long, value_name = "FILE")]
    trace_out: Option<std::path::PathBuf>,
    /// Print the schedscope.run/1 object
    #[arg(long)]
    json: bool,
    /// What to print for people; a tool's own output is what the program the scenario stands for would have printed
    #[arg(long, value_enum, default_value_t, value_name = "WHAT", conflicts_with = "json")]
    output: Output,
    /// Print cyclictest's histogram of this many microseconds too, its option -h
    #[arg(long, value_name = "US", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    histogram: u32,
    /// The same with a column for all threads together, its option -H
    #[arg(long, value_name = "US", conflicts_with = "histogram", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    histofall: Option<u32>,
}

/// What is kept of a trace: a span of machine time in ns, or nothing.
#[derive(Clone, Copy, Debug)]
pub struct Trace(Option<(u64, u64)>);

fn parse_trace(text: &str) -> Result<Trace, String> {
    let window =
        |text: &str| text.strip_prefix("window=")?.split_once("..").and_then(|(from, to)| Some((parse_time(from)?, parse_time(to)?)));
    match text {
        "full" => Ok(Trace(Options::EVERYTHING)),
        "none" => Ok(Trace(None)),
        _ => match window(text) {
            Some((from, to)) if from < to => Ok(Trace(Some((from, to)))),
            _ => Err("expected full, none, or window=FROM..TO with times such as 10ms..12ms".to_owned()),
        },
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let target = Target::find(&arguments.scenario)?;
    let side = base(&target, &arguments.changes)?;
    // A file without --trace means the whole trace: nobody asks for an empty file.
    let window = match (arguments.trace, &arguments.trace_out) {
        (Some(Trace(window)), _) => window,
        (None, Some(_)) => Options::EVERYTHING,
        (None, None) => None,
    };
    let watch = Watch { window, max_records: arguments.changes.max_records };
    let collects = !arguments.json && arguments.output != Output::Report && Latencies::wanted(&side.prepared);
    let mut file = arguments.trace_out.as_deref().map(|path| TraceFile::create(path, window)).transpose()?;
    let mut latencies = Latencies::new(&side.prepared);
    side.print_notes();
    let watch = if collects { watch.with_wakes() } else { watch };
    let outcome = execute(&side.prepared, &side.replay, watch, &mut |trace, wakes| {
        latencies.add(&wakes);
        file.as_mut().map_or(Ok(()), |file| file.write(&trace))
    })?;
    file.map_or(Ok(()), TraceFile::finish)?;
    print_outcome(arguments, &target, &side, &outcome, &latencies)?;
    outcome.end()
}

/// The scenario without any variant; of a link, what it says for both sides.
pub fn base(target: &Target, changes: &Changes) -> Result<Side, Failure> {
    let mut set = target.link.as_ref().map(|link| link_sets(&link.both)).unwrap_or_default();
    if target.link.as_ref().is_some_and(|link| link.a.len() + link.b.len() > 2 * link.both.len()) {
        eprintln!("note: what this link sets for side A or B alone is left out; `schedscope compare` takes it");
    }
    set.extend(changes.sets()?);
    Side::new(target, &set)
}

/// The scenario's headline metrics, first.
fn headline(paths: &[String], report: &Report) -> String {
    let metrics = serde_json::to_value(&report.metrics).unwrap_or_default();
    let shown = |path: &String| {
        let value = metric_at(&metrics, path)?.as_u64()?;
        Some(vec![path.clone(), if path.ends_with("_ns") { format!("{} us", us(value)) } else { grouped(value) }])
    };
    let rows: Vec<Vec<String>> = paths.iter().filter_map(shown).collect();
    if rows.is_empty() { String::new() } else { format!("{}\n", table(&rows)) }
}

/// Why a herd need not show in cyclictest's own figures.
fn herd_sentence(slack_ns: Option<u64>, report: &Report) -> String {
    slack_ns.map_or_else(String::new, |slack| {
        let did = if report.metrics.rq_lock.irq_off_max_ns > slack { "did" } else { "did not" };
        format!(
            "a herd shows in cyclictest's latency only when the wait passes interval - body = {} (longest body); in this run it {did}\n\n",
            time_text(slack)
        )
    })
}

fn print_outcome(arguments: &Arguments, target: &Target, side: &Side, outcome: &Outcome, latencies: &Latencies) -> Result<(), Failure> {
    if arguments.json {
        return crate::print(&format!("{:#}\n", report_json(&side.prepared, &outcome.report)));
    }
    let histogram = arguments.histofall.unwrap_or(arguments.histogram) as usize;
    let cyclictest = cyclictest::Options { histogram, histofall: arguments.histofall.is_some(), ..Default::default() };
    let ran = Ran { prepared: &side.prepared, report: &outcome.report, latencies, cyclictest };
    let tools = tools::blocks(&ran);
    match arguments.output {
        Output::Tool if tools.is_empty() => Err(Failure::usage(format!("{} stands for no tool with an output of its own", target.name))),
        Output::Tool => crate::print(&tools),
        Output::All if !tools.is_empty() => crate::print(&format!("{}\n{tools}", report_text(target, side, outcome)?)),
        Output::All | Output::Report => crate::print(&report_text(target, side, outcome)?),
    }
}

/// Everything the report has to say.
fn report_text(target: &Target, side: &Side, outcome: &Outcome) -> Result<String, Failure> {
    let document = document(&target.text).map_err(|error| target.invalid(error))?;
    let mut text = format!("{}: {}\n{}\n\n", side.prepared.meta.slug, document.title, side.headline());
    text.push_str(&headline(&document.headline, &outcome.report));
    text.push_str(&figures(&outcome.report));
    text.push_str(&herd_sentence(side.prepared.meta.herd_slack_ns, &outcome.report));
    text.push_str(&references(&document.references));
    text.push_str(&summary(side, &outcome.report));
    Ok(text)
}

/// Every group of figures as tables.
pub fn figures(report: &Report) -> String {
    let metrics = &report.metrics;
    let mut text = latency_table(metrics);
    text.push_str(&cause_table(metrics));
    let lock = &metrics.rq_lock;
    text.push_str(&group(
        "run-queue locks",
        &[
            ("most waiters on one lock", u64::from(lock.max_waiters).to_string()),
            ("CPU time spinning, interrupts off", format!("{} us", us(lock.wait_ns))),
            ("longest interrupts-off stretch", format!("{} us", us(lock.irq_off_max_ns))),
            ("acquisitions", grouped(lock.acquisitions)),
            ("of them contended", grouped(lock.contended)),
            ("remote locks taken by pull_rt_task", grouped(lock.pull_remote_acquisitions)),
        ],
    ));
    text.push_str(&ipi_table(metrics));
    let sched = &metrics.sched;
    text.push_str(&group(
        "scheduler",
        &[
            ("context switches", grouped(sched.context_switches)),
            ("migrations", grouped(sched.migrations)),
            ("RT pushes", grouped(sched.pushes)),
            ("RT pulls", grouped(sched.pulls)),
            ("ticks", grouped(sched.ticks)),
        ],
    ));
    text
}

fn group(title: &str, rows: &[(&str, String)]) -> String {
    let rows: Vec<Vec<String>> = rows.iter().map(|(name, value)| vec![format!("  {name}"), value.clone()]).collect();
    format!("{title}\n{}\n", table(&rows))
}

fn latency_table(metrics: &Metrics) -> String {
    let head = ["latency (us)", "wake-ups", "min", "p50", "p90", "p99", "p99.9", "max"].map(str::to_owned).to_vec();
    let row = |(kind, latency): (&String, &Latency)| {
        // A percentile p says something from 10 / (1 - p) samples on; below that it is the maximum under another name.
        let times = [
            (0, latency.min_ns),
            (20, latency.p50_ns),
            (100, latency.p90_ns),
            (1_000, latency.p99_ns),
            (10_000, latency.p999_ns),
            (0, latency.max_ns),
        ];
        let cell = |(needed, ns)| if latency.count < needed { "-".to_owned() } else { us(ns) };
        [format!("  {kind}"), grouped(latency.count)].into_iter().chain(times.map(cell)).collect()
    };
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(metrics.latency.iter().map(row)).collect();
    if metrics.latency.is_empty() { "latency: no wake-up was measured\n\n".to_owned() } else { format!("{}\n", table(&rows)) }
}

fn cause_table(metrics: &Metrics) -> String {
    let mut text = String::new();
    for (kind, latency) in metrics.latency.iter().filter(|(_, latency)| latency.sum_ns > 0) {
        let causes: Vec<(&str, u64)> = latency.causes_ns.iter().map(|(cause, ns)| (*cause, *ns)).filter(|(_, ns)| *ns > 0).collect();
        let shares = shares(&causes.iter().map(|(_, ns)| *ns).collect::<Vec<_>>());
        let mut rows: Vec<(u64, Vec<String>)> = causes
            .iter()
            .zip(shares)
            .map(|((cause, ns), share)| (*ns, vec![format!("  {cause}"), format!("{} us", us(*ns)), format!("{} %", percent(share))]))
            .collect();
        rows.sort_by_key(|(ns, _)| std::cmp::Reverse(*ns));
        let rows: Vec<Vec<String>> = rows.into_iter().map(|(_, row)| row).collect();
        text.push_str(&format!("why {kind} was late, all wake-ups together\n{}\n", table(&rows)));
    }
    text
}

fn ipi_table(metrics: &Metrics) -> String {
    let head = ["IPIs", "sent", "delivered", "coalesced", "under way", "not needed"].map(str::to_owned).to_vec();
    let row = |name: &str, ipi: &schedscope_engine::account::report::IpiVector| {
        let counts = [ipi.sent, ipi.delivered, ipi.coalesced, ipi.in_flight, ipi.elided_polling];
        std::iter::once(format!("  {name}")).chain(counts.map(grouped)).collect::<Vec<_>>()
    };
    let mut rows = vec![head, row("reschedule", &metrics.ipi.reschedule), row("call_function", &metrics.ipi.call_function)];
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
        let show = |value: i64| if reference.metric.ends_with("_ns") { time_text(value.unsigned_abs()) } else { value.to_string() };
        let range = if reference.low == reference.high {
            show(reference.low)
        } else {
            format!("{} to {}", show(reference.low), show(reference.high))
        };
        format!("  {}: {range} ({}, {})\n", reference.metric, reference.label, reference.source)
    };
    let lines: String = references.iter().map(line).collect();
    format!("reported by the source, on its own machine; the figures above are this model's\n{lines}\n")
}

fn summary(side: &Side, report: &Report) -> String {
    let findings: String = report
        .findings
        .iter()
        .map(|finding| format!("finding at {}: {}: {}\n", time_text(finding.time_ns), finding.kind, finding.what))
        .collect();
    let costs = &side.prepared.meta.costs;
    let assumed = costs.iter().filter(|cost| cost.provenance == schedscope_engine::machine::costs::Provenance::Assumed).count();
    format!(
        "{findings}{assumed} of {} costs are assumed, none is tuned to fit\n{} of machine time, {} records, digest {}\n",
        costs.len(),
        time_text(report.simulated_ns),
        grouped(report.records),
        report.digest
    )
}
