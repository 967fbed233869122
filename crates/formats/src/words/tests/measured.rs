//! Texts with counters, averages, pressure and dates.

use super::containers::{reading, words};
use crate::words::{Fate, Instant, Limit};

#[test]
fn counters_of_the_engines_api_are_in_ns_and_have_the_earlier_reading_behind() {
    let text = "{\"name\":\"/web\",\"cpu_stats\":{\"cpu_usage\":{\"total_usage\":81000000000},\
        \"throttling_data\":{\"periods\":1600,\"throttled_periods\":250,\"throttled_time\":\
        75000000000}},\"precpu_stats\":{\"cpu_usage\":{\"total_usage\":80500000000},\
        \"throttling_data\":{\"periods\":1590,\"throttled_periods\":245,\"throttled_time\":\
        74000000000}}}\ndocker update --cpu-quota 60000 web\n";
    let happened = reading(text).chosen.unwrap().happened.unwrap();
    assert_eq!((happened.periods, happened.throttled), (10.0, 5.0));
    assert_eq!((happened.throttled_us, happened.usage_us), (Some(1_000_000.0), Some(500_000.0)));
}

#[test]
fn metrics_are_those_of_their_labels_and_come_again_at_the_next_instant() {
    let of = "{container=\"web\",pod=\"web-1\"}";
    let text = format!(
        "# TYPE container_cpu_cfs_periods_total counter\n\
         container_cpu_cfs_periods_total{of} 1.7342e+04 1700000000000\n\
         container_cpu_cfs_periods_total{of} 17942 1700000060000\n\
         container_cpu_cfs_throttled_periods_total{of} 5211 1700000000000\n\
         container_cpu_cfs_throttled_periods_total{of} 5361 1700000060000\n\
         container_cpu_cfs_throttled_seconds_total{of} 812\n\
         container_cpu_cfs_throttled_seconds_total{of} 827\n\
         container_cpu_usage_seconds_total{{container=\"web\",cpu=\"cpu00\",pod=\"web-1\"}} 3\n\
         container_cpu_cfs_periods_total{{container=\"other\",pod=\"web-1\"}} 5\n\
         kube_pod_container_resource_limits{{pod=\"web-1\",resource=\"memory\"}} 9\n\
         spec:\n  containers:\n  - name: web\n    resources: {{limits: {{cpu: 500m}}}}\n  \
         - name: proxy\n    resources: {{limits: {{cpu: 2}}}}\n"
    );
    let chosen = reading(&text).chosen.unwrap();
    let happened = chosen.happened.unwrap();
    assert_eq!((happened.periods, happened.throttled), (600.0, 150.0));
    assert_eq!((happened.throttled_us, happened.usage_us), (Some(15_000_000.0), None));
    assert_eq!(chosen.limit, Limit::of_quota(50_000));
}

#[test]
fn a_querys_answer_is_read_from_its_first_value_to_its_last() {
    let series = |name: &str, first: &str, last: &str| {
        format!(
            "{{\"metric\":{{\"__name__\":\"{name}\",\"container\":\"web\"}},\"values\":\
             [[1,\"{first}\"],[2,\"5\"],[3,\"{last}\"]]}}"
        )
    };
    let text = format!(
        "{{\"data\":{{\"result\":[{},{},{}]}}}}\ncpu.max 50000 100000",
        series("container_cpu_cfs_periods_total", "100", "700"),
        series("container_cpu_cfs_throttled_periods_total", "10", "70"),
        series("container_cpu_cfs_throttled_seconds_total", "1", "7"),
    );
    let happened = reading(&text).chosen.unwrap().happened.unwrap();
    assert_eq!((happened.periods, happened.throttled_us), (600.0, Some(6_000_000.0)));
}

