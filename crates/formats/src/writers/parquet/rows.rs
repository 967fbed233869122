//! The rows of a trace.

use std::io::{Result, Write};

use parquet::data_type::ByteArray;
use schedscope_engine::trace::catalogue::{NONE, kind_name};
use schedscope_engine::trace::columns::Columns;

use super::column::{Column, Kind, Values};
use super::file::File;
use crate::json_text::quoted;
use crate::run::{End, Run, RunWriter};

/// Rows of a group: about 20 MB in memory.
const GROUP: usize = 1 << 20;

/// One run on its way into the file.
pub(super) struct Rows {
    run: Run,
    file: Option<File>,
    /// Fewer than a group.
    waiting: Columns,
}

impl Rows {
    pub(super) fn new(run: Run) -> Self {
        Self { run, file: None, waiting: Columns::default() }
    }

    fn write(&mut self, out: &mut dyn Write) -> Result<()> {
        let rows = std::mem::take(&mut self.waiting);
        match &mut self.file {
            Some(file) => file.group(&values(&rows), out),
            None => Ok(()),
        }
    }
}

impl RunWriter for Rows {
    fn begin(&mut self, _out: &mut dyn Write) -> Result<()> {
        let columns = [
            Column::new("time_ns", Kind::U64).ascending(),
            Column::new("cpu", Kind::U16).nullable(),
            Column::new("event", Kind::Text),
            Column::new("a", Kind::U32).nullable(),
            Column::new("b", Kind::U32).nullable(),
        ];
        let names: Vec<String> =
            self.run.setup.tasks.iter().map(|task| quoted(&task.name)).collect();
        let about = vec![
            ("schedscope.scenario", self.run.title.scenario.clone()),
            ("schedscope.kernel", self.run.title.kernel.clone()),
            ("schedscope.replay", self.run.title.replay.clone()),
            ("schedscope.tasks", format!("[{}]", names.join(","))),
        ];
        self.file = Some(File::begin(&columns, about)?);
        Ok(())
    }

    fn rows(&mut self, rows: &Columns, out: &mut dyn Write) -> Result<()> {
        for row in 0..rows.time.len() {
            if !self.run.shows(rows.time[row]) {
                continue;
            }
            self.waiting.time.push(rows.time[row]);
            self.waiting.kind.push(rows.kind[row]);
            self.waiting.cpu.push(rows.cpu[row]);
            self.waiting.a.push(rows.a[row]);
            self.waiting.b.push(rows.b[row]);
            if self.waiting.time.len() == GROUP {
                self.write(out)?;
            }
        }
        Ok(())
    }

    fn end(&mut self, _end: &End, out: &mut dyn Write) -> Result<()> {
        if !self.waiting.time.is_empty() {
            self.write(out)?;
        }
        self.file.as_mut().map_or(Ok(()), |file| file.end(out))
    }
}

fn values(rows: &Columns) -> [Values; 5] {
    let number = |value: &u32| (*value != NONE).then_some(*value);
    let names: Vec<ByteArray> = (0..=u8::MAX).map(|kind| kind_name(kind).into()).collect();
    [
        Values::Int64(rows.time.iter().map(|time| time.cast_signed()).collect(), None),
        Values::optional_bits(
            rows.cpu.iter().map(|cpu| (*cpu != u16::MAX).then_some(u32::from(*cpu))),
        ),
        Values::Text(rows.kind.iter().map(|kind| names[usize::from(*kind)].clone()).collect()),
        Values::optional_bits(rows.a.iter().map(number)),
        Values::optional_bits(rows.b.iter().map(number)),
    ]
}
