//! How each event is laid out, in the words of the kernel's files `events/*/*/format`.
//!
//! Read from a running 6.18 and from include/trace/events/{sched,irq}.h of Linux 6.13, which keeps
//! the name of `sched_migrate_task` and `sched_pi_setprio` in 16 bytes, and is the first with
//! need_resched_lazy among the flags.

use std::fmt::Write;

use crate::names::x86_vector;

/// The identity of the first event; the kernel numbers its own when it boots.
const FIRST: u16 = 300;

pub const SCHED_SWITCH: u16 = FIRST;
/// `sched_waking`; `sched_wakeup` and `sched_wakeup_new` follow.
pub const SCHED_WAKING: u16 = FIRST + 1;
pub const SCHED_MIGRATE_TASK: u16 = FIRST + 4;
pub const SCHED_PI_SETPRIO: u16 = FIRST + 5;
/// `softirq_raise`; entry and exit follow.
pub const SOFTIRQ_RAISE: u16 = FIRST + 6;
pub const IRQ_HANDLER_ENTRY: u16 = FIRST + 9;
pub const IRQ_HANDLER_EXIT: u16 = FIRST + 10;
/// The entry of the interrupt with code 0. Its exit follows, then the next code's entry.
pub const IRQ_VECTORS: u16 = FIRST + 11;
/// Codes of interrupts.
const VECTORS: u8 = 5;

/// Events that are laid out alike.
struct Layout {
    /// The first event's identity.
    first: u16,
    names: &'static [&'static str],
    fields: &'static [Field],
    print: &'static str,
}

