//! RT throttling as a scenario states it: the switch, the two sysctls, the SCHED_RR slice.

use schedscope_engine::kernel::config::{Kernel, RtThrottle};

use crate::error::Fault;
use crate::resolve::resolver::Resolver;

const RUNTIME: &str = "kernel.sched_rt_runtime_us";
const PERIOD: &str = "kernel.sched_rt_period_us";

/// The two sysctls, which a running kernel takes.
pub(crate) const SYSCTLS: [&str; 2] = [RUNTIME, PERIOD];

/// Lays what is stated over `kernel`; a runtime longer than its period is refused, as the sysctl
/// does.
pub(crate) fn resolve(resolver: &mut Resolver<'_>, kernel: &mut Kernel) -> Result<(), Fault> {
    let runtime = resolver.integer(RUNTIME)?;
    let period = resolver.amount(PERIOD)?;
    if let Some(us) = runtime.value.filter(|us| *us > period.value) {
        let message = format!("{us} µs of runtime do not fit into a period of {} µs", period.value);
        return Err(Fault::new(runtime.at, RUNTIME, message)
            .expected(format!("at most {PERIOD}, or -1 for no limit"))
            .decided_with([PERIOD]));
    }
    kernel.rt_runtime_ns = runtime.value.map(|us| us * 1_000);
    kernel.rt_period_ns = period.value * 1_000;
    kernel.rr_timeslice_ns = resolver.amount("kernel.sched_rr_timeslice_ms")?.value * 1_000_000;
    let why = match kernel.rt_throttle {
        RtThrottle::Off => "kernel.rt_throttle is off",
        RtThrottle::DlServer => {
            "the fair server has a runtime and period of its own: 50 ms in 1 000 ms"
        }
        RtThrottle::Share | RtThrottle::NoShare => return Ok(()),
    };
    resolver.inert(RUNTIME, why);
    resolver.inert(PERIOD, why);
    Ok(())
}
