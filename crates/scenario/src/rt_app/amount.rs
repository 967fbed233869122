//! Durations of events: fixed, or drawn anew each time.

use schedscope_engine::setup::{Amount, Quantiles};

use super::events::{Reader, us};
use crate::error::Fault;
use crate::reading::json::{Member, Node, Value, join};
use crate::reading::values::{integer, known_object, missing, object};

/// What an amount may be.
const FORMS: &str = "a number of microseconds, { \"min\", \"max\" }, { \"min\", \"p50\", \"p90\", \
    \"max\" }, { \"mean\", \"max\" } or { \"median\", \"sigma_milli\", \"max\" }";
/// How the key of a quantile is written: `p50`, `p99.9`.
pub(crate) const QUANTILE: &str = "^p[0-9]{1,2}(\\.[0-9]{1,2})?$";

impl Reader<'_, '_> {
    /// Microseconds: a number, or how they are drawn. `{ "min", "max" }` are drawn evenly, with
    /// quantiles in between (`"p90"`) evenly from one to the next; `{ "mean", "max" }` is
    /// exponential, `{ "median", "sigma_milli", "max" }` log-normal, both cut off.
    pub(super) fn amount(&mut self, node: &Node, path: &str) -> Result<Amount, Fault> {
        let Value::Object(_) = node.value else {
            return us(node, path).map(Amount::Fixed).map_err(|fault| fault.expected(FORMS));
        };
        let max = time(node, path, "max")?;
        if node.member("median").is_some() {
            known_object(node, path, &["median", "sigma_milli", "max"])?;
            let (key, at) = ("sigma_milli", join(path, "sigma_milli"));
            let sigma = integer(&member(node, path, key)?.value, &at, 0, 5_000)?;
            let sigma_milli = u32::try_from(sigma).expect("0 to 5000");
            return Ok(Amount::LogNormal { median: time(node, path, "median")?, sigma_milli, max });
        }
        if node.member("mean").is_some() {
            known_object(node, path, &["mean", "max"])?;
            return Ok(Amount::Exponential { mean: time(node, path, "mean")?, max });
        }
        let min = time(node, path, "min")?;
        let points = points(node, path, min, max)?;
        if points.len() == 2 {
            return Ok(Amount::Uniform { min, max });
        }
        let quantiles = &mut self.resources.workload.quantiles;
        quantiles.push(Quantiles::new(points).expect("parts and durations rise"));
        Ok(Amount::Quantiles { table: quantiles.len() as u32 - 1 })
    }
}

fn member<'n>(node: &'n Node, path: &str, key: &str) -> Result<&'n Member, Fault> {
    node.member(key).ok_or_else(|| missing(node, path, key, FORMS))
}

/// ns.
fn time(node: &Node, path: &str, key: &str) -> Result<u64, Fault> {
    us(&member(node, path, key)?.value, &join(path, key))
}

/// Least, quantiles and most, in the order of their parts.
fn points(node: &Node, path: &str, min: u64, max: u64) -> Result<Vec<(u16, u64)>, Fault> {
    let mut named: Vec<(u16, &Member)> = Vec::new();
    for member in object(node, path)? {
        match member.key.as_str() {
            "min" => named.push((0, member)),
            "max" => named.push((Quantiles::WHOLE, member)),
            key => named.push((part(key).ok_or_else(|| unknown(member, path))?, member)),
        }
    }
    named.sort_by_key(|(part, _)| *part);
    for pair in named.windows(2) {
        let ((low, lower), (high, higher)) = (pair[0], pair[1]);
        let at = join(path, &higher.key);
        if low == high {
            let message = format!("{} is {} once more", higher.key, lower.key);
            return Err(Fault::new(higher.at, at, message).expected("each quantile once"));
        }
        let lower_at = join(path, &lower.key);
        if us(&higher.value, &at)? < us(&lower.value, &lower_at)? {
            let message = format!("{} is more than {}", lower.key, higher.key);
            return Err(Fault::new(lower.value.at, lower_at, message)
                .expected(format!("{} <= {}", lower.key, higher.key)));
        }
    }
    let inner = named.iter().filter(|(part, _)| !matches!(*part, 0 | Quantiles::WHOLE));
    let mut points = vec![(0, min)];
    for (part, member) in inner {
        points.push((*part, us(&member.value, &join(path, &member.key))?));
    }
    points.push((Quantiles::WHOLE, max));
    Ok(points)
}

/// `p99.9` as hundredths of a percent.
fn part(key: &str) -> Option<u16> {
    let (whole, rest) = key.strip_prefix('p')?.split_once('.').unwrap_or((&key[1..], "0"));
    let is_number = |text: &str| {
        (1..=2).contains(&text.len()) && text.bytes().all(|sign| sign.is_ascii_digit())
    };
    if !is_number(whole) || !is_number(rest) {
        return None;
    }
    let hundredths: u16 = format!("{rest:0<2}").parse().ok()?;
    let part = whole.parse::<u16>().ok()? * 100 + hundredths;
    (part > 0).then_some(part)
}

fn unknown(member: &Member, path: &str) -> Fault {
    let key = crate::text::readable(&member.key);
    Fault::new(member.at, join(path, &key), format!("there is no quantile \"{key}\""))
        .expected("a part between 0 and 100 %: \"p50\", \"p99.9\"")
}
