//! Waits that were not over when the run ended, for people: a report's latencies know nothing of
//! them.

use schedscope_engine::account::unfinished::OpenWait;
use schedscope_engine::trace::catalogue::CAUSE_NAMES;
use schedscope_runs::numbers::{more, natural, table as columns, time};
use schedscope_runs::waits::{age, place, what};
use schedscope_scenario::Prepared;
use schedscope_scenario::units::time_text;

/// Rows shown without `--all`.
const SHOWN: usize = 5;

/// The cause that took most of the time, and the one that holds now if that is another.
fn causes(wait: &OpenWait) -> String {
    let name = |cause: u8| CAUSE_NAMES.get(usize::from(cause)).copied().unwrap_or("unknown");
    let Some((now, _)) = wait.segments.last() else { return "just begun".to_owned() };
    let now = name(*now);
    let mut sums = [0_u64; CAUSE_NAMES.len()];
    wait.segments
        .iter()
        .for_each(|(cause, ns)| sums[usize::from(*cause) % CAUSE_NAMES.len()] += ns);
    let most =
        (0..sums.len()).max_by_key(|cause| (sums[*cause], std::cmp::Reverse(*cause))).unwrap_or(0);
    let mostly = CAUSE_NAMES[most];
    if mostly == now { now.to_owned() } else { format!("{mostly}, {now} just now") }
}

/// Oldest first.
pub fn table(waits: &[OpenWait], prepared: &Prepared, end: u64, all: bool) -> String {
    if waits.is_empty() {
        return String::new();
    }
    let name = |wait: &OpenWait| prepared.meta.tasks[wait.task as usize].name.as_str();
    let mut order: Vec<&OpenWait> = waits.iter().collect();
    order.sort_by(|a, b| a.due.cmp(&b.due).then_with(|| natural(name(a), name(b))));
    let head = ["still waiting at the end", "in", "for", "since", "mostly", ""]
        .map(str::to_owned)
        .to_vec();
    let row = |wait: &&OpenWait| {
        let cells = [
            what(wait),
            time(age(wait, end)),
            time_text(wait.due),
            causes(wait),
            place(wait, prepared),
        ];
        std::iter::once(format!("  {}", name(wait))).chain(cells).collect::<Vec<_>>()
    };
    let shown = if all { order.len() } else { order.len().min(SHOWN) };
    let rows: Vec<Vec<String>> =
        std::iter::once(head).chain(order[..shown].iter().map(row)).collect();
    format!(
        "{}{}",
        columns(&rows),
        if shown == order.len() {
            "\n".to_owned()
        } else {
            more("  ", order.len() - shown, "more")
        }
    )
}
