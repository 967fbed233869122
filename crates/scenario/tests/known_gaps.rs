//! Gaps of the sources that no workload here can close; see docs/known-gaps.md. Each test fails when its gap closes.

use schedscope_scenario::knobs;

#[test]
fn no_workload_stands_for_stress_ng_so_the_2024_series_percentiles_have_nothing_to_be_compared_with() {
    assert!(knobs().iter().all(|knob| !knob.path.contains("stress_ng")), "H.5 can be measured now");
}
