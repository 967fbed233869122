//! What a group counted: at one instant since it was made, or between two; what cannot be.

use super::amounts;
use super::limit::Limit;

/// Counters of a group at an instant, as its kernel keeps them; none: the text does not have it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counters {
    /// CPU time of all its tasks, us.
    pub usage_us: Option<f64>,
    /// Periods of its limit.
    pub periods: Option<f64>,
    /// Those in which a CPU of it was throttled at the refill.
    pub throttled: Option<f64>,
    /// How long its CPUs were throttled, added up, us.
    pub throttled_us: Option<f64>,
    /// Periods that used more than the quota.
    pub bursts: Option<f64>,
    /// How much more, us.
    pub burst_us: Option<f64>,
}

/// A field of [`Counters`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// CPU time, us.
    Usage,
    /// Periods.
    Periods,
    /// Throttled periods.
    Throttled,
    /// Throttled time, us.
    ThrottledTime,
    /// Periods with a burst.
    Bursts,
    /// Time of bursts, us.
    BurstTime,
}

impl Counters {
    /// The place of a field.
    pub fn field(&mut self, field: Field) -> &mut Option<f64> {
        match field {
            Field::Usage => &mut self.usage_us,
            Field::Periods => &mut self.periods,
            Field::Throttled => &mut self.throttled,
            Field::ThrottledTime => &mut self.throttled_us,
            Field::Bursts => &mut self.bursts,
            Field::BurstTime => &mut self.burst_us,
        }
    }

    /// Adds a field to the last instant of `instants`; one that comes again begins another.
    pub fn add(instants: &mut Vec<Self>, field: Field, value: f64) {
        if instants.last_mut().is_none_or(|last| last.field(field).is_some()) {
            instants.push(Self::default());
        }
        if let Some(last) = instants.last_mut() {
            *last.field(field) = Some(value);
        }
    }
}

/// What happened to a group between two instants, or since it was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Happened {
    /// Periods.
    pub periods: f64,
    /// Those with a throttle.
    pub throttled: f64,
    /// Throttled time, us, added up over CPUs; none: not counted here.
    pub throttled_us: Option<f64>,
    /// CPU time, us; none: not counted here.
    pub usage_us: Option<f64>,
    /// Periods with a burst; none: not counted here.
    pub bursts: Option<f64>,
    /// Time of bursts, us.
    pub burst_us: Option<f64>,
    /// One instant alone.
    pub since_start: bool,
}

/// Counters may run over what a limit allows by what CPUs take in advance, as a share.
const OVER: f64 = 1.02;

impl Happened {
    /// What happened between the first and the last instant.
    ///
    /// # Errors
    /// A counter is missing or runs backwards: a sentence.
    pub fn of(instants: &[Counters]) -> Result<Self, String> {
        let (Some(first), last) = (instants.first(), instants.get(1..).and_then(<[_]>::last))
        else {
            return Err("no counters".to_owned());
        };
        let missing = [first]
            .into_iter()
            .chain(last)
            .any(|at| at.periods.is_none() || at.throttled.is_none());
        if missing {
            return Err(
                "The counters need nr_periods and nr_throttled, which a group has once the \
                        cpu controller is on for it."
                    .to_owned(),
            );
        }
        let delta = |of: fn(&Counters) -> Option<f64>| match last {
            None => of(first),
            Some(last) => Some(of(last)? - of(first)?),
        };
        let happened = Self {
            periods: delta(|at| at.periods).unwrap_or(0.0),
            throttled: delta(|at| at.throttled).unwrap_or(0.0),
            throttled_us: delta(|at| at.throttled_us),
            usage_us: delta(|at| at.usage_us),
            bursts: delta(|at| at.bursts),
            burst_us: delta(|at| at.burst_us),
            since_start: last.is_none(),
        };
        happened.checked()
    }

    fn checked(self) -> Result<Self, String> {
        let Self { periods, throttled, throttled_us, usage_us, bursts, burst_us, .. } = self;
        let all = [Some(periods), Some(throttled), throttled_us, usage_us, bursts, burst_us];
        if all.into_iter().flatten().any(|value| value < 0.0) {
            return Err(
                "The second reading is smaller than the first: the earlier one comes first, \
                        or the group was made anew between them."
                    .to_owned(),
            );
        }
        if throttled > periods {
            return Err(format!(
                "nr_throttled grew by {throttled}, but nr_periods only by {periods}: these are not \
                 two readings of one group."
            ));
        }
        if periods == 0.0 {
            return Err(
                "nr_periods did not grow: no period of the limit passed, or the group has no \
                        limit."
                    .to_owned(),
            );
        }
        Ok(self)
    }

    /// Share of the periods that were throttled, 0 to 1.
    pub fn share(&self) -> f64 {
        self.throttled / self.periods
    }

