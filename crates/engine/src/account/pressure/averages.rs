//! The averages of a stall in the kernel's fixed point: kernel/sched/psi.c (`calc_avgs`,
//! `update_averages`, `psi_show`) and include/linux/sched/loadavg.h.

use std::fmt::{Display, Formatter};

use super::PressureLine;

/// 1 in fixed point (FIXED_1).
const ONE: u64 = 1 << 11;
/// 1/e^(2 s / window) in fixed point, for 10, 60 and 300 s (EXP_10s, EXP_60s, EXP_300s).
const DECAYS: [u64; 3] = [1677, 1981, 2034];

/// One line of a pressure file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Averages {
    /// Per cent in fixed point, over 10, 60 and 300 s.
    averages: [u64; 3],
    total_ns: u64,
    /// The part of the total that is in the averages.
    averaged_ns: u64,
}

impl Averages {
    /// A stall since the last call.
    pub(super) fn add(&mut self, ns: u64) {
        self.total_ns += ns;
    }

    /// The end of an averaging period. A stall beyond its length waits for the next one.
    pub(super) fn fold(&mut self, period_ns: u64) {
        let sample = (self.total_ns - self.averaged_ns).min(period_ns);
        self.averaged_ns += sample;
        let active = sample * 100 / period_ns * ONE;
        for (average, decay) in self.averages.iter_mut().zip(DECAYS) {
            let up = if active >= *average { ONE - 1 } else { 0 };
            *average = (*average * decay + active * (ONE - decay) + up) / ONE;
        }
    }

    /// The figures of a report at an instant, ns.
    pub(super) fn line(&self, now: u64) -> PressureLine {
        let [avg10_bp, avg60_bp, avg300_bp] = self.averages.map(|average| average * 100 / ONE);
        PressureLine {
            total_ns: self.total_ns,
            share_bp: share_bp(self.total_ns, now),
            avg10_bp,
            avg60_bp,
            avg300_bp,
        }
    }
}

/// A part in hundredths of a per cent of the whole, rounded.
fn share_bp(part: u64, whole: u64) -> u64 {
    let whole = whole.max(1);
    (part * 10_000 + whole / 2) / whole
}

impl Display for Averages {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        for (average, window) in self.averages.iter().zip([10, 60, 300]) {
            let (whole, rest) = (average / ONE, average % ONE * 100 / ONE);
            write!(formatter, "avg{window}={whole}.{rest:02} ")?;
        }
        write!(formatter, "total={}", self.total_ns / 1_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD_NS: u64 = 2_001_000_000;

    /// The three averages as a reader sees them, and the total.
    fn read(averages: Averages) -> Vec<f64> {
        let text = averages.to_string();
        text.split(' ').map(|part| part.split_once('=').unwrap().1.parse().unwrap()).collect()
    }

    #[test]
    fn a_constant_stall_of_half_the_time_grows_towards_it_as_the_exponentials_say() {
        let mut averages = Averages::default();
        for period in 1..=600 {
            averages.add(PERIOD_NS.div_ceil(2));
            averages.fold(PERIOD_NS);
            let seconds = 2.0 * f64::from(period);
            for (read, window) in read(averages).into_iter().zip([10.0_f64, 60.0, 300.0]) {
                let exact = 50.0 * (1.0 - libm::exp(-seconds / window));
                assert!((read - exact).abs() < 0.6, "{window} {period}: {read} {exact}");
            }
        }
        let [.., total] = read(averages)[..] else { panic!() };
        assert!((total - 600.0 * 1_000_500.0).abs() < 1.0, "{total}");
    }

    #[test]
    fn the_first_periods_are_those_of_the_kernel_s_integers() {
        let mut averages = Averages::default();
        averages.add(PERIOD_NS.div_ceil(2));
        averages.fold(PERIOD_NS);
        // 50 * (2048 - 1677) / 2048 is 9.057, 50 * 67 / 2048 is 1.635, 50 * 14 / 2048 is 0.341.
        assert!(averages.to_string().starts_with("avg10=9.05 avg60=1.63 avg300=0.34 "));
        averages.fold(PERIOD_NS);
        // They fall by 1677, 1981 and 2034 of 2048.
        assert!(averages.to_string().starts_with("avg10=7.41 avg60=1.58 avg300=0.33 "));
    }

    #[test]
    fn a_stall_beyond_a_period_waits_for_the_next_one() {
        let mut averages = Averages::default();
        averages.add(PERIOD_NS + PERIOD_NS / 4);
        averages.fold(PERIOD_NS);
        assert_eq!(averages.averaged_ns, PERIOD_NS);
        averages.fold(PERIOD_NS);
        assert_eq!(averages.averaged_ns, averages.total_ns);
    }
}
