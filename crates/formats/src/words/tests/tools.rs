//! Programs, what they print, and what the kernel says.

use schedscope_scenario::prepare;
use serde_json::{Value, json};

use super::{fates, scenario};
use crate::words::{Fate, read};

/// Everything that is said of a text, in one string.
fn said(text: &str) -> String {
    let reading = read(text).unwrap();
    let notes = reading.lines.iter().flat_map(|line| line.notes.iter().map(|n| n.words.clone()));
    let all = [reading.says.clone(), reading.doubts.clone(), reading.assumed.clone()].concat();
    notes.chain(all).collect::<Vec<_>>().join("\n")
}

#[test]
fn hackbench_is_read_as_getopt_reads_it() {
    let hackbench = |text: &str| scenario(text)["workload"]["hackbench"].clone();
    let glued = hackbench("$ hackbench -pTl4000 -g20 -f10");
    assert_eq!(
        glued,
        json!({ "groups": 20, "fds": 10, "loops": 4000, "datasize": 100, "pipe": true })
    );
    assert_eq!(hackbench("hackbench --groups=5 --loop 7")["loops"], 7);
    assert_eq!(hackbench("hackbench -pipe 2 process 50")["loops"], 50);
    assert_eq!(hackbench("hackbench -T -p -l 16000000 -g 2 1> /dev/null &")["loops"], 1_000_000);
    assert!(said("hackbench -l 16000000 -g 2").contains("16000000 messages"));
    assert!(said("hackbench -g 10 --frob").contains("--frob"));
}

#[test]
fn cyclictest_runs_at_every_short_interval() {
    for interval_us in 1..=12 {
        let text = scenario(&format!("cyclictest -i{interval_us}")).to_string();
        assert!(prepare("test", &text, &[]).is_ok(), "every {interval_us} us: {text}");
    }
}

#[test]
fn a_benchmark_that_no_run_holds_is_refused_with_its_size() {
    for (text, why) in [
        ("hackbench -g 500", "from 1 to 400"),
        ("hackbench -g 400 -f 200", "more than a run here can hold"),
        ("perf bench mem memcpy", "only sched messaging and sched pipe"),
        ("sysbench oltp_read_write run", "only the test cpu"),
        ("stress-ng -t 60", "runs nothing"),
        ("rtla timerlat -P d:100us:1ms", "SCHED_DEADLINE"),
        ("rtla osnoise", "without -c"),
    ] {
        assert_eq!(fates(text), [[Fate::LeftOut]], "{text}");
        assert!(said(text).contains(why), "{text}: {}", said(text));
        assert_eq!(scenario(text), Value::Null, "{text}");
    }
}

#[test]
fn programs_of_one_text_run_together_and_are_the_load() {
    let made = scenario("cyclictest -t1 -p 80 & hackbench -l 100 -T");
    assert_eq!(made["workload"]["cyclictest"]["priority"], 80);
    assert_eq!(made["workload"]["hackbench"]["loops"], 100);
    assert_eq!(made["workload"].get("kernbench"), None);
    assert!(said("cyclictest -S; schbench -m 4 -t 4").contains("at the same time"));
}

#[test]
fn a_second_command_of_one_tool_is_left_out_with_a_word() {
    let text = "cyclictest -S -p 80\ncyclictest -t4 -p 90\n";
    assert_eq!(fates(text), [[Fate::Used], [Fate::LeftOut]]);
    assert_eq!(scenario(text)["workload"]["cyclictest"]["priority"], 80);
}

#[test]
fn stress_ng_is_tasks_that_compute_and_pairs_of_a_pipe() {
    let made = scenario("stress-ng --pipe 4 --cpu 2 --cpu-load 50 --timeout 20s --metrics-brief");
    assert_eq!(made["workload"]["hackbench"]["groups"], 4);
    assert_eq!(made["workload"]["hackbench"]["fds"], 1);
    let task = &made["workload"]["tasks"]["stress-cpu"];
    assert_eq!((&task["instance"], &task["run"]), (&2.into(), &50_000.into()));
    let cyclic =
        scenario("stress-ng --cyclic 1 --cyclic-policy fifo --cyclic-prio 95 --cyclic-sleep 20000");
    let task = &cyclic["workload"]["tasks"]["stress-cyclic"];
    assert_eq!((&task["priority"], &task["sleep"]), (&95.into(), &20.into()));
    assert!(said("stress-ng --vm 2 --cpu 4").contains("--vm"));
}

