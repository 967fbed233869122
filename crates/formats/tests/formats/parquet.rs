//! Parquet, read back with the crate's own reader of rows.

use bytes::Bytes;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;
use schedscope_engine::trace::catalogue::{NONE, kind_name};
use schedscope_formats::{Cell, CellKind, Maker, SweepColumn, SweepRow, What, named};

use crate::support::{prepared, written, written_in};

#[test]
fn every_row_of_the_run_comes_back_with_its_nulls() {
    let herd = prepared("rt-pull-herd");
    let run = written("parquet", &herd);
    let reader = SerializedFileReader::new(Bytes::from(run.bytes)).unwrap();
    let mut read = 0;
    for (row, back) in reader.get_row_iter(None).unwrap().enumerate() {
        let back = back.unwrap();
        let (cpu, a, b) = (run.rows.cpu[row], run.rows.a[row], run.rows.b[row]);
        assert_eq!(back.get_ulong(0).unwrap(), run.rows.time[row]);
        assert_eq!(back.get_ushort(1).ok(), (cpu != u16::MAX).then_some(cpu), "row {row}");
        assert_eq!(back.get_string(2).unwrap(), kind_name(run.rows.kind[row]));
        assert_eq!(back.get_uint(3).ok(), (a != NONE).then_some(a), "row {row}");
        assert_eq!(back.get_uint(4).ok(), (b != NONE).then_some(b), "row {row}");
        read += 1;
    }
    assert_eq!(read, run.rows.time.len());
}

#[test]
fn the_metadata_names_the_tasks_in_the_order_of_their_numbers() {
    let herd = prepared("rt-pull-herd");
    let run = written_in("parquet", &herd, (0, 1), u64::MAX);
    let reader = SerializedFileReader::new(Bytes::from(run.bytes)).unwrap();
    let about = reader.metadata().file_metadata().key_value_metadata().unwrap();
    let tasks = about.iter().find(|about| about.key == "schedscope.tasks").unwrap();
    let names: Vec<String> = serde_json::from_str(tasks.value.as_ref().unwrap()).unwrap();
    let expected: Vec<&str> = herd.setup.tasks.iter().map(|task| task.name.as_str()).collect();
    assert_eq!(names, expected);
}

#[test]
fn a_sweep_of_several_groups_keeps_the_types_of_its_columns() {
    let Some(Maker::Sweep(begin)) = named("parquet").unwrap().maker(What::Sweep) else {
        panic!("no writer of sweeps")
    };
    let column = |(name, kind): (&str, CellKind)| SweepColumn { name: name.to_owned(), kind };
    let columns = [
        ("kernel.preempt", CellKind::Text),
        ("seed", CellKind::Count),
        ("complete", CellKind::Flag),
        ("latency.a.*.max_ns", CellKind::Figure),
    ];
    let mut writer = begin();
    let mut bytes = Vec::new();
    writer.begin(&columns.map(column), &mut bytes).unwrap();
    for run in 0..2_500_u64 {
        let figure = (run % 3 > 0).then(|| -i64::try_from(run).unwrap());
        let cells = [
            Cell::Text(format!("mode {}", run % 2)),
            Cell::Count(u64::MAX - run),
            Cell::Flag(run % 2 == 0),
            Cell::Figure(figure),
        ];
        writer.row(&SweepRow { cells: &cells, object: &"" }, &mut bytes).unwrap();
    }
    writer.end(&mut bytes).unwrap();
    let reader = SerializedFileReader::new(Bytes::from(bytes)).unwrap();
    assert_eq!(reader.num_row_groups(), 3);
    let mut runs = 0..2_500_u64;
    for back in reader.get_row_iter(None).unwrap() {
        let (back, run) = (back.unwrap(), runs.next().unwrap());
        assert_eq!(*back.get_string(0).unwrap(), format!("mode {}", run % 2));
        assert_eq!(back.get_ulong(1).unwrap(), u64::MAX - run);
        assert_eq!(back.get_bool(2).unwrap(), run % 2 == 0);
        assert_eq!(back.get_long(3).ok(), (run % 3 > 0).then(|| -i64::try_from(run).unwrap()));
    }
    assert_eq!(runs.next(), None);
}