#[test]
fn averages_and_rates_are_no_counters() {
    let rate = "rate(container_cpu_cfs_throttled_periods_total{container=\"web\"}[5m]) 0.31";
    assert!(reading(rate).lines[0].notes[0].words.contains("no counter"));
    for text in [
        "NAME    CPU(cores)   MEMORY(bytes)\nweb-1   480m         120Mi",
        "POD    NAME    CPU(cores)   MEMORY(bytes)\nweb-1  nginx   480m   120Mi",
        "NAME    CPU(cores)   CPU%   MEMORY(bytes)   MEMORY%\nnode1   480m   12%   1200Mi   30%",
        "CONTAINER ID   NAME   CPU %   MEM USAGE / LIMIT\n1f2e  web   48.00%   12.5MiB / 512MiB",
    ] {
        let said = words(text);
        assert!(said.contains("used 0.48 CPUs on average"), "{said}");
        assert!(said.contains("The limit and the counters"), "{said}");
        assert_eq!(reading(text).scenario, None, "{text}");
    }
}

#[test]
fn pressure_is_explained_and_asks_for_what_it_does_not_say() {
    let text = "$ cat cpu.pressure\nsome avg10=58.43 avg60=57.45 avg300=57.33 total=27907960587\n\
        full avg10=58.12 avg60=57.28 avg300=57.17 total=27494547488\n";
    let said = words(text);
    assert!(said.contains("58.12 % of the last 10 s") && said.contains("no task of the group ran"));
    assert!(said.contains("The limit and cpu.stat"), "{said}");
    let system = words(&text.replace("cpu.pressure", "/proc/pressure/cpu"));
    assert!(system.contains("no meaning for the whole machine"), "{system}");
    let memory = reading(&text.replace("cpu.pressure", "memory.pressure"));
    assert_eq!(memory.says, Vec::<String>::new());
    let path = "==> /sys/fs/cgroup/a.scope/io.pressure <==\n\
        full avg10=1.00 avg60=2.00 avg300=3.00 total=4";
    assert_eq!(reading(path).says, Vec::<String>::new());
}

#[test]
fn dates_between_readings_are_kept_and_lines_of_a_log_break_nothing() {
    let text = "cpu.max 50000 100000\n$ date; cat cpu.stat\nMon Nov 30 14:12:32 UTC 2026\n\
        nr_periods 600\nnr_throttled 60\nthrottled_usec 5\n2026-11-30 14:12:40 INFO started\n\
        sleep 60\nMon 30 Nov 2026 02:13:32 PM UTC\n2026-11-30T14:13:32.5Z\nnr_periods 1200\n\
        nr_throttled 90\nthrottled_usec 7\nThu Jan  1 00:00:00 UTC 1970\n";
    let reading = reading(text);
    let clock: Vec<(usize, Instant)> =
        reading.case.clock.iter().map(|clock| (clock.readings, clock.says)).collect();
    let noon = 1_796_047_952.0;
    let wanted = [
        (0, Instant::Date(noon)),
        (1, Instant::Pause(60.0)),
        (1, Instant::Date(noon + 60.0)),
        (1, Instant::Date(noon + 60.5)),
        (2, Instant::Date(0.0)),
    ];
    assert_eq!(clock, wanted);
    assert_eq!(reading.chosen.unwrap().happened.unwrap().periods, 600.0);
    assert_eq!(reading.lines[6].notes[0].fate, Fate::NotUnderstood);
}

#[test]
fn a_larger_sidecar_beside_counters_is_not_taken_for_the_container() {
    let text = "spec:\n  containers:\n  - name: web\n    resources: {limits: {cpu: 1}}\n  \
        - name: log\n    resources: {limits: {cpu: 4}}\nusage_usec 200000000\nnr_periods 600\n\
        nr_throttled 60\nthrottled_usec 3000000\n";
    let chosen = reading(text).chosen.unwrap();
    assert_eq!(chosen.limit, Limit::of_quota(400_000));
    assert!(words(text).contains("The counters are those of the container “log”"));
    let either = text.replace("200000000", "50000000");
    assert!(words(&either).contains("Whose counters these are"), "{}", words(&either));
}