#[test]
fn timerlat_is_cyclictest_and_osnoise_polls() {
    let made = scenario("rtla timerlat top -c 2-5 -P f:90 -p100 -d 1m -q");
    let value = &made["workload"]["cyclictest"];
    assert_eq!((&value["threads"], &value["priority"]), (&4.into(), &90.into()));
    assert_eq!((&value["interval"], &value["affinity"]), (&"100us".into(), &"2-5".into()));
    let tasks = scenario("rtla osnoise top -c 2-3")["workload"]["tasks"].clone();
    assert_eq!(tasks["osnoise-3"]["cpus"], json!([3]));
}

#[test]
fn what_tools_measured_makes_no_scenario_and_says_what_it_cannot_say() {
    for (text, says) in [
        ("Time: 3.456", "3.456 s"),
        (
            "Wakeup Latencies percentiles (usec) runtime 10 (s)\n* 99.0th: 10 (2984 samples)\n\
             min=1, max=3445",
            "at most 3445 us",
        ),
        (
            "raft:82059 | 3568.4 ms | 9713 | avg: 0.025 ms | max: 12.974 ms | max at: 9.5 s",
            "12.974 ms, at 9.5 s",
        ),
        (
            "Tracing run queue latency higher than 2000 us\n04:30:27 kworker/0:1 18446 7500",
            "7.5 ms of “kworker/0:1”",
        ),
        ("79371.874591 [0010]  gcc[3195]  0.000  0.500  0.024", "0.5 ms: “gcc[3195]” on CPU 10"),
        ("Max Latency: 18us", "18 us the firmware"),
        ("Timer Latency\n0 #1000 | 0 0 0 7 | 8 3 9 25", "25 us late, on CPU 0"),
    ] {
        assert!(said(text).contains(says), "{text}: {}", said(text));
        assert_eq!(scenario(text), Value::Null, "{text}");
        assert!(!fates(text).concat().contains(&Fate::NotUnderstood), "{text}");
    }
}

#[test]
fn a_histogram_of_cyclictest_is_its_threads_with_an_assumed_interval() {
    let text = "# Total: 000010000 000009999\n# Avg Latencies: 00003 00002\n\
        # Max Latencies: 00017 00024\n";
    assert_eq!(scenario(text)["workload"]["cyclictest"]["threads"], 2);
    assert!(said(text).contains("24 us late (thread 1)"), "{}", said(text));
    assert!(said(text).contains("neither priority nor interval"));
    assert_eq!(fates("000001 000010\t000003"), [[Fate::Passed]]);
    assert!(said("150000 100000").contains("cpu.max"));
}

#[test]
fn the_log_of_a_boot_is_the_machine_and_its_kernel() {
    let text = "[    0.0] Linux version 6.8.0-45-generic (gcc) #45 SMP PREEMPT_DYNAMIC Fri\n\
        [    0.0] NO_HZ: Full dynticks CPUs: 2-7.\n[    0.1] smp: Brought up 1 node, 16 CPUs\n\
        [    0.2] Dynamic Preempt: voluntary\n[    9.1] [rt] sched: RT throttling activated\n";
    let made = scenario(text);
    assert_eq!(made["kernel"]["nohz_full"], "2-7");
    assert_eq!(made["kernel"]["preempt"], "voluntary");
    assert_eq!(made["kernel"]["sched_rt_runtime_us"], 950_000);
    assert_eq!(made["machine"]["cpus"], 16);
    assert_eq!(fates(text).concat(), [Fate::Used; 5]);
}

#[test]
fn preempt_rt_wins_over_the_model_beside_it_in_either_order() {
    for text in [
        "CONFIG_PREEMPT_LAZY=y\nCONFIG_PREEMPT_RT=y\nCONFIG_PREEMPTION=y",
        "CONFIG_PREEMPT_RT=y\nCONFIG_PREEMPT_LAZY=y",
    ] {
        assert_eq!(scenario(text)["kernel"]["preempt"], "rt", "{text}");
        assert!(said(text).contains("no lazy model"), "{text}: {}", said(text));
    }
    assert_eq!(scenario("CONFIG_PREEMPT_DYNAMIC=y"), Value::Null);
    assert_eq!(scenario("none voluntary (full) lazy")["kernel"]["preempt"], "full");
    let hz = read("CONFIG_HZ=250\n").unwrap();
    assert_eq!(hz.scenario.unwrap()["kernel"]["hz"], 250);
    assert!(!hz.assumed.concat().contains("1000 Hz"));
}

