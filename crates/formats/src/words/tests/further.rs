//! Further texts as people hold them: sessions of other shells, pages, mails, files of boot
//! loaders, settings of the kubelet; and what must not be taken for a number.

use super::containers::{limit, reading, words};
use super::scenario;
use crate::words::Fate;

fn cyclictest(text: &str) -> serde_json::Value {
    scenario(text)["workload"]["cyclictest"]["priority"].clone()
}

#[test]
fn a_command_is_found_behind_prompts_shells_and_marks() {
    for before in [
        "[10:22:33] root@rt:~# ",
        "bash-5.1# ",
        "sh-4.4$ ",
        "host:/ # ",
        "me@box ~> ",
        "λ ",
        "C:\\Users\\me>",
        "a$ ",
        "sudo -E ",
        "sudo -u root ",
        "sudo -n -- ",
        "doas ",
        "LC_ALL=C sudo ",
        "env LC_ALL=C ",
        "cd /tmp && sudo ./",
        "ssh -p 22 root@10.0.0.2 ",
        "kubectl exec -it rt -- ",
        "docker exec -it rt ",
        "- ",
        "1. ",
        "(",
    ] {
        let end = if before == "(" { " &) ; sleep 10" } else { "" };
        let text = format!("{before}cyclictest -S -p 83{end}");
        assert_eq!(cyclictest(&text), 83, "{text}\n{:?}", reading(&text).lines);
    }
    for text in [
        "- `sudo cyclictest -S -p 83`",
        "We used `cyclictest -S -p 83` for the test.",
        "<code>cyclictest -S -p 83</code>",
        "cyclictest –S –p83",
        "cyclictest —smp —prio=83",
        "cyclictest --sm --prior=83",
        "ssh rt 'cyclictest -S -p 83'",
    ] {
        assert_eq!(cyclictest(text), 83, "{text}\n{:?}", reading(text).lines);
    }
}

#[test]
fn a_percent_sign_of_a_command_is_no_prompt() {
    for text in [
        "systemd-run --scope -p CPUQuota=25% stress -c 4",
        "systemd-run --user --scope --property=CPUQuota=25% make -j8",
        "systemd-nspawn -D /srv/c --property=CPUQuota=25%",
    ] {
        assert_eq!(limit(text), Some((25_000, 100_000)), "{text}");
    }
}

#[test]
fn dashes_and_marks_without_width_do_not_hide_a_limit() {
    for text in [
        "docker run —cpus=2 nginx",
        "docker run –cpus 2 nginx",
        "cpu.max\u{200b} 200000 100000",
        "\u{202e}cpu.max 200000 100000",
        "<html><pre>cpu.max 200000 100000</pre></html>",
    ] {
        let text = text.replace("<html>", "").replace("</html>", "");
        assert_eq!(limit(&text), Some((200_000, 100_000)), "{text}");
    }
}

#[test]
fn a_difference_of_two_files_is_the_later_file() {
    let text =
        " resources:\n   limits:\n-    cpu: 750m\n+    cpu: 500m\n   requests:\n     cpu: 100m";
    assert_eq!(limit(text), Some((50_000, 100_000)));
    let top = "@@ -1,2 +1,2 @@\n-limits.cpu: 2\n+limits.cpu: 1\n";
    assert_eq!(limit(top), Some((100_000, 100_000)));
    let list = "containers:\n- name: a\n  resources:\n    limits:\n      cpu: 750m\n";
    assert_eq!(limit(list), Some((75_000, 100_000)));
}

#[test]
fn a_kernel_is_read_wherever_a_line_names_it() {
    for text in [
        "          Kernel: Linux 6.8.0-45-generic",
        "**Kernel version**: 6.8.0-45-generic",
        "- Kernel: 6.8.0-45-generic",
        " Kernel Version: 6.8.0-45-generic\n CPUs: 8",
        "    kernelVersion: 6.8.0-45-generic",
        "Linux 6.8.0-45-generic #45-Ubuntu SMP PREEMPT_DYNAMIC Fri Aug 30",
        "Linux 6.8.0-45-generic (host) \t01/01/2024 \t_x86_64_\t(8 CPU)",
        "kernel version: 6.8.0-45-generic\nresources:\n  limits:\n    cpu: 1",
    ] {
        let made = scenario(text);
        assert_eq!(made["kernel"]["version"], "6.8.0-45-generic", "{text}");
        assert_eq!(made["machine"]["cpus"], 8, "{text}");
    }
    assert_eq!(scenario("kernel: foo 5.10 bar"), serde_json::Value::Null);
}

#[test]
fn a_kernel_that_is_called_rt_is_one() {
    for name in [
        "5.10.0-21-rt-amd64",
        "5.14.0-427.13.1.el9_4.x86_64+rt",
        "6.8.1-1015-realtime",
        "4.19.59-rt23-v7l+",
        "4.18.0-305.rt7.72.el8.x86_64",
    ] {
        assert_eq!(scenario(&format!("$ uname -r\n{name}"))["kernel"]["preempt"], "rt", "{name}");
    }
    let other = scenario("$ uname -r\n6.8.0-45-generic-art");
    assert_eq!(other["kernel"].get("preempt"), None);
    // Such a kernel does not become another one by preempt=.
    let boot = scenario("BOOT_IMAGE=/vmlinuz-6.12.0-rt preempt=full");
    assert_eq!(boot["kernel"]["preempt"], "rt");
}

