//! The runs of a sweep, read back.

use std::io::{Error, Result};

use bytes::Bytes;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use crate::format::Cell;

/// The rows of a file of runs, each with its cells.
///
/// # Errors
/// The bytes are no Parquet file, or one with columns that no sweep has.
pub fn read_runs(bytes: &[u8]) -> Result<Vec<Vec<Cell>>> {
    let reader = SerializedFileReader::new(Bytes::copy_from_slice(bytes))?;
    let mut rows = Vec::new();
    for row in reader.get_row_iter(None)? {
        let cells = row?.into_columns().into_iter().map(|(_, field)| cell(field));
        let cells: Option<Vec<Cell>> = cells.collect();
        rows.push(cells.ok_or_else(|| Error::other("a column is of a type that no sweep has"))?);
    }
    Ok(rows)
}

fn cell(field: Field) -> Option<Cell> {
    match field {
        Field::Str(text) => Some(Cell::Text(text)),
        Field::ULong(count) => Some(Cell::Count(count)),
        Field::Bool(flag) => Some(Cell::Flag(flag)),
        Field::Long(figure) => Some(Cell::Figure(Some(figure))),
        Field::Null => Some(Cell::Figure(None)),
        _ => None,
    }
}
