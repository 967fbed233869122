//! Dates and pauses between readings: what `date` prints, dates of ISO 8601, and `sleep`. A line
//! with a date and more is a line of a log, which is left to others.

use crate::words::case::{Case, Clock, Instant, Note};
use crate::words::form::Form;
use crate::words::quantity;
use crate::words::{marks::unwrapped, paste::Piece};

pub(super) const FORM: Form = Form {
    name: "clock",
    title: "dates between readings",
    example: "cpu.max 50000 100000\nMon Nov 30 14:12:32 UTC 2026\nnr_periods 600\nnr_throttled 60\n\
              2026-11-30T14:13:32Z\nnr_periods 1200\nnr_throttled 90",
    read,
};

const MONTHS: &[&str] =
    &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS: &[&str] = &["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
/// Dates of a text that are kept.
const DATES_MAX: usize = 2_000;

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    let says = match piece.pipeline() {
        Some(pipeline) => {
            let words = unwrapped(&pipeline[0].words);
            match words.first().map(String::as_str)? {
                "date" => {
                    case.open.has_epoch |= words.iter().any(|word| word.starts_with("+%s"));
                    return Some(Note::left_out("prints a date"));
                }
                "sleep" => Instant::Pause(pause(&words[1..])?),
                _ => return None,
            }
        }
        None => {
            let text = piece.text()?;
            let epoch = || {
                quantity::decimal(text).filter(|s| *s >= 1e8).or_else(|| {
                    // More digits than a number of the text's has elsewhere.
                    let is_s = text.len() == 10 && text.bytes().all(|sign| sign.is_ascii_digit());
                    text.parse().ok().filter(|_| is_s)
                })
            };
            let of_epoch = case.open.has_epoch.then(epoch).flatten();
            Instant::Date(of_epoch.or_else(|| of_day(text)).or_else(|| date(text))?)
        }
    };
    put(says, piece.line(), case);
    Some(Note::used(match says {
        Instant::Date(_) => "a date".to_owned(),
        Instant::Pause(s) => format!("a pause of {s} s"),
    }))
}

/// Keeps a date or a pause of a line.
pub(super) fn put(says: Instant, line: usize, case: &mut Case) {
    let readings = case.groups.all.iter().map(|group| group.counters.len()).max().unwrap_or(0);
    if case.clock.len() < DATES_MAX {
        case.clock.push(Clock { line, readings, says });
    }
}

/// A line of a log: the date that precedes its figures, and the rest; the whole line where it
/// begins otherwise.
pub(super) fn dated(text: &str) -> (Option<Instant>, &str) {
    let is_begin = text.starts_with(|sign: char| sign.is_ascii_digit() || sign == '[');
    let figures = text.find("nr_").into_iter().chain(text.find("usage_")).min();
    let Some(at) = figures.filter(|at| is_begin && *at > 0) else { return (None, text) };
    let before = text[..at].trim().trim_end_matches(':').trim_matches(['[', ']']);
    match of_day(before).or_else(|| date(before)) {
        Some(s) => (Some(Instant::Date(s)), &text[at..]),
        None => (None, text),
    }
}

/// `60`, `1m 30s`, in s.
fn pause(words: &[String]) -> Option<f64> {
    if words.is_empty() {
        return None;
    }
    let us: Option<f64> = words.iter().map(|word| quantity::time_us(word, "s")).sum();
    Some(us? / 1e6)
}

/// Parts of a date.
#[derive(Default)]
struct Parts {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    /// s since midnight.
    time: Option<f64>,
    is_afternoon: Option<bool>,
}

/// s since 1970 by the text's own clock; none where a word of the line is no part of a date.
fn date(text: &str) -> Option<f64> {
    let mut parts = Parts::default();
    for word in text.split([' ', '\t', ',', 'T']).filter(|word| !word.is_empty()) {
        // “Tue” and “UTC” are cut at their T, too.
        word_of(word, &mut parts)?;
    }
    let Parts { year, month, day, time, is_afternoon } = parts;
    let time = match (is_afternoon, time?) {
        (None, time) => time,
        // 12 AM is midnight.
        (Some(is_afternoon), time) => time % 43_200.0 + if is_afternoon { 43_200.0 } else { 0.0 },
    };
    Some(days(year?, month?, day?) as f64 * 86_400.0 + time)
}

fn word_of(word: &str, parts: &mut Parts) -> Option<()> {
    let lower = word.to_ascii_lowercase();
    let number = |text: &str| {
        let digits = text.len() <= 4 && text.bytes().all(|sign| sign.is_ascii_digit());
        text.parse::<i64>().ok().filter(|_| digits)
    };
    if let Some(month) = MONTHS.iter().position(|name| lower.starts_with(name)) {
        parts.month = Some(i64::try_from(month).ok()? + 1);
    } else if word.contains(':') {
        parts.time = Some(time(word)?);
    } else if let Some((year, rest)) = word.split_once('-').filter(|(year, _)| year.len() == 4) {
        let (month, day) = rest.split_once('-')?;
        (parts.year, parts.month, parts.day) =
            (Some(number(year)?), Some(number(month)?), Some(number(day)?));
    } else if matches!(lower.as_str(), "am" | "pm") {
        parts.is_afternoon = Some(lower == "pm");
    } else if let Some(number) = number(word) {
        let place = if word.len() == 4 { &mut parts.year } else { &mut parts.day };
        *place = Some(number);
    } else {
        // A weekday, or the name of a zone.
        let is_day =
            DAYS.iter().any(|name| lower.starts_with(name)) || lower == "ue" || lower == "hu";
        let is_zone = word.len() <= 5
            && word
                .bytes()
                .all(|sign| sign.is_ascii_uppercase() || b"+-0123456789".contains(&sign));
        (is_day || is_zone).then_some(())?;
    }
    let (month, day) = (parts.month.unwrap_or(1), parts.day.unwrap_or(1));
    ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some(())
}

/// `14:12:32` alone, as `date +%T` prints it: s since midnight.
fn of_day(text: &str) -> Option<f64> {
    let is_time = text.bytes().all(|sign| sign.is_ascii_digit() || b":.".contains(&sign));
    (is_time && text.matches(':').count() == 2).then(|| time(text)).flatten()
}

/// `14:12:32`, `14:12:32.5Z`, `14:12:32+01:00`: s since midnight.
fn time(word: &str) -> Option<f64> {
    let end = word
        .find(|sign: char| !sign.is_ascii_digit() && sign != ':' && sign != '.')
        .unwrap_or(word.len());
    let mut parts = word[..end].split(':');
    let mut next = || quantity::decimal(parts.next()?);
    let (hour, minute) = (next()?, next()?);
    let second = next().unwrap_or(0.0);
    (hour < 24.0 && minute < 60.0 && second < 61.0)
        .then_some(hour * 3_600.0 + minute * 60.0 + second)
}

/// Days from 1970-01-01 in the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that a leap day is the last of its year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leaps + (153 * month + 2) / 5 + day - 1 - 719_468
}
