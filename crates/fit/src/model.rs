//! What a program in bursts counts under a limit, reckoned from one event to the next without a
//! simulated machine: threads with a CPU each, slices of the quota, refills. It proposes programs;
//! a run of the simulator has the word.
//!
//! ```text
//! period      |.................|.................|..
//! 4 threads   |    ####____     |####____         |##      # runs, _ throttled until the refill
//! ```

use schedscope_formats::words::{Bursts, Limit};

/// What a CPU takes of the quota at a time, us.
const SLICE_US: f64 = 5_000.0;
/// What a CPU keeps of it when its thread sleeps, us.
const KEPT_US: f64 = 1_000.0;
/// So long after a thread has given run time back, throttled ones get it, us.
const SLACK_US: f64 = 5_000.0;
/// Not where a refill comes so soon, us.
const REFILL_SOON_US: f64 = 7_000.0;
/// Times closer than this are the same, us.
const SAME_US: f64 = 1e-3;
/// Events of one reckoning at most: a program that never ends its bursts is seen after them.
const EVENTS_MAX: u32 = 200_000;

/// What a program counts, by the model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counted {
    /// Periods that a group's timer counts: not those in which nothing ran.
    pub periods: f64,
    /// Those with a throttle at their end.
    pub throttled: f64,
    /// Throttled time, added up over CPUs, us.
    pub throttled_us: f64,
    /// CPU time, us.
    pub usage_us: f64,
    /// The longest burst, us.
    pub longest_us: f64,
}

impl Counted {
    /// Share of the counted periods that were throttled.
    pub fn share(&self) -> f64 {
        self.throttled / self.periods.max(1.0)
    }

    /// Throttled time of a throttled period, us.
    pub fn each_us(&self) -> f64 {
        if self.throttled == 0.0 { 0.0 } else { self.throttled_us / self.throttled }
    }

    /// CPU time of a counted period, us.
    pub fn used_us(&self) -> f64 {
        self.usage_us / self.periods.max(1.0)
    }
}

/// Threads that are alike: so many, with so much work left and so much of the quota in hand.
#[derive(Clone, Copy, Debug)]
struct Alike {
    count: f64,
    left: f64,
    hand: f64,
    is_throttled: bool,
}

struct Group {
    limit: Limit,
    /// Share of a CPU's speed that each thread has.
    speed: f64,
    /// Even use of the quota, us of CPU time in a us.
    steady: f64,
    pool: f64,
    threads: Vec<Alike>,
    now: f64,
    refill: f64,
    /// When throttled threads get what others gave back.
    slack: Option<f64>,
    was_used: bool,
    is_active: bool,
    counted: Counted,
}

/// What `bursts` count under `limit` on `cpus` CPUs. `place`: where in a period the first burst
/// begins, 0 to 1; `count`: how many bursts are reckoned, which come at as many places of a period.
pub fn counted(bursts: &Bursts, limit: &Limit, cpus: u32, place: f64, count: u32) -> Counted {
    let mut group = Group::new(bursts, limit, cpus);
    let mut due = place * limit.period_us as f64;
    let mut kept = 0.0;
    for _ in 0..count {
        group.wait_until(due);
        group.burst(bursts, kept);
        kept = kept_by(bursts, limit);
        due += bursts.every_us as f64;
    }
    // What is left of the last gap belongs to the program's own cycle.
    group.wait_until(due);
    group.counted
}

/// What one burst counts on the mean over `places` of a period where it can begin; `longest_us` is
/// that of the worst place.
pub fn one_burst(bursts: &Bursts, limit: &Limit, cpus: u32, places: u32) -> Counted {
    let longest_us = one_burst_at(bursts, limit, cpus, 0.0).longest_us;
    let mut sum = Counted { longest_us, ..Counted::default() };
    for place in 0..places {
        let begun = (f64::from(place) + 0.5) / f64::from(places) * limit.period_us as f64;
        let counted = one_burst_at(bursts, limit, cpus, begun);
        sum.periods += counted.periods;
        sum.throttled += counted.throttled;
        sum.throttled_us += counted.throttled_us;
        sum.usage_us += counted.usage_us;
        sum.longest_us = sum.longest_us.max(counted.longest_us);
    }
    let places = f64::from(places);
    Counted {
        periods: sum.periods / places,
        throttled: sum.throttled / places,
        throttled_us: sum.throttled_us / places,
        usage_us: sum.usage_us / places,
        longest_us: sum.longest_us,
    }
}

