use super::*;

mod containers;
mod further;
mod kernels;
mod measured;
mod strangers;
mod tools;

fn fates(text: &str) -> Vec<Vec<Fate>> {
    let reading = read(text).unwrap();
    reading.lines.iter().map(|line| line.notes.iter().map(|note| note.fate).collect()).collect()
}

fn scenario(text: &str) -> Value {
    read(text).unwrap().scenario.unwrap_or(Value::Null)
}

#[test]
fn every_form_reads_its_example_into_a_scenario() {
    for form in FORMS {
        let reading = read(form.example).unwrap();
        let is_made = reading.scenario.is_some() || reading.scenario_text.is_some();
        assert!(is_made, "{}: {reading:?}", form.name);
        let is_read = |line: &ReadLine| {
            let note = &line.notes[0];
            note.fate == Fate::Used || note.words.starts_with("a part of")
        };
        assert!(reading.lines.iter().all(is_read), "{reading:?}");
    }
}

#[test]
fn commands_end_where_a_shell_ends_them() {
    for text in [
        "cyclictest -p 80 -t1\nfoo -t 4",
        "cyclictest -t1 -p 80 # run it with -t 8",
        "cyclictest -t1 -p 80; stress-ng -t 60",
        "cyclictest -t1 -p 80 & stress-ng -t 60",
        "cyclictest -t1 -p 80 | tee -t 60",
        "$ cyclictest -t1 -p 80\n$ uptime -p",
        "cyclictest -t1 \\\n  -p 80",
        "cyclictest '-t1' \"-p\" 80 > out",
    ] {
        let value = &scenario(text)["workload"]["cyclictest"];
        assert_eq!((&value["threads"], &value["priority"]), (&1.into(), &80.into()), "{text}");
    }
}

#[test]
fn a_line_that_a_backslash_continues_is_a_part_of_its_command() {
    let reading = read("docker run \\\n  --cpus 2 \\\n  web").unwrap();
    let words: Vec<&str> = reading.lines.iter().map(|line| &*line.notes[0].words).collect();
    assert_eq!(words[1..], ["a part of what begins in line 1"; 2]);
}

#[test]
fn a_priority_of_0_that_is_stated_makes_threads_real_time() {
    let value = &scenario("cyclictest -p 0 -t1 -i 1000")["workload"]["cyclictest"];
    assert_eq!((&value["policy"], &value["priority"]), (&"fifo".into(), &2.into()));
    let bare = &scenario("cyclictest -t1 -i 1000")["workload"]["cyclictest"];
    assert_eq!((bare.get("policy"), &bare["priority"]), (None, &0.into()));
}

#[test]
fn what_cyclictest_printed_is_the_program_where_its_command_cannot_be_read() {
    let text = "user@host:~/rt-tests$ sudo  cyclictest -smp -p 80 -n -i 10000 -l 10000\n\
        defaulting realtime priority to 2\n# /dev/cpu_dma_latency set to 0us\n\
        policy: fifo: loadavg: 0.23 0.24 0.11 1/220 1636\n\
        T: 0 ( 1636) P: 2 I:10000 C:  10000 Min:      9 Act:   18 Avg:   15 Max:      34\n";
    let reading = read(text).unwrap();
    let value = &reading.scenario.unwrap()["workload"]["cyclictest"];
    assert_eq!((&value["threads"], &value["priority"]), (&1.into(), &2.into()));
    assert_eq!((&value["interval"], &value["policy"]), (&"10000us".into(), &"fifo".into()));
    assert!(reading.lines[0].notes[0].words.contains("-s -m -p"), "{:?}", reading.lines[0]);
    assert!(reading.says.concat().contains("34 us late"), "{:?}", reading.says);
}

#[test]
fn a_command_beside_its_lines_is_the_program_and_threads_differ_by_the_distance() {
    let lines = "T: 0 ( 4556) P:80 I:10000 C: 876622 Min:      3 Act:    6 Avg:    4 Max:      36\n\
        T: 1 ( 4557) P:80 I:10500 C: 834878 Min:      2 Act:    3 Avg:    4 Max:      20\n";
    let alone = &scenario(lines)["workload"]["cyclictest"];
    assert_eq!((&alone["threads"], &alone["distance"]), (&2.into(), &"500us".into()));
    let command = scenario(&format!("$ sudo cyclictest -t -p 70 -i 10000\n{lines}"));
    assert_eq!(command["workload"]["cyclictest"]["priority"], 70);
}

