//! A Parquet file that grows by row groups and hands its bytes out as they come.

use std::io::{Result, Write};
use std::sync::Arc;

use parquet::basic::{Compression, Encoding};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type};

use super::column::{Column, Values};

/// Most values that a column's writer is given at once.
const BATCH: usize = 65_536;

/// The file so far. Its bytes wait in memory for one row group at most.
pub(super) struct File(SerializedFileWriter<Vec<u8>>);

impl File {
    /// Begins a file of these columns, with names and texts for its metadata.
    pub(super) fn begin(columns: &[Column], about: Vec<(&str, String)>) -> Result<Self> {
        let fields = columns.iter().map(|column| column.field().map(Arc::new));
        let fields = fields.collect::<parquet::errors::Result<_>>()?;
        let schema = Type::group_type_builder("schema").with_fields(fields).build()?;
        let about = about.into_iter().map(|(key, text)| KeyValue::new(key.to_owned(), text));
        let mut properties = WriterProperties::builder()
            .set_created_by("schedscope".to_owned())
            .set_compression(Compression::SNAPPY)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_max_row_group_row_count(None)
            .set_key_value_metadata(Some(about.collect()));
        for column in columns.iter().filter(|column| column.ascends) {
            let path = || ColumnPath::new(vec![column.name.clone()]);
            properties = properties
                .set_column_dictionary_enabled(path(), false)
                .set_column_encoding(path(), Encoding::DELTA_BINARY_PACKED);
        }
        let properties = Arc::new(properties.build());
        Ok(Self(SerializedFileWriter::new(Vec::new(), Arc::new(schema), properties)?))
    }

    /// Adds a row group: the values of each column.
    pub(super) fn group(&mut self, columns: &[Values], out: &mut dyn Write) -> Result<()> {
        let mut group = self.0.next_row_group()?;
        for values in columns {
            let Some(mut column) = group.next_column()? else { break };
            values.write(&mut column, BATCH)?;
            column.close()?;
        }
        group.close()?;
        self.hand_out(out)
    }

    /// Writes the end, without which nothing can be read.
    pub(super) fn end(&mut self, out: &mut dyn Write) -> Result<()> {
        self.0.finish()?;
        self.hand_out(out)
    }

    fn hand_out(&mut self, out: &mut dyn Write) -> Result<()> {
        self.0.flush()?;
        out.write_all(&std::mem::take(self.0.inner_mut()))
    }
}
