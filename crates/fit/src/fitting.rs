//! A fit, as far as it has come: which runs it needs next, and what they say.
//!
//! The model proposes; the simulator has the word. First the closest programs run, until one of
//! them counts what was asked. Then the ends of the range of limits are tried.

use schedscope_formats::words::{Bursts, Chosen, Happened, Limit};
use serde_json::Value;

use crate::family::{Family, Member, family};
use crate::limits;

/// What a run of a program counted, times in us.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Got {
    /// Periods.
    pub periods: f64,
    /// Throttled periods.
    pub throttled: f64,
    /// Throttled time, added up over CPUs.
    pub throttled_us: f64,
    /// CPU time.
    pub usage_us: f64,
    /// The longest burst.
    pub longest_us: f64,
    /// Shares of the run in which some task, and every task that could run, waited; none: the run
    /// does not count it.
    pub pressure: Option<(f64, f64)>,
}

impl Got {
    /// From the `metrics` of a run's report; none where they have no such group.
    pub fn of(metrics: &Value, group: &str) -> Option<Self> {
        let figures = metrics.get("groups")?.get(group)?;
        let of = |key: &str| figures.get(key)?.as_f64();
        let pressure =
            |of: &str| Some(figures.get("pressure")?.get(of)?.get("share_bp")?.as_f64()? / 1e4);
        let bursts = metrics.get("tool_samples").and_then(|samples| samples.get("gc_main.cycle"));
        let longest = bursts.and_then(|bursts| bursts.get("max_ns")?.as_f64());
        Some(Self {
            periods: of("nr_periods")?,
            throttled: of("nr_throttled")?,
            throttled_us: of("throttled_ns")? / 1e3,
            usage_us: of("usage_ns")? / 1e3,
            longest_us: longest.unwrap_or(0.0) / 1e3,
            pressure: pressure("some").zip(pressure("full")),
        })
    }

    /// Share of the periods that were throttled.
    pub fn share(&self) -> f64 {
        self.throttled / self.periods.max(1.0)
    }

    /// Throttled time of a throttled period, us.
    pub fn each_us(&self) -> f64 {
        if self.throttled == 0.0 { 0.0 } else { self.throttled_us / self.throttled }
    }

    /// CPU time of a period, us.
    pub fn used_us(&self) -> f64 {
        self.usage_us / self.periods.max(1.0)
    }

    /// How far it is from what was asked; at most 1 is close: the share within a fifth and two
    /// points, the length within a fifth, the use within a tenth.
    pub fn off(&self, asked: &Happened) -> f64 {
        let share = (self.share() - asked.share()).abs() / (0.2 * asked.share() + 0.02);
        let each = asked
            .each_us()
            .map_or(0.0, |each| (self.each_us() - each).abs() / (0.2 * each).max(1.0));
        let used = asked.used_us().map_or(0.0, |used| (self.used_us() - used).abs() / (0.1 * used));
        share.max(each).max(used)
    }
}

/// A run that is needed: this program, under this limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asked {
    /// The program.
    pub bursts: Bursts,
    /// The limit.
    pub limit: Limit,
}

/// A program that ran, and what it counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tried {
    /// The program.
    pub bursts: Bursts,
    /// What its run counted.
    pub got: Got,
    /// How far that is from what was asked, [`Got::off`].
    pub off: f64,
}

/// From one tried limit to the next; the range ends one step beyond what was tried, since a run
/// has a hundred bursts, and not one for every place of a period.
const STEP: f64 = 1.02;

/// Limits that end the delays of all programs of a family, us in every period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Enough for the program that needs least.
    pub low: u64,
    /// Enough for the one that needs most.
    pub high: u64,
    /// Those two programs.
    pub ends: [Bursts; 2],
    /// The longest that a burst may take; none: as long as without a limit.
    pub bound_us: Option<f64>,
    /// How many programs no limit helps: their work alone takes longer.
    pub hopeless: usize,
}

/// What narrows a family, or asks more of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wish {
    /// The longest that a burst may take, us; none: as long as without a limit.
    pub bound_us: Option<f64>,
    /// What a burst takes without a limit, us, where that was measured.
    pub burst_us: Option<f64>,
    /// CPUs that the group may use.
    pub cpus: Option<u32>,
}

