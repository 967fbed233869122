//! Turns `--over` and `--seeds` into the points of a sweep, in the order of the output.

use std::collections::BTreeSet;

use schedscope_scenario::knobs::{KnobType, SEED_MAX, knob};
use schedscope_scenario::units::parse_time;
use schedscope_scenario::{json_value, one_spelling, readable};
use serde_json::Value;

use crate::failure::Failure;
use crate::numbers::grouped;
use crate::target::Set;

/// Most axes whose number of values the error about too many runs shows.
const SHOWN: usize = 20;

/// One knob and the values it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The knob's path.
    pub path: String,
    /// Values in the order given: text for the knob to read, or JSON.
    pub values: Vec<Value>,
}

/// The kernel of one point in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelOfPoint {
    /// For files: the kernel's version, and the switches that differ from it.
    pub whole: String,
    /// For people, without the switches that are axes, which have columns of their own.
    pub beside_axes: String,
}

/// Every combination of the axes' values; the last axis moves fastest.
#[derive(Clone, Debug)]
pub struct Grid {
    /// The axes in the order of `--over`.
    pub axes: Vec<Axis>,
    /// Seeds of every point; `None` is the scenario's own.
    pub seeds: Option<Vec<u64>>,
}

/// A knob and its values as written, counted before any is made.
#[derive(Debug)]
pub struct Written<'a> {
    path: &'a str,
    count: usize,
    items: Items<'a>,
}

#[derive(Debug)]
enum Items<'a> {
    Json(Vec<Value>),
    Text { items: &'a str, whole: bool },
}

/// `PATH=v1,v2`, `PATH=["a,b","c"]`, `PATH=1..8`.
pub fn written(argument: &str, most: usize) -> Result<Written<'_>, Failure> {
    let (path, text) = argument.split_once('=').ok_or_else(|| {
        Failure::usage(format!(
            "--over: \"{}\" is not PATH=v1,v2,... or PATH=1..8",
            readable(argument)
        ))
    })?;
    if path.is_empty() {
        return Err(Failure::usage(format!(
            "--over: \"{}\" names no knob before its =\n  expected: PATH=v1,v2,..., such as \
                machine.cpus=1..8",
            readable(argument)
        )));
    }
    let wrong = |what: String| Failure::usage(format!("--over {}: {what}", readable(path)));
    let json = |error: serde_json::Error| {
        wrong(format!(
            "what starts like JSON is not JSON: {error}\n  expected: v1,v2,... or a JSON list: \
                '{}=[\"a,b\",\"c\"]'",
            readable(path)
        ))
    };
    let items = match text.as_bytes().first() {
        Some(b'[' | b'"' | b'{') => {
            serde_json::from_str::<serde::de::IgnoredAny>(text).map_err(json)?;
            match json_value(path, text)
                .map_err(|error| Failure::usage(format!("--over {error}")))?
            {
                Value::Array(values) => Items::Json(values),
                value => Items::Json(vec![value]),
            }
        }
        _ => Items::Text {
            items: text,
            whole: knob(path).is_some_and(|knob| knob.kind == KnobType::Integer),
        },
    };
    let count = match &items {
        Items::Json(values) => values.len(),
        Items::Text { items, whole } => {
            let size = |item| match range(item, most).filter(|_| *whole) {
                Some(range) => range
                    .map(|range| usize::try_from(range.end() - range.start()).unwrap_or(most) + 1),
                None if *whole && item.contains("..") => {
                    Err(format!("\"{}\" is no range", readable(item)))
                }
                None => Ok(1),
            };
            items
                .split(',')
                .try_fold(0_usize, |sum, item| Ok(sum.saturating_add(size(item)?)))
                .map_err(|what: String| wrong(format!("{what}{A_RANGE}")))?
        }
    };
    if count > most {
        return Err(wrong(format!(
            "{} values are more than the {} runs of a sweep",
            grouped(count as u64),
            grouped(most as u64)
        )));
    }
    Ok(Written { path, count, items })
}

