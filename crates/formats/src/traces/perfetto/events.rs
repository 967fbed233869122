//! Events of the kernel: fields of FtraceEvent, and the fields of each by the names that the kernel
//! gives them.
//!
//! Numbers: protos/perfetto/trace/ftrace/{ftrace_event,sched,irq,irq_vectors,power,generic}.proto.

use std::collections::BTreeMap;

use super::super::binary::{Fields, Sort, text_of};
use super::wire::{Message, Value};

/// An event that Perfetto has a message for: its number, its name, and its fields by their numbers
/// from 1 on.
struct Known(u32, &'static str, &'static [&'static str]);

const WAKES: &[&str] = &["comm", "pid", "prio", "success", "target_cpu"];
const VEC: &[&str] = &["vec"];
const KNOWN: [Known; 16] = [
    Known(
        4,
        "sched_switch",
        &["prev_comm", "prev_pid", "prev_prio", "prev_state", "next_comm", "next_pid", "next_prio"],
    ),
    Known(13, "cpu_idle", &["state", "cpu_id"]),
    Known(17, "sched_wakeup", WAKES),
    Known(20, "sched_waking", WAKES),
    Known(24, "softirq_entry", VEC),
    Known(25, "softirq_exit", VEC),
    Known(26, "softirq_raise", VEC),
    Known(36, "irq_handler_entry", &["irq", "name"]),
    Known(37, "irq_handler_exit", &["irq", "ret"]),
    Known(114, "sched_wakeup_new", WAKES),
    Known(238, "sched_process_exit", &["comm", "pid", "tgid", "prio"]),
    Known(239, "sched_process_fork", &["parent_comm", "parent_pid", "child_comm", "child_pid"]),
    Known(353, "sched_pi_setprio", &["comm", "newprio", "oldprio", "pid"]),
    Known(491, "sched_migrate_task", &["comm", "pid", "prio", "orig_cpu", "dest_cpu"]),
    Known(559, "local_timer_entry", &["vector"]),
    Known(560, "local_timer_exit", &["vector"]),
];
/// GenericFtraceEvent: an event that names its fields itself.
const GENERIC: u32 = 327;

/// Events by their numbers: those that are known, and those that the file describes.
pub(super) struct Events {
    all: BTreeMap<u32, Layout>,
}

struct Layout {
    name: String,
    sort: Option<Sort>,
    fields: BTreeMap<u32, String>,
}

/// Most events that a file describes.
const DESCRIBED_MAX: usize = 10_000;

impl Events {
    pub(super) fn new() -> Self {
        let all = KNOWN.iter().map(|Known(number, name, fields)| {
            let fields = (1..).zip(fields.iter().map(ToString::to_string)).collect();
            (*number, Layout { name: (*name).to_owned(), sort: Sort::of(name), fields })
        });
        Self { all: all.collect() }
    }

    /// Takes a GenericEventDescriptor: the number, and a DescriptorProto.
    pub(super) fn describe(&mut self, bytes: &[u8]) {
        let (mut number, mut name, mut fields) = (0, String::new(), BTreeMap::new());
        for field in Message::of(bytes) {
            match field {
                (1, Value::Number(value)) => number = u32::try_from(value).unwrap_or(0),
                (2, Value::Bytes(descriptor)) => described(descriptor, &mut name, &mut fields),
                _ => {}
            }
        }
        if number != 0 && self.all.len() < DESCRIBED_MAX {
            let sort = Sort::of(&name);
            self.all.entry(number).or_insert(Layout { name, sort, fields });
        }
    }

    /// The event of a field of FtraceEvent; none where it is no message.
    pub(super) fn of<'m>(&'m self, number: u32, bytes: &'m [u8]) -> Found<'m> {
        if number == GENERIC {
            return generic(bytes);
        }
        let Some(layout) = self.all.get(&number) else {
            return Found {
                name: format!("event {number}").into(),
                sort: None,
                said: Said::default(),
            };
        };
        let mut said = Said::default();
        if layout.sort.is_some() {
            for (field, value) in Message::of(bytes) {
                if let Some(name) = layout.fields.get(&field) {
                    said.add(name, value);
                }
            }
        }
        Found { name: layout.name.as_str().into(), sort: layout.sort, said }
    }
}

fn described(descriptor: &[u8], name: &mut String, fields: &mut BTreeMap<u32, String>) {
    for field in Message::of(descriptor) {
        match field {
            (1, Value::Bytes(text)) => text_of(text).clone_into(name),
            (2, Value::Bytes(field)) if fields.len() < FIELDS_MAX => {
                let text = Message::message(field, 1).map_or("", text_of);
                let number = Message::of(field).find_map(|(number, value)| match value {
                    Value::Number(value) if number == 3 => u32::try_from(value).ok(),
                    _ => None,
                });
                fields.extend(number.map(|number| (number, text.to_owned())));
            }
            _ => {}
        }
    }
}

fn generic(bytes: &[u8]) -> Found<'_> {
    let (mut name, mut said) = ("", Said::default());
    for field in Message::of(bytes) {
        match field {
            (1, Value::Bytes(text)) => name = text_of(text),
            (2, Value::Bytes(field)) => {
                let text = Message::message(field, 1).map_or("", text_of);
                let value = Message::of(field).find(|(number, _)| (3..=5).contains(number));
                value.into_iter().for_each(|(_, value)| said.add(text, value));
            }
            _ => {}
        }
    }
    Found { name: name.into(), sort: Sort::of(name), said }
}

/// An event, and what it says.
pub(super) struct Found<'m> {
    pub(super) name: std::borrow::Cow<'m, str>,
    pub(super) sort: Option<Sort>,
    pub(super) said: Said<'m>,
}

/// Most fields of an event that are looked at.
const FIELDS_MAX: usize = 16;

/// Fields of one event.
#[derive(Clone, Debug, Default)]
pub(super) struct Said<'m>(Vec<(&'m str, Value<'m>)>);

impl<'m> Said<'m> {
    pub(super) fn add(&mut self, name: &'m str, value: Value<'m>) {
        if self.0.len() < FIELDS_MAX {
            self.0.push((name, value));
        }
    }

    fn of(&self, name: &str) -> Option<Value<'m>> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }
}

impl Fields for Said<'_> {
    fn number(&self, field: &str) -> Option<i64> {
        match self.of(field)? {
            Value::Number(number) => Some(number.cast_signed()),
            Value::Bytes(_) => None,
        }
    }

    fn text(&self, field: &str) -> Option<&str> {
        match self.of(field)? {
            Value::Bytes(bytes) => Some(text_of(bytes)),
            Value::Number(_) => None,
        }
    }
}