/// From this share of throttled periods on, threads are taken never to rest.
const ALWAYS: f64 = 0.97;
/// Programs that run at most before the closest of them is taken.
const TRIES: usize = 6;
/// Programs of a later round that run at most.
const TRIES_LATER: usize = 3;
/// Rounds in which the model is asked for something else, by as much as it was off.
const ROUNDS: u32 = 3;
/// Threads of all programs that run, together, at most: with hundreds a run takes seconds.
const THREADS_MAX: u32 = 1_000;
/// A figure is asked for at most so many times as large.
const CORRECTED_MAX: f64 = 3.0;
/// Steps at an end of the range at most.
const STEPS: u32 = 10;
/// A measured burst may differ so much from a program's.
const BURST_OFF: f64 = 0.1;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    Programs,
    High(u32),
    Low(u32),
    Burst(u32),
    Over,
}

/// A fit, as far as it has come.
#[derive(Debug)]
pub struct Fitting {
    happened: Happened,
    limit: Limit,
    /// Whether the kernel has cpu.max.burst.
    has_burst: bool,
    wish: Wish,
    family: Family,
    /// Programs that are to be tried yet, the next one last.
    waiting: Vec<Bursts>,
    tried: Vec<Tried>,
    /// What the model was asked for last.
    asked: Happened,
    rounds: u32,
    range: Option<Range>,
    /// cpu.max.burst, us, that does it for the closest program instead.
    burst: Option<u64>,
    stage: Stage,
}

impl Fitting {
    /// A fit of which nothing has run; none where the group was not throttled, or counted nothing
    /// that can be.
    pub fn new(chosen: &Chosen, wish: Wish) -> Option<Self> {
        let happened = chosen.happened.filter(|happened| happened.throttled > 0.0)?;
        if happened.share() >= ALWAYS {
            return Some(Self::of_overload(happened, chosen, wish));
        }
        let family = wished(&happened, &chosen.limit, &wish);
        let waiting = unlike(&family, TRIES);
        Some(Self::of(happened, chosen, wish, family, waiting))
    }

    /// A group that is throttled in nearly every period: threads that never rest. Their counters
    /// say how many wait at the same time, and nothing of how much they would use.
    fn of_overload(happened: Happened, chosen: &Chosen, wish: Wish) -> Self {
        let limit = chosen.limit;
        let period = limit.period_us as f64;
        // Without a throttled time: the fewest that use more than the quota.
        let least = (limit.quota_us as f64 / period).floor() + 1.0;
        let threads = happened
            .each_us()
            .map_or(least, |each| ((each + limit.quota_us as f64) / period).round().max(1.0));
        let most = f64::from(wish.cpus.unwrap_or(u32::MAX));
        let around = [threads, threads + 1.0, threads - 1.0, threads + 2.0];
        let mut waiting: Vec<Bursts> = around
            .into_iter()
            .filter(|threads| *threads >= 1.0 && *threads <= most)
            .map(|threads| Bursts {
                threads: threads as u32,
                work_us: limit.period_us,
                every_us: limit.period_us,
                steady_us: 0,
            })
            .collect();
        waiting.reverse();
        Self::of(happened, chosen, wish, Family::default(), waiting)
    }

    fn of(
        happened: Happened,
        chosen: &Chosen,
        wish: Wish,
        family: Family,
        waiting: Vec<Bursts>,
    ) -> Self {
        Self {
            happened,
            limit: chosen.limit,
            has_burst: chosen.has_burst,
            wish,
            family,
            waiting,
            tried: Vec::new(),
            asked: happened,
            rounds: 0,
            range: None,
            burst: None,
            stage: Stage::Programs,
        }
    }

    /// Whether the group is throttled in nearly every period.
    pub fn is_overload(&self) -> bool {
        self.happened.share() >= ALWAYS
    }

    /// What was counted.
    pub fn happened(&self) -> &Happened {
        &self.happened
    }

    /// The limit that it was counted under.
    pub fn limit(&self) -> &Limit {
        &self.limit
    }

    /// Whether the kernel that it was counted on has cpu.max.burst.
    pub fn has_burst(&self) -> bool {
        self.has_burst
    }

