//! What a knob is: a switch or number that a scenario may set by a dotted path, with its type,
//! values, default, meaning and source.
//!
//! This file knows no single knob; the lists do, and `all.rs` is the list of the lists.

use schedscope_engine::named::Named;
use serde::Serialize;
use serde_json::Value;

use crate::error::Fault;
use crate::reading::json::Node;

/// In ns: the longest time of many knobs.
pub(crate) const SECOND_NS: u64 = 1_000_000_000;

/// How a knob's values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum KnobType {
    /// One of the choices.
    Enum,
    /// A whole number from `min` to `max`, or one of the choices if there are any.
    Integer,
    /// A text with a unit ("100us") from `min` to `max` ns, or one of the choices if there are any.
    Time,
    /// `true` or `false`.
    Boolean,
    /// Any text; its own reader judges it.
    Text,
}

/// When a change takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Applies {
    /// A running kernel can change it.
    Live,
    /// The run starts again from 0.
    Boot,
}

/// One value of an enum, or a word a number or time may be replaced by.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnobChoice {
    /// The value as a file writes it.
    pub value: Value,
    /// How files and links of before spell it: read for ever, never written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formerly: Option<&'static str>,
    /// What it means.
    pub doc: &'static str,
}

/// One switch or number a scenario may set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Knob {
    /// Dotted path: `kernel.rt_push_ipi`.
    pub path: &'static str,
    /// Short name for people, the kernel's own token where it has one.
    pub label: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// How values are written.
    #[serde(rename = "type")]
    pub kind: KnobType,
    /// Every value of an enum; the special words of an integer or a time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<KnobChoice>,
    /// Least value of an integer (as is) or a time (ns).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<u64>,
    /// Greatest value of an integer (as is) or a time (ns).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<u64>,
    /// The value when the scenario states none. Switches that follow `kernel.version` show the
    /// newest version's.
    pub default: Value,
    /// Where the knob or its default comes from.
    pub source: &'static str,
    /// When a change takes effect.
    pub applies: Applies,
    /// Whether `kernel.version` decides it where the scenario does not state it. Changing the
    /// version takes back what the file states for it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub follows_version: bool,
    /// Whether its text lists CPUs, in which order and repeats mean nothing; semicolons separate
    /// several lists.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cpu_list: bool,
    /// Whether an enum takes any kernel release besides its choices, as `uname -r` prints it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub release: bool,
    /// Where an enum takes objects of switches besides its choices: refuses an unsound one.
    #[serde(skip)]
    pub(crate) object: Option<ObjectCheck>,
}

/// Judges an object that is a knob's value. The object's schema is kept apart: the wasm, which
/// holds every knob, would hold the schema too.
pub(crate) type ObjectCheck = fn(&Node) -> Result<(), Fault>;

impl Knob {
    pub(crate) fn new(
        path: &'static str,
        label: &'static str,
        kind: KnobType,
        default: impl Into<Value>,
        doc: &'static str,
        source: &'static str,
    ) -> Self {
        let (doc, source) = (prose(doc), prose(source));
        let default = default.into();
        Self {
            path,
            label,
            doc,
            kind,
            choices: Vec::new(),
            min: None,
            max: None,
            default,
            source,
            applies: Applies::Boot,
            follows_version: false,
            cpu_list: false,
            release: false,
            object: None,
        }
    }
    pub(crate) fn named<T: Named>(
        path: &'static str,
        label: &'static str,
        default: T,
        doc: &'static str,
        source: &'static str,
    ) -> Self {
        let choices = T::ALL.iter().map(|choice| (choice.name(), prose(choice.doc())));
        Self::new(path, label, KnobType::Enum, default.name(), doc, source).words(choices)
    }
    /// Whether its values are whole numbers: an integer's, or an enum's whose choices all are.
    /// Values of an integer can still be words ([`Knob::choices`]).
    pub fn is_whole(&self) -> bool {
        match self.kind {
            KnobType::Integer => true,
            KnobType::Enum => {
                let mut choices = self.choices.iter();
                !self.choices.is_empty() && choices.all(|choice| choice.value.is_i64())
            }
            KnobType::Time | KnobType::Boolean | KnobType::Text => false,
        }
    }
    pub(crate) fn words<V: Into<Value>>(
        mut self,
        choices: impl IntoIterator<Item = (V, &'static str)>,
    ) -> Self {
        self.choices.extend(choices.into_iter().map(|(value, doc)| KnobChoice {
            value: value.into(),
            formerly: None,
            doc,
        }));
        self
    }
    /// The spellings of before: the word that is written now, and how it was written.
    pub(crate) fn formerly(mut self, spellings: &[(&str, &'static str)]) -> Self {
        for choice in &mut self.choices {
            let now = choice.value.as_str();
            let spelling = spellings.iter().find(|(word, _)| now == Some(word));
            choice.formerly = spelling.map(|(_, before)| *before);
        }
        self
    }
    pub(crate) fn range(mut self, min: u64, max: u64) -> Self {
        (self.min, self.max) = (Some(min), Some(max));
        self
    }
    pub(crate) fn live(mut self) -> Self {
        self.applies = Applies::Live;
        self
    }
    /// `kernel.version` decides it where the scenario does not state it: the rows of the table of
    /// kernels and CFS bandwidth control. A chosen row is none of them: the preemption model is
    /// chosen when a kernel is built, among those the version offers.
    pub(crate) fn follows_version(mut self) -> Self {
        self.follows_version = true;
        self
    }
    /// A text that lists CPUs.
    pub(crate) fn cpu_list(
        path: &'static str,
        label: &'static str,
        default: &'static str,
        doc: &'static str,
        source: &'static str,
    ) -> Self {
        Self { cpu_list: true, ..Self::new(path, label, KnobType::Text, default, doc, source) }
    }
    /// The knob takes any kernel release too.
    pub(crate) fn or_release(mut self) -> Self {
        self.release = true;
        self
    }
    /// The knob takes objects that pass `check` too.
    pub(crate) fn or_object(mut self, check: ObjectCheck) -> Self {
        self.object = Some(check);
        self
    }
    /// The last part of the path: the key in its object.
    pub fn key(&self) -> &'static str {
        self.path.rsplit_once('.').map_or(self.path, |(_, key)| key)
    }
    /// The path of the object that holds the key; "" at the top.
    pub fn parent(&self) -> &'static str {
        self.path.rsplit_once('.').map_or("", |(parent, _)| parent)
    }
}

/// `text` for people, absent where the crate is built without it.
#[inline(always)]
pub(crate) const fn prose(text: &'static str) -> &'static str {
    if cfg!(feature = "prose") { text } else { "" }
}
