//! A pasted text, and the program of its group with counters: the fit runs before a command speaks.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use clap::Args;
use schedscope_fit::{Inquiry, Wish};
use schedscope_formats::words;
use schedscope_runs::{Failure, inputs, pasted};

use crate::execute::execute;

/// The text, and what narrows its fit.
#[derive(Args)]
pub struct Pasted {
    /// A file with the text; - for standard input
    file: PathBuf,
    /// Look for the limit under which every burst ends within this time (50ms); without it, for the
    /// one that delays none
    #[arg(long, value_name = "TIME", value_parser = time)]
    within: Option<u64>,
    /// How long one burst takes without a limit, measured (60ms)
    #[arg(long, value_name = "TIME", value_parser = time)]
    burst: Option<u64>,
}

/// Bytes beyond those that are read, so that a text that is too long is seen to be.
const MORE: u64 = 1 << 20;

impl Pasted {
    /// Reads the text and fits a program to its counters, where it has some that can be.
    ///
    /// # Errors
    /// The text cannot be read, is too long, or is empty; a run breaks, or Ctrl-C ends it.
    pub fn fitted(&self) -> Result<Inquiry, Failure> {
        let text = self.text()?;
        let reading = words::read(&text).map_err(|error| Failure::usage(error.to_string()))?;
        if reading.lines.iter().all(|line| line.notes.is_empty()) {
            return Err(Failure::usage("the text is empty\n  expected: what a person would paste"));
        }
        let us = |ns: u64| ns as f64 / 1e3;
        let (bound_us, burst_us) = (self.within.map(us), self.burst.map(us));
        let mut inquiry = Inquiry::new(reading, Wish { bound_us, burst_us, cpus: None });
        make_runs(&mut inquiry)?;
        Ok(inquiry)
    }

    fn text(&self) -> Result<String, Failure> {
        let name = self.file.display();
        let most = words::BYTES_MAX as u64 + MORE;
        let mut bytes = Vec::new();
        let read = if self.file.as_os_str() == "-" {
            std::io::stdin().lock().take(most).read_to_end(&mut bytes)
        } else {
            File::open(&self.file).and_then(|file| {
                inputs::opened("the text", &file);
                file.take(most).read_to_end(&mut bytes)
            })
        };
        read.map_err(|error| Failure::usage(format!("cannot read {name}: {error}")))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// A time with its unit, ns.
fn time(text: &str) -> Result<u64, String> {
    let ns = schedscope_scenario::units::parse_time(text).filter(|ns| *ns > 0);
    ns.ok_or_else(|| format!("{text} is no time; expected one such as 50ms"))
}

/// Makes the runs that an inquiry needs next, until it needs none.
///
/// # Errors
/// A run breaks, or Ctrl-C ends it.
pub fn make_runs(inquiry: &mut Inquiry) -> Result<(), Failure> {
    pasted::make_runs(inquiry, &mut |side, watch| execute(side, watch, &mut |_, _| Ok(())))
}