    /// What narrows it.
    pub fn wish(&self) -> &Wish {
        &self.wish
    }

    /// The programs of the model that come close.
    pub fn family(&self) -> &Family {
        &self.family
    }

    /// How many programs of the model come close.
    pub fn members(&self) -> usize {
        self.family.members.len()
    }

    /// The run that is needed next; none where the fit is over. To be asked again when it was
    /// heard.
    pub fn next_run(&mut self) -> Option<Asked> {
        loop {
            match self.stage {
                Stage::Programs
                    if self.is_close() || self.is_spent() || self.waiting.is_empty() =>
                {
                    if !self.is_close() && !self.is_spent() && self.correct() {
                        continue;
                    }
                    self.range = self.first_range();
                    // What no run has counted needs no run of its ends.
                    let goes_on = self.range.is_some() && self.is_close();
                    self.stage = if goes_on { Stage::High(0) } else { Stage::Over };
                }
                Stage::Programs => {
                    let bursts = *self.waiting.last()?;
                    return Some(Asked { bursts, limit: self.limit });
                }
                Stage::High(_) | Stage::Low(_) => {
                    let range = self.range?;
                    let is_high = matches!(self.stage, Stage::High(_));
                    let quota_us = if is_high { range.high } else { lowered(range.low) };
                    let bursts = range.ends[usize::from(is_high)];
                    let burst_us = self.limit.burst_us.min(quota_us);
                    return Some(Asked {
                        bursts,
                        limit: Limit { quota_us, burst_us, ..self.limit },
                    });
                }
                Stage::Burst(_) => {
                    let Some((bursts, burst_us)) = self.best().map(|b| b.bursts).zip(self.burst)
                    else {
                        self.stage = Stage::Over;
                        continue;
                    };
                    return Some(Asked { bursts, limit: Limit { burst_us, ..self.limit } });
                }
                Stage::Over => return None,
            }
        }
    }

    /// Takes what the run that was asked for last counted.
    pub fn hear(&mut self, got: Got) {
        match self.stage {
            Stage::Programs => {
                let Some(bursts) = self.waiting.pop() else { return };
                let off = got.off(&self.happened);
                self.tried.push(Tried { bursts, got, off });
                self.tried.sort_by(|one, other| one.off.total_cmp(&other.off));
            }
            Stage::High(steps) => {
                let holds = self.holds(1, got);
                let Some(range) = &mut self.range else { return };
                if !holds {
                    range.high = raised(range.high);
                }
                let is_over = holds || steps >= STEPS;
                if is_over {
                    range.high = raised(range.high);
                }
                self.stage = if is_over { Stage::Low(0) } else { Stage::High(steps + 1) };
            }
            Stage::Low(steps) => {
                let holds = self.holds(0, got);
                let Some(range) = &mut self.range else { return };
                if holds {
                    range.low = lowered(range.low);
                }
                let is_over = !holds || steps >= STEPS;
                if is_over {
                    range.low = lowered(range.low);
                }
                if is_over {
                    self.burst = self.first_burst();
                }
                self.stage = if is_over { Stage::Burst(0) } else { Stage::Low(steps + 1) };
            }
            Stage::Burst(steps) => self.hear_burst(steps, got),
            Stage::Over => {}
        }
    }

    /// The program whose run came closest; none before the first run.
    pub fn best(&self) -> Option<&Tried> {
        self.tried.first()
    }

    /// The limits; none where no program of the family can keep the bound, or none is near.
    pub fn range(&self) -> Option<Range> {
        self.range
    }

    /// The cpu.max.burst, us, with which the closest program keeps the bound at the same limit;
    /// none where no burst does.
    pub fn burst(&self) -> Option<u64> {
        self.burst
    }

    fn hear_burst(&mut self, steps: u32, got: Got) {
        let (Some(best), Some(burst_us)) = (self.best(), self.burst) else { return };
        let holds = got.longest_us <= self.bound_of(&best.bursts);
        self.stage = if holds { Stage::Over } else { Stage::Burst(steps + 1) };
        if !holds {
            let raised = raised(burst_us);
            let can = steps < STEPS && raised <= self.limit.quota_us;
            self.burst = can.then_some(raised);
        }
    }

