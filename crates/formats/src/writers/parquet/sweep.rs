//! The runs of a sweep.

use std::io::{Result, Write};

use super::column::{Column, Kind, Values};
use super::file::File;
use crate::format::{Cell, CellKind, SweepColumn, SweepRow, SweepWriter};

/// Runs of a group.
const GROUP: usize = 1_000;

/// A sweep on its way into the file.
#[derive(Default)]
pub(super) struct Runs {
    columns: Vec<SweepColumn>,
    file: Option<File>,
    /// Fewer than a group.
    waiting: Vec<Vec<Cell>>,
}

impl Runs {
    fn write(&mut self, out: &mut dyn Write) -> Result<()> {
        let rows = std::mem::take(&mut self.waiting);
        let values: Vec<Values> = self
            .columns
            .iter()
            .enumerate()
            .map(|(at, column)| values(column.kind, rows.iter().filter_map(|row| row.get(at))))
            .collect();
        self.file.as_mut().map_or(Ok(()), |file| file.group(&values, out))
    }
}

impl SweepWriter for Runs {
    fn begin(&mut self, columns: &[SweepColumn], _out: &mut dyn Write) -> Result<()> {
        let column = |SweepColumn { name, kind }: &SweepColumn| match kind {
            CellKind::Text => Column::new(name, Kind::Text),
            CellKind::Count => Column::new(name, Kind::U64),
            CellKind::Flag => Column::new(name, Kind::Bool),
            CellKind::Figure => Column::new(name, Kind::I64).nullable(),
        };
        let of_file: Vec<Column> = columns.iter().map(column).collect();
        self.columns = columns.to_vec();
        self.file = Some(File::begin(&of_file, Vec::new())?);
        Ok(())
    }

    fn row(&mut self, row: &SweepRow<'_>, out: &mut dyn Write) -> Result<()> {
        self.waiting.push(row.cells.to_vec());
        if self.waiting.len() == GROUP { self.write(out) } else { Ok(()) }
    }

    fn end(&mut self, out: &mut dyn Write) -> Result<()> {
        if !self.waiting.is_empty() {
            self.write(out)?;
        }
        self.file.as_mut().map_or(Ok(()), |file| file.end(out))
    }
}

/// The cells of a column, each of which is of its kind.
fn values<'c>(kind: CellKind, cells: impl Iterator<Item = &'c Cell>) -> Values {
    match kind {
        CellKind::Text => {
            Values::Text(cells.map(|cell| cell.to_string().as_str().into()).collect())
        }
        CellKind::Count => Values::Int64(cells.map(count).collect(), None),
        CellKind::Flag => Values::Bool(cells.map(|cell| *cell == Cell::Flag(true)).collect()),
        CellKind::Figure => Values::optional(cells.map(figure)),
    }
}

/// The bits of a count.
fn count(cell: &Cell) -> i64 {
    if let Cell::Count(count) = cell { count.cast_signed() } else { 0 }
}

fn figure(cell: &Cell) -> Option<i64> {
    if let Cell::Figure(figure) = cell { *figure } else { None }
}
