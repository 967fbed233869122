//! What a generator is.

use schedscope_engine::setup::Machine;

use super::workload::Workload;
use crate::error::Fault;
use crate::knobs::knob::Knob;
use crate::resolve::resolver::Resolver;

pub(crate) struct Generator {
    /// Key of the generator in `workload`.
    pub(crate) name: &'static str,
    /// Task kinds it makes, besides its own name.
    pub(crate) kinds: &'static [&'static str],
    /// The knob of its tasks' control group; none if they are the kernel's.
    pub(crate) group: Option<&'static str>,
    /// The kind that stays outside that group: the world, the kernel; "" for none.
    pub(crate) outside: &'static str,
    pub(crate) knobs: fn() -> Vec<Knob>,
    pub(crate) add: fn(&mut Resolver<'_>, &Machine, &mut Workload) -> Result<(), Fault>,
}
