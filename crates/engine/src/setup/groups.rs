//! Control groups: a tree of fair groups, each with a weight and perhaps a quota of run time
//! (docs/model/bandwidth.md#quota-and-period).

use crate::setup::Setup;

/// The root group of every setup.
pub const ROOT: u32 = 0;
/// Weight of a group as shares of its parent; cpu.weight 100.
pub const GROUP_WEIGHT: u32 = 1_024;
/// Least and most shares a group may have (MIN_SHARES, MAX_SHARES).
pub const GROUP_WEIGHT_RANGE: (u32, u32) = (2, 1 << 18);
/// Most groups a run may have, the root counted.
pub const GROUPS_MAX: usize = 1_024;
/// Least and most of a bandwidth period, ns (min_cfs_quota_period, max_cfs_quota_period).
pub const PERIOD_RANGE_NS: (u64, u64) = (1_000_000, 1_000_000_000);
/// Least quota, ns (min_cfs_quota_period).
pub const QUOTA_MIN_NS: u64 = 1_000_000;
/// Most quota, ns: the kernel's max_cfs_runtime in whole seconds ("203 days",
/// docs/model/bandwidth.md#quota-and-period).
pub const QUOTA_MAX_NS: u64 = (1 << 44) * 1_000;
/// Most that all refills of a run may grant, ns: half of the greatest number that the page holds
/// exactly.
const GRANTS_MAX_NS: u64 = 1 << 52;

/// cpu.max and cpu.max.burst of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Quota {
    /// Run time per period, ns; `None` is "max": no limit for now, though one may be written later.
    pub quota_ns: Option<u64>,
    pub period_ns: u64,
    /// Unused quota that may accumulate beyond one quota, ns (5.14 on).
    pub burst_ns: u64,
    /// When the first refill is due, ns after 0; the pool is full at 0
    /// (docs/model/bandwidth.md#bandwidth-phases).
    pub phase_ns: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct GroupSpec {
    /// Path below the root without a leading slash, the key of `groups` in reports; empty for the
    /// root.
    pub path: String,
    /// Index of the parent, which is less than the group's own; the root is its own parent.
    pub parent: u32,
    /// Shares of the parent's time, [`GROUP_WEIGHT`] by default.
    pub weight: u32,
    /// The group's bandwidth; `None` for a group that never has any.
    pub bandwidth: Option<Quota>,
}

impl GroupSpec {
    /// The root group, which can have no quota.
    pub fn root() -> Self {
        Self { path: String::new(), parent: ROOT, weight: GROUP_WEIGHT, bandwidth: None }
    }

    fn check(&self, index: u32) -> Result<(), String> {
        let placed = self.parent < index
            || (index == ROOT && self.parent == ROOT && self.bandwidth.is_none());
        let weighed = (GROUP_WEIGHT_RANGE.0..=GROUP_WEIGHT_RANGE.1).contains(&self.weight);
        if placed && weighed && self.bandwidth.is_none_or(|quota| quota.is_legal()) {
            return Ok(());
        }
        Err(format!(
            "group {:?} follows its parent, weighs 2 to 262144 shares and has a legal quota; the \
                root has none",
            self.path
        ))
    }
}

impl Quota {
    /// Whether the kernel takes these values together (docs/model/bandwidth.md#quota-and-period).
    pub fn is_legal(self) -> bool {
        let period = (PERIOD_RANGE_NS.0..=PERIOD_RANGE_NS.1).contains(&self.period_ns);
        let quota =
            self.quota_ns.is_none_or(|quota| (QUOTA_MIN_NS..=QUOTA_MAX_NS).contains(&quota));
        // Without a quota the kernel does not look at the burst.
        let burst = self.quota_ns.is_none_or(|quota| self.burst_ns <= quota);
        period && quota && burst && (1..=self.period_ns).contains(&self.phase_ns)
    }

    /// Whether the sum of the refills in a run of `duration_ns` can be counted. No kernel has this
    /// limit, but the accounts here do.
    pub fn is_countable(self, duration_ns: u64) -> bool {
        let refills = duration_ns / self.period_ns.max(1) + 2;
        self.quota_ns.is_none_or(|quota| quota.saturating_mul(refills) <= GRANTS_MAX_NS)
    }

    /// This quota after a write to cpu.max: `"QUOTA PERIOD"`, `"QUOTA"`, `"max PERIOD"` or `"max"`,
    /// both in us. `None` if the kernel would refuse the text with any burst.
    pub fn with_cpu_max(self, text: &str) -> Option<Self> {
        let mut words = text.split_ascii_whitespace();
        let number = |word: &str| {
            let digits = word.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| word.parse::<u64>().ok()?.checked_mul(1_000)).flatten()
        };
        let (first, second) = (words.next()?, words.next());
        let quota_ns = if first == "max" { None } else { Some(number(first)?) };
        let period_ns = second.map_or(Some(self.period_ns), number)?;
        let written = Self {
            quota_ns,
            period_ns,
            phase_ns: self.phase_ns.clamp(1, period_ns.max(1)),
            ..self
        };
        (words.next().is_none() && Self { burst_ns: 0, ..written }.is_legal()).then_some(written)
    }
}

impl Setup {
    /// Groups form a tree in order, and every task is in one.
    pub(super) fn check_groups(&self) -> Result<(), String> {
        if self.groups.is_empty() || self.groups.len() > GROUPS_MAX {
            return Err(format!(
                "a run has the root group and at most {GROUPS_MAX} in all, not {}",
                self.groups.len()
            ));
        }
        self.groups.iter().enumerate().try_for_each(|(index, group)| group.check(index as u32))?;
        let uncountable = |group: &&GroupSpec| {
            group.bandwidth.is_some_and(|quota| !quota.is_countable(self.duration_ns))
        };
        if let Some(group) = self.groups.iter().find(uncountable) {
            let path = &group.path;
            return Err(format!(
                "the refills of group {path:?} grant more than 2^52 ns: state a smaller quota, a \
                    shorter duration or \"max\""
            ));
        }
        let astray = self.tasks.iter().find(|task| task.group as usize >= self.groups.len());
        astray.map_or(Ok(()), |task| {
            Err(format!("task {} is in a group that is not there", task.name))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_no_kernel_takes_is_refused() {
        let sound = Quota {
            quota_ns: Some(10_000_000),
            period_ns: 100_000_000,
            burst_ns: 10_000_000,
            phase_ns: 1,
        };
        assert!(sound.is_legal() && Quota { quota_ns: None, ..sound }.is_legal());
        let refused = [
            Quota { quota_ns: Some(999_999), ..sound },
            Quota { period_ns: 999_999, ..sound },
            Quota { period_ns: 1_000_000_001, ..sound },
            Quota { burst_ns: 10_000_001, ..sound },
            Quota { phase_ns: 0, ..sound },
            Quota { phase_ns: 100_000_001, ..sound },
        ];
        assert!(refused.iter().all(|quota| !quota.is_legal()));
        let most = Quota { quota_ns: Some(QUOTA_MAX_NS), ..sound };
        assert!(
            most.is_legal()
                && !most.is_countable(1_000_000_000)
                && sound.is_countable(24 * 3_600_000_000_000)
        );
        let group = |parent, bandwidth| GroupSpec {
            path: "a".to_owned(),
            parent,
            bandwidth,
            ..GroupSpec::root()
        };
        assert_eq!(group(0, Some(sound)).check(1), Ok(()));
        assert!(group(1, None).check(1).is_err() && group(0, Some(sound)).check(0).is_err());
        assert!(GroupSpec { weight: 1, ..group(0, None) }.check(1).is_err());
    }
}