impl Written<'_> {
    /// Makes the values; none may be empty or come twice.
    fn axis(self) -> Result<Axis, Failure> {
        let wrong =
            |what: String| Failure::usage(format!("--over {}: {what}", readable(self.path)));
        let values = match self.items {
            Items::Json(values) => values,
            Items::Text { items, whole } => {
                let mut values = Vec::with_capacity(self.count);
                for item in items.split(',') {
                    match range(item, usize::MAX).filter(|_| whole) {
                        Some(range) => values.extend(
                            range.map_err(wrong)?.map(|number| Value::String(number.to_string())),
                        ),
                        None => values.push(Value::String(item.to_owned())),
                    }
                }
                values
            }
        };
        if values.is_empty() || values.iter().any(|value| value.as_str().is_some_and(str::is_empty))
        {
            return Err(wrong(
                "there is a value with nothing in it\n  expected: v1,v2,...".to_owned(),
            ));
        }
        let mut seen = BTreeSet::new();
        if let Some(twice) = values.iter().find(|value| !seen.insert(read_as(self.path, value))) {
            return Err(wrong(format!(
                "{} is given twice{}",
                readable(&shown(twice)),
                written_otherwise(self.path, twice, &values)
            )));
        }
        Ok(Axis { path: self.path.to_owned(), values })
    }
}

/// A second text for a value that `values` already has, if its spelling differs.
fn written_otherwise(path: &str, twice: &Value, values: &[Value]) -> String {
    let first = values
        .iter()
        .find(|value| read_as(path, value) == read_as(path, twice))
        .filter(|first| *first != twice);
    first.map_or_else(String::new, |first| format!(", as {} too", readable(&shown(first))))
}

/// The value that the knob at `path` reads, in one spelling for all texts that mean it: `04` is 4,
/// `1000us` is 1ms, `010000 100000` of cpu.max is `10000 100000`.
fn read_as(path: &str, value: &Value) -> String {
    let text = shown(value);
    let number = |text: &str| text.parse::<u64>().ok().map(|number| number.to_string());
    let read = knob(path).and_then(|knob| match knob.kind {
        KnobType::Integer => number(&text),
        KnobType::Time => parse_time(&text).map(|ns| ns.to_string()),
        KnobType::Text if knob.key() == "cpu_max" => {
            let words = text.split_ascii_whitespace();
            let words = words.map(|word| number(word).unwrap_or_else(|| word.to_owned()));
            Some(words.collect::<Vec<_>>().join(" "))
        }
        _ => None,
    });
    read.unwrap_or_else(|| value.to_string())
}

/// The end of an error about a malformed range.
const A_RANGE: &str = "\n  expected: a range with both ends, such as 1..64, or a list: 1,8,64";

/// `1..20`, both ends included; `None` if the text is no range of numbers at all.
fn range(text: &str, most: usize) -> Option<Result<std::ops::RangeInclusive<u64>, String>> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (first, last) = text.split_once("..")?;
    let last = last.strip_prefix('=').unwrap_or(last);
    if !digits(first) || !digits(last) {
        return None;
    }
    let ends = first.parse::<u64>().ok().zip(last.parse::<u64>().ok());
    Some(match ends {
        Some((first, last)) if first > last => Err(format!("{text} runs backwards")),
        Some((first, last)) if last - first < most as u64 => Ok(first..=last),
        _ => Err(format!(
            "{text} has more than {} values, which no sweep takes",
            grouped(most as u64)
        )),
    })
}

/// `1..20`, `1,5,9`, `3`.
pub fn seeds(text: &str, most: usize) -> Result<Vec<u64>, Failure> {
    let wrong = |what: String| {
        Failure::usage(format!("--seeds: {what}\n  expected: 1..20, both ends included, or 1,5,9"))
    };
    let mut seeds = Vec::new();
    for item in text.split(',') {
        match range(item, most) {
            Some(range) => seeds.extend(range.map_err(wrong)?),
            None => seeds.push(item.parse::<u64>().map_err(|_| {
                wrong(format!("\"{item}\" is neither a seed nor a range of seeds"))
            })?),
        }
        if seeds.len() > most {
            return Err(wrong(format!(
                "more than {} seeds, which no sweep takes",
                grouped(most as u64)
            )));
        }
    }
    if let Some(large) = seeds.iter().find(|seed| **seed > SEED_MAX) {
        return Err(wrong(format!("{large} is out of range: a seed is at most {SEED_MAX}")));
    }
    let mut sorted = seeds.clone();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(wrong(format!("{} is given twice", pair[0]))),
        None => Ok(seeds),
    }
}

