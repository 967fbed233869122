//! CFS bandwidth control as a switch: the eras of the kernel, what no release has (the rival fixes
//! of 2019, a fault of 7.3's candidates), and mixes.

use super::asked::noted;
use super::row::{Preset, Reader, Row, Since, row};
use super::rules::Release;
use super::table;
use super::version::Version;
use crate::named_enum;

named_enum! {
    /// The fate of run time that a CPU still holds when its group's next period begins.
    pub enum Expiry {
        TimeCmp = "time_cmp", "local and global deadlines are compared: what is older is lost (3.2 \
            to 3.15)";
        BrokenTick = "broken_tick", "commit 51f2176d74ac: the deadlines are asked to differ, so \
            nothing expires (3.16 to 4.17)";
        Seq = "seq", "commit 512ac999d275: a sequence number tells the periods apart, and what is \
            older is lost (4.18 to 5.3)";
        Never = "none", "commit de53fd7aedb1: run time does not expire (5.4 on)";
    }
}

named_enum! {
    /// The run time that a CPU gives back when the last task of the group on it sleeps.
    pub enum SiloReturn {
        Keep1ms = "keep1ms", "everything above 1 ms (min_cfs_rq_runtime)";
        Keep0 = "keep0", "everything (min_cfs_rq_runtime = 0, considered in 2019)";
        V4 = "v4_3slices", "D. Chiluk's v4 (June 2019): everything while the pool holds less than \
            three slices";
        SegallList = "segall_list", "B. Segall's prototype of 1 July 2019: above 1 ms at once, the \
            rest when the slack timer comes round";
    }
}

named_enum! {
    /// How a refilled pool is handed to throttled queues.
    pub enum BwDistribution {
        Pre317 = "pre317", "the pool is emptied first and the rest put back (to 3.16)";
        OldCopy = "old_copy", "commit c06f04c70489: a copy is handed out, what was used is taken \
            off the pool afterwards (3.17 to 5.6)";
        NewLocked = "new_locked", "commit 26a8b12747c9: each share is taken from the pool under \
            its lock (5.7 on)";
    }
}

named_enum! {
    /// Whether the slack timer's distribution of a copy is taken off the pool.
    pub enum SlackSubtract {
        IfSamePeriod = "if_same_period", "unless a refill came in between (3.17 to 5.3)";
        Never = "never", "D. Chiluk's v1, v2 and v5 (2019): not at all, so all of it is spent \
            twice";
        Always = "always", "always (commit de53fd7aedb1, D. Chiluk's v6)";
    }
}

named_enum! {
    /// The run time that the pool must hold for a return to start the slack timer, and for its
    /// distribution.
    pub enum SlackThreshold {
        AboveSlice = ">slice", "more than a slice";
        AboveZero = ">0", "anything (B. Segall's prototype of 1 July 2019)";
    }
}

impl SlackThreshold {
    /// Whether a pool of `pool` ns is enough, where a slice has `slice` ns.
    #[inline]
    pub const fn is_met(self, pool: u64, slice: u64) -> bool {
        match self {
            Self::AboveSlice => pool > slice,
            Self::AboveZero => pool > 0,
        }
    }
}

named_enum! {
    /// Where a throttled queue joins its group's list.
    pub enum ListInsert {
        Head = "head", "commit c06f04c70489: at the head, where a running distribution does not \
            see it (3.17 to 4.18)";
        Headtail = "headtail", "commit baa9be4ffb55: at the head while a distribution runs, else \
            at the tail (4.19 to 5.7)";
        Tail = "tail", "at the tail (to 3.16, and commit e98fa02c4f2e, 5.8 on)";
    }
}

named_enum! {
    /// The effect of a refill on run time left in the pool.
    pub enum Refill {
        Reset = "reset", "it is thrown away: the pool is one quota (to 5.13)";
        Accumulate = "accumulate", "it is kept up to quota + burst (commit f4183717b370, 5.14 on)";
    }
}

