//! The parts before the pages, which both versions have: how pages and events are laid out, names
//! of tasks, and options.

use super::super::binary::{Names, Sink, Stop, text_of};
use super::bytes::Bytes;
use super::clock::Clock;
use super::format::Formats;

/// Numbers of options, `TRACECMD_OPTION_*` of trace-cmd-private.h.
pub(super) const DONE: u64 = 0;
const CPUSTAT: u64 = 2;
pub(super) const BUFFER: u64 = 3;
const TRACECLOCK: u64 = 4;
const UNAME: u64 = 5;
pub(super) const CPUCOUNT: u64 = 8;
const TSC2NSEC: u64 = 14;
/// The first release that has a lazy need_resched.
const LAZY_SINCE: (u32, u32) = (6, 13);

/// What the parts say.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) header_page: String,
    pub(super) formats: Formats,
    pub(super) clock: Clock,
    pub(super) has_lazy: bool,
}

impl Parts {
    /// header_page and header_event.
    pub(super) fn header_info(&mut self, bytes: &mut Bytes<'_>) -> Result<(), Stop> {
        let at = bytes.at();
        if bytes.text()? != "header_page" {
            return Err(Stop::at(at, "header_page is expected here"));
        }
        text_of(bytes.sized(8)?).clone_into(&mut self.header_page);
        let at = bytes.at();
        if bytes.text()? != "header_event" {
            return Err(Stop::at(at, "header_event is expected here"));
        }
        let header_event = text_of(bytes.sized(8)?);
        if !header_event.is_empty() && !header_event.contains("type_len") {
            return Err(Stop::at(at, "the ring buffer is one of Linux before 2.6.31"));
        }
        Ok(())
    }

    /// Formats of the function tracers' events.
    pub(super) fn ftrace_events(
        &mut self,
        bytes: &mut Bytes<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Stop> {
        for _ in 0..bytes.number(4)? {
            self.format(bytes, sink)?;
        }
        Ok(())
    }

    /// Formats of the events of each system.
    pub(super) fn event_formats(
        &mut self,
        bytes: &mut Bytes<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Stop> {
        for _ in 0..bytes.number(4)? {
            bytes.text()?;
            self.ftrace_events(bytes, sink)?;
        }
        Ok(())
    }

    fn format(&mut self, bytes: &mut Bytes<'_>, sink: &mut Sink<'_>) -> Result<(), Stop> {
        let at = bytes.at();
        sink.step(at)?;
        let text = text_of(bytes.sized(8)?);
        if !self.formats.add(text) {
            let what = text.lines().next().unwrap_or_default().to_owned();
            sink.builder.unread("format", format!("byte {at}"), what);
        }
        Ok(())
    }

    /// Whether the option is one of those that both versions have alike.
    pub(super) fn option(
        &mut self,
        option: u64,
        bytes: Bytes<'_>,
        data: &[u8],
        sink: &mut Sink<'_>,
    ) {
        match option {
            CPUSTAT => dropped(text_of(data), sink),
            TRACECLOCK => self.clock.named(text_of(data)),
            UNAME => {
                if let Some(release) = release(text_of(data)) {
                    sink.builder.kernel(release);
                    self.has_lazy = version(release).is_some_and(|is| is >= LAZY_SINCE);
                }
            }
            TSC2NSEC => {
                let mut bytes = Bytes::new(data, 0, bytes.is_big);
                if let (Ok(times), Ok(shift)) = (bytes.number(4), bytes.number(4)) {
                    self.clock.scaled(times as u32, shift as u32);
                }
            }
            _ => sink.builder.passed(),
        }
    }
}

/// saved_cmdlines: pid and name on each line.
pub(super) fn cmdlines(bytes: &mut Bytes<'_>, names: &mut Names) -> Result<(), Stop> {
    let text = String::from_utf8_lossy(bytes.sized(8)?);
    for (pid, name) in text.lines().filter_map(|line| line.split_once(' ')) {
        if let Ok(pid) = pid.parse() {
            names.add(pid, name);
        }
    }
    Ok(())
}

/// The kernel's file per_cpu/cpu*/stats, behind a line that says of which CPU. Events that it
/// dropped because a buffer was full are in no page's flags; those that it wrote over are.
fn dropped(text: &str, sink: &mut Sink<'_>) {
    let mut cpu = None;
    for (key, value) in text.lines().filter_map(|line| line.split_once(':')) {
        let value = value.trim().parse::<u64>().ok();
        match key.trim() {
            "CPU" => cpu = value.and_then(|value| u32::try_from(value).ok()),
            "dropped events" => {
                if let (Some(cpu), Some(1..)) = (cpu, value) {
                    sink.builder.lost(cpu, value);
                }
            }
            _ => {}
        }
    }
}

/// The release in what uname(2) says: `Linux host 6.12.1 #1 SMP … x86_64`.
fn release(uname: &str) -> Option<&str> {
    let words = || uname.split_whitespace().map(|word| word.trim_end_matches(','));
    let is_release = |word: &&str| version(word).is_some();
    words().nth(2).filter(is_release).or_else(|| words().find(is_release))
}

/// 6.13 of `6.13.2-rt5`.
fn version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|sign: char| !sign.is_ascii_digit());
    let is_dotted = release.find('.') == release.find(|sign: char| !sign.is_ascii_digit());
    let version = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
    is_dotted.then_some(version)
}
