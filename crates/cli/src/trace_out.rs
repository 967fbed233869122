//! Writes trace rows to a file: tab-separated text with a header, or JSON lines. Both carry names
//! as well as numbers.

use std::io::{BufWriter, Write};
use std::path::Path;

use schedscope_engine::trace::catalogue::{CATALOGUE, NONE};
use schedscope_engine::trace::columns::Columns;

use crate::failure::Failure;
use crate::new_file::NewFile;

/// A trace file being written.
#[derive(Debug)]
pub struct TraceFile {
    name: String,
    writer: BufWriter<NewFile>,
    json_lines: bool,
    window: (u64, u64),
}

impl TraceFile {
    /// Starts the file, which takes rows of this span of machine time, ns; none without one.
    pub fn create(path: &Path, window: Option<(u64, u64)>) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let file = NewFile::create(path, "--trace-out")?;
        let json_lines = path.extension().is_some_and(|ending| ending == "jsonl");
        let mut this = Self {
            name,
            writer: BufWriter::new(file),
            json_lines,
            window: window.unwrap_or_default(),
        };
        if !json_lines {
            let header = writeln!(this.writer, "time_ns\tcpu\tevent\ta\tb");
            this.check(header)?;
        }
        Ok(this)
    }

    /// Adds the rows of its window.
    pub fn write(&mut self, rows: &Columns) -> Result<(), Failure> {
        let (from, to) = self.window;
        let mut inside = (0..rows.time.len()).filter(|row| (from..to).contains(&rows.time[*row]));
        let written = inside.try_for_each(|row| self.row(rows, row));
        self.check(written)
    }

    fn row(&mut self, rows: &Columns, row: usize) -> std::io::Result<()> {
        let (time, cpu, name) = (rows.time[row], rows.cpu[row], kind_name(rows.kind[row]));
        let (a, b) = (rows.a[row], rows.b[row]);
        if self.json_lines {
            let or_null =
                |value: u32| if value == NONE { "null".to_owned() } else { value.to_string() };
            let cpu = if cpu == u16::MAX { "null".to_owned() } else { cpu.to_string() };
            writeln!(
                self.writer,
                "{{\"time_ns\":{time},\"cpu\":{cpu},\"event\":\"{name}\",\"a\":{},\"b\":{}}}",
                or_null(a),
                or_null(b)
            )
        } else {
            let or_dash =
                |value: u32| if value == NONE { "-".to_owned() } else { value.to_string() };
            let cpu = if cpu == u16::MAX { "-".to_owned() } else { cpu.to_string() };
            writeln!(self.writer, "{time}\t{cpu}\t{name}\t{}\t{}", or_dash(a), or_dash(b))
        }
    }

    /// Puts the file in its place.
    pub fn finish(self) -> Result<(), Failure> {
        let name = self.name;
        let file = self
            .writer
            .into_inner()
            .map_err(|error| Failure::usage(format!("cannot write {name}: {}", error.error())))?;
        file.keep()
    }

    fn check(&self, result: std::io::Result<()>) -> Result<(), Failure> {
        result.map_err(|error| Failure::usage(format!("cannot write {}: {error}", self.name)))
    }
}

/// Name of a record kind by its number.
pub fn kind_name(kind: u8) -> &'static str {
    CATALOGUE.get(usize::from(kind)).map_or("unknown", |entry| entry.name)
}
