//! What comes before the pages.

use std::fmt::Write;

use super::events::formats;
use super::pages::PAGE;
use crate::events::pid;
use crate::names::comm;
use crate::run::Run;

/// Up to the table of CPUs.
pub fn header(run: &Run) -> Vec<u8> {
    let mut file = Vec::new();
    file.extend(b"\x17\x08\x44tracing6\0");
    // Little endian, and a long has 8 bytes.
    file.extend([0, 8]);
    file.extend(number(PAGE));
    long_text("header_page", HEADER_PAGE, &mut file);
    long_text("header_event", HEADER_EVENT, &mut file);
    // The formats of function tracers.
    file.extend(number(0));
    let systems = formats();
    file.extend(number(systems.len()));
    for (system, formats) in systems {
        file.extend(system.bytes());
        file.push(0);
        file.extend(number(formats.len()));
        formats.iter().for_each(|format| sized(format, &mut file));
    }
    // kallsyms and printk_formats are empty.
    file.extend([number(0), number(0)].concat());
    sized(&names(run), &mut file);
    file.extend(run.cpus().to_le_bytes());
    file.extend(b"options  \0");
    options(run, &mut file);
    file.extend(b"flyrecord\0");
    file
}

/// The table of CPUs for so many bytes of pages each, the clock, and zeros up to the first page.
pub fn table(sizes: &[u64], file: &mut Vec<u8>) {
    let end = file.len() + 16 * sizes.len() + 8 + CLOCK.len();
    let mut offset = end.next_multiple_of(PAGE) as u64;
    for size in sizes {
        file.extend(offset.to_le_bytes());
        file.extend(size.to_le_bytes());
        offset += size;
    }
    sized(CLOCK, file);
    file.resize(file.len().next_multiple_of(PAGE), 0);
}

/// The kernel's file trace_clock; the clock in brackets counts for all CPUs, in ns.
const CLOCK: &str = "local global counter uptime perf [mono] mono_raw boot tai x86-tsc\n";

/// The kernel's file events/header_page, for pages of 4096 bytes.
const HEADER_PAGE: &str = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;
\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;
\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;
\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;
";

/// The kernel's file events/header_event.
const HEADER_EVENT: &str = "# compressed entry header
\ttype_len    :    5 bits
\ttime_delta  :   27 bits
\tarray       :   32 bits

\tpadding     : type == 29
\ttime_extend : type == 30
\ttime_stamp : type == 31
\tdata max type_len  == 28
";

/// `saved_cmdlines`: pid and whole name.
fn names(run: &Run) -> String {
    let mut text = String::new();
    for task in (0..).take(run.setup.tasks.len()) {
        if let Some(name) = comm(run, task) {
            let _ = writeln!(text, "{} {name}", pid(task));
        }
    }
    text
}

/// Number, length and bytes of each, and the 0 that ends them. The numbers are those of
/// `TRACECMD_OPTION_*`, lib/trace-cmd/include/private/trace-cmd-private.h.
fn options(run: &Run, file: &mut Vec<u8>) {
    const TRACECLOCK: u16 = 4;
    const UNAME: u16 = 5;
    const CPUCOUNT: u16 = 8;
    const VERSION: u16 = 9;
    let mut option = |option: u16, bytes: &[u8]| {
        file.extend(option.to_le_bytes());
        file.extend(number(bytes.len()));
        file.extend(bytes);
    };
    // Newer readers take the clock from here, older ones from behind the table.
    option(TRACECLOCK, format!("{CLOCK}\0").as_bytes());
    option(UNAME, format!("Linux {}, simulated\0", run.title.kernel).as_bytes());
    option(VERSION, format!("schedscope: {}\0", run.title.replay).as_bytes());
    option(CPUCOUNT, &run.cpus().to_le_bytes());
    file.extend([0, 0]);
}

fn long_text(name: &str, text: &str, file: &mut Vec<u8>) {
    file.extend(name.bytes());
    file.push(0);
    sized(text, file);
}

/// Length in 8 bytes, then the text.
fn sized(text: &str, file: &mut Vec<u8>) {
    file.extend((text.len() as u64).to_le_bytes());
    file.extend(text.bytes());
}

/// A count in 4 bytes.
fn number(count: usize) -> [u8; 4] {
    u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes()
}
