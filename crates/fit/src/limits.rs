//! The smallest limit under which a program's longest burst takes no longer than a bound.

use schedscope_formats::words::{Bursts, Limit};

use crate::family::longest_us;
use crate::model::counted;

/// The kernel takes no shorter quota, us.
const QUOTA_LEAST: u64 = 1_000;
/// A burst that is not throttled may take so much longer than its work.
const OVER: f64 = 1.05;
/// And so long, us.
const OVER_US: f64 = 1_000.0;

/// How long a burst may take so that throttling does not delay it, us.
pub fn undelayed_us(bursts: &Bursts) -> f64 {
    bursts.work_us as f64 * OVER + OVER_US
}

/// How finely a quota is looked for: places of a period, and a part of the quota.
#[derive(Clone, Copy, Debug)]
struct Fineness {
    places: u32,
    parts: u64,
}

const COARSE: Fineness = Fineness { places: 5, parts: 30 };
const FINE: Fineness = Fineness { places: 20, parts: 300 };
/// Bursts of a program with a cpu.max.burst: what it has saved depends on those before.
const BURSTS: u32 = 60;
/// So many programs at each end of a range are looked at finely.
const ENDS: usize = 3;

/// The limits of a family: its least and its greatest smallest quota, us, with their programs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// The smallest quota, and the program that needs it.
    pub low: (u64, Bursts),
    /// The greatest quota, and the program that needs it.
    pub high: (u64, Bursts),
    /// How many programs no limit helps: their work alone takes longer than the bound.
    pub hopeless: usize,
}

/// The smallest quotas under which the longest burst of each of `all` takes at most `bound_us`, or,
/// without a bound, is not delayed. None where no limit does it for any.
pub fn range(all: &[Bursts], limit: &Limit, bound_us: Option<f64>) -> Option<Ends> {
    let of = |bursts: &Bursts, fineness: Fineness| {
        let bound = bound_us.unwrap_or_else(|| undelayed_us(bursts));
        smallest(bursts, limit, bound, fineness).map(|quota| (quota, *bursts))
    };
    let mut coarse: Vec<(u64, Bursts)> =
        all.iter().filter_map(|bursts| of(bursts, COARSE)).collect();
    coarse.sort_by_key(|(quota, _)| *quota);
    let ends = coarse.iter().take(ENDS).chain(coarse.iter().rev().take(ENDS));
    let mut fine: Vec<(u64, Bursts)> = ends.filter_map(|(_, bursts)| of(bursts, FINE)).collect();
    fine.sort_by_key(|(quota, _)| *quota);
    Some(Ends { low: *fine.first()?, high: *fine.last()?, hopeless: all.len() - coarse.len() })
}

/// The smallest cpu.max.burst, us, under which no burst of the program takes longer than
/// `bound_us` at the same quota; none where even a burst as large as the quota is too small.
pub fn smallest_burst(bursts: &Bursts, limit: &Limit, bound_us: f64) -> Option<u64> {
    let holds = |burst_us: u64| {
        let tried = Limit { burst_us, ..*limit };
        counted(bursts, &tried, bursts.threads, 0.0, BURSTS).longest_us <= bound_us
    };
    let (mut low, mut high) = (limit.burst_us, limit.quota_us);
    if !holds(high) {
        return None;
    }
    while high - low > (high / FINE.parts).max(100) {
        let middle = low.midpoint(high);
        if holds(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

/// The smallest quota, us, under which the longest burst takes at most `bound_us`; none where the
/// work alone takes longer.
pub fn smallest_quota(bursts: &Bursts, limit: &Limit, bound_us: f64) -> Option<u64> {
    smallest(bursts, limit, bound_us, FINE)
}

fn smallest(bursts: &Bursts, limit: &Limit, bound_us: f64, fineness: Fineness) -> Option<u64> {
    let holds = |quota_us: u64| {
        let tried = Limit { quota_us, burst_us: limit.burst_us.min(quota_us), ..*limit };
        longest_us(bursts, &tried, fineness.places) <= bound_us
    };
    if bursts.work_us as f64 > bound_us {
        return None;
    }
    // All threads on a CPU each, all the time, and what they keep in hand.
    let mut high = u64::from(bursts.threads) * (limit.period_us + 5_000) + bursts.steady_us;
    let mut low = QUOTA_LEAST.max(bursts.steady_us);
    if holds(low) {
        return Some(low);
    }
    while high - low > (high / fineness.parts).max(100) {
        let middle = low.midpoint(high);
        if holds(middle) { high = middle } else { low = middle }
    }
    Some(high)
}
