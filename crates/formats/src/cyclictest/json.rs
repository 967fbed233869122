//! cyclictest's `--json=FILE` (rt-tests: `rt_write_json` in src/lib/rt-utils.c, `write_stats` in
//! src/cyclictest/cyclictest.c), without the keys that only a real machine and clock have.

use std::fmt::Write;

use super::{Thread, count};
use crate::json_text::Quoted;

/// The file. `buckets` are the microseconds of the histogram; `release` is the kernel's version.
pub fn text(threads: &[Thread], buckets: usize, release: &str, is_rt: bool) -> String {
    let realtime = u8::from(is_rt);
    let mut text = format!(
        "{{\n  \"file_version\": 1,\n  \"sysinfo\": {{\n    \"release\": {},\n    \
         \"realtime\": {realtime}\n  }},\n  \"num_threads\": {},\n  \
         \"resolution_in_ns\": 0,\n  \"thread\": {{\n",
        Quoted(release),
        threads.len()
    );
    for (number, thread) in threads.iter().enumerate() {
        let comma = if number + 1 == threads.len() { "" } else { "," };
        let _ = writeln!(text, "    \"{number}\": {{");
        histogram(thread, buckets, &mut text);
        let cpu = thread.cpu.map_or(-1, i64::from);
        let _ = writeln!(
            text,
            "      \"cycles\": {},\n      \"min\": {},\n      \"max\": {},\n      \
             \"avg\": {},\n      \"cpu\": {cpu}\n    }}{comma}",
            thread.latencies_ns.len(),
            thread.min(),
            thread.max(),
            average(thread)
        );
    }
    text.push_str("  }\n}\n");
    text
}

/// The samples per microsecond that are not 0.
fn histogram(thread: &Thread, buckets: usize, text: &mut String) {
    let counts = count(thread, buckets);
    let cells: Vec<String> = counts[..buckets]
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0)
        .map(|(us, count)| format!("\n        \"{us}\": {count}"))
        .collect();
    let end = if cells.is_empty() { "" } else { "\n      " };
    let _ = writeln!(text, "      \"histogram\": {{{}{end}}},", cells.join(","));
}

/// With two decimals, rounded; a thread without samples has 0.00, for `nan` is no JSON.
fn average(thread: &Thread) -> String {
    let cycles = (thread.latencies_ns.len() as u64).max(1);
    let hundredths = (thread.us().sum::<u64>() * 100 + cycles / 2) / cycles;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}