/// A field: its declaration in C, its bytes, whether it is signed.
struct Field(&'static str, u8, bool);

/// What every event begins with: 8 bytes.
const COMMON: &[Field] = &[
    Field("unsigned short common_type", 2, false),
    Field("unsigned char common_flags", 1, false),
    Field("unsigned char common_preempt_count", 1, false),
    Field("int common_pid", 4, true),
];

const SCHED: &[Layout] = &[
    Layout {
        first: SCHED_SWITCH,
        names: &["sched_switch"],
        fields: &[
            Field("char prev_comm[16]", 16, false),
            Field("pid_t prev_pid", 4, true),
            Field("int prev_prio", 4, true),
            Field("long prev_state", 8, true),
            Field("char next_comm[16]", 16, false),
            Field("pid_t next_pid", 4, true),
            Field("int next_prio", 4, true),
        ],
        print: SWITCH,
    },
    Layout {
        first: SCHED_WAKING,
        names: &["sched_waking", "sched_wakeup", "sched_wakeup_new"],
        fields: &[
            Field("char comm[16]", 16, false),
            Field("pid_t pid", 4, true),
            Field("int prio", 4, true),
            Field("int target_cpu", 4, true),
        ],
        print: concat!(
            r#""comm=%s pid=%d prio=%d target_cpu=%03d", REC->comm, REC->pid, "#,
            r#"REC->prio, REC->target_cpu"#,
        ),
    },
    Layout {
        first: SCHED_MIGRATE_TASK,
        names: &["sched_migrate_task"],
        fields: &[
            Field("char comm[16]", 16, false),
            Field("pid_t pid", 4, true),
            Field("int prio", 4, true),
            Field("int orig_cpu", 4, true),
            Field("int dest_cpu", 4, true),
        ],
        print: concat!(
            r#""comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d", REC->comm, REC->pid, "#,
            r#"REC->prio, REC->orig_cpu, REC->dest_cpu"#,
        ),
    },
    Layout {
        first: SCHED_PI_SETPRIO,
        names: &["sched_pi_setprio"],
        fields: &[
            Field("char comm[16]", 16, false),
            Field("pid_t pid", 4, true),
            Field("int oldprio", 4, true),
            Field("int newprio", 4, true),
        ],
        print: concat!(
            r#""comm=%s pid=%d oldprio=%d newprio=%d", REC->comm, REC->pid, "#,
            r#"REC->oldprio, REC->newprio"#,
        ),
    },
];

const SWITCH: &str = concat!(
    r#""prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s "#,
    r#"next_pid=%d next_prio=%d", REC->prev_comm, REC->prev_pid, "#,
    r#"REC->prev_prio, (REC->prev_state & ((((0x00000000 | 0x00000001 | "#,
    r#"0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | 0x00000020 | "#,
    r#"0x00000040) + 1) << 1) - 1)) ? __print_flags(REC->prev_state & "#,
    r#"((((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | "#,
    r#"0x00000010 | 0x00000020 | 0x00000040) + 1) << 1) - 1), "|", { "#,
    r#"0x00000001, "S" }, { 0x00000002, "D" }, { 0x00000004, "T" }, { "#,
    r#"0x00000008, "t" }, { 0x00000010, "X" }, { 0x00000020, "Z" }, { "#,
    r#"0x00000040, "P" }, { 0x00000080, "I" }) : "R", REC->prev_state & "#,
    r#"(((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | "#,
    r#"0x00000010 | 0x00000020 | 0x00000040) + 1) << 1) ? "+" : "", "#,
    r#"REC->next_comm, REC->next_pid, REC->next_prio"#,
);

const IRQ: &[Layout] = &[
    Layout {
        first: SOFTIRQ_RAISE,
        names: &["softirq_raise", "softirq_entry", "softirq_exit"],
        fields: &[Field("unsigned int vec", 4, false)],
        print: concat!(
            r#""vec=%u [action=%s]", REC->vec, __print_symbolic(REC->vec, { 0, "HI" }, "#,
            r#"{ 1, "TIMER" }, { 2, "NET_TX" }, { 3, "NET_RX" }, { 4, "BLOCK" }, "#,
            r#"{ 5, "IRQ_POLL" }, { 6, "TASKLET" }, { 7, "SCHED" }, { 8, "HRTIMER" }, "#,
            r#"{ 9, "RCU" })"#
        ),
    },
    Layout {
        first: IRQ_HANDLER_ENTRY,
        names: &["irq_handler_entry"],
        fields: &[Field("int irq", 4, true), Field("__data_loc char[] name", 4, false)],
        print: r#""irq=%d name=%s", REC->irq, __get_str(name)"#,
    },
    Layout {
        first: IRQ_HANDLER_EXIT,
        names: &["irq_handler_exit"],
        fields: &[Field("int irq", 4, true), Field("int ret", 4, true)],
        print: r#""irq=%d ret=%s", REC->irq, REC->ret ? "handled" : "unhandled""#,
    },
];

/// Every format by its system, `sched`, `irq` and `irq_vectors`.
pub fn formats() -> [(&'static str, Vec<String>); 3] {
    let all = |layouts: &[Layout]| layouts.iter().flat_map(Layout::formats).collect();
    [("sched", all(SCHED)), ("irq", all(IRQ)), ("irq_vectors", vectors())]
}

/// The event of an interrupt.
pub fn irq_vector(code: u8, entry: bool) -> u16 {
    IRQ_VECTORS + 2 * u16::from(code) + u16::from(!entry)
}

fn vectors() -> Vec<String> {
    let fields = &[Field("int vector", 4, true)];
    let print = r#""vector=%d", REC->vector"#;
    let of = |(code, step): (u8, &str)| {
        let (stem, _) = x86_vector(code)?;
        let name = format!("{stem}_{step}");
        Some(format(&name, irq_vector(code, step == "entry"), fields, print))
    };
    (0..VECTORS).flat_map(|code| [(code, "entry"), (code, "exit")]).filter_map(of).collect()
}

impl Layout {
    fn formats(&self) -> impl Iterator<Item = String> {
        let of =
            |(nth, name): (u16, &&str)| format(name, self.first + nth, self.fields, self.print);
        (0..).zip(self.names).map(of)
    }
}

fn format(name: &str, id: u16, fields: &[Field], print: &str) -> String {
    let mut text = format!("name: {name}\nID: {id}\nformat:\n");
    let common = lines(COMMON, 0, &mut text);
    text.push('\n');
    lines(fields, common, &mut text);
    text + "\nprint fmt: " + print + "\n"
}

/// Writes a line for each field; where the next one begins.
fn lines(fields: &[Field], from: u32, into: &mut String) -> u32 {
    let mut offset = from;
    for Field(declaration, size, signed) in fields {
        let signed = u8::from(*signed);
        let _ = writeln!(
            into,
            "\tfield:{declaration};\toffset:{offset};\tsize:{size};\tsigned:{signed};"
        );
        offset += u32::from(*size);
    }
    offset
}