/// Seeds as [`seeds`] reads them: runs of consecutive ones as ranges.
pub fn seeds_text(seeds: &[u64]) -> String {
    let together = seeds.chunk_by(|before, after| before.checked_add(1) == Some(*after));
    let texts = together.map(|range| match range {
        [first, .., last] => format!("{first}..{last}"),
        _ => range[0].to_string(),
    });
    texts.collect::<Vec<_>>().join(",")
}

/// A value as a person wrote it.
pub fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

impl Grid {
    /// Refuses an axis that occurs twice, and too many runs before any value is made; `common`
    /// holds the settings of every run.
    pub fn new(
        axes: Vec<Written<'_>>,
        seeds: Option<Vec<u64>>,
        common: &Set,
        most: usize,
    ) -> Result<Self, Failure> {
        let mut swept = BTreeSet::new();
        for axis in &axes {
            let path = axis.path;
            if !swept.insert(one_spelling(path)) {
                return Err(Failure::usage(format!(
                    "--over {} is given twice: put all its values into one",
                    readable(path)
                )));
            }
            if common.iter().any(|(set, _)| one_spelling(set) == one_spelling(path)) {
                return Err(Failure::usage(format!(
                    "{} is both swept by --over and set once for all runs",
                    readable(path)
                )));
            }
            if path == "seed" && seeds.is_some() {
                return Err(Failure::usage(
                    "the seed is both swept by --over and given by --seeds",
                ));
            }
        }
        let counts: Vec<usize> =
            axes.iter().map(|axis| axis.count).chain(seeds.iter().map(Vec::len)).collect();
        let runs = counts.iter().try_fold(1_usize, |runs, count| runs.checked_mul(*count));
        if runs.is_some_and(|runs| runs <= most) {
            let axes = axes.into_iter().map(Written::axis).collect::<Result<_, _>>()?;
            return Ok(Self { axes, seeds });
        }
        let product: Vec<String> =
            counts.iter().take(SHOWN).map(|count| grouped(*count as u64)).collect();
        let more = if counts.len() > SHOWN { " x ..." } else { "" };
        let runs = runs.map_or_else(String::new, |runs| format!(" = {}", grouped(runs as u64)));
        Err(Failure::usage(format!(
            "{}{more}{runs} runs are more than a sweep's {}\n  expected: fewer values or seeds, or \
                several sweeps",
            product.join(" x "),
            grouped(most as u64)
        )))
    }

    /// The grid of axes that were checked before; `seeds` as [`seeds_text`] writes them.
    ///
    /// # Errors
    /// An axis without values, seeds that are none, or more than `most` runs.
    pub fn of(axes: Vec<Axis>, seeds: Option<&str>, most: usize) -> Result<Self, Failure> {
        let seeds = seeds.map(|text| self::seeds(text, most)).transpose()?;
        let counts = axes.iter().map(|axis| axis.values.len()).chain(seeds.iter().map(Vec::len));
        let runs = counts.clone().try_fold(1_usize, usize::checked_mul);
        if counts.min().unwrap_or(1) > 0 && runs.is_some_and(|runs| runs <= most) {
            Ok(Self { axes, seeds })
        } else {
            Err(Failure::usage(format!(
                "a sweep has 1 to {} runs, and each knob at least one value",
                grouped(most as u64)
            )))
        }
    }

    /// How many points: combinations of the axes' values.
    pub fn points(&self) -> usize {
        self.axes.iter().map(|axis| axis.values.len()).product()
    }

    /// How many runs a point has: one for each seed.
    pub fn runs_of_point(&self) -> usize {
        self.seeds.as_ref().map_or(1, Vec::len)
    }

    /// The values of point `index`, one for each axis.
    pub fn point(&self, index: usize) -> Vec<&Value> {
        let mut rest = index;
        let mut values: Vec<&Value> = Vec::new();
        for axis in self.axes.iter().rev() {
            values.push(&axis.values[rest % axis.values.len()]);
            rest /= axis.values.len();
        }
        values.reverse();
        values
    }

