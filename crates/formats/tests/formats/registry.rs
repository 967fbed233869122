//! What holds of every format of one run that the page can write too.

use schedscope_engine::trace::catalogue::Kind;
use schedscope_engine::trace::columns::Columns;
use schedscope_formats::{FORMATS, Format, What};

use crate::support::{WHOLE, described, end_of, prepared, suiting, writer, written, written_in};

/// Their names.
fn of_runs() -> impl Iterator<Item = &'static str> {
    FORMATS
        .iter()
        .filter(|format| format.page_writer().is_some())
        .map(|format: &&Format| format.name)
}

#[test]
fn bytes_do_not_depend_on_where_a_chunk_ends() {
    for format in of_runs() {
        let suited = suiting(format);
        let (whole, pieces) = (written(format, &suited), written_in(format, &suited, WHOLE, 997));
        assert!(!whole.bytes.is_empty() && whole.bytes == pieces.bytes, "{format}");
    }
}

#[test]
fn the_state_of_a_cpu_is_not_needed_for_the_page_does_not_keep_those_rows() {
    for format in of_runs() {
        let suited = suiting(format);
        let whole = written(format, &suited);
        let rows = &whole.rows;
        let keeps = |row: &usize| rows.kind[*row] != Kind::CpuState as u8;
        let kept: Vec<usize> = (0..rows.time.len()).filter(keeps).collect();
        assert!(kept.len() < rows.time.len());
        let rows = Columns {
            time: kept.iter().map(|row| rows.time[*row]).collect(),
            kind: kept.iter().map(|row| rows.kind[*row]).collect(),
            cpu: kept.iter().map(|row| rows.cpu[*row]).collect(),
            a: kept.iter().map(|row| rows.a[*row]).collect(),
            b: kept.iter().map(|row| rows.b[*row]).collect(),
        };
        let mut writer = writer(format, described(&suited, WHOLE));
        let mut bytes = Vec::new();
        writer.begin(&mut bytes).unwrap();
        writer.rows(&rows, &mut bytes).unwrap();
        writer.end(&end_of(&whole.report), &mut bytes).unwrap();
        assert!(bytes == whole.bytes, "{format}");
    }
}

#[test]
fn a_trace_of_a_window_is_smaller_than_that_of_the_whole_run() {
    let suited = prepared("rt-pull-herd");
    for format in FORMATS.iter().filter(|format| format.maker(What::Trace).is_some()) {
        let part = written_in(format.name, &suited, (10_000_000, 11_000_000), u64::MAX).bytes.len();
        let whole = written(format.name, &suited).bytes.len();
        assert!(part > 0 && part * 2 < whole, "{}: {part} of {whole}", format.name);
    }
}

#[test]
fn a_writer_ends_a_run_without_rows() {
    for format in of_runs() {
        let suited = suiting(format);
        let mut writer = writer(format, described(&suited, WHOLE));
        let mut bytes = Vec::new();
        writer.begin(&mut bytes).unwrap();
        writer.rows(&Columns::default(), &mut bytes).unwrap();
        writer.end(&schedscope_formats::End::default(), &mut bytes).unwrap();
    }
}
