//! The preemption model: an option of the build, a word at boot, a file of debugfs.

use serde_json::Value;

use crate::real::line::Line;
use crate::real::run::Run;
use crate::real::values::text;

/// CONFIG_PREEMPT_DYNAMIC and preempt=.
const PREEMPT_DYNAMIC: &str = "5.12";
const LAZY_MODEL: &str = "6.13";

pub(super) fn lines(value: &Value, run: &Run) -> Vec<Line> {
    if value == "rt" {
        return vec![Line::build("CONFIG_PREEMPT_RT=y")];
    }
    // `dynamic-none` is the model of a kernel with PREEMPT_DYNAMIC, which `preempt=` chooses.
    let value = text(value);
    let model = value.strip_prefix("dynamic-").unwrap_or(&value);
    let option = match model {
        "none" => "CONFIG_PREEMPT_NONE=y",
        "voluntary" => "CONFIG_PREEMPT_VOLUNTARY=y",
        "full" => "CONFIG_PREEMPT=y",
        "lazy" if !run.is_before(LAZY_MODEL) => "",
        _ => return Vec::new(),
    };
    if run.is_before(PREEMPT_DYNAMIC) {
        return vec![Line::build(option)];
    }
    vec![
        Line::build("CONFIG_PREEMPT_DYNAMIC=y"),
        Line::boot(format!("preempt={model}")),
        Line::root(format!("echo {model} | sudo tee /sys/kernel/debug/sched/preempt")),
    ]
}
