//! `schedscope explain` names who was in the way.

use crate::support::stdout;

#[test]
fn the_task_that_ran_instead_is_named_and_the_cpu_that_ran_something_weaker() {
    let text = stdout(&["explain", "rt-migrate"]);
    assert!(text.contains("of which rt_migrate_test."), "{text}");
    assert!(text.contains("(SCHED_FIFO "), "{text}");
    let meanwhile = text.lines().find(|line| line.contains("Meanwhile CPU ")).expect("a CPU");
    assert!(meanwhile.contains("which it may use, ran rt_migrate_test."), "{meanwhile}");
    assert!(meanwhile.contains("which is weaker, for 19 "), "{meanwhile}");
}

#[test]
fn a_task_that_its_parents_quota_stopped_is_said_to_be() {
    let text = stdout(&["explain", "quota-tree"]);
    assert!(text.contains("of which the quota of a group around it, shop"), "{text}");
}
