//! Writes runs as files in the browser: the page's columns go in, the bytes of a format come out.
//!
//! The page fetches this module when a person first saves a run. It knows wasm-bindgen and the
//! registry of formats; it knows nothing of how a run is simulated.

use schedscope_engine::setup::Setup;
use schedscope_engine::trace::columns::Columns;
use schedscope_formats::{End, Figures, Format, Run, RunWriter, Side, Title, named};
use wasm_bindgen::prelude::wasm_bindgen;

/// A panic becomes a JavaScript `Error` that carries its text and place. The instance must not be
/// used afterwards.
#[wasm_bindgen(start)]
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// One run on its way into a file.
#[wasm_bindgen]
pub struct Writer {
    writer: Box<dyn RunWriter>,
    /// Bytes that the page has not taken yet.
    bytes: Vec<u8>,
}

#[wasm_bindgen]
impl Writer {
    /// Begins a file in the format of that name. `setup` is the bytes of a `Setup` of the same
    /// build; `title` is the scenario's name, its kernel in words, and the command that replays the
    /// run. Rows from `from_ns` to before `to_ns` are written; `is_b` says which side of two in one
    /// file it is. `writes` are the writes to the running kernel in order of time: path, value,
    /// path,
    /// value.
    ///
    /// # Errors
    /// There is no such format of one run, or the bytes are no setup of this build.
    #[wasm_bindgen(constructor)]
    pub fn new(
        format: &str,
        setup: &[u8],
        title: Vec<String>,
        is_b: bool,
        from_ns: f64,
        to_ns: f64,
        writes: Vec<String>,
    ) -> Result<Writer, String> {
        let begin = named(format).and_then(Format::page_writer);
        let begin = begin.ok_or_else(|| format!("there is no format of runs \"{format}\""))?;
        let [scenario, kernel, replay] =
            <[String; 3]>::try_from(title).map_err(|_| "a title has three parts")?;
        let run = Run {
            setup: Setup::from_bytes(setup)?,
            title: Title { scenario, kernel, replay },
            side: if is_b { Side::B } else { Side::A },
            window: (whole(from_ns), whole(to_ns)),
            writes: pairs(writes),
        };
        let mut this = Self { writer: begin(run), bytes: Vec::new() };
        this.writer.begin(&mut this.bytes).map_err(|error| error.to_string())?;
        Ok(this)
    }

    /// Takes the next rows, from the run's first one on without those of `sim_cpu_state`, and gives
    /// the bytes that are ready.
    ///
    /// # Errors
    /// Why the rows cannot be written.
    pub fn rows(
        &mut self,
        time: &[f64],
        kind: Vec<u8>,
        cpu: Vec<u16>,
        a: Vec<u32>,
        b: Vec<u32>,
    ) -> Result<Vec<u8>, String> {
        let time = time.iter().map(|time| whole(*time)).collect();
        let rows = Columns { time, kind, cpu, a, b };
        self.writer.rows(&rows, &mut self.bytes).map_err(|error| error.to_string())?;
        Ok(std::mem::take(&mut self.bytes))
    }

    /// What the run has and the file has not: sentences. Complete after `end`.
    pub fn lost(&self) -> Vec<String> {
        self.writer.lost()
    }

    /// Ends the file and gives its last bytes. `end_ns` is the machine time that was simulated;
    /// `paths` and `figures` are the whole numbers of the
    /// report's metrics, the parts of a path joined by U+001F.
    ///
    /// # Errors
    /// Why the rest cannot be written.
    pub fn end(
        &mut self,
        end_ns: f64,
        paths: Vec<String>,
        figures: &[f64],
    ) -> Result<Vec<u8>, String> {
        let figures: Figures =
            paths.into_iter().zip(figures.iter().map(|figure| signed(*figure))).collect();
        let end = End { ns: whole(end_ns), figures };
        self.writer.end(&end, &mut self.bytes).map_err(|error| error.to_string())?;
        Ok(std::mem::take(&mut self.bytes))
    }
}

/// Each text with the one behind it.
fn pairs(texts: Vec<String>) -> Vec<(String, String)> {
    let mut texts = texts.into_iter();
    std::iter::from_fn(|| Some((texts.next()?, texts.next()?))).collect()
}

/// A figure from JavaScript, at most 2^53.
#[allow(clippy::cast_possible_truncation)]
fn signed(figure: f64) -> i64 {
    figure as i64
}

/// An instant from JavaScript, ns; what is beyond u64 means "no end".
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole(ns: f64) -> u64 {
    ns as u64
}
