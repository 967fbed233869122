//! Tables of `perf sched latency` and `perf sched timehist`.

use super::table;
use crate::words::amounts::{decimal, quoted};
use crate::words::case::{Case, Fate, Note};
use crate::words::table::{Kind, Table};

/// The heading of `perf sched timehist`: it begins with a word that is a command too.
pub(super) fn head(words: &[&str], case: &mut Case) -> Option<Note> {
    let is_head = matches!(words, ["time", "cpu", "task", "name", ..]);
    is_head.then(|| {
        case.tables.push(Table::new(Kind::TimeHistory, Vec::new()));
        Note::left_out("names the columns of perf sched timehist")
    })
}

pub(super) fn read(text: &str, case: &mut Case) -> Option<Note> {
    latency(text, case).or_else(|| history(text, case))
}

/// `raftstore-4:82059 | 3568.419 ms | 9713 | avg: 0.025 ms | max: 12.974 ms | max at: 9.5 s`.
fn latency(text: &str, case: &mut Case) -> Option<Note> {
    let cells: Vec<&str> = text.split('|').map(str::trim).collect();
    if cells.first().is_some_and(|cell| *cell == "Task") && text.contains("Runtime ms") {
        case.tables.push(Table::new(Kind::PerfLatency, Vec::new()));
        return Some(Note::left_out("names the columns of perf sched latency"));
    }
    let is_rule = text.len() >= 10 && text.bytes().all(|sign| b"-= ".contains(&sign));
    if is_rule {
        return Some(Note::new(Fate::Passed, "a rule"));
    }
    if cells.len() >= 3 && cells[0].starts_with("TOTAL:") {
        return Some(Note::left_out("the sums of perf sched latency"));
    }
    if cells.len() < 5 {
        return None;
    }
    let after = |name: &str| cells.iter().find_map(|cell| cell.strip_prefix(name));
    let ms = |cell: &str| decimal(cell.split_whitespace().next()?);
    let (average, most) = (ms(after("avg:")?)?, ms(after("max:")?)?);
    let at = after("max at:").or_else(|| after("max start:")).unwrap_or_default().trim();
    let at = at.trim_end_matches(" s").trim();
    let switches = cells[2];
    table(Kind::PerfLatency, case).row(&[
        cells[0],
        &average.to_string(),
        &most.to_string(),
        at,
        switches,
    ]);
    Some(Note::left_out(format!(
        "a measurement: {} waited at most {most} ms, {average} ms on average",
        quoted(cells[0])
    )))
}

/// `79371.874569 [0011]  gcc[31949]  0.014  0.000  1.148`.
fn history(text: &str, case: &mut Case) -> Option<Note> {
    if text.starts_with("[tid/pid]") {
        return Some(Note::new(Fate::Passed, "names the columns"));
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let [stamp, cpu, name @ .., wait, delay, run] = &words[..] else { return None };
    let cpu = cpu.strip_prefix('[')?.strip_suffix(']')?;
    let cpu: u32 = cpu.parse().ok()?;
    decimal(stamp)?;
    let (delay, _, _) = (decimal(delay)?, decimal(run)?, decimal(wait)?);
    let name = name.join(" ");
    if name.is_empty() || !stamp.contains('.') {
        return None;
    }
    table(Kind::TimeHistory, case).row(&[&name, "", &delay.to_string(), stamp, &cpu.to_string()]);
    Some(Note::left_out(format!(
        "a measurement: {} waited {delay} ms for CPU {cpu}",
        quoted(&name)
    )))
}

pub(super) fn said(table: &Table, case: &mut Case) {
    let most = |row: &Vec<String>| decimal(&row[2]).unwrap_or(0.0);
    let Some(worst) = table.rows.iter().max_by(|one, two| most(one).total_cmp(&most(two))) else {
        return;
    };
    let who = quoted(&worst[0]);
    if table.kind == Kind::PerfLatency {
        let at = if worst[3].is_empty() { String::new() } else { format!(", at {} s", worst[3]) };
        case.says.push(format!(
            "{who} waited longest for a CPU: {} ms{at}; {} ms on average, with {} switches.",
            worst[2], worst[1], worst[4]
        ));
        case.says.push(
            "The table does not say behind whom it waited: perf sched timehist shows what ran \
             before that instant."
                .to_owned(),
        );
    } else {
        case.says.push(format!(
            "The longest wait for a CPU was {} ms: {who} on CPU {}, until {} s.",
            worst[2], worst[4], worst[3]
        ));
        case.says.push(
            "Who was in the way is in the lines of that CPU just before; a recording read whole \
             says it."
                .to_owned(),
        );
    }
}