    /// Throttled time of a throttled period, us; 0 without one, none where it was not counted.
    pub fn each_us(&self) -> Option<f64> {
        let all_us = self.throttled_us?;
        Some(if self.throttled == 0.0 { 0.0 } else { all_us / self.throttled })
    }

    /// CPU time of a period, us.
    pub fn used_us(&self) -> Option<f64> {
        Some(self.usage_us? / self.periods)
    }

    /// Why a group under `limit` cannot have counted this; `cpus`: those that it may use, where the
    /// text says so.
    pub fn cannot_be(&self, limit: &Limit, cpus: Option<u32>) -> Option<String> {
        let most = self.periods * (limit.quota_us + limit.burst_us) as f64;
        if let Some(usage) = self.usage_us.filter(|usage| *usage > most * OVER + 100_000.0) {
            return Some(format!(
                "{} of CPU time in {} periods is {} of what {} allows: the limit was another one, \
                 or these are not the counters of one group.",
                amounts::time(usage),
                self.periods,
                amounts::percent(usage, most),
                limit.words()
            ));
        }
        let cpus = cpus?;
        if self.throttled > 0.0 && limit.is_never_reached(cpus) {
            return Some(format!(
                "{} cannot use {} up, and the group was throttled all the same: the limit was \
                 another one, or the group may use more CPUs.",
                amounts::cpus(f64::from(cpus)),
                limit.words()
            ));
        }
        let longest = f64::from(cpus) * limit.period_us as f64;
        let each = self.each_us().filter(|each| *each > longest * OVER)?;
        Some(format!(
            "{} of throttled time in a period is more than {cpus} CPUs can be throttled in {}.",
            amounts::time(each),
            amounts::time(limit.period_us as f64)
        ))
    }

    /// Whether no program that uses its quota up can have made the counters: far less was used than
    /// the quotas of the throttled periods.
    pub fn is_far_below(&self, limit: &Limit) -> bool {
        const FAR: f64 = 0.9;
        self.throttled > 0.0
            && self
                .usage_us
                .is_some_and(|usage| usage < FAR * self.throttled * limit.quota_us as f64)
    }

    /// What it says, a sentence without its subject's name: `was throttled in …`.
    pub fn words(&self) -> String {
        let Self { periods, throttled, .. } = *self;
        if throttled == 0.0 {
            return format!("was not throttled at the end of any of its {periods} periods");
        }
        let share = amounts::percent(throttled, periods);
        let times = format!("was throttled in {share} of its periods ({throttled} of {periods})");
        match self.each_us() {
            Some(each) => format!(
                "{times}, on average for {} in such a period, added up over its CPUs",
                amounts::time(each)
            ),
            None => format!("{times}; for how long the text does not say"),
        }
    }

    /// What follows by arithmetic, a sentence each.
    pub fn follows(&self, limit: Option<&Limit>) -> Vec<String> {
        let mut follows = Vec::new();
        let period_us = limit.map_or(100_000.0, |limit| limit.period_us as f64);
        if let Some(us) = self.throttled_us.filter(|us| self.throttled == 0.0 && *us > 0.0) {
            follows.push(format!(
                "CPUs of it were throttled for {} in all, and given run time again before their \
                 period ended: nr_throttled counts only who is throttled at the refill.",
                amounts::time(us)
            ));
        }
        let stopped = (self.each_us().unwrap_or(0.0) / period_us - 0.05).ceil();
        if stopped > 1.0 {
            follows.push(format!(
                "At least {stopped} CPUs were throttled at the same time: one CPU adds at most {} \
                 a period.",
                amounts::time(period_us)
            ));
        }
        if let Some(bursts) = self.bursts.filter(|bursts| *bursts > 0.0) {
            let each = self.burst_us.map_or_else(String::new, |us| {
                format!(", by {} on average", amounts::time(us / bursts))
            });
            follows.push(format!(
                "{bursts} periods used more than the quota{each}: nr_bursts counts them."
            ));
        }
        let (Some(limit), Some(used)) = (limit, self.used_us()) else { return follows };
        let quota = limit.quota_us as f64;
        follows.push(format!(
            "On average the group used {} of {} a period, {} of the limit.",
            amounts::time(used),
            amounts::time(quota),
            amounts::percent(used, quota)
        ));
        if self.is_far_below(limit) {
            return follows;
        }
        let others = (self.periods - self.throttled).max(1.0);
        let rest = (used * self.periods - self.throttled * quota) / others;
        if self.throttled > 0.0
            && self.throttled < self.periods
            && rest >= 0.0
            && limit.burst_us == 0
        {
            follows.push(format!(
                "A throttled period uses up all {}; the other periods used {} on average.",
                amounts::time(quota),
                amounts::time(rest)
            ));
        }
        follows
    }
}