#[test]
fn uname_boot_line_features_and_sysctl_join_in_one_scenario() {
    let text = "user@host:~$ uname -r\n6.12.57+deb13-amd64\n$ cat /proc/cmdline\n\
        isolcpus=domain,managed_irq,2-3 irqaffinity=0-1 nohz_full=2-3 rcu_nocbs=2-3 idle=poll \
        preempt=full skew_tick=1 quiet\n\
        echo NO_RUN_TO_PARITY | sudo tee /sys/kernel/debug/sched/features\n\
        kernel.sched_rt_runtime_us = -1\n";
    let made = scenario(text);
    assert_eq!(made["kernel"]["version"], "6.12.57+deb13-amd64");
    assert_eq!(made["kernel"]["nohz_full"], "2-3");
    assert_eq!(made["kernel"]["preempt"], "full");
    assert_eq!(made["kernel"]["tick_skew"], true);
    assert_eq!(made["kernel"]["run_to_parity"], false);
    assert_eq!(made["kernel"]["sched_rt_runtime_us"], "-1");
    assert_eq!(made["machine"]["idle"], "poll");
    assert_eq!(made["machine"]["partitions"], "2;3");
    assert_eq!(made["workload"]["rcu"]["nocbs"], "2-3");
    assert_eq!(made["workload"]["device_irq"]["cpus"], "0-1");
    assert_eq!(
        fates(text).concat(),
        [Fate::LeftOut, Fate::Used, Fate::LeftOut, Fate::Used, Fate::Used, Fate::Used]
    );
}

#[test]
fn a_list_up_to_the_last_cpu_is_that_of_the_machine() {
    let text = "BOOT_IMAGE=/boot/vmlinuz-6.12.48+deb13-rt-amd64 ro isolcpus=managed_irq,domain,4-N \
        nohz_full=4-N";
    let made = scenario(text);
    assert_eq!(made["machine"]["cpus"], 8);
    assert_eq!(made["kernel"]["nohz_full"], "4-7");
    assert_eq!(made["kernel"]["preempt"], "rt");
    assert_eq!(made["kernel"]["version"], "6.12.48+deb13-rt-amd64");
    assert_eq!(scenario(&format!("{text} nr_cpus=6"))["kernel"]["nohz_full"], "4-5");
}

#[test]
fn a_slice_of_debugfs_is_the_machines_and_a_limit_of_rt_tasks_wants_a_kernel_that_has_one() {
    let slice = "echo 3000000 > /sys/kernel/debug/sched/base_slice_ns";
    assert_eq!(scenario(slice)["kernel"]["base_slice"], "750us");
    let four = scenario(&format!("{slice}\nnr_cpus=4 nohz_full=3"));
    assert_eq!(four["kernel"]["base_slice"], "1000us");
    let limit = scenario("sysctl -w kernel.sched_rt_runtime_us=1000000");
    assert_eq!(limit["kernel"]["version"], "6.6");
    assert_eq!(limit["kernel"]["sched_rt_runtime_us"], 1_000_000);
}

#[test]
fn a_kernel_before_5_4_says_preempt_rt_without_a_stroke() {
    let text = "Linux host 4.1.10-rt11 #2 SMP PREEMPT RT Sat Oct 31 18:12:01 CET 2015 x86_64";
    assert_eq!(scenario(text)["kernel"]["preempt"], "rt");
    let full = "Linux host 5.10.0 #2 SMP PREEMPT Sat Oct 31 18:12:01 CET 2015 x86_64";
    assert_eq!(scenario(full)["kernel"]["preempt"], "full");
}

#[test]
fn a_program_behind_chrt_and_taskset_is_a_task_of_that_policy_on_those_cpus() {
    let made = scenario("taskset -c 3,7 sudo chrt -f 99 ./servo_pos 1000");
    let task = &made["workload"]["tasks"]["servo_pos"];
    assert_eq!((&task["policy"], &task["priority"]), (&"SCHED_FIFO".into(), &99.into()));
    assert_eq!(task["cpus"], serde_json::json!([3, 7]));
    let nice = scenario("nice -n 5 taskset 0x3 ./job");
    assert_eq!(nice["workload"]["tasks"]["job"]["priority"], 5);
}

#[test]
fn a_policy_or_a_list_that_cannot_be_is_said_where_it_is() {
    for text in ["taskset -c 9-2 ./x", "chrt -f 100 ./x", "nice -n 40 ./x"] {
        let reading = read(text).unwrap();
        let note = &reading.lines[0].notes[0];
        assert_eq!(note.fate, Fate::LeftOut, "{text}");
        assert!(note.words.contains("no policy and no CPUs"), "{text}: {}", note.words);
        assert_eq!(reading.scenario, None, "{text}");
    }
}

