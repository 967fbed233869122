//! Reading a knob's value: it is typed by its knob, never by its look.

use schedscope_engine::kernel::config::{Version, newest_up_to};

use super::knob::{Knob, KnobType};
use super::not_yet::NOT_YET_VALUES;
use crate::error::{Fault, nearest, one_of};
use crate::reading::json::{Member, Node, Value};
use crate::reading::tree::{find, find_or_make, remove};
use crate::reading::values::{flag, is_whole, not_taken};
use crate::text::readable as shorten;
use crate::units::{parse_time, time_text};

/// A knob's value once its type is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    /// An enum's choice, a special word, or free text.
    Word(String),
    /// A whole number.
    Integer(u64),
    /// A time, ns.
    Time(u64),
    /// `true` or `false`.
    Flag(bool),
    /// An object of switches, judged.
    Object(serde_json::Value),
}

impl Setting {
    /// The value as a scenario file writes it.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Word(word) => word.as_str().into(),
            Self::Integer(number) => (*number).into(),
            Self::Time(ns) => time_text(*ns).into(),
            Self::Flag(flag) => (*flag).into(),
            Self::Object(object) => object.clone(),
        }
    }
}

/// A stated value with its place, for errors found later.
#[derive(Clone, Debug)]
pub(crate) struct Stated {
    pub(crate) setting: Setting,
    /// Byte offset of the value, if it came from the file.
    pub(crate) at: Option<usize>,
}

/// The stated value of `knob`, typed and within its range; `None` if the scenario does not state
/// it.
pub(crate) fn read(root: &Node, knob: &Knob) -> Result<Option<Stated>, Fault> {
    find(root, knob.parent()).map_or(Ok(None), |parent| read_in(parent, knob))
}

/// The stated value of `knob` in `parent`, the object that holds the knob's key.
pub(crate) fn read_in(parent: &Node, knob: &Knob) -> Result<Option<Stated>, Fault> {
    let mut stated: Option<(&Member, u64)> = None;
    for (key, unit_ns) in spellings(knob) {
        let Some(member) = parent.member(&key) else { continue };
        if stated.is_some() {
            let message =
                format!("{} is stated twice, with and without a unit in its key", knob.key());
            return Err(Fault::new(member.at, knob.path, message).expected("one of the two"));
        }
        stated = Some((member, unit_ns));
    }
    let Some((member, unit_ns)) = stated else { return Ok(None) };
    let setting = if unit_ns == 0 {
        typed(knob, &member.value)?
    } else {
        typed_units(knob, &member.value, unit_ns)?
    };
    Ok(Some(Stated { setting, at: member.value.at }))
}

/// Keys a knob may be written under; the number is the unit of an integer key, 0 for the plain key.
pub(crate) fn spellings(knob: &Knob) -> Vec<(String, u64)> {
    let mut keys = vec![(knob.key().to_owned(), 0)];
    if knob.kind == KnobType::Time {
        keys.extend([(format!("{}_ns", knob.key()), 1), (format!("{}_us", knob.key()), 1_000)]);
    }
    keys
}

pub(crate) fn typed(knob: &Knob, node: &Node) -> Result<Setting, Fault> {
    if let Some(setting) = choice(knob, node) {
        return Ok(setting);
    }
    if let (true, Value::Text(text)) = (knob.release, &node.value)
        && let Some(release) = Version::read(text)
    {
        return Ok(Setting::Word(release.version.to_string()));
    }
    if let (Some(check), Value::Object(_)) = (knob.object, &node.value) {
        check(node)?;
        return Ok(Setting::Object(node.to_json()));
    }
    if let (KnobType::Boolean, Some(flag)) = (knob.kind, flag(node)) {
        return Ok(Setting::Flag(flag));
    }
    match (knob.kind, &node.value) {
        (KnobType::Integer, Value::Number(text)) => match text.parse::<u64>() {
            Ok(number) if in_range(knob, number) => Ok(Setting::Integer(number)),
            _ => Err(wrong(knob, node, not_taken(text))),
        },
        (KnobType::Time, Value::Text(text)) => match parse_time(text) {
            Some(ns) if in_range(knob, ns) => Ok(Setting::Time(ns)),
            Some(_) => Err(wrong(knob, node, format!("\"{}\" is out of range", shorten(text)))),
            None => Err(wrong(knob, node, bad_time(text))),
        },
        (KnobType::Text, Value::Text(text)) => Ok(Setting::Word(text.clone())),
        (KnobType::Enum, Value::Text(text)) => Err(unknown_choice(knob, node, text)),
        _ => Err(wrong_type(knob, node)),
    }
}

fn choice(knob: &Knob, node: &Node) -> Option<Setting> {
    knob.choices.iter().find_map(|choice| match (&node.value, &choice.value) {
        (Value::Text(text), serde_json::Value::String(word))
            if text == word || choice.formerly == Some(text) =>
        {
            Some(Setting::Word(word.clone()))
        }
        (Value::Number(text), serde_json::Value::String(word))
            if knob.kind == KnobType::Integer && text == word =>
        {
            Some(Setting::Word(word.clone()))
        }
        (Value::Number(text), serde_json::Value::Number(number)) if *text == number.to_string() => {
            number.as_u64().map(Setting::Integer)
        }
        _ => None,
    })
}

fn in_range(knob: &Knob, number: u64) -> bool {
    knob.min.is_none_or(|min| number >= min) && knob.max.is_none_or(|max| number <= max)
}

