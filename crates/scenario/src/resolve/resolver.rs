//! From what a scenario states to what a run uses: every knob gets a value and an origin.
//!
//! It knows no knob by name: the caller names the path, the table holds the knob at that path.

use std::borrow::Cow;

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{Known, Preset, Version};
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::named::Named;
use serde::Serialize;
use serde_json::Value;

use crate::error::Fault;
use crate::knobs::knob::Knob;
use crate::knobs::setting::{self, Setting, Stated};
use crate::knobs::table::Table;
use crate::reading::json::Node;
use crate::text::readable as shorten;
use crate::units::{cpu_list_text, parse_cpu_list};

/// Where a resolved value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Origin {
    /// The file, a variant, a flag or a link says so.
    Stated,
    /// The release's source was read, or the releases of the commits around it are known.
    Known,
    /// The first release that has the value comes from memory, not from its source.
    Recalled,
    /// Taken from a neighbour, a release of the branch or the newest one that was read: a later
    /// change may have been taken in.
    Carried,
    /// Neither the scenario nor the version's sources say anything.
    Default,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResolvedKnob {
    /// Dotted path.
    pub path: Cow<'static, str>,
    /// The value the run uses, as a scenario file writes it.
    pub value: Value,
    /// Where it comes from.
    pub origin: Origin,
    /// Source of a value that the release brings, or the rule behind a default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'static str>,
    /// Why the knob has no effect here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inert: Option<String>,
}

/// A choice that is not to be had with what else the scenario says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unavailable {
    /// Dotted path of the knob.
    pub path: &'static str,
    pub value: &'static str,
    pub why: &'static str,
}

/// The value of a switch that the scenario does not state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unstated<T> {
    pub(crate) value: T,
    pub(crate) origin: Origin,
    pub(crate) source: Option<&'static str>,
}

impl<T> From<Preset<T>> for Unstated<T> {
    fn from(Preset { value, source, known, .. }: Preset<T>) -> Self {
        Self { value, origin: known.into(), source: Some(source) }
    }
}

impl From<Known> for Origin {
    fn from(known: Known) -> Self {
        match known {
            Known::Read => Self::Known,
            Known::Recalled => Self::Recalled,
            Known::Neighbour(_) => Self::Carried,
        }
    }
}

/// A resolved value and the place of its statement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<T> {
    pub(crate) value: T,
    /// Byte offset of the value, if the file states it.
    pub(crate) at: Option<usize>,
    /// Whether the file or a change states it.
    pub(crate) stated: bool,
}

/// Resolves knobs one by one and remembers each.
pub(crate) struct Resolver<'n> {
    /// The scenario with all changes laid over it.
    pub(crate) root: &'n Node,
    /// The knobs there are.
    table: Table,
    /// Everything resolved so far, in order.
    pub(crate) knobs: Vec<ResolvedKnob>,
    /// Remarks for the reader.
    pub(crate) notes: Vec<String>,
    /// Choices that would be refused.
    pub(crate) unavailable: Vec<Unavailable>,
}

impl<'n> Resolver<'n> {
    /// Nothing resolved yet.
    pub(crate) fn new(root: &'n Node, table: Table) -> Self {
        Self { root, table, knobs: Vec::new(), notes: Vec::new(), unavailable: Vec::new() }
    }

