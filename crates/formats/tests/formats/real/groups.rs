//! Lines of control groups.

use serde_json::json;

use super::*;

#[test]
fn groups_come_with_their_files_parents_as_they_are_and_cpu_stat_is_read_by_anyone() {
    let groups = json!({
        "cgroups.shop.cpu_max": "60000 100000", "cgroups.shop/web.cpu_weight": 200,
    });
    assert_eq!(
        lines(&groups),
        [
            "root: sudo mkdir -p /sys/fs/cgroup/shop /sys/fs/cgroup/shop/web",
            "root: echo +cpu | sudo tee /sys/fs/cgroup/cgroup.subtree_control",
            "root: echo +cpu | sudo tee /sys/fs/cgroup/shop/cgroup.subtree_control",
            "root: echo '60000 100000' | sudo tee /sys/fs/cgroup/shop/cpu.max",
            "root: echo 200 | sudo tee /sys/fs/cgroup/shop/web/cpu.weight",
            "anyone: cat /sys/fs/cgroup/shop/cpu.stat",
        ]
    );
}

#[test]
fn a_name_out_of_a_link_is_one_word_of_the_shell_whatever_is_in_it() {
    let all = lines(&json!({ "cgroups.\"a; rm -rf $HOME `x` 'y'.slice\".cpu_max": "max" }));
    assert_eq!(
        all[0],
        "root: sudo mkdir -p '/sys/fs/cgroup/a; rm -rf $HOME `x` '\\''y'\\''.slice'"
    );
}

#[test]
fn before_4_15_a_group_has_the_files_of_cgroup_v1() {
    let old = json!({
        "kernel.version": "3.19", "cgroups.app.cpu_max": "20000 100000",
        "cgroups.app.cpu_weight": 50,
    });
    assert_eq!(
        lines(&old),
        [
            "root: sudo mkdir -p /sys/fs/cgroup/cpu/app",
            "root: echo 100000 | sudo tee /sys/fs/cgroup/cpu/app/cpu.cfs_period_us",
            "root: echo 20000 | sudo tee /sys/fs/cgroup/cpu/app/cpu.cfs_quota_us",
            "root: echo 512 | sudo tee /sys/fs/cgroup/cpu/app/cpu.shares",
            "anyone: cat /sys/fs/cgroup/cpu/app/cpu.stat",
        ]
    );
    let none = json!({ "kernel.version": "3.19", "cgroups.app.cpu_max": "max 50000" });
    assert!(lines(&none)[2].contains("echo -1 "));
}

#[test]
fn what_a_file_s_load_does_is_read_after_its_command_not_before() {
    let knobs = stating(&json!({ "cgroups.app.cpu_max": "20000 100000" }));
    let file = Node::read(r#"{ "workload": { "tasks": { "a": { "run": 1 } } } }"#).unwrap();
    let all = texts(&of_run(&knobs, &file, "").0);
    assert_eq!(
        all[all.len() - 2..],
        ["root: sudo rt-app tasks.json", "anyone: cat /sys/fs/cgroup/app/cpu.stat"]
    );
}