/// One burst that begins `begun` us after a refill. Even use of the quota is not counted.
fn one_burst_at(bursts: &Bursts, limit: &Limit, cpus: u32, begun: f64) -> Counted {
    let mut group = Group::new(bursts, limit, cpus);
    group.is_active = false;
    group.now = begun;
    group.pool = (group.pool - group.steady * begun).max(0.0);
    let mut bursts = *bursts;
    group.skip(&mut bursts);
    let skipped_us = group.counted.periods * limit.period_us as f64;
    group.burst(&bursts, kept_by(&bursts, limit));
    group.counted.longest_us += skipped_us;
    let end = group.now;
    group.steady = 0.0;
    // The period in which it ended, and the one in which the timer finds nothing.
    group.wait_until(end + 3.0 * limit.period_us as f64);
    group.counted
}

/// What each CPU still has in hand from the burst before.
fn kept_by(bursts: &Bursts, limit: &Limit) -> f64 {
    KEPT_US.min(limit.quota_us as f64 / f64::from(bursts.threads))
}

impl Group {
    fn new(bursts: &Bursts, limit: &Limit, cpus: u32) -> Self {
        let period = limit.period_us as f64;
        Self {
            limit: *limit,
            speed: (f64::from(cpus) / f64::from(bursts.threads)).min(1.0),
            steady: bursts.steady_us as f64 / period,
            pool: (limit.quota_us + limit.burst_us) as f64,
            threads: Vec::new(),
            now: 0.0,
            refill: period,
            slack: None,
            was_used: false,
            is_active: true,
            counted: Counted::default(),
        }
    }

    /// Counts the periods in the middle of a long burst, which are all alike: they use the quota,
    /// and all threads wait throttled for the rest.
    fn skip(&mut self, bursts: &mut Bursts) {
        const AT_THE_ENDS: f64 = 3.0;
        let (threads, period) = (f64::from(bursts.threads), self.limit.period_us as f64);
        let share = (self.limit.quota_us as f64 - self.steady * period).max(1.0);
        let each = threads * period * self.speed - share;
        let alike = (bursts.work_us as f64 * threads / share - AT_THE_ENDS).floor();
        if each <= 0.0 || alike <= 0.0 {
            return;
        }
        let ran = (alike * share / threads).round().min(bursts.work_us as f64 - 1.0);
        bursts.work_us -= ran as u64;
        self.counted.periods += alike;
        self.counted.throttled += alike;
        self.counted.throttled_us += alike * (threads * period - share / self.speed);
        self.counted.usage_us += ran * threads;
    }

    /// A burst begins now, and runs to its end. Threads have `kept` in hand.
    fn burst(&mut self, bursts: &Bursts, kept: f64) {
        let begun = self.now;
        self.threads = vec![Alike {
            count: f64::from(bursts.threads),
            left: bursts.work_us as f64,
            hand: kept,
            is_throttled: false,
        }];
        let mut events = 0;
        while !self.threads.is_empty() && events < EVENTS_MAX {
            self.step();
            events += 1;
        }
        self.counted.longest_us = self.counted.longest_us.max(self.now - begun);
    }

    /// Time passes without a burst.
    fn wait_until(&mut self, due: f64) {
        while self.refill <= due {
            self.pass(self.refill - self.now);
            self.refill();
        }
        if due > self.now {
            self.pass(due - self.now);
        }
    }

    /// To the next event: a refill, a thread at the end of its work or of what it has in hand.
    fn step(&mut self) {
        self.take();
        let mut span = self.slack.map_or(self.refill, |slack| slack.min(self.refill)) - self.now;
        for alike in self.threads.iter().filter(|alike| !alike.is_throttled) {
            span = span.min(alike.left.min(alike.hand) / self.speed);
        }
        self.pass(span.max(0.0));
        self.end();
        if self.slack.is_some_and(|slack| slack - self.now < SAME_US) {
            self.slack = None;
            if self.pool > SLICE_US {
                self.unthrottle();
            }
        }
        if self.refill - self.now < SAME_US {
            self.refill();
        }
    }

