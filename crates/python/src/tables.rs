//! The tables of a run: rows of the trace, wake-ups with their causes, tasks, latencies. The
//! columns of rows and wake-ups are the engine's own memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::types::{ArrowDictionaryKeyType, UInt8Type, UInt32Type};
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Int64Array, ListArray, PrimitiveArray, RecordBatch,
    StringArray, StructArray, UInt16Array, UInt32Array, UInt64Array,
};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, Fields};
use schedscope_engine::trace::catalogue::{CATALOGUE, CAUSE_NAMES, NONE};
use schedscope_engine::trace::columns::{Columns, Wakes};
use schedscope_scenario::{RunMeta, TaskInfo};
use serde_json::{Map, Value};

use crate::stream::{Column, batch};

/// The trace's columns: `time_ns`, `cpu`, `event`, `a`, `b`, as in its files.
pub fn rows(columns: Columns) -> Result<RecordBatch, ArrowError> {
    let Columns { time, kind, cpu, a, b } = columns;
    let there = |values: &[u32]| nulls(values.iter().map(|value| *value != NONE));
    let (of_cpu, of_a, of_b) =
        (nulls(cpu.iter().map(|cpu| *cpu != u16::MAX)), there(&a), there(&b));
    let events = names(CATALOGUE.iter().map(|entry| entry.name));
    batch(vec![
        ("time_ns".to_owned(), Arc::new(UInt64Array::from(time)), false),
        ("cpu".to_owned(), Arc::new(UInt16Array::new(cpu.into(), of_cpu)), true),
        ("event".to_owned(), words::<UInt8Type>(kind.into(), events)?, false),
        ("a".to_owned(), Arc::new(UInt32Array::new(a.into(), of_a)), true),
        ("b".to_owned(), Arc::new(UInt32Array::new(b.into(), of_b)), true),
    ])
}

/// Finished wake-ups; `causes` are laid end to end from `due_ns`. Segments before this piece are
/// counted in `before`.
pub fn wakes(wakes: Wakes, before: u32, tasks: &ArrayRef) -> Result<RecordBatch, ArrowError> {
    let Wakes { task, nth, cpu, due, latency, segments_end, segment_cause, segment_ns } = wakes;
    let ends = segments_end.iter().map(|end| i32::try_from(end - before).unwrap_or(i32::MAX));
    let offsets = OffsetBuffer::new(std::iter::once(0).chain(ends).collect::<Vec<_>>().into());
    let causes = words::<UInt8Type>(segment_cause.into(), names(CAUSE_NAMES.iter().copied()))?;
    let fields = Fields::from(vec![
        Field::new("cause", causes.data_type().clone(), false),
        Field::new("ns", DataType::UInt32, false),
    ]);
    let segments =
        StructArray::try_new(fields, vec![causes, Arc::new(UInt32Array::from(segment_ns))], None)?;
    let item = Arc::new(Field::new("item", segments.data_type().clone(), false));
    let causes = ListArray::try_new(item, offsets, Arc::new(segments), None)?;
    batch(vec![
        ("task".to_owned(), words::<UInt32Type>(task.into(), tasks.clone())?, false),
        ("nth".to_owned(), Arc::new(UInt32Array::from(nth)), false),
        ("cpu".to_owned(), Arc::new(UInt16Array::from(cpu)), false),
        ("due_ns".to_owned(), Arc::new(UInt64Array::from(due)), false),
        ("latency_ns".to_owned(), Arc::new(UInt64Array::from(latency)), false),
        ("causes".to_owned(), Arc::new(causes), false),
    ])
}

/// The names of a run's tasks, for [`wakes`].
pub fn task_names(meta: &RunMeta) -> ArrayRef {
    names(meta.tasks.iter().map(|task| task.name.as_str()))
}

/// Every task of a run with its figures.
pub fn tasks(meta: &RunMeta, figures: &Value) -> Result<RecordBatch, ArrowError> {
    let of = |text: fn(&TaskInfo) -> &str| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(meta.tasks.iter().map(text)))
    };
    let priority = Int64Array::from_iter_values(meta.tasks.iter().map(|task| task.priority.into()));
    let group = |task: &TaskInfo| {
        meta.groups.get(task.group as usize).map_or("", |group| group.path.as_str())
    };
    let groups: ArrayRef = Arc::new(StringArray::from_iter_values(meta.tasks.iter().map(group)));
    let mut columns = vec![
        ("task".to_owned(), of(|task| &task.name), false),
        ("kind".to_owned(), of(|task| &task.kind), false),
        ("policy".to_owned(), of(|task| task.policy), false),
        ("priority".to_owned(), Arc::new(priority) as ArrayRef, false),
        ("cpus".to_owned(), of(|task| &task.cpus), false),
        ("group".to_owned(), groups, false),
    ];
    let rows: Vec<Option<&Value>> =
        meta.tasks.iter().map(|task| figures.get("tasks")?.get(&task.name)).collect();
    columns.extend(flat(&rows));
    batch(columns)
}

/// The latency of each kind of task.
pub fn latency(figures: &Value) -> Result<RecordBatch, ArrowError> {
    let empty = Map::new();
    let kinds = figures.get("latency").and_then(Value::as_object).unwrap_or(&empty);
    let names: ArrayRef = Arc::new(StringArray::from_iter_values(kinds.keys()));
    let rows: Vec<Option<&Value>> = kinds.values().map(Some).collect();
    let mut columns = vec![("kind".to_owned(), names, false)];
    columns.extend(flat(&rows));
    batch(columns)
}

/// A column for each whole number in any of the objects, by dotted path.
fn flat(rows: &[Option<&Value>]) -> Vec<Column> {
    let mut columns: BTreeMap<String, Vec<Option<i64>>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        leaves("", row.unwrap_or(&Value::Null), &mut |path, number| {
            columns.entry(path).or_insert_with(|| vec![None; rows.len()])[at] = Some(number);
        });
    }
    let column = |(path, numbers)| (path, Arc::new(Int64Array::from(numbers)) as ArrayRef, true);
    columns.into_iter().map(column).collect()
}

fn leaves(path: &str, value: &Value, take: &mut dyn FnMut(String, i64)) {
    if let Value::Object(members) = value {
        for (name, value) in members {
            let dot = if path.is_empty() { "" } else { "." };
            leaves(&format!("{path}{dot}{name}"), value, take);
        }
    } else if let Some(number) = value.as_i64() {
        take(path.to_owned(), number);
    }
}

fn nulls(there: impl Iterator<Item = bool>) -> Option<NullBuffer> {
    Some(there.collect::<NullBuffer>()).filter(|nulls| nulls.null_count() > 0)
}

fn names<'n>(names: impl Iterator<Item = &'n str>) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(names))
}

/// A column of words, as their numbers and the list of words.
fn words<K: ArrowDictionaryKeyType>(
    keys: ScalarBuffer<K::Native>,
    words: ArrayRef,
) -> Result<ArrayRef, ArrowError> {
    let keys = PrimitiveArray::<K>::new(keys, None);
    Ok(Arc::new(DictionaryArray::try_new(keys, words)?))
}
