//! The programs in bursts that can have counted what a group counted: not one, but all of a grid
//! that come close. What the counters do not decide differs among them, and so does the limit that
//! each needs.

use schedscope_formats::words::{Bursts, Happened, Limit};

use crate::model::{Counted, counted, one_burst};

/// A program, and how far it is from what was counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// The program.
    pub bursts: Bursts,
    /// How far share, length and use are off; 0: not at all, 1: as far as is permitted.
    pub off: f64,
}

/// Most CPUs of a machine here.
const CPUS_MAX: u32 = 1_024;
/// What a burst needs, in quotas, at least and at most.
const NEEDS: (f64, f64) = (0.1, 60.0);
/// From one such need to the next.
pub(crate) const NEED_STEP: f64 = 1.04;
/// From one number of threads to the next, where they are many.
const THREADS_STEP: f64 = 1.06;
/// Parts of the use that is steady work.
const STEADY: [f64; 4] = [0.0, 0.3, 0.6, 0.85];
/// A share of throttled periods may be off by so much of itself, and by so many points.
const SHARE_OFF: (f64, f64) = (0.10, 0.012);
/// A length of throttles by so much of itself, and by so many us.
const EACH_OFF: (f64, f64) = (0.12, 1_000.0);
/// A use of a period by so much of itself.
const USED_OFF: f64 = 0.06;
/// Bursts that a scenario takes: so far apart, and with so much work of each thread, us.
const EVERY_MAX_US: u64 = 60_000_000;
const WORK_MAX_US: u64 = 10_000_000;
/// Places of a period at which a program is tried at first, and in the end.
const PLACES: (u32, u32) = (4, 20);
/// What is farther off than this at the first places is not looked at again.
const FAR: f64 = 3.0;
/// Bursts so close to each other, in periods, share what a period gives.
const CLOSE: f64 = 2.5;
/// What a burst has from the period that it begins in, in quotas, at most.
const FIRST: f64 = 1.5;

/// The programs of the grid, as far as they were reckoned.
#[derive(Clone, Debug, Default)]
pub struct Family {
    /// Those that come close, closest first; of two as close, the simpler one.
    pub members: Vec<Member>,
    /// The closest of those that do not.
    pub nearest: Option<Member>,
}

/// The programs that come close to `happened`, which was throttled, under `limit`. `cpus`: how many
/// CPUs the group may use, where that is known.
pub fn family(happened: &Happened, limit: &Limit, cpus: Option<u32>) -> Family {
    let mut members = Vec::new();
    for threads in threads_of(happened, limit, cpus) {
        for part in STEADY {
            let mut need = NEEDS.0;
            while need < NEEDS.1 {
                members.extend(member(happened, limit, threads, need, part));
                need *= NEED_STEP;
            }
            if happened.usage_us.is_none() {
                break;
            }
        }
    }
    // A program with steady work beside it has to be closer to come first.
    let order = |member: &Member| member.off + if member.bursts.steady_us > 0 { 0.5 } else { 0.0 };
    members.sort_by(|one, other| order(one).total_cmp(&order(other)));
    let nearest = members.iter().find(|member| member.off > 1.0).copied();
    members.retain(|member| member.off <= 1.0);
    Family { members, nearest }
}

/// Numbers of threads that can have been throttled so long.
fn threads_of(happened: &Happened, limit: &Limit, cpus: Option<u32>) -> Vec<u32> {
    let period = limit.period_us as f64;
    // Without a throttled time a burst may have any number of threads that uses the quota up.
    let each = happened.each_us();
    let least = (each.unwrap_or(0.0) / period * 0.95).ceil().max(1.0);
    let used = each.unwrap_or(period) + limit.quota_us as f64;
    let most = (4.0 * used / period + 4.0).max(least);
    let most = most.min(f64::from(cpus.unwrap_or(CPUS_MAX)));
    let mut all = Vec::new();
    let mut threads = least;
    while threads <= most {
        all.push(threads as u32);
        threads = (threads * THREADS_STEP).floor().max(threads + 1.0);
    }
    all
}

