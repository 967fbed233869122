//! A limit of CPU time, whatever text states it, and what follows from it by arithmetic.

use super::amounts;

/// The kernel takes no shorter quota or period, us.
pub const LEAST_US: u64 = 1_000;
/// The kernel takes no longer period, us.
const PERIOD_MAX_US: u64 = 1_000_000;
/// The period of a group that states none, us.
pub const PERIOD_US: u64 = 100_000;
/// What a CPU takes of the quota at a time, us: sched_cfs_bandwidth_slice_us unless it is set.
const SLICE_US: f64 = 5_000.0;
/// Most CPUs of a machine here.
pub(super) const CPUS_MAX: u32 = 1_024;

/// What a group may use, times in us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// CPU time in every period.
    pub quota_us: u64,
    /// From one refill to the next.
    pub period_us: u64,
    /// What may be saved for later periods; 0: none.
    pub burst_us: u64,
}

impl Limit {
    /// `quota_us` in every 100 ms.
    pub fn of_quota(quota_us: u64) -> Self {
        Self { quota_us, period_us: PERIOD_US, burst_us: 0 }
    }

    /// A limit of so many thousandths of a CPU, as the kubelet writes it: at least 1 ms.
    pub fn of_millis(millis: u64) -> Self {
        Self::of_quota(millis.saturating_mul(PERIOD_US / 1_000).max(LEAST_US))
    }

    /// CPUs that it is worth.
    pub fn cpus(&self) -> f64 {
        self.quota_us as f64 / self.period_us as f64
    }

    /// Why the kernel would refuse it, or why no machine here is large enough.
    pub fn wrong(&self) -> Option<String> {
        let time = |us: u64| amounts::time(us as f64);
        let Self { quota_us, period_us, burst_us } = *self;
        if !(LEAST_US..=PERIOD_MAX_US).contains(&period_us) {
            return Some(format!(
                "the period is {}; the kernel accepts 1 ms to 1 s",
                time(period_us)
            ));
        }
        if quota_us < LEAST_US {
            return Some(format!(
                "the quota is {}; the kernel accepts 1 ms or more",
                time(quota_us)
            ));
        }
        if burst_us > quota_us {
            return Some(format!(
                "the burst is {}; the kernel accepts at most the quota, {}",
                time(burst_us),
                time(quota_us)
            ));
        }
        (self.cpus() >= f64::from(CPUS_MAX)).then(|| {
            let cpus = amounts::cpus(self.cpus());
            format!("the limit is {cpus}; a machine here has at most {CPUS_MAX} CPUs")
        })
    }

    /// `50 ms in every 100 ms, which is 0.5 CPUs`.
    pub fn words(&self) -> String {
        let time = |us: u64| amounts::time(us as f64);
        let burst = match self.burst_us {
            0 => String::new(),
            burst => format!(" with a burst of {}", time(burst)),
        };
        let cpus = amounts::cpus(self.cpus());
        format!("{} in every {}{burst}, which is {cpus}", time(self.quota_us), time(self.period_us))
    }

    /// What cpu.max says for it.
    pub fn cpu_max(&self) -> String {
        format!("{} {}", self.quota_us, self.period_us)
    }

    /// What follows from it alone, a sentence each. A CPU takes a slice at a time, so threads stop
    /// unevenly; what they ran too long in the period before comes off, so that a count of slices
    /// is a most. `cpus`: the CPUs that the group may use, where the text says so.
    pub fn follows(&self, cpus: Option<u32>) -> Vec<String> {
        if let Some(few) = cpus.filter(|cpus| self.is_never_reached(*cpus)) {
            let few = amounts::cpus(f64::from(few));
            return vec![format!("{few} cannot use more than that: this limit never throttles.")];
        }
        let mut follows = vec![self.slices(cpus)];
        if self.burst_us > 0 {
            follows.push(format!(
                "After periods that used less than the quota a period may use up to {}: quota and \
                 burst.",
                amounts::time((self.quota_us + self.burst_us) as f64)
            ));
        }
        follows
    }

    /// Whether so few CPUs cannot use the quota up.
    pub fn is_never_reached(&self, cpus: u32) -> bool {
        f64::from(cpus) <= self.cpus()
    }

    fn slices(&self, cpus: Option<u32>) -> String {
        let threads = cpus.unwrap_or_else(|| cpus_for(self.cpus(), 0));
        let many = format!("{threads} runnable threads on {threads} CPUs");
        let slice = amounts::time(SLICE_US);
        let rest = "the others stop at their next tick, if they run at all";
        let slices = self.quota_us as f64 / SLICE_US;
        if slices < 2.0 {
            return format!(
                "CPUs take the quota in slices of at most {slice}: of {many} the first to ask use \
                 it up, and {rest}."
            );
        }
        let quota = amounts::time(self.quota_us as f64);
        let are = format!("{quota} are {} slices of {slice}", (slices * 10.0).round() / 10.0);
        let period = amounts::time(self.period_us as f64);
        let until = format!("of every {period}, and are then throttled until the next refill");
        if slices < f64::from(threads) {
            return format!(
                "{are}: of {many} at most {} get one, run for about {slice} {until}; {rest}.",
                slices.ceil()
            );
        }
        let each = slices / f64::from(threads);
        let run = amounts::time((each.ceil() * SLICE_US).min(self.period_us as f64));
        let (count, ms) = if each.fract() == 0.0 {
            (each.to_string(), run)
        } else {
            let least = each.floor() * SLICE_US / 1e3;
            (format!("{} or {}", each.floor(), each.ceil()), format!("{least} or {run}"))
        };
        format!("{are}: {many} get {count} each, run for about {ms} {until}.")
    }
}

/// CPUs of the assumed machine: a power of two, 8 or more, that holds the limit and the threads.
pub fn cpus_for(limit: f64, threads: u32) -> u32 {
    let mut cpus = 8;
    while (f64::from(cpus) <= limit || cpus < threads) && cpus < CPUS_MAX {
        cpus *= 2;
    }
    cpus
}

/// cpu.shares of cgroup v1 as the cpu.weight of v2 that has the same effect: 1024 and 100 are the
/// kernel's own defaults, and cpu.weight is kept as shares (cpu_weight_write_u64(), 6.12).
pub fn weight_like_shares(shares: u64) -> u64 {
    ((shares.clamp(2, 262_144) * 100 + 512) / 1_024).clamp(1, 10_000)
}

/// cpu.shares of cgroup v1 (1024 a CPU, at least 2) as cpu.weight of v2, by the rule that runtimes
/// used until 2025.
pub fn weight_of_shares(shares: u64) -> u64 {
    1 + (shares.clamp(2, 262_144) - 2) * 9_999 / 262_142
}