    /// The knob at `path`, which the table has.
    pub(crate) fn knob(&self, path: &str) -> &'static Knob {
        self.table.knob(path).expect("only paths of the table are read")
    }

    /// What is stated at `path`; not remembered.
    pub(crate) fn stated(&self, path: &str) -> Result<Option<Stated>, Fault> {
        setting::read(self.root, self.knob(path))
    }

    pub(crate) fn record(
        &mut self,
        path: &'static str,
        value: Value,
        origin: Origin,
        source: Option<&'static str>,
    ) {
        self.knobs.push(ResolvedKnob { path: path.into(), value, origin, source, inert: None });
    }

    /// Remembers a value whose path is made up as it is read.
    pub(crate) fn record_as(&mut self, path: String, value: Value, origin: Origin) {
        self.knobs.push(ResolvedKnob {
            path: path.into(),
            value,
            origin,
            source: None,
            inert: None,
        });
    }

    /// Stated or default, typed; remembered as it is.
    fn setting(&mut self, path: &'static str) -> Result<Found<Setting>, Fault> {
        let knob = self.knob(path);
        let found = match setting::read(self.root, knob)? {
            Some(Stated { setting, at }) => Found { value: setting, at, stated: true },
            None => Found {
                value: setting::typed(knob, &Node::from_json(&knob.default))?,
                at: None,
                stated: false,
            },
        };
        let origin = if found.stated { Origin::Stated } else { Origin::Default };
        self.record(knob.path, found.value.to_json(), origin, None);
        Ok(found)
    }

    /// A whole number; `None` for a special word.
    pub(crate) fn integer(&mut self, path: &'static str) -> Result<Found<Option<u64>>, Fault> {
        let Found { value, at, stated } = self.setting(path)?;
        let value = if let Setting::Integer(number) = value { Some(number) } else { None };
        Ok(Found { value, at, stated })
    }

    /// A time in ns; `None` for a special word.
    pub(crate) fn time(&mut self, path: &'static str) -> Result<Found<Option<u64>>, Fault> {
        let Found { value, at, stated } = self.setting(path)?;
        let value = if let Setting::Time(ns) = value { Some(ns) } else { None };
        Ok(Found { value, at, stated })
    }

    /// A number or time that has no special word.
    pub(crate) fn amount(&mut self, path: &'static str) -> Result<Found<u64>, Fault> {
        let Found { value, at, stated } = self.setting(path)?;
        let value = match value {
            Setting::Integer(number) | Setting::Time(number) => number,
            Setting::Word(_) | Setting::Flag(_) | Setting::Object(_) => 0,
        };
        Ok(Found { value, at, stated })
    }

    /// The CPU list at `path`, a boot option's: one CPU has to stay out of it, to keep the time or
    /// to run the threads of the others.
    pub(crate) fn some_cpus(&mut self, path: &'static str, cpus: u32) -> Result<CpuMask, Fault> {
        let stated = self.word(path)?;
        if stated.value == "none" {
            return Ok(CpuMask::EMPTY);
        }
        let listed = parse_cpu_list(&stated.value)
            .filter(|full| full.last() < Some(CpuId::new(cpus)) && full.count() < cpus);
        let Some(listed) = listed else {
            let message = format!(
                "\"{}\" is not a list of this machine's CPUs that leaves one of them out",
                shorten(&stated.value)
            );
            return Err(Fault::new(stated.at, path, message)
                .expected(format!(
                    "\"none\", or CPUs from 0 to {}, such as \"2-5,7\", but not all",
                    cpus - 1
                ))
                .decided_with(["machine.cpus"]));
        };
        self.listed(path, &listed);
        Ok(listed)
    }

    /// Remembers the list at `path` as the kernel prints a mask: each CPU once, in order.
    /// `cpulist_parse()` takes repeats without a word.
    pub(crate) fn listed(&mut self, path: &str, listed: &CpuMask) {
        self.resolved_to(path, cpu_list_text(listed), None);
    }

    /// `true` or `false`.
    pub(crate) fn flag(&mut self, path: &'static str) -> Result<bool, Fault> {
        Ok(self.setting(path)?.value == Setting::Flag(true))
    }

    pub(crate) fn word(&mut self, path: &'static str) -> Result<Found<String>, Fault> {
        let Found { value, at, stated } = self.setting(path)?;
        let value = if let Setting::Word(word) = value { word } else { String::new() };
        Ok(Found { value, at, stated })
    }

    /// A named switch if stated; not remembered.
    pub(crate) fn stated_named<T: Named>(&self, path: &'static str) -> Result<Option<T>, Fault> {
        Ok(self.stated_word(path)?.and_then(|word| T::parse(&word)))
    }

    fn stated_word(&self, path: &'static str) -> Result<Option<String>, Fault> {
        let stated = self.stated(path)?;
        Ok(stated.and_then(|stated| {
            if let Setting::Word(word) = stated.setting { Some(word) } else { None }
        }))
    }

    /// Remembers what was stated, else `unstated`.
    fn record_or<T: Copy>(
        &mut self,
        path: &'static str,
        stated: Option<T>,
        unstated: Unstated<T>,
        write: impl FnOnce(T) -> Value,
    ) -> T {
        let Unstated { value, origin, source } = stated.map_or(unstated, |value| Unstated {
            value,
            origin: Origin::Stated,
            source: None,
        });
        self.record(path, write(value), origin, source);
        value
    }

    /// A named switch.
    pub(crate) fn named_or<T: Named>(
        &mut self,
        path: &'static str,
        unstated: Unstated<T>,
    ) -> Result<T, Fault> {
        let stated = self.stated_named(path)?;
        Ok(self.record_or(path, stated, unstated, |value| value.name().into()))
    }

    /// `true` or `false`.
    pub(crate) fn flag_or(
        &mut self,
        path: &'static str,
        unstated: Unstated<bool>,
    ) -> Result<bool, Fault> {
        let stated = self.stated(path)?.map(|stated| stated.setting == Setting::Flag(true));
        Ok(self.record_or(path, stated, unstated, Value::Bool))
    }

    /// A time in ns.
    pub(crate) fn time_or(
        &mut self,
        path: &'static str,
        unstated: Unstated<u32>,
    ) -> Result<u32, Fault> {
        let stated = self.stated(path)?.and_then(|stated| match stated.setting {
            Setting::Time(ns) => Some(u32::try_from(ns).expect("the table's maximum fits")),
            Setting::Integer(_) | Setting::Word(_) | Setting::Flag(_) | Setting::Object(_) => None,
        });
        let write = |ns: u32| Setting::Time(u64::from(ns)).to_json();
        Ok(self.record_or(path, stated, unstated, write))
    }

    /// What is remembered of `path` has come to `value`; where it is from stays. Returns that.
    pub(crate) fn settled_to(&mut self, path: &str, value: Value) -> Option<Origin> {
        let resolved = self.knobs.iter_mut().find(|resolved| resolved.path == path)?;
        resolved.value = value;
        Some(resolved.origin)
    }

    /// Says why the knob at `path` has no effect here. Where its value is from.
    pub(crate) fn inert(&mut self, path: &str, why: &str) -> Option<Origin> {
        let resolved = self.knobs.iter_mut().find(|resolved| resolved.path == path)?;
        resolved.inert = Some(why.to_owned());
        Some(resolved.origin)
    }

    /// Says that `version` does not have `what`, which is stated at `path`.
    pub(crate) fn hypothetical(&mut self, path: &str, version: Version, what: &str) {
        self.notes.push(format!("{path} is hypothetical: kernel {version} has no {what}"));
    }

    /// Replaces the remembered value of `path` by what it resolved to.
    pub(crate) fn resolved_to(
        &mut self,
        path: &str,
        value: impl Into<Value>,
        source: Option<&'static str>,
    ) {
        if let Some(resolved) = self.knobs.iter_mut().find(|resolved| resolved.path == path) {
            resolved.value = value.into();
            resolved.source = source;
        }
    }
}