    /// By the model, for the closest program; none where the text has a burst already.
    fn first_burst(&self) -> Option<u64> {
        let bursts = self.best()?.bursts;
        let is_new = self.has_burst && self.limit.burst_us == 0 && self.is_close();
        let bound = self.bound_of(&bursts);
        is_new.then(|| limits::smallest_burst(&bursts, &self.limit, bound))?
    }

    fn bound_of(&self, bursts: &Bursts) -> f64 {
        self.wish.bound_us.unwrap_or_else(|| limits::undelayed_us(bursts))
    }

    /// Asks the model for something else, by as much as the closest run was off; false where that
    /// was done often enough, or no run says anything.
    fn correct(&mut self) -> bool {
        let Some(got) = self.best().map(|best| best.got).filter(|got| got.throttled > 0.0) else {
            return false;
        };
        if self.rounds >= ROUNDS || self.is_overload() {
            return false;
        }
        self.rounds += 1;
        let (wanted, last) = (self.happened, self.asked);
        let corrected = |last: f64, wanted: f64, got: f64| {
            last * (wanted / got.max(f64::MIN_POSITIVE)).clamp(1.0 / CORRECTED_MAX, CORRECTED_MAX)
        };
        let share = corrected(last.share(), wanted.share(), got.share()).min(0.99);
        let throttled = share * last.periods;
        let each_us = last
            .each_us()
            .zip(wanted.each_us())
            .map(|(last, wanted)| corrected(last, wanted, got.each_us()));
        let throttled_us = each_us.map(|each_us| throttled * each_us);
        self.asked = Happened { throttled, throttled_us, ..last };
        self.family = wished(&self.asked, &self.limit, &self.wish);
        self.waiting = unlike(&self.family, TRIES_LATER);
        true
    }

    /// Whether the programs that ran had so many threads that further ones take too long.
    fn is_spent(&self) -> bool {
        self.tried.iter().map(|tried| tried.bursts.threads).sum::<u32>() > THREADS_MAX
    }

    fn is_close(&self) -> bool {
        self.best().is_some_and(|best| best.off <= 1.0)
    }

    fn holds(&self, end: usize, got: Got) -> bool {
        let Some(range) = self.range else { return true };
        got.longest_us <= self.bound_of(&range.ends[end])
    }

    /// By the model, over the family and the programs whose runs were close.
    fn first_range(&self) -> Option<Range> {
        if self.is_overload() {
            return None;
        }
        let members = self.family.members.iter().map(|member| member.bursts);
        let close = self.tried.iter().filter(|tried| tried.off <= 1.0).map(|tried| tried.bursts);
        let all: Vec<Bursts> = members.chain(close).collect();
        let bound_us = self.wish.bound_us;
        let limits::Ends { low, high, hopeless } = limits::range(&all, &self.limit, bound_us)?;
        Some(Range { low: low.0, high: high.0, ends: [low.1, high.1], bound_us, hopeless })
    }
}

fn raised(quota_us: u64) -> u64 {
    (quota_us as f64 * STEP).ceil() as u64
}

fn lowered(quota_us: u64) -> u64 {
    (quota_us as f64 / STEP).floor() as u64
}

/// The family, without the programs whose bursts are not as long as one that was measured.
fn wished(happened: &Happened, limit: &Limit, wish: &Wish) -> Family {
    let mut family = family(happened, limit, wish.cpus);
    if let Some(burst_us) = wish.burst_us {
        let off = |member: &Member| (member.bursts.work_us as f64 / burst_us - 1.0).abs();
        family.members.retain(|member| off(member) <= BURST_OFF);
    }
    family
}

/// The closest members, of each number of threads the first, and the nearest other program; the
/// closest last, `most` of them.
fn unlike(family: &Family, most: usize) -> Vec<Bursts> {
    let mut all: Vec<Bursts> = Vec::new();
    for Member { bursts, .. } in family.members.iter().chain(&family.nearest) {
        let is_new = all.iter().all(|known| known.threads != bursts.threads);
        if is_new && all.len() < most {
            all.push(*bursts);
        }
    }
    all.reverse();
    all
}
