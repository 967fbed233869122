//! The metric of a claim: sums of metric paths, divided by one another. `groups.a.usage_ns /
//! groups.a.entitled_ns`, `groups.a.usage_ns + groups.a.silo_ns`, `ipi.nohz_kick.sent / 10`,
//! `records.softirq_raise.7`.

use schedscope_engine::trace::catalogue::CATALOGUE;
use schedscope_engine::trace::columns::Columns;
use schedscope_scenario::{is_metric, metric_at};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A quotient of sums of metric paths and whole numbers.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Metric {
    text: String,
    above: Sum,
    below: Sum,
}

type Sum = Vec<(f64, Term)>;

#[derive(Clone, Debug)]
enum Term {
    Number(f64),
    Path(String),
    /// How many findings of a kind the report has.
    Findings(String),
    /// How many records of a kind the trace has; where a number is given, of those whose column `a`
    /// it is.
    Records {
        kind: u8,
        a: Option<u32>,
    },
}

impl TryFrom<String> for Metric {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (above, below) = text.split_once(" / ").unwrap_or((&text, "1"));
        let (above, below) = (sum(above)?, sum(below)?);
        Ok(Self { above, below, text })
    }
}

impl From<Metric> for String {
    fn from(metric: Metric) -> Self {
        metric.text
    }
}

fn sum(text: &str) -> Result<Sum, String> {
    let mut sum = Sum::new();
    let mut sign = 1.0;
    for word in text.split(' ') {
        match word {
            "+" => sign = 1.0,
            "-" => sign = -1.0,
            _ => sum.push((sign, term(word)?)),
        }
    }
    Ok(sum)
}

fn term(word: &str) -> Result<Term, String> {
    if let Ok(number) = word.parse::<u32>() {
        return Ok(Term::Number(f64::from(number)));
    }
    if let Some(kind) = word.strip_prefix("findings.") {
        return Ok(Term::Findings(kind.to_owned()));
    }
    if let Some(of) = word.strip_prefix("records.") {
        return records(of)
            .ok_or_else(|| format!("there is no record \"{of}\" (docs/use/trace.md)"));
    }
    if is_metric(word) || word == "simulated_ns" {
        Ok(Term::Path(word.to_owned()))
    } else {
        Err(format!("there is no metric \"{word}\""))
    }
}

/// `KIND` or `KIND.A`, the kind by its name in the trace.
fn records(of: &str) -> Option<Term> {
    let (name, a) = of.split_once('.').map_or((of, None), |(name, a)| (name, Some(a)));
    let kind = CATALOGUE.iter().find(|doc| doc.name == name)?.kind as u8;
    let a = a.map(str::parse).transpose().ok()?;
    Some(Term::Records { kind, a })
}

impl Metric {
    /// The metric's value in this report and trace, in ns or as a count.
    pub fn of(&self, report: &Value, trace: &Columns) -> Result<f64, String> {
        let sum = |sum: &Sum| -> Result<f64, String> {
            sum.iter().map(|(sign, term)| Ok(sign * value(term, report, trace)?)).sum()
        };
        Ok(sum(&self.above)? / sum(&self.below)?)
    }

    /// Whether the metric counts records, so that the run has to keep its trace.
    pub fn needs_trace(&self) -> bool {
        self.above.iter().chain(&self.below).any(|(_, term)| matches!(term, Term::Records { .. }))
    }
}

fn value(term: &Term, report: &Value, trace: &Columns) -> Result<f64, String> {
    match term {
        Term::Number(number) => Ok(*number),
        Term::Findings(kind) => {
            let findings = report["findings"].as_array().map_or(&[][..], Vec::as_slice);
            Ok(findings.iter().filter(|finding| finding["kind"] == kind.as_str()).count() as f64)
        }
        Term::Records { kind, a } => {
            let is =
                |row: &usize| trace.kind[*row] == *kind && a.is_none_or(|a| trace.a[*row] == a);
            Ok((0..trace.kind.len()).filter(is).count() as f64)
        }
        Term::Path(path) => {
            let found = if path == "simulated_ns" {
                report.get(path).cloned()
            } else {
                metric_at(&report["metrics"], path)
            };
            found.as_ref().and_then(Value::as_f64).ok_or_else(|| format!("this run has no {path}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn sums_are_divided() {
        let report = json!({ "simulated_ns": 8, "findings": [{ "kind": "a" }, { "kind": "b" },
            { "kind": "a" }],
            "metrics": { "sched": { "ticks": 12, "pulls": 4 } } });
        let kind = vec![CATALOGUE[1].kind as u8, CATALOGUE[3].kind as u8, CATALOGUE[3].kind as u8];
        let trace = Columns { kind, a: vec![7, 7, 8], ..Columns::default() };
        let of = |text: &str| {
            Metric::try_from(text.to_owned()).and_then(|metric| metric.of(&report, &trace))
        };
        assert_eq!(of("sched.ticks - sched.pulls / simulated_ns"), Ok(1.0));
        assert_eq!(of("sched.ticks + 3"), Ok(15.0));
        assert_eq!(of("findings.a"), Ok(2.0));
        assert_eq!((of("records.sched_switch"), of("records.sched_switch.7")), (Ok(2.0), Ok(1.0)));
        assert!(
            of("records.sched_swich").unwrap_err().contains("docs/use/trace.md")
                && of("records.sched_switch.x").is_err()
        );
        assert!(of("sched.pushes").is_err() && of("sched.clicks").is_err());
    }
}