#[test]
fn interrupts_say_which_cpus_tick() {
    let text = "           CPU0       CPU1       CPU2       CPU3\n\
        LOC:     812345     799123       1203       1199   Local timer interrupts\n\
        RES:      40123      39001         17         20   Rescheduling interrupts\n";
    assert!(said(text).contains("CPUs 0-1 tick; CPUs 2-3 hardly do"), "{}", said(text));
    assert_eq!(scenario(text), Value::Null);
}

#[test]
fn processes_of_a_list_are_tasks_and_threads_of_the_kernel_are_not() {
    let text = "  PID CLS RTPRIO COMMAND\n   15  FF     99 migration/0\n  901  RR     50 jackd\n\
        902  FF     60 jackd\n 1  TS      - systemd\n";
    let tasks = scenario(text)["workload"]["tasks"].clone();
    assert_eq!(tasks["jackd"]["policy"], "SCHED_RR");
    assert_eq!(tasks["jackd-2"]["priority"], 60);
    assert_eq!(tasks.get("migration-0"), None);
}

#[test]
fn a_running_process_has_what_chrt_and_taskset_answer() {
    let text = "pid 4711's current scheduling policy: SCHED_FIFO\n\
        pid 4711's current scheduling priority: 80\npid 4711's current affinity list: 2-3\n";
    let task = &scenario(text)["workload"]["tasks"]["process-4711"];
    assert_eq!((&task["policy"], &task["priority"]), (&"SCHED_FIFO".into(), &80.into()));
    assert_eq!(task["cpus"], json!([2, 3]));
    let set = scenario("chrt -f -p 50 4711\ntaskset -cp 1 4711");
    assert_eq!(set["workload"]["tasks"]["process-4711"]["priority"], 50);
}

#[test]
fn lists_of_cpus_are_what_their_names_say() {
    let text = "$ cat /sys/devices/system/cpu/isolated\n2-7\n\
        $ cat /sys/devices/system/cpu/nohz_full\n4-7\n/sys/devices/system/cpu/online:0-15\n";
    let made = scenario(text);
    assert_eq!(made["machine"]["partitions"], "2;3;4;5;6;7");
    assert_eq!(made["kernel"]["nohz_full"], "4-7");
    assert_eq!(made["machine"]["cpus"], 16);
    assert_eq!(scenario("0-3,8")["kernel"]["nohz_full"], "0-3,8");
    assert!(said("0-3,8").contains("does not say what the CPUs are for"));
    assert!(said("5-2").contains("no list of CPUs"));
}

#[test]
fn a_file_of_rt_app_keeps_the_order_and_the_repetitions_of_its_events() {
    let text = "/* mine */\n{\n  \"tasks\": { \"b\": { \"sleep\": 9, \"run\": 5, \"sleep\": 7, \
        \"mem\": 3, },\n  // second\n  \"cyclictest\": { \"run\": 1 } }\n}\n";
    let reading = read(text).unwrap();
    let made = reading.scenario_text.unwrap();
    let at = |what: &str| made.find(what).unwrap_or_else(|| panic!("{what}: {made}"));
    assert!(at("\"sleep\": 9") < at("\"run\": 5") && at("\"run\": 5") < at("\"sleep1\": 7"));
    assert!(at("\"own-cyclictest\"") > 0);
    assert!(said(text).contains("b: mem"));
    schedscope_scenario::prepare("pasted", &made, &[]).unwrap();
    let broken = "{ \"tasks\": { \"a\": { \"run\": 100 \"sleep\": 1 } } }";
    assert!(said(broken).contains("line 1, column 32: a comma is missing"), "{}", said(broken));
}

#[test]
fn a_scenario_that_is_pasted_is_the_scenario_letter_by_letter() {
    let text = "{ \"schema\": 1, \"title\": \"mine\",\n  \"workload\": { \"pipe\": {} } }";
    assert_eq!(read(text).unwrap().scenario_text.as_deref(), Some(text));
}
