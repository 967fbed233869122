//! Columns: their types in the file, and values of a row group.

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::Result;
use parquet::file::writer::SerializedColumnWriter;
use parquet::schema::types::Type;

/// A column of the file.
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) nullable: bool,
    /// Whether values never get smaller: differences are stored then.
    pub(super) ascends: bool,
}

/// The types that rows and sweeps need.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    U16,
    U32,
    U64,
    I64,
    Bool,
    Text,
}

/// The values of one column in one row group. A null is missing among the values and a 0 among the
/// levels; a column without nulls has no levels.
pub(super) enum Values {
    Int32(Vec<i32>, Option<Vec<i16>>),
    Int64(Vec<i64>, Option<Vec<i16>>),
    Bool(Vec<bool>),
    Text(Vec<ByteArray>),
}

impl Column {
    pub(super) fn new(name: &str, kind: Kind) -> Self {
        Self { name: name.to_owned(), kind, nullable: false, ascends: false }
    }

    pub(super) fn nullable(self) -> Self {
        Self { nullable: true, ..self }
    }

    pub(super) fn ascending(self) -> Self {
        Self { ascends: true, ..self }
    }

    pub(super) fn field(&self) -> Result<Type> {
        let unsigned = |bit_width| Some(LogicalType::integer(bit_width, false));
        let (physical, logical) = match self.kind {
            Kind::U16 => (Physical::INT32, unsigned(16)),
            Kind::U32 => (Physical::INT32, unsigned(32)),
            Kind::U64 => (Physical::INT64, unsigned(64)),
            Kind::I64 => (Physical::INT64, None),
            Kind::Bool => (Physical::BOOLEAN, None),
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let repetition = if self.nullable { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        Type::primitive_type_builder(&self.name, physical)
            .with_logical_type(logical)
            .with_repetition(repetition)
            .build()
    }
}

impl Values {
    /// Numbers of which some may be missing.
    pub(super) fn optional(of: impl Iterator<Item = Option<i64>>) -> Self {
        let (values, levels) = split(of);
        Self::Int64(values, Some(levels))
    }

    /// Numbers of 32 bits of which some may be missing; the file holds their bits.
    pub(super) fn optional_bits(of: impl Iterator<Item = Option<u32>>) -> Self {
        let (values, levels) = split(of.map(|value| value.map(u32::cast_signed)));
        Self::Int32(values, Some(levels))
    }

    pub(super) fn write(
        &self,
        column: &mut SerializedColumnWriter<'_>,
        batch: usize,
    ) -> Result<()> {
        match self {
            Self::Int32(values, levels) => {
                typed::<Int32Type>(column, values, levels.as_deref(), batch)
            }
            Self::Int64(values, levels) => {
                typed::<Int64Type>(column, values, levels.as_deref(), batch)
            }
            Self::Bool(values) => typed::<BoolType>(column, values, None, batch),
            Self::Text(values) => typed::<ByteArrayType>(column, values, None, batch),
        }
    }
}

fn split<T>(of: impl Iterator<Item = Option<T>>) -> (Vec<T>, Vec<i16>) {
    let mut values = Vec::new();
    let mut levels = Vec::new();
    for value in of {
        levels.push(i16::from(value.is_some()));
        values.extend(value);
    }
    (values, levels)
}

/// Batch by batch: the writer keeps pages small only between batches.
fn typed<T: DataType>(
    column: &mut SerializedColumnWriter<'_>,
    mut values: &[T::T],
    levels: Option<&[i16]>,
    batch: usize,
) -> Result<()> {
    let writer = column.typed::<T>();
    let Some(levels) = levels else {
        for values in values.chunks(batch) {
            writer.write_batch(values, None, None)?;
        }
        return Ok(());
    };
    for levels in levels.chunks(batch) {
        let present = levels.iter().filter(|level| **level == 1).count();
        let (these, rest) = values.split_at(present);
        writer.write_batch(these, Some(levels), None)?;
        values = rest;
    }
    Ok(())
}
