//! The clock of a recording, and its times as ns.

/// The kernel's clocks that count ns (kernel/trace/trace.c, `trace_clocks`).
const IN_NS: [&str; 7] = ["local", "global", "perf", "mono", "mono_raw", "boot", "tai"];
/// `uptime` counts hundredths of a second.
const UPTIME_NS: u64 = 10_000_000;

/// How times become ns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    /// The kernel's name of it; empty where the file has none.
    pub(super) name: String,
    /// ns are `times` times the time, shifted right by `shift`; none where they are the time.
    scale: Option<(u32, u32)>,
}

impl Clock {
    /// The kernel's file trace_clock, whose clock in brackets counts, or its name alone.
    pub(super) fn named(&mut self, text: &str) {
        let bracketed = text.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
        bracketed.map_or(text, |(name, _)| name).trim().clone_into(&mut self.name);
    }

    /// The option TSC2NSEC.
    pub(super) fn scaled(&mut self, times: u32, shift: u32) {
        self.scale = (times > 0).then_some((times, shift.min(64)));
    }

    pub(super) fn is_in_ns(&self) -> bool {
        let is_known = self.name.is_empty() || self.name == "uptime";
        is_known || self.scale.is_some() || IN_NS.contains(&self.name.as_str())
    }

    pub(super) fn ns(&self, time: u64) -> u64 {
        match self.scale {
            Some((times, shift)) => ((u128::from(time) * u128::from(times)) >> shift) as u64,
            None if self.name == "uptime" => time.saturating_mul(UPTIME_NS),
            None => time,
        }
    }
}
