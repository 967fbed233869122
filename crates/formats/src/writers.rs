//! The registry: every format out, one row and one file each. The command, the page, the docs and
//! the tests iterate it.

mod chrome;
mod cpu_stat;
mod cpu_stat_v1;
mod csv;
mod cyclictest;
mod cyclictest_hist;
mod cyclictest_json;
mod ftrace;
mod gif;
mod json;
mod jsonl;
mod parquet;
mod pdf;
mod perf;
mod perfetto;
mod png;
mod psi;
mod rt_app;
mod schedstat;
mod svg;
mod tracedat;
mod tsv;
mod webm;

use crate::format::{Format, What};
#[cfg(feature = "parquet")]
pub use parquet::read_runs;

/// Every format, in the order in which lists show them.
pub const FORMATS: &[&Format] = &[
    &perfetto::FORMAT,
    &ftrace::FORMAT,
    &tracedat::FORMAT,
    &perf::TIMEHIST,
    &perf::LATENCY,
    &rt_app::FORMAT,
    &chrome::FORMAT,
    &cyclictest::FORMAT,
    &cyclictest_hist::FORMAT,
    &cyclictest_json::FORMAT,
    &cpu_stat::FORMAT,
    &cpu_stat_v1::FORMAT,
    &psi::FORMAT,
    &schedstat::FORMAT,
    &tsv::FORMAT,
    &csv::FORMAT,
    &jsonl::FORMAT,
    &parquet::FORMAT,
    &json::FORMAT,
    &svg::FORMAT,
    &pdf::FORMAT,
    &png::FORMAT,
    &webm::FORMAT,
    &gif::FORMAT,
];

/// The format of that name.
pub fn named(name: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.name == name)
}

/// The formats that can hold `what`.
pub fn writing(what: What) -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().copied().filter(move |format| format.maker(what).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_name_of_its_own_a_content_and_words() {
        for (nth, format) in FORMATS.iter().enumerate() {
            let first = FORMATS.iter().position(|other| other.name == format.name);
            assert_eq!(first, Some(nth), "{}", format.name);
            assert!(!format.contents.is_empty(), "{}", format.name);
            for words in [format.title, format.extension, format.media_type] {
                assert!(!words.is_empty(), "{}", format.name);
            }
            for sentences in [format.carries, format.loses] {
                assert!(sentences.ends_with('.'), "{}: {sentences}", format.name);
            }
        }
    }

    #[test]
    fn an_ending_says_the_format_of_rows_and_of_sweeps() {
        for what in [What::Rows, What::Sweep] {
            for format in writing(what) {
                let same = writing(what).filter(|other| other.extension == format.extension);
                assert_eq!(same.count(), 1, "{what:?} .{}", format.extension);
            }
        }
    }

    #[test]
    fn a_format_has_one_way_to_write_one_run() {
        for format in FORMATS {
            let of_run = format.contents.iter().filter(|content| content.what.is_of_one_run());
            assert!(of_run.count() <= 1, "{}: --to {} has two meanings", format.name, format.name);
        }
    }
}
