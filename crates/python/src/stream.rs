//! A table as an Arrow stream: any library that speaks the Arrow PyCapsule interface takes it
//! without a copy.

use std::ffi::CStr;
use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

const NAME: &CStr = c"arrow_array_stream";

/// A table, in one or more pieces.
#[pyclass(frozen, module = "schedscope._native")]
pub struct Stream {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

#[pymethods]
impl Stream {
    /// See https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html; a requested
    /// schema is a wish, which this table does not grant.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches = self.batches.clone().into_iter().map(Ok);
        let reader = RecordBatchIterator::new(batches, self.schema.clone());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), NAME)
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// Names of the columns, in order.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }
}

/// A column with its name and whether it may hold nothing.
pub type Column = (String, ArrayRef, bool);

/// One piece of a table.
pub fn batch(columns: Vec<Column>) -> Result<RecordBatch, ArrowError> {
    let field =
        |(name, array, nullable): &Column| Field::new(name, array.data_type().clone(), *nullable);
    let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
    let arrays = columns.into_iter().map(|(_, array, _)| array).collect();
    RecordBatch::try_new(Arc::new(schema), arrays)
}

impl Stream {
    /// A table of pieces with one schema; the first may be empty and gives it.
    pub fn of(batches: Vec<RecordBatch>) -> PyResult<Self> {
        let schema = batches.first().map(RecordBatch::schema);
        let schema = schema.ok_or_else(|| PyValueError::new_err("a table without a piece"))?;
        Ok(Self { schema, batches })
    }
}

/// An error of Arrow's as Python's.
pub fn wrong(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