    /// Everything that run `run` of the sweep changes, its seed included.
    pub fn changes(&self, run: usize) -> Set {
        let (point, nth) = (run / self.runs_of_point(), run % self.runs_of_point());
        let values = self
            .axes
            .iter()
            .zip(self.point(point))
            .map(|(axis, value)| (axis.path.clone(), value.clone()));
        let seed = self.seeds.iter().map(|seeds| ("seed".to_owned(), seeds[nth].into()));
        values.chain(seed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::RUNS_MAX;
    use super::*;

    fn axis(argument: &str) -> Result<Axis, Failure> {
        written(argument, RUNS_MAX)?.axis()
    }

    fn texts(argument: &str) -> Vec<String> {
        axis(argument)
            .map(|axis| axis.values.iter().map(Value::to_string).collect())
            .unwrap_or_else(|failure| vec![format!("{failure:?}")])
    }

    #[test]
    fn values_are_texts_unless_they_are_json_and_ranges_count_whole_numbers() {
        assert_eq!(texts("kernel.version=5.10,6.1"), ["\"5.10\"", "\"6.1\""]);
        assert_eq!(texts("machine.cpus=1..3,8"), ["\"1\"", "\"2\"", "\"3\"", "\"8\""]);
        assert_eq!(texts("x=[\"a,b\",7]"), ["\"a,b\"", "7"]);
        assert_eq!(texts("x=\"a,b\""), ["\"a,b\""]);
        assert_eq!(texts("kernel.version=1..3"), ["\"1..3\""], "no number: the knob judges it");
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for wrong in [
            "machine.cpus",
            "machine.cpus=",
            "machine.cpus=1,,2",
            "machine.cpus=1,1",
            "machine.cpus=3..1",
            "x=[1",
            "x=[]",
            "x=\"a",
        ] {
            assert!(axis(wrong).is_err(), "{wrong}");
        }
        assert!(axis("machine.cpus=0..10000").is_err() && axis("machine.cpus=1..10000").is_ok());
        for wrong in [
            "",
            "a",
            "1..",
            "..3",
            "3..1",
            "1,1",
            "1..3,2",
            "-1",
            "1..99999999999999999999",
            "1.5",
            "0..10000",
        ] {
            assert!(seeds(wrong, RUNS_MAX).is_err(), "{wrong}");
        }
        assert_eq!(seeds("1..3,9", RUNS_MAX).ok(), Some(vec![1, 2, 3, 9]));
    }

    #[test]
    fn the_last_axis_moves_fastest_and_seeds_faster_still() {
        let axes = vec![
            written("machine.cpus=1,2", RUNS_MAX),
            written("kernel.hz=100,250,1000", RUNS_MAX),
        ]
        .into_iter()
        .flatten()
        .collect();
        let grid = Grid::new(axes, Some(vec![7, 8]), &Vec::new(), RUNS_MAX);
        let Ok(grid) = grid else { panic!("12 runs are few") };
        assert_eq!((grid.points(), grid.runs_of_point()), (6, 2));
        let words = |run: usize| {
            grid.changes(run).iter().map(|(_, value)| shown(value)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            [words(0), words(1), words(2), words(11)],
            ["1 100 7", "1 100 8", "1 250 7", "2 1000 8"]
        );
    }

    #[test]
    fn too_many_runs_are_refused_with_their_number() {
        let axes =
            vec![written("machine.cpus=0..9999", RUNS_MAX), written("kernel.hz=100,250", RUNS_MAX)]
                .into_iter()
                .flatten()
                .collect();
        let Err(Failure::Usage(text)) = Grid::new(axes, None, &Vec::new(), RUNS_MAX) else {
            panic!("refused")
        };
        assert!(text.contains("10 000 x 2 = 20 000 runs are more than a sweep's 10 000"), "{text}");
    }

    #[test]
    fn seeds_are_written_as_they_are_read() {
        for text in ["1..3", "7", "1..2,9,12..14", "3,1..2"] {
            assert_eq!(
                seeds(text, RUNS_MAX).map(|seeds| seeds_text(&seeds)).ok(),
                Some(text.into())
            );
        }
    }
}