named_enum! {
    /// What no release has: rival fixes of May to July 2019, each on top of the code of its day,
    /// and a fault of 7.3's candidates.
    pub enum BandwidthPreset {
        ChilukV1V2V5 = "chiluk_v1_v2_v5", "D. Chiluk's v1, v2 and v5 (2019): expiry removed, and \
            with it the subtraction after a slack distribution";
        ChilukV4 = "chiluk_v4", "D. Chiluk's v4 (June 2019): expiry stays; a low pool gets \
            everything back";
        Keep0 = "keep0", "considered in 2019: expiry stays, nothing is kept back";
        SegallList = "segall_list", "B. Segall's prototype of 1 July 2019: expiry stays; the slack \
            timer gathers what idle CPUs hold";
        Escape73Rc = "escape_7_3_rc", "7.3-rc1, fixed before 7.3: a charge and a distribution do \
            not see that a task of the queue runs";
    }
}

/// One row, one switch: `kind field: type { release [stable releases]: value, source; … }`.
macro_rules! eras {
    ($($(#[doc = $doc:literal])* $kind:ident $field:ident: $type:ty {
        $($from:literal $([$($stable:literal),+])?: $value:expr, $source:literal;)+
    })+) => {
        /// Bandwidth control of a run. The first ten switches identify an era; the others follow
        /// the era unless a scenario states them.
        ///
        /// The fields are read as those of [`Kernel`](super::Kernel) are.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub struct Bandwidth {
            $(
                $(#[doc = $doc])*
                #[cfg(any(test, not(feature = "asked")))]
                pub $field: $type,
                #[cfg(all(feature = "asked", not(test)))]
                $field: $type,
            )+
        }

        noted! {
            Bandwidth from table::FIRST + table::NAMES.len();
            $($(#[doc = $doc])* $field: $type,)+
        }

        struct Rows {
            $($field: Row<$type>,)+
        }

        const ROWS: Rows = Rows {
            $($field: row!(
                stringify!($field), concat!($($doc),+), None;
                $($from $([$($stable),+])?: $value, $source;)+
            ),)+
        };

        impl Bandwidth {
            fn of_rows(version: Version) -> Self {
                Self { $($field: ROWS.$field.value(version),)+ }
            }

            /// Reads every row with `reader`, for the texts about the rows.
            pub fn read<R: Reader>(reader: &mut R) -> Result<Self, R::Fault> {
                Ok(Self { $($field: reader.$kind(&ROWS.$field, None)?,)+ })
            }
        }

        #[cfg(test)]
        fn judge_rows() {
            $(ROWS.$field.judge();)+
        }
    };
}

// Versions before 3.2 have no bandwidth control; they get the rows of 3.2.
eras! {
    /// The fate of run time that a CPU still holds when its group's next period begins.
    named expiry: Expiry {
        "2.6.24": Expiry::TimeCmp, "as bandwidth control came, with 3.2";
        "3.16": Expiry::BrokenTick, "commit 51f2176d74ac (3.16)";
        "4.18": Expiry::Seq, "commit 512ac999d275 (4.18)";
        "5.4" ["4.14.154", "4.19.84"]: Expiry::Never, "commit de53fd7aedb1 (5.4; its back-ports \
            recalled)";
    }
    /// The run time that a CPU gives back when the last task of the group on it sleeps.
    named silo_return: SiloReturn {
        "2.6.24": SiloReturn::Keep1ms, "min_cfs_rq_runtime in every version";
    }
    /// How a refilled pool is handed to throttled queues.
    named distribution: BwDistribution {
        "2.6.24": BwDistribution::Pre317, "as bandwidth control came, with 3.2";
        "3.17": BwDistribution::OldCopy, "commit c06f04c70489 (3.17)";
        "5.7": BwDistribution::NewLocked, "commit 26a8b12747c9 (5.7)";
    }
    /// Whether run time that the slack timer hands out is taken off the pool.
    named slack_subtract: SlackSubtract {
        "2.6.24": SlackSubtract::IfSamePeriod,
            "a copy is distributed from 3.17 on; not used before";
        "5.4" ["4.14.154", "4.19.84"]: SlackSubtract::Always,
            "commit de53fd7aedb1 (5.4; its back-ports recalled)";
    }
    /// The run time that the pool must hold for a return to start the slack timer, and for it to
    /// hand out.
    named slack_threshold: SlackThreshold {
        "2.6.24": SlackThreshold::AboveSlice, "more than a slice in every version";
    }
    /// A queue about to be throttled asks for 1 ns once more.
    flag throttle_lasttry: bool {
        "2.6.24": false, "before commit e98fa02c4f2e (5.8)";
        "5.8": true, "commit e98fa02c4f2e (5.8)";
    }
    /// Where a throttled queue joins its group's list.
    named list: ListInsert {
        "2.6.24": ListInsert::Tail, "as bandwidth control came, with 3.2";
        "3.17": ListInsert::Head, "commit c06f04c70489 (3.17)";
        "4.19": ListInsert::Headtail, "commit baa9be4ffb55 (4.19)";
        "5.8": ListInsert::Tail, "commit e98fa02c4f2e (5.8)";
    }
    /// The effect of a refill on run time left in the pool.
    named refill: Refill {
        "2.6.24": Refill::Reset, "before commit f4183717b370 (5.14)";
        "5.14": Refill::Accumulate, "commit f4183717b370 (5.14)";
    }
    /// Remote queues are unthrottled by their own CPU, on a function-call IPI.
    flag csd: bool {
        "2.6.24": false, "before commit 8ad075c2eb1f (6.3)";
        "6.3": true, "commit 8ad075c2eb1f (6.3)";
    }
    /// Tasks are throttled one by one on their way to user code.
    flag per_task: bool {
        "2.6.24": false, "before commit e1fad12dcb66 (6.18)";
        "6.18": true, "commit e1fad12dcb66 (6.18)";
    }
    /// The charge that uses up a queue's run time throttles it, if tasks are throttled one by one.
    flag charge_throttles: bool {
        "2.6.24": false, "before commit f666241e6bd5 (7.2): the next pick; read in 7.1.13";
        "7.2": true, "commits f666241e6bd5, 28ad5427682b and 102a28344a60 (7.2); read in 7.2.13";
    }
    /// Where charges throttle, they and distributions see that a task of the queue runs: the queue
    /// asks for a slice and not for 1 ns, and the task has to stop.
    flag sees_running: bool {
        "2.6.24": true, "in every release; candidates of 7.3 had it wrong (from commit \
            85570f10a4c6 to merge 88405f0ad1d5); read in 7.3.4";
    }
    /// A period timer that starts again refills, and its periods begin anew.
    flag restart_refills: bool {
        "2.6.24": true, "before commit 4cfafd3082af (4.2)";
        "4.2": false, "commit 4cfafd3082af (4.2; period_active is in 4.2 and not in 4.1)";
    }
    /// A throttled queue may still draw run time.
    flag throttled_draws: bool {
        "2.6.24": true, "before commit 5e2d2cc2588b (5.4)";
        "5.4": false, "commit 5e2d2cc2588b (5.4)";
    }
    /// Starting the slack timer pushes one under way forward.
    flag slack_pushes: bool {
        "2.6.24": true, "before commit 66567fcbaeca (5.3)";
        "5.3": false, "commit 66567fcbaeca (5.3)";
    }
    /// Only one distribution at a time.
    flag one_walk: bool {
        "2.6.24": false, "before commit baa9be4ffb55 (4.19)";
        "4.19": true, "commit baa9be4ffb55 (4.19)";
        "5.8": false, "commit ab93a4bc955b (5.8)";
    }
    /// A callback that cannot keep up doubles period, quota and burst; in 5.1 to 5.3, commit
    /// 2e8e19226398, by 147/128.
    flag rescales: bool {
        "2.6.24": false, "before commit 2e8e19226398 (5.1)";
        "5.4": true, "commit 4929a4e6faa0 (5.4)";
    }
    /// Period, quota and burst of a callback that cannot keep up are doubled after its fourth
    /// refill, not before it.
    flag rescale_last: bool {
        "2.6.24": false, "before commit 5a6d6a6ccb5f (5.8)";
        "5.8": true, "commit 5a6d6a6ccb5f (5.8)";
    }
    /// A queue that is empty when it is throttled counts as such from its first task on.
    flag late_clock: bool {
        "2.6.24": false, "before commit 79462e8c879a (6.6, hash recalled)";
        "6.6": true, "commit 79462e8c879a (6.6, hash recalled)";
    }
}

/// The sources of the eras, for the knob `kernel.bandwidth`.
const BEGAN: Row<()> = row!("bandwidth", "What began an era.", None;
    "2.6.24": (), "no bandwidth control before 3.2";
    "3.2": (), "bandwidth control came with 3.2; expiry compares times, the pool is emptied to \
        distribute";
    "3.16": (), "commit 51f2176d74ac: nothing expires any more";
    "3.17": (), "commit c06f04c70489: a copy of the pool is distributed";
    "4.2": (), "a period timer that starts again no longer refills (commit 4cfafd3082af, 4.2; \
        period_active is in 4.2 and not in 4.1)";
    "4.18": (), "commit 512ac999d275: run time expires with its period";
    "4.19": (), "commit baa9be4ffb55: one distribution at a time, newcomers at the tail otherwise";
    "5.4": (), "commit de53fd7aedb1: run time does not expire";
    "5.7": (), "commit 26a8b12747c9: the pool itself is distributed, under its lock";
    "5.8": (), "commits e98fa02c4f2e and ab93a4bc955b: a last try before throttling";
    "5.14": (), "commit f4183717b370: burst";
    "6.3": (), "commit 8ad075c2eb1f: each CPU unthrottles its own queues, by IPI";
    "6.6": (), "a queue that is empty when it is throttled counts as such from its first task on";
    "6.18": (), "commit e1fad12dcb66: tasks are throttled one by one on their way to user code";
    "7.2": (), "commit f666241e6bd5: a charge throttles, and no longer the next pick";
);

/// The source of the era that begins at `version`; `None` where the version continues an era.
pub fn bandwidth_source(version: Version) -> Option<&'static str> {
    Some(BEGAN.at(version)).filter(|preset| preset.is_new).map(|preset| preset.source)
}

/// The era of `version`: what began it, and how well it is known that it is in force.
pub fn bandwidth_era_of(version: Version) -> Preset<()> {
    BEGAN.at(version)
}

/// The version whose bandwidth control `version` has. Versions before 3.2 have none and get that of
/// 3.2.
pub fn bandwidth_era(version: Version) -> Version {
    let has = Release::of(version).has_bandwidth_control();
    if has { version } else { Version::V3_2 }
}

/// The versions that have bandwidth control, oldest first.
pub fn bandwidth_versions() -> impl DoubleEndedIterator<Item = Version> + Clone {
    Version::LADDER.iter().copied().filter(|version| Release::of(*version).has_bandwidth_control())
}

impl Bandwidth {
    /// The era of `version`. Versions before 3.2 have no bandwidth control and get the era of 3.2.
    pub fn of_version(version: Version) -> Self {
        Self::of_rows(version)
    }

    /// What no release has. The fixes proposed in 2019 are on the code of mid-2019, 5.3: expiry by
    /// sequence number, one walk at a time, and a slack timer that is not pushed.
    pub fn of_preset(preset: BandwidthPreset) -> Self {
        let base = Self { slack_pushes: false, ..Self::of_version(Version::V4_19) };
        match preset {
            BandwidthPreset::ChilukV1V2V5 => {
                Self { expiry: Expiry::Never, slack_subtract: SlackSubtract::Never, ..base }
            }
            BandwidthPreset::ChilukV4 => Self { silo_return: SiloReturn::V4, ..base },
            BandwidthPreset::Keep0 => Self { silo_return: SiloReturn::Keep0, ..base },
            BandwidthPreset::SegallList => Self {
                silo_return: SiloReturn::SegallList,
                slack_threshold: SlackThreshold::AboveZero,
                ..base
            },
            BandwidthPreset::Escape73Rc => {
                Self { sees_running: false, ..Self::of_version(Version::of("7.3")) }
            }
        }
    }

    /// Whether the first ten switches, which identify an era, are those of `other`.
    pub fn switches_of(&self, other: &Self) -> bool {
        let eras = Self {
            charge_throttles: self.charge_throttles,
            sees_running: self.sees_running,
            restart_refills: self.restart_refills,
            throttled_draws: self.throttled_draws,
            slack_pushes: self.slack_pushes,
            one_walk: self.one_walk,
            rescales: self.rescales,
            rescale_last: self.rescale_last,
            late_clock: self.late_clock,
            ..*other
        };
        *self == eras
    }

    /// Whether kernels of this era have cpu.max.burst.
    pub fn has_burst(&self) -> bool {
        self.refill().keeps_rest()
    }

    /// Whether a charge throttles; before, it asked for a pick, which did.
    pub fn throttles_at_charge(&self) -> bool {
        self.per_task() && self.charge_throttles()
    }

    /// Whether a charge throttles and takes the queue for one of which no task runs.
    pub fn misses_running(&self) -> bool {
        self.throttles_at_charge() && !self.sees_running()
    }

    /// The run time that a CPU keeps when its last task of the group sleeps, ns
    /// (min_cfs_rq_runtime).
    pub fn min_keep_ns(&self) -> i64 {
        match self.silo_return() {
            SiloReturn::Keep0 => 0,
            SiloReturn::Keep1ms | SiloReturn::V4 | SiloReturn::SegallList => 1_000_000,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named::Named;

    /// docs/model/bandwidth.md#bandwidth-eras, row by row: expiry, distribution, list, refill on
    /// restart.
    #[test]
    fn every_era_is_the_one_of_the_table() {
        use BwDistribution::{NewLocked, OldCopy, Pre317};
        use Expiry::{BrokenTick, Never, Seq, TimeCmp};
        use ListInsert::{Head, Headtail, Tail};
        let rows = [
            (Version::V3_2, TimeCmp, Pre317, Tail, true),
            (Version::V3_16, BrokenTick, Pre317, Tail, true),
            (Version::V3_17, BrokenTick, OldCopy, Head, true),
            (Version::V4_1, BrokenTick, OldCopy, Head, true),
            (Version::V4_2, BrokenTick, OldCopy, Head, false),
            (Version::V4_15, BrokenTick, OldCopy, Head, false),
            (Version::V4_18, Seq, OldCopy, Head, false),
            (Version::V4_19, Seq, OldCopy, Headtail, false),
            (Version::V5_4, Never, OldCopy, Headtail, false),
            (Version::V5_7, Never, NewLocked, Headtail, false),
            (Version::V5_8, Never, NewLocked, Tail, false),
            (Version::V7_0, Never, NewLocked, Tail, false),
        ];
        for (version, expiry, distribution, list, restart_refills) in rows {
            let era = Bandwidth::of_version(version);
            let found = (era.expiry, era.distribution, era.list, era.restart_refills);
            assert_eq!(found, (expiry, distribution, list, restart_refills), "{version:?}");
        }
    }

    #[test]
    fn every_row_begins_with_the_oldest_version_goes_up_and_names_its_sources() {
        judge_rows();
        BEGAN.judge();
    }

    #[test]
    fn a_version_that_changes_bandwidth_control_says_what_began() {
        let mainline: Vec<_> =
            Version::LADDER.iter().filter(|version| **version == version.mainline()).collect();
        for pair in mainline.windows(2) {
            let [before, now] = [pair[0], pair[1]].map(|version| Bandwidth::of_version(*version));
            assert!(before == now || bandwidth_source(*pair[1]).is_some(), "{:?}", pair[1]);
        }
    }

    #[test]
    fn burst_csd_per_task_and_the_last_try_come_with_their_versions() {
        let first = |has: fn(&Bandwidth) -> bool| {
            Version::LADDER.iter().copied().find(|version| has(&Bandwidth::of_version(*version)))
        };
        assert_eq!(first(Bandwidth::has_burst), Some(Version::V5_14));
        assert_eq!(first(|era| era.throttle_lasttry), Some(Version::V5_8));
        assert_eq!(first(|era| era.csd), Some(Version::V6_3));
        assert_eq!(first(|era| era.per_task), Some(Version::V6_18));
        for preset in BandwidthPreset::ALL {
            let of = Bandwidth::of_preset(*preset);
            let by_ten = *preset != BandwidthPreset::Escape73Rc;
            let is = |era: Bandwidth| if by_ten { of.switches_of(&era) } else { of == era };
            let mut eras = Version::LADDER.iter().map(|version| Bandwidth::of_version(*version));
            assert!(!eras.any(is), "{preset:?} is no era");
        }
    }
}
