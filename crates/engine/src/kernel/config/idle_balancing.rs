//! The behaviour of each variant of idle balancing: one row for each. A new variant states every
//! column.

use super::switches::NohzIlb;

struct Variant {
    kicks_for_update: bool,
    lowers_next_balance: bool,
    keeps_next_balance: bool,
    updates_newly_idle: bool,
    skips_old_news: bool,
    may_lose_updates: bool,
}

impl NohzIlb {
    /// The variants of [`NohzIlb`] name commits and versions.
    #[inline(always)]
    const fn row(self) -> Variant {
        match self {
            Self::Pre516 => Variant {
                kicks_for_update: false,
                lowers_next_balance: false,
                keeps_next_balance: false,
                updates_newly_idle: false,
                skips_old_news: false,
                may_lose_updates: true,
            },
            Self::NeedsUpdate => Variant {
                kicks_for_update: true,
                lowers_next_balance: false,
                keeps_next_balance: false,
                updates_newly_idle: false,
                skips_old_news: false,
                may_lose_updates: false,
            },
            Self::Rfc2023 => Variant {
                kicks_for_update: true,
                lowers_next_balance: false,
                keeps_next_balance: false,
                updates_newly_idle: true,
                skips_old_news: false,
                may_lose_updates: true,
            },
            Self::V2 => Variant {
                kicks_for_update: false,
                lowers_next_balance: true,
                keeps_next_balance: false,
                updates_newly_idle: false,
                skips_old_news: false,
                may_lose_updates: true,
            },
            Self::NewidleNext => Variant {
                kicks_for_update: true,
                lowers_next_balance: false,
                keeps_next_balance: true,
                updates_newly_idle: false,
                skips_old_news: false,
                may_lose_updates: false,
            },
            Self::EarlyOut => Variant {
                kicks_for_update: true,
                lowers_next_balance: false,
                keeps_next_balance: false,
                updates_newly_idle: false,
                skips_old_news: true,
                may_lose_updates: false,
            },
            Self::V2NewidleNext => Variant {
                kicks_for_update: false,
                lowers_next_balance: true,
                keeps_next_balance: true,
                updates_newly_idle: false,
                skips_old_news: false,
                may_lose_updates: true,
            },
        }
    }

    /// Whether a busy tick that finds needs_update kicks an idle CPU for it.
    #[inline]
    pub fn kicks_for_update(self) -> bool {
        self.row().kicks_for_update
    }

    /// Whether a CPU that stops its tick lowers nohz.next_balance itself, so that the update needs
    /// no kick.
    #[inline]
    pub fn lowers_next_balance(self) -> bool {
        self.row().lowers_next_balance
    }

    /// Whether a newly idle CPU moves its own next_balance only if it really balanced (commit
    /// 1c0482707c42).
    #[inline]
    pub fn keeps_next_balance(self) -> bool {
        self.row().keeps_next_balance
    }

    /// Whether a newly idle CPU brings nohz.next_balance up to date itself, by a bit of its own
    /// flags, behind the avg_idle gate (Fernandes 2023's first version).
    #[inline]
    pub fn updates_newly_idle(self) -> bool {
        self.row().updates_newly_idle
    }

    /// Whether a kick that would set no new bit ends before it writes.
    #[inline]
    pub fn skips_old_news(self) -> bool {
        self.row().skips_old_news
    }

    /// Whether an idle CPU may want to be balanced before any CPU will look
    /// (docs/model/idle-balancing.md#lost-updates). A variant that always sets needs_update loses
    /// no update, by a law.
    #[inline]
    pub fn may_lose_updates(self) -> bool {
        self.row().may_lose_updates
    }
}