    /// Threads without run time in hand take a slice each; those for which none is left are
    /// throttled.
    fn take(&mut self) {
        let mut taken = Vec::new();
        let running: f64 =
            self.threads.iter().filter(|alike| !alike.is_throttled).map(|alike| alike.count).sum();
        // Several slices at once, as all take them before the refill: fewer events.
        let before = ((self.refill - self.now) * self.speed / SLICE_US).floor();
        let slices = (self.pool / (running.max(1.0) * SLICE_US)).floor().min(before).max(1.0);
        for alike in &mut self.threads {
            if alike.is_throttled || alike.hand > SAME_US {
                continue;
            }
            self.was_used = true;
            self.is_active = true;
            let whole = (self.pool / SLICE_US).floor().min(alike.count);
            let rest = (self.pool - whole * SLICE_US).max(0.0);
            if whole >= alike.count {
                let slices = slices.min((self.pool / (alike.count * SLICE_US)).floor());
                self.pool -= slices * alike.count * SLICE_US;
                alike.hand = slices * SLICE_US;
                continue;
            }
            if whole > 0.0 {
                taken.push(Alike { count: whole, hand: SLICE_US, ..*alike });
            }
            self.pool -= whole * SLICE_US;
            alike.count -= whole;
            if rest > SAME_US && whole < SLICE_US {
                taken.push(Alike { count: 1.0, hand: rest, ..*alike });
                alike.count -= 1.0;
                self.pool = 0.0;
            }
            alike.is_throttled = true;
        }
        self.threads.append(&mut taken);
        self.threads.retain(|alike| alike.count > 0.5);
    }

    fn pass(&mut self, span: f64) {
        self.now += span;
        for alike in &mut self.threads {
            if alike.is_throttled {
                self.counted.throttled_us += alike.count * span;
            } else {
                let ran = span * self.speed;
                alike.left -= ran;
                alike.hand -= ran;
                self.counted.usage_us += alike.count * ran;
            }
        }
        if self.steady > 0.0 {
            let used = (self.steady * span).min(self.pool);
            self.pool -= used;
            self.was_used = true;
            self.is_active = true;
            // What the quota did not cover waits throttled, and is caught up with later.
            let instances = (self.steady / 0.5).ceil();
            let missing = (span - used / self.steady).max(0.0);
            self.counted.throttled_us += instances * missing;
            self.counted.usage_us += self.steady * span;
        }
    }

    /// Threads whose work is over give back what they have in hand, but for what a CPU keeps.
    fn end(&mut self) {
        let ended = self.threads.iter().filter(|alike| alike.left < SAME_US);
        let back: f64 = ended.map(|alike| alike.count * (alike.hand - KEPT_US).max(0.0)).sum();
        self.pool += back;
        let is_soon = self.refill - self.now < REFILL_SOON_US;
        if back > 0.0 && self.pool > SLICE_US && self.slack.is_none() && !is_soon {
            self.slack = Some(self.now + SLACK_US);
        }
        self.threads.retain(|alike| alike.left >= SAME_US);
    }

    fn refill(&mut self) {
        let quota = self.limit.quota_us as f64;
        let is_throttled = self.threads.iter().any(|alike| alike.is_throttled)
            || self.steady > 0.0 && self.pool < SAME_US;
        if self.is_active {
            self.counted.periods += 1.0;
        }
        if is_throttled {
            self.counted.throttled += 1.0;
        }
        // A period in which nothing was taken ends the timer, and is the last that is counted.
        self.is_active = self.was_used || is_throttled;
        self.was_used = false;
        self.pool = (self.pool + quota).min(quota + self.limit.burst_us as f64);
        self.slack = None;
        self.unthrottle();
        self.refill += self.limit.period_us as f64;
    }

    fn unthrottle(&mut self) {
        for alike in self.threads.iter_mut().filter(|alike| alike.is_throttled) {
            alike.is_throttled = false;
            alike.hand = 0.0;
        }
    }
}
