//! What holds real-time tasks back: a limit of their run time, or a fair server.

use serde_json::Value;

use crate::real::features::feature;
use crate::real::line::Line;
use crate::real::run::Run;
use crate::real::values::text;

const FAIR_SERVER: &str = "6.12";

/// The runtime may not exceed the period at any moment: the limit is lifted, then both are written.
pub(super) fn sysctls(_: &Value, run: &Run) -> Vec<Line> {
    let both = ["sched_rt_period_us", "sched_rt_runtime_us"].map(|name| {
        let value = run.get(&format!("kernel.{name}"))?;
        Some(format!(" kernel.{name}={}", text(value)))
    });
    let both: String = both.into_iter().flatten().collect();
    vec![Line::root(format!("sudo sysctl kernel.sched_rt_runtime_us=-1{both}"))]
}

/// Where there is a fair server, that and not the limit holds RT tasks back.
pub(super) fn throttle(value: &Value, run: &Run) -> Vec<Line> {
    match value.as_str() {
        Some("dl_server_6_12") => Vec::new(),
        Some("off") if run.is_before(FAIR_SERVER) => {
            vec![Line::root("sudo sysctl kernel.sched_rt_runtime_us=-1")]
        }
        Some("off") => vec![Line::root(
            "sudo sh -c 'for f in /sys/kernel/debug/sched/fair_server/cpu*/runtime; do \
             echo 0 > $f; done'",
        )],
        other => {
            let sysctl = "sudo sysctl kernel.sched_rt_runtime_us=-1 \
                          kernel.sched_rt_period_us=1000000 kernel.sched_rt_runtime_us=950000";
            let is_shared = other != Some("950_1000_noshare");
            vec![Line::root(sysctl), feature("RT_RUNTIME_SHARE", is_shared, run)]
        }
    }
}