#[test]
fn two_kernels_of_one_text_are_doubted() {
    let said = words("a$ uname -r\n5.4.0-150-generic\nb$ uname -r\n6.8.0-31-generic\n");
    assert!(said.contains("two kernels, 5.4.0-150-generic and 6.8.0-31-generic"), "{said}");
}

#[test]
fn flags_of_isolcpus_say_what_it_does() {
    let boot = |word: &str| scenario(&format!("ro quiet {word} nr_cpus=8"));
    assert_eq!(boot("isolcpus=2-3")["machine"]["partitions"], "2;3");
    assert_eq!(boot("isolcpus=domain,managed_irq,2-3")["machine"]["partitions"], "2;3");
    let nohz = boot("isolcpus=nohz,2-3");
    assert_eq!(nohz["kernel"]["nohz_full"], "2-3");
    assert_eq!(nohz["machine"].get("partitions"), None);
    assert_eq!(boot("isolcpus=managed_irq,2-3")["machine"].get("partitions"), None);
}

#[test]
fn boot_lines_are_read_out_of_loaders_and_of_commands_that_change_them() {
    for text in [
        "kernelstub -a \"isolcpus=2-3 nohz_full=2-3\"",
        "sudo rpm-ostree kargs --append=nohz_full=2-3 --append=isolcpus=2-3",
        "extraargs=isolcpus=2-3 nohz_full=2-3",
        "kind: MachineConfig\napiVersion: v1\nspec:\n  kernelArguments:\n  - isolcpus=2-3\n  \
         - nohz_full=2-3\n",
        "\tlinux\t/vmlinuz-6.1.0-18-rt-amd64 root=/dev/sda1 ro isolcpus=2-3 nohz_full=2-3",
    ] {
        let made = scenario(text);
        assert_eq!(made["kernel"]["nohz_full"], "2-3", "{text}");
        assert_eq!(made["machine"]["partitions"], "2;3", "{text}");
        if text.contains("vmlinuz") {
            assert_eq!(made["kernel"]["version"], "6.1.0-18-rt-amd64");
            assert_eq!(made["kernel"]["preempt"], "rt");
        }
    }
    let profile = scenario(
        "apiVersion: performance.openshift.io/v2\nkind: PerformanceProfile\nspec:\n  cpu:\n    \
         isolated: \"2-7\"\n    reserved: \"0-1\"\n  realTimeKernel:\n    enabled: true\n",
    );
    assert_eq!(profile["kernel"]["nohz_full"], "2-7");
    assert_eq!(profile["kernel"]["preempt"], "rt");
}

const POD: &str =
    "kind: Pod\nspec:\n  containers:\n  - name: a\n    resources: {limits: {cpu: 500m}}";

#[test]
fn the_kubelets_period_is_that_of_its_containers() {
    let file = |key: &str| format!("kind: KubeletConfiguration\napiVersion: v1\n{key}\n---\n{POD}");
    assert_eq!(limit(&file("cpuCFSQuotaPeriod: 20ms")), Some((10_000, 20_000)));
    assert_eq!(limit(&format!("--cpu-cfs-quota-period=10ms\n{POD}")), Some((5_000, 10_000)));
    assert_eq!(limit(&file("cpuCFSQuota: false")), None);
    assert!(words(&file("cpuCFSQuota: false")).contains("the kubelet sets no quota"));
    assert_eq!(limit(&file("cpuCFSQuota: true")), Some((50_000, 100_000)));
    assert!(words(&file("cpuCFSQuotaPeriod: 5s")).contains("expected 1ms to 1s"));
}

#[test]
fn a_number_in_another_unit_is_asked_for_and_is_no_number_of_cpus() {
    for text in ["  cpu  = 256", "cpu: 256", "cpu = 100", "cpu: 128"] {
        assert_eq!(limit(text), None, "{text}");
        assert!(reading(text).asks.concat().contains("units of ECS"), "{text}");
    }
    assert_eq!(limit("cpu = \"500m\""), Some((50_000, 100_000)));
    assert_eq!(limit("cpu: 64"), Some((6_400_000, 100_000)));
}

#[test]
fn limits_at_several_levels_are_those_of_the_innermost_group() {
    let text = "/sys/fs/cgroup/kube.slice/cpu.max:400000 100000\n\
        /sys/fs/cgroup/kube.slice/pod1/cpu.max:200000 100000\n\
        /sys/fs/cgroup/kube.slice/pod1/c1/cpu.max:50000 100000\n";
    assert_eq!(limit(text), Some((50_000, 100_000)));
    let outer = reading(text).chosen.unwrap().outer.unwrap();
    assert_eq!(outer.quota_us, 200_000);
    let prepared = schedscope_scenario::prepare("pasted", &scenario(text).to_string(), &[]);
    assert!(prepared.is_ok(), "{}", prepared.unwrap_err());
    for (first, second) in [("Slice", "Service"), ("Service", "Slice")] {
        let part = |section: &str| match section {
            "Slice" => "[Slice]\nCPUQuota=200%\n",
            _ => "[Service]\nSlice=a.slice\nCPUQuota=50%\n",
        };
        let text = format!("{}\n{}", part(first), part(second));
        assert_eq!(limit(&text), Some((50_000, 100_000)), "{text}");
    }
}

