//! CFS bandwidth control: a group may run for its quota in every period (docs/model/bandwidth.md;
//! Chiluk 2019).
//!
//! ```text
//!   refill ──► pool ──take up to a slice──► silo of CPU 0, 1, 2 ...   charged as the group runs there
//!                ▲────────return on sleep───────┘   empty: throttled until a period or slack timer distributes
//! ```
//! `state.rs` holds the state, `pool.rs` the operations under the group's lock, `account.rs` the
//! calls of the fair class. `throttle.rs` takes a queue off and puts it back, `limbo.rs` stops task
//! by task instead. The frames that take time and locks are `work.rs` (under a run-queue lock),
//! `period.rs` and `slack.rs` (the timers), `distribute.rs`, `csd.rs` and `write.rs`.

pub(crate) mod account;
pub(crate) mod csd;
pub(crate) mod distribute;
pub(crate) mod limbo;
pub(crate) mod period;
mod pool;
pub(crate) mod slack;
mod state;
pub(crate) mod throttle;
mod throttled;
pub(crate) mod work;
pub(crate) mod write;

pub use state::{Books, CfsBandwidth, CfsRqBandwidth};
pub use throttled::{ThrottledList, Walk};
pub(crate) use work::Work;

/// Which timer a distribution belongs to; also the reason an unthrottling is traced with.
pub use crate::trace::codes::Unthrottle as By;
