//! What of a run its lines are made of.

use schedscope_engine::kernel::config::Version;
use serde_json::Value;

use super::values::{text, us};

/// A knob as a run resolved it.
#[derive(Clone, Debug, PartialEq)]
pub struct Knob {
    /// `kernel.rt_push_ipi`, `cgroups."a.slice".cpu_max`.
    pub path: String,
    /// The value that the run uses, as a scenario file writes it.
    pub value: Value,
    /// The scenario states it; otherwise the version or a default does.
    pub is_stated: bool,
    /// It has no effect in this run.
    pub is_inert: bool,
}

/// What of a run its lines are made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The scenario's name: some have a question about a runtime's own switch.
    pub slug: String,
    /// CPUs of the machine.
    pub cpus: u32,
    /// Machine time, ns.
    pub duration_ns: u64,
    /// Every knob of the scenario.
    pub knobs: Vec<Knob>,
    /// Switches that are stated and are not what the version has: path and value.
    pub own_switches: Vec<(String, Value)>,
    /// The kernel for people: `6.12 with CFS bandwidth 4.19`.
    pub kernel: String,
}

impl Run {
    /// A run from JSON as the page has it: `slug`, `cpus`, `duration_ns`, `knobs` (`path`, `value`,
    /// `origin`, `inert`) and `own_switches` (`path`, `value`) of a run's meta, and `kernel`, which
    /// is the kernel for people.
    ///
    /// # Errors
    /// A key is missing or of another type: which one.
    pub fn of_json(meta: &Value) -> Result<Self, String> {
        let wrong = |key: &str| format!("a run's {key} is missing or of another type");
        let word = |of: &Value, key: &str| {
            of.get(key).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| wrong(key))
        };
        let number = |key: &str| meta.get(key).and_then(Value::as_u64).ok_or_else(|| wrong(key));
        let list = |key: &str| meta.get(key).and_then(Value::as_array).ok_or_else(|| wrong(key));
        let value = |of: &Value| of.get("value").cloned().ok_or_else(|| wrong("value"));
        let knob = |knob: &Value| {
            Ok(Knob {
                path: word(knob, "path")?,
                value: value(knob)?,
                is_stated: word(knob, "origin")? == "stated",
                is_inert: knob.get("inert").is_some_and(|why| !why.is_null()),
            })
        };
        let switch = |own: &Value| Ok((word(own, "path")?, value(own)?));
        Ok(Self {
            slug: word(meta, "slug")?,
            cpus: u32::try_from(number("cpus")?).map_err(|_| wrong("cpus"))?,
            duration_ns: number("duration_ns")?,
            knobs: list("knobs")?.iter().map(knob).collect::<Result<_, String>>()?,
            own_switches: list("own_switches")?
                .iter()
                .map(switch)
                .collect::<Result<_, String>>()?,
            kernel: word(meta, "kernel")?,
        })
    }

    /// The value of the knob at a path, if the scenario has it.
    pub(super) fn get(&self, path: &str) -> Option<&Value> {
        self.knobs.iter().find(|knob| knob.path == path).map(|knob| &knob.value)
    }

    /// The knobs that the scenario states and that have an effect.
    pub(super) fn turned(&self) -> impl Iterator<Item = &Knob> {
        self.knobs.iter().filter(|knob| knob.is_stated && !knob.is_inert)
    }

    /// Whether the run's kernel comes before `first`; one that is not known comes before none.
    pub(super) fn is_before(&self, first: &str) -> bool {
        let own = self.get("kernel.version").and_then(Value::as_str).and_then(Version::read);
        own.zip(Version::read(first)).is_some_and(|(own, first)| own.version < first.version)
    }

    /// Whether the scenario's workload has this part.
    pub(super) fn has(&self, part: &str) -> bool {
        let begin = format!("workload.{part}.");
        self.knobs.iter().any(|knob| knob.path.starts_with(&begin))
    }

    /// The knobs of one part of the workload.
    pub(super) fn own(&self, part: &'static str) -> Own<'_> {
        Own { run: self, part }
    }
}

/// The knobs of one program, by the last part of their path.
#[derive(Clone, Copy)]
pub(super) struct Own<'r> {
    /// The run that it is of.
    pub(super) run: &'r Run,
    part: &'static str,
}

impl<'r> Own<'r> {
    pub(super) fn get(&self, key: &str) -> Option<&'r Value> {
        self.run.get(&format!("workload.{}.{key}", self.part))
    }

    /// The value as the tools take it; empty without one.
    pub(super) fn text(&self, key: &str) -> String {
        self.get(key).map(text).unwrap_or_default()
    }

    /// A time in whole us, as the tools take it.
    pub(super) fn us(&self, key: &str) -> u64 {
        us(self.get(key))
    }

    /// A number; 0 for any other value.
    pub(super) fn number(&self, key: &str) -> u64 {
        self.get(key).and_then(Value::as_u64).unwrap_or(0)
    }

    pub(super) fn is(&self, key: &str, value: impl Into<Value>) -> bool {
        self.get(key) == Some(&value.into())
    }

    /// The flag with the value, where that is neither `auto` nor what the tool does by itself.
    pub(super) fn flag(&self, name: &str, key: &str, by_itself: Option<u64>) -> Option<String> {
        let value = self.get(key).filter(|value| **value != "auto")?;
        let is_silent = by_itself.is_some() && value.as_u64() == by_itself;
        (!is_silent).then(|| format!("{name}{}", text(value)))
    }

    /// The path of its group; empty for the root and for a program without the knob.
    pub(super) fn group(&self) -> String {
        self.text("group").trim_start_matches('/').to_owned()
    }
}