#[test]
fn what_contradicts_itself_is_doubted() {
    for (text, said) in [
        ("cpu.cfs_quota_us = 50000\ncpu.max: 200000 100000", "states two limits of the group"),
        ("$ nproc\n4\n$ cyclictest -t8 -a 0-7 -p 80", "counts 4 CPUs"),
    ] {
        assert!(reading(text).doubts.concat().contains(said), "{text}: {}", words(text));
    }
    let v1 = "cpu.cfs_quota_us: 50000\ncpu.cfs_period_us: 20000\ncpu.max 50000 20000";
    assert!(reading(v1).doubts.is_empty(), "{}", words(v1));
}

#[test]
fn words_of_sched_deadline_are_no_priority() {
    for text in ["chrt -d -T 50 -D 100 -P 100 0 ./ctl", "chrt -T 50 -d 0 ./ctl"] {
        assert_eq!(reading(text).scenario, None, "{text}");
        assert!(reading(text).lines[0].notes[0].words.contains("SCHED_DEADLINE"), "{text}");
    }
    let batch = reading("chrt -b 0 ./job");
    assert!(batch.lines[0].notes[0].words.contains("SCHED_BATCH"), "{:?}", batch.lines);
}

#[test]
fn values_of_options_in_the_next_word_are_no_programs() {
    for text in [
        "numactl -C 0-3 -m 0 ./job",
        "numactl --physcpubind 0-3 ./job",
        "numactl -C0-3 ./job",
        "numactl --localalloc --physcpubind=0-3 ./job",
    ] {
        let task = &scenario(text)["workload"]["tasks"]["job"];
        assert_eq!(task["cpus"], serde_json::json!([0, 1, 2, 3]), "{text}");
    }
    for text in ["nice -n 5 -- ./job", "nice --adjustment 5 ./job", "ionice -c3 nice -n 5 ./job"] {
        assert_eq!(scenario(text)["workload"]["tasks"]["job"]["priority"], 5, "{text}");
    }
}

#[test]
fn other_spellings_of_a_quota_come_to_it() {
    for text in [
        "cgset -r cpu.cfs_quota_us=50000 a\ncgset -r cpu.cfs_period_us=100000 a",
        "cgset -r cpu.max=\"50000 100000\" a",
        "lxc.cgroup2.cpu.max = 50000 100000",
        "lxc.cgroup.cpu.cfs_quota_us = 50000\nlxc.cgroup.cpu.cfs_period_us = 100000",
        "    cpu.cfs_quota_us = 50000;\n    cpu.cfs_period_us = 100000;",
        "mkdir /sys/fs/cgroup/a; echo 50000 > /sys/fs/cgroup/a/cpu.max",
        "docker service create --name web --limit-cpu .5 --replicas 3 nginx",
        "docker build --cpu-quota 50000 --cpu-period 100000 .",
        "{\"Image\":\"nginx\",\"HostConfig\":{\"NanoCPUs\":500000000}}",
    ] {
        assert_eq!(limit(text), Some((50_000, 100_000)), "{text}\n{}", words(text));
    }
    assert_eq!(limit("docker build ."), None);
}

#[test]
fn lines_of_a_log_are_readings_with_their_dates() {
    let text = "cpu.max 50000 100000\n\
        2024-05-01T10:00:00Z nr_periods=1000 nr_throttled=100 throttled_usec=1000000\n\
        2024-05-01T10:01:00Z nr_periods=1600 nr_throttled=400 throttled_usec=21000000\n";
    let happened = reading(text).chosen.unwrap().happened.unwrap();
    assert_eq!((happened.periods, happened.throttled), (600.0, 300.0));
    let short = text.replace("10:01:00", "10:00:10");
    assert!(!reading(&short).doubts.is_empty(), "{}", words(&short));
    let indian = reading("cpu.max 50000 100000\nnr_periods 1,60,000\nnr_throttled 300");
    assert_eq!(indian.chosen.unwrap().happened.unwrap().periods, 160_000.0);
}

#[test]
fn a_line_of_prose_with_a_program_in_it_stays_prose() {
    for text in ["I run cyclictest -S -p 97 and get 50us", "see C# docs", "50% off", "a > b"] {
        assert_eq!(reading(text).lines[0].notes[0].fate, Fate::NotUnderstood, "{text}");
    }
}

#[test]
fn settings_of_a_configuration_are_read_behind_the_file_that_grep_names() {
    let text = "/boot/config-6.6.9:CONFIG_HZ_300=y\n/boot/config-6.6.9:CONFIG_HZ=300";
    assert_eq!(scenario(text)["kernel"]["hz"], 300);
}