fn typed_units(knob: &Knob, node: &Node, unit_ns: u64) -> Result<Setting, Fault> {
    let unit = if unit_ns == 1 { "ns" } else { "µs" };
    let Value::Number(text) = &node.value else {
        let message = format!("{} where a whole number of {unit} is needed", node.kind());
        return Err(
            Fault::new(node.at, knob.path, message).expected(format!("a whole number of {unit}"))
        );
    };
    let ns = text.parse::<u64>().ok().and_then(|number| number.checked_mul(unit_ns));
    match ns {
        Some(ns) if in_range(knob, ns) => Ok(Setting::Time(ns)),
        _ if is_whole(text) => {
            Err(wrong(knob, node, format!("{} {unit} is out of range", shorten(text))))
        }
        _ => Err(wrong(knob, node, not_taken(text))),
    }
}

fn bad_time(text: &str) -> String {
    match text.strip_prefix('-') {
        Some(positive) if parse_time(positive).is_some() => {
            format!("\"{}\" is negative", shorten(text))
        }
        _ => format!("\"{}\" is not a time", shorten(text)),
    }
}

fn wrong(knob: &Knob, node: &Node, message: String) -> Fault {
    Fault::new(node.at, knob.path, message).expected(expectation(knob))
}

fn wrong_type(knob: &Knob, node: &Node) -> Fault {
    let numeric_choices = knob.choices.iter().any(|choice| choice.value.is_number());
    let fix = match (&node.value, knob.kind) {
        (Value::Number(_), KnobType::Enum) if numeric_choices => None,
        (Value::Number(text), KnobType::Enum | KnobType::Text) => Some(format!("\"{text}\"")),
        (Value::Number(text), KnobType::Time) => Some(format!("\"{text}us\"")),
        (Value::Text(text), KnobType::Integer) => {
            text.parse::<u64>().ok().map(|number| number.to_string())
        }
        (Value::Text(text), KnobType::Boolean) if text == "true" || text == "false" => {
            Some(text.clone())
        }
        _ => None,
    };
    let shown = match &node.value {
        Value::Number(text) => format!("the number {}", shorten(text)),
        Value::Text(text) => format!("the text \"{}\"", shorten(text)),
        _ => node.kind().to_owned(),
    };
    let message = match &node.value {
        // The command line passes the text behind the = as a string.
        Value::Text(text)
            if knob.kind == KnobType::Integer
                && !text.is_empty()
                && is_whole(text)
                && text.parse::<u64>().is_err() =>
        {
            not_taken(text)
        }
        _ => format!("{shown} stands where {} is needed", needed(knob.kind)),
    };
    wrong(knob, node, message).suggest(fix)
}

fn needed(kind: KnobType) -> &'static str {
    match kind {
        KnobType::Integer => "a whole number",
        KnobType::Time => "a time with its unit",
        KnobType::Boolean => "true or false",
        KnobType::Enum => "one of the choices",
        KnobType::Text => "a text",
    }
}

fn unknown_choice(knob: &Knob, node: &Node, text: &str) -> Fault {
    let listed = NOT_YET_VALUES.iter().find(|(path, _)| *path == knob.path);
    let missing = listed.is_some_and(|(_, values)| values.contains(&text));
    let message = if missing {
        format!("\"{text}\" is not modelled")
    } else {
        format!("there is no \"{}\"", shorten(text))
    };
    let words = knob.choices.iter().filter_map(|choice| choice.value.as_str());
    let bare =
        knob.choices.iter().map(|choice| choice.value.to_string()).find(|choice| choice == text);
    let near = if missing {
        None
    } else if let (true, Some(release)) = (knob.release, newest_up_to(text)) {
        // The kernel below, never the nearest spelling.
        Some(format!("\"{release}\""))
    } else {
        bare.or_else(|| nearest(text, words).map(|word| format!("\"{word}\"")))
    };
    wrong(knob, node, message).suggest(near)
}

/// Which releases there are.
const RELEASES: &str = "a release from \"2.6.24\" to \"7.3\", as uname -r prints it";

/// What values a knob takes, in words.
pub fn expectation(knob: &Knob) -> String {
    let choices: Vec<String> = knob.choices.iter().map(|choice| choice.value.to_string()).collect();
    let (min, max) = (knob.min.unwrap_or(0), knob.max.unwrap_or(u64::MAX));
    let range = match knob.kind {
        KnobType::Enum if knob.release => {
            let is_release = |choice: &String| {
                Version::parse(choice.trim_matches('"')).is_some_and(|of| !of.is_posted())
            };
            let words = choices.into_iter().filter(|choice| !is_release(choice));
            return one_of(std::iter::once(RELEASES.to_owned()).chain(words));
        }
        KnobType::Enum => return one_of(choices),
        KnobType::Boolean => "true or false".to_owned(),
        KnobType::Text => "a text".to_owned(),
        KnobType::Integer => format!("a whole number from {min} to {max}"),
        KnobType::Time => format!(
            "a time with its unit (ns, us, ms, s) from \"{}\" to \"{}\"",
            time_text(min),
            time_text(max)
        ),
    };
    one_of(std::iter::once(range).chain(choices))
}

/// States `node` for `knob`, in the place of what is stated.
pub(crate) fn put(root: &mut Node, knob: &Knob, node: Node) {
    for (key, _) in spellings(knob) {
        remove(root, knob.parent(), &key);
    }
    let member = Member { key: knob.key().to_owned(), at: None, value: node };
    if let Some(Node { value: Value::Object(members), .. }) = find_or_make(root, knob.parent()) {
        members.push(member);
    }
}