/// The program of so many threads whose bursts need `need` quotas and of whose use `part` is
/// steady, if it comes close.
fn member(
    happened: &Happened,
    limit: &Limit,
    threads: u32,
    need: f64,
    part: f64,
) -> Option<Member> {
    let (quota, period) = (limit.quota_us as f64, limit.period_us as f64);
    let steady = happened.used_us().map_or(0.0, |used| used * part);
    if steady >= quota * 0.98 {
        return None;
    }
    let work_us = (need * quota / f64::from(threads)).round().max(1.0) as u64;
    let work = (work_us * u64::from(threads)) as f64;
    let mut bursts = Bursts { threads, work_us, every_us: 0, steady_us: steady.round() as u64 };
    // Periods of throttling that a burst can come to, whatever its place.
    let whole = work / (quota - steady);
    if let Some(used) = happened.used_us() {
        let periods = work / (used - steady).max(1.0);
        let is_idle = part == 0.0 && periods > (whole + FIRST + 3.0) * 1.1;
        let share = happened.share();
        if is_idle
            || (whole + FIRST) / periods < share * 0.8 - 0.02
            || (whole - FIRST) / periods > share * 1.25 + 0.02
        {
            return None;
        }
        bursts.every_us = (periods * period).round() as u64;
        if periods < CLOSE {
            return close(happened, limit, bursts);
        }
    }
    let (first, _) = apart(happened, limit, bursts, PLACES.0)?;
    if first > FAR {
        return None;
    }
    let (off, every_us) = apart(happened, limit, bursts, PLACES.1)?;
    bursts.every_us = every_us;
    (every_us <= EVERY_MAX_US && work_us <= WORK_MAX_US).then_some(Member { bursts, off })
}

/// Bursts of which the next begins long after one has ended: each counts the same. How far they
/// are off, and the gap.
fn apart(happened: &Happened, limit: &Limit, bursts: Bursts, places: u32) -> Option<(f64, u64)> {
    let one = one_burst(&bursts, limit, bursts.threads, places);
    if one.throttled == 0.0 {
        return None;
    }
    let period = limit.period_us as f64;
    // What the timer counts of a burst, at most: any longer gap has idle periods.
    let most = if bursts.steady_us > 0 { f64::INFINITY } else { one.periods };
    let periods = match happened.used_us() {
        Some(_) => bursts.every_us as f64 / period,
        None => (one.throttled / happened.share()).min(most),
    };
    let counted = periods.min(most);
    let used = (periods - counted) / periods / USED_OFF;
    let share = one.throttled / counted;
    let off = off(happened, share, one.each_us()).max(used);
    Some((off, (counted * period).round() as u64))
}

/// Bursts that share periods: one after the other.
fn close(happened: &Happened, limit: &Limit, bursts: Bursts) -> Option<Member> {
    let counted = counted(&bursts, limit, bursts.threads, 0.37, 3 * PLACES.1);
    let used = happened.used_us().map_or(0.0, |used| (counted.used_us() / used - 1.0).abs());
    let off = off(happened, counted.share(), counted.each_us()).max(used / USED_OFF);
    Some(Member { bursts, off })
}

/// How far a share and a length are from what was counted, in what is permitted.
fn off(happened: &Happened, share: f64, each_us: f64) -> f64 {
    let noise = (happened.share() * (1.0 - happened.share()) / happened.periods).sqrt();
    let of = |off: (f64, f64), value: f64, noise: f64| off.0 * value + off.1 + 2.0 * noise;
    let of_share = (share - happened.share()).abs() / of(SHARE_OFF, happened.share(), noise);
    let of_each =
        happened.each_us().map_or(0.0, |asked| (each_us - asked).abs() / of(EACH_OFF, asked, 0.0));
    of_share.max(of_each)
}

/// The counted longest burst of a program under a limit, us, whatever its place.
pub(crate) fn longest_us(bursts: &Bursts, limit: &Limit, places: u32) -> f64 {
    let one = one_burst(bursts, limit, bursts.threads, places).longest_us;
    if bursts.every_us as f64 >= CLOSE * limit.period_us as f64 {
        return one;
    }
    let Counted { longest_us, .. } = counted(bursts, limit, bursts.threads, 0.37, 2 * places);
    one.max(longest_us)
}
