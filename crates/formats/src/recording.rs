//! What a real machine's scheduler did, as a file of its events has it: the rows of a simulated
//! run where they mean the same, the tasks, and how much of it there is. True of what was
//! recorded; nothing here is simulated, and no cause is named that no event shows.

mod build;
mod coverage;
mod recorded;
mod row;
mod stats;
mod tasks;
mod waits;
mod words;
mod worst;

pub use build::{Builder, Event, Full, Named, Stamp};
pub use coverage::{Coverage, Damage, Unread};
pub use recorded::{CPUS_MAX, EVENTS_MAX, Recording};
pub use row::{Left, Row};
pub use stats::{Sums, sums};
pub use tasks::{Prio, Task};
pub use waits::{Missed, Part, Segment, Wait, waits};
pub use worst::worst;