#[test]
fn what_no_form_knows_is_shown_with_its_line() {
    let reading = read("cyclictest -S -p 80\nsome prose about it\nfrobnicate --now\n").unwrap();
    let fates: Vec<_> = reading.lines.iter().map(|line| line.notes[0].fate).collect();
    assert_eq!(fates, [Fate::Used, Fate::NotUnderstood, Fate::NotUnderstood]);
    assert_eq!(read("some prose").unwrap().scenario, None);
}

#[test]
fn a_text_that_is_too_long_is_refused_by_its_size() {
    let long = "x".repeat((1 << 20) + 1);
    assert_eq!(read(&long).unwrap_err(), TooLong::Bytes((1 << 20) + 1));
    let lines = "\n".repeat(30_000);
    assert_eq!(read(&lines).unwrap_err(), TooLong::Lines(30_000));
}

#[test]
fn nothing_that_is_pasted_ends_the_reader() {
    let alphabet: Vec<char> =
        "aN01-,:/=\"'\\;|&>#$@[]{}() \n\t._%µ名".chars().chain("cyclictest".chars()).collect();
    let mut state = 7_u64;
    let mut draw = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    let starts: Vec<&str> = FORMS.iter().map(|form| form.example).collect();
    for _ in 0..3_000 {
        let mut text = starts[draw(starts.len())].to_owned();
        for _ in 0..draw(12) {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let at = places[draw(places.len())];
            if draw(3) == 0 {
                text.remove(at);
            } else {
                text.insert(at, alphabet[draw(alphabet.len())]);
            }
            if text.is_empty() {
                text.push('x');
            }
        }
        assert!(read(&text).is_ok(), "{text:?}");
    }
}

#[test]
fn a_limit_and_two_readings_of_cpu_stat_are_one_group() {
    let text = "$ cat cpu.max\n50000 100000\n$ grep . cpu.stat; sleep 60; grep . cpu.stat\n\
        usage_usec 81000000\nnr_periods 1000\nnr_throttled 100\nthrottled_usec 30000000\n\
        usage_usec 98000000\nnr_periods 1600\nnr_throttled 250\nthrottled_usec 75000000\n";
    let reading = read(text).unwrap();
    let chosen = reading.chosen.unwrap();
    let happened = chosen.happened.unwrap();
    assert_eq!(chosen.limit, Limit { quota_us: 50_000, period_us: 100_000, burst_us: 0 });
    assert_eq!((happened.periods, happened.throttled), (600.0, 150.0));
    assert_eq!((happened.each_us(), happened.usage_us), (Some(300_000.0), Some(17_000_000.0)));
    assert_eq!(reading.scenario.unwrap()["cgroups"]["group"]["cpu_max"], "50000 100000");
}

#[test]
fn numbers_behind_a_pattern_belong_to_files_in_the_order_of_their_names() {
    let text = "/sys/fs/cgroup/cpu,cpuacct # cat cpu.cfs_*\n100000\n50000\n";
    let reading = read(text).unwrap();
    assert_eq!(reading.chosen.unwrap().limit, Limit::of_quota(50_000));
    let with_burst = read("$ cat cpu.cfs_*\n0\n100000\n50000\n").unwrap();
    assert_eq!(with_burst.chosen.unwrap().limit, Limit::of_quota(50_000));
}

#[test]
fn counters_that_the_limit_does_not_allow_are_doubted() {
    let text = "cpu.max 50000 100000\nusage_usec 60000000\nnr_periods 600\nnr_throttled 60\n\
        throttled_usec 3000000\n";
    let reading = read(text).unwrap();
    assert!(reading.doubts.concat().contains("200.0 %"), "{:?}", reading.doubts);
    assert!(reading.chosen.unwrap().happened.is_none());
}

#[test]
fn counters_without_a_limit_ask_for_it() {
    let reading = read("nr_periods 600\nnr_throttled 60\nthrottled_usec 3000000").unwrap();
    assert!(reading.asks.concat().contains("The limit is missing"), "{:?}", reading.asks);
    assert!(reading.says.concat().contains("10.0 %"), "{:?}", reading.says);
    assert_eq!(reading.scenario, None);
}

#[test]
fn a_program_may_have_the_name_of_any_generator() {
    let own = schedscope_scenario::knobs()
        .iter()
        .filter_map(|knob| knob.path.strip_prefix("workload.")?.split('.').next());
    for name in own.chain(["cc", "make", "gc_main", "web_worker", "rcuop", "slow"]) {
        let text = format!("taskset -c 1 {name}\n");
        if let Some(scenario) = read(&text).unwrap().scenario {
            let prepared = schedscope_scenario::prepare("pasted", &scenario.to_string(), &[]);
            assert!(prepared.is_ok(), "{text}: {}", prepared.unwrap_err());
        }
    }
}
