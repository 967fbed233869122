//! What a person names as a scenario: a shipped one, a file, or a link.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use schedscope_scenario::knobs::{KnobType, knob};
use schedscope_scenario::link::{self, Link, LinkError, LinkErrorCode};
use schedscope_scenario::text::shown;
use schedscope_scenario::units::parse_time;
use schedscope_scenario::{
    Document, LiveWrite, ScenarioError, TEXT_MAX, Variant, costs_of_file, expectation, json_value,
    knobs, nearest, one_spelling, readable,
};
use serde_json::Value;

use crate::failure::Failure;
use crate::inputs;
use crate::numbers::grouped;
use crate::variant::named;

/// Unknown keys of a link that are named.
const UNKNOWN_SHOWN: usize = 10;

/// Most characters of a file's name in a message.
const NAME_MAX: usize = 200;

/// A knob path and its value.
pub type Set = Vec<(String, Value)>;

/// The error for an unusable link, with a way to mend it.
fn unusable(error: &LinkError) -> Failure {
    let again = match error.code {
        LinkErrorCode::Cut | LinkErrorCode::Changed | LinkErrorCode::Payload => {
            "\n  copy the whole link again, and put it in single quotes"
        }
        _ => "",
    };
    let alone =
        error.slug.as_ref().filter(|slug| is_plain(slug)).map_or_else(String::new, |slug| {
            format!("\n  the scenario without what the link changes: schedscope run {slug}")
        });
    Failure::usage(format!("{error}{again}{alone}"))
}

/// A name that a shell needs no quotes for.
fn is_plain(slug: &str) -> bool {
    !slug.is_empty() && slug.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// A scenario's text, and the changes of a link.
#[derive(Debug)]
pub struct Target {
    /// What was asked for.
    pub name: String,
    /// The scenario's own name.
    pub slug: String,
    /// The file's text.
    text: String,
    /// The text, read; empty until a command asks for it.
    document: OnceLock<Result<Document, ScenarioError>>,
    /// The link it came from, if it came from one.
    pub link: Option<Link>,
    /// What a person should know of the link.
    pub notes: Vec<String>,
}

impl Target {
    /// Finds and reads the scenario that `name` means.
    ///
    /// # Errors
    /// There is no such scenario, or its text cannot be read.
    pub fn find(name: &str) -> Result<Self, Failure> {
        if name.is_empty() {
            return Err(Failure::usage(
                "the scenario's name is empty\n  expected: a shipped scenario (`schedscope list`), \
                    a file, or a link",
            ));
        }
        let path = Path::new(name);
        if !path.exists() && link::looks_like_link(name) {
            return Self::of_link(name);
        }
        // A scenario's folder means the file in it, unless a shipped scenario has the name.
        let inside = path.join("scenario.json");
        // Anything else that exists and is no folder, such as a pipe, is read.
        let is_other = path.exists() && !path.is_dir();
        if is_slug(name) && !is_other && (!inside.is_file() || is_shipped(name)) {
            return Self::shipped(name);
        }
        let path = if inside.is_file() { inside.as_path() } else { path };
        if path.is_dir() {
            return Err(Failure::usage(format!(
                "{name} is a folder without a scenario.json\n  expected: the name of a shipped \
                    scenario (`schedscope list`), a scenario file, or a folder with a \
                    scenario.json in it"
            )));
        }
        let text = read(name, path, "the scenario's own file")?;
        Ok(Self::new(name, slug_of(path), text))
    }

    /// A scenario of that name, given as its text.
    pub fn of_text(slug: &str, text: String) -> Self {
        Self::new(slug, slug.to_owned(), text)
    }

    fn new(name: &str, slug: String, text: String) -> Self {
        Self {
            name: name.to_owned(),
            slug,
            text,
            document: OnceLock::new(),
            link: None,
            notes: Vec::new(),
        }
    }

    fn shipped(slug: &str) -> Result<Self, Failure> {
        let folder = scenarios_folder()?;
        let file = folder.join(slug).join("scenario.json");
        if !file.is_file() {
            let known = schedscope_scenario::shipped(&folder).map_err(Failure::usage)?;
            let known: Vec<&str> = known.iter().map(|entry| entry.slug.as_str()).collect();
            let near = nearest(slug, known.iter().copied())
                .map_or_else(String::new, |near| format!("\n  did you mean: {near}"));
            return Err(Failure::usage(format!(
                "there is no scenario and no file \"{slug}\"\n  expected: a file, a link, or one \
                    of {}{near}",
                known.join(", ")
            )));
        }
        let text = read(slug, &file, "the scenario's own file")?;
        Ok(Self::new(slug, slug.to_owned(), text))
    }

    fn of_link(address: &str) -> Result<Self, Failure> {
        let link = link::parse(address).map_err(|error| unusable(&error))?;
        refuse_twins(&link)?;
        let mut target = match (&link.slug, &link.scenario) {
            (Some(slug), _) => Self::shipped(slug)?,
            (None, text) => Self::new(address, "lab".to_owned(), text.clone().unwrap_or_default()),
        };
        target.name = address.to_owned();
        target.notes = notes(&link);
        target.link = Some(link);
        Ok(target)
    }

    /// The text of the scenario's file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What a command that repeats a run calls the scenario: the changes of a link to a shipped
    /// scenario are spelt out, so the scenario's own name is enough.
    pub fn name_for_commands(&self) -> &str {
        let names_scenario = self.link.as_ref().is_some_and(|link| link.slug.is_some());
        if names_scenario { &self.slug } else { &self.name }
    }

    /// The scenario, read: once, when it is first asked for.
    pub fn document(&self) -> Result<&Document, Failure> {
        let read = self.document.get_or_init(|| Document::read(&self.text));
        read.as_ref().map_err(|error| self.invalid(error.clone()))
    }

    /// A note that the link's changes for one side are left out where only one run is made; none if
    /// it has no such changes.
    pub fn note_of_one_run(&self) -> Option<&'static str> {
        let link = self.link.as_ref()?;
        let of_one_side = link.a.len() + link.b.len() > 2 * link.both.len()
            || link.live.iter().any(|live| live.whose != 'k');
        of_one_side.then_some(
            "what this link sets for side A or B alone is left out; `schedscope compare` takes it",
        )
    }

    /// The changes of the link as text for knobs to read; none without a link. A link that changes
    /// the version but keeps what the file states beside the version states that too, unless the
    /// side's variant (`variant`) does.
    pub fn link_set(&self, whose: Whose, variant: &[(String, Value)]) -> Set {
        let Some(link) = &self.link else { return Set::new() };
        let pairs = match whose {
            Whose::Both => &link.both,
            Whose::Side(0) => &link.a,
            Whose::Side(_) => &link.b,
        };
        let own: Set = pairs
            .iter()
            .map(|(path, value)| (path.clone(), Value::String(value.clone())))
            .collect();
        let states =
            |set: &[(String, Value)], path: &str| set.iter().any(|(stated, _)| stated == path);
        if !link.keep_stated || !states(&own, "kernel.version") {
            return own;
        }
        let stated = self.document().map(Document::stated_switches).unwrap_or_default();
        let kept =
            stated.into_iter().filter(|(path, _)| !states(&own, path) && !states(variant, path));
        kept.chain(own.iter().cloned()).collect()
    }

    /// The changes to the scenario's file for one run, in order: the variant of that name, the
    /// link's changes for both sides, then `own`; and the variant's place.
    ///
    /// # Errors
    /// The scenario has no such variant.
    pub fn sets(&self, variant: Option<&str>, own: Set) -> Result<(Set, Option<usize>), Failure> {
        let (index, variant) = variant.map(|name| named(self, name)).transpose()?.unzip();
        let mut set = variant.map(|variant| variant.set).unwrap_or_default();
        let of_link = self.link_set(Whose::Both, &set);
        set.extend(of_link);
        set.extend(own);
        Ok((set, index))
    }

    /// The settings of a side of a link: its variant, then the link's changes.
    pub fn set_of_side(&self, side: usize, variant: Option<&Variant>) -> Set {
        let mut set: Set = variant.map(|variant| variant.set.clone()).unwrap_or_default();
        let own = self.link_set(Whose::Side(side), &set);
        set.extend(own);
        set
    }

    /// The link's writes to the running kernel of a side, or of both, and then those of the flags.
    pub fn live(&self, whose: Whose, flags: &[LiveWrite]) -> Vec<LiveWrite> {
        let letter = match whose {
            Whose::Both => None,
            Whose::Side(0) => Some('a'),
            Whose::Side(_) => Some('b'),
        };
        let of_link = self
            .link
            .iter()
            .flat_map(|link| &link.live)
            .filter(|live| live.whose == 'k' || Some(live.whose) == letter);
        let of_link = of_link.filter_map(|live| {
            Some(LiveWrite {
                at_ns: parse_time(&live.at)?,
                path: live.path.clone(),
                value: live.value.clone(),
                origin: "the link",
            })
        });
        of_link.chain(flags.iter().cloned()).collect()
    }

    /// An invalid scenario, named as it was asked for.
    pub fn invalid(&self, error: ScenarioError) -> Failure {
        Failure::Scenario(self.name.clone(), Box::new(error))
    }
}

/// What a person should know of a link.
fn notes(link: &Link) -> Vec<String> {
    let unknown = link.unknown.iter().take(UNKNOWN_SHOWN).map(|(key, _)| {
        let what = if key == "keep" { "a value of the key" } else { "a key" };
        format!(
            "this link has {what} \"{}\" that this version does not know; it is ignored",
            readable(key)
        )
    });
    let more = (link.unknown.len() > UNKNOWN_SHOWN).then(|| {
        format!(
            "this link has {} such keys, of which the first {UNKNOWN_SHOWN} are named",
            grouped(link.unknown.len() as u64)
        )
    });
    let writes = link.live.iter().map(|change| {
        let side = if change.whose == 'k' {
            String::new()
        } else {
            format!(" on side {}", change.whose.to_ascii_uppercase())
        };
        let (path, value, at) = (readable(&change.path), readable(&change.value), &change.at);
        format!("this link writes {value} to {path}{side} at {at} of the run")
    });
    unknown.chain(more).chain(writes).collect()
}

/// Refuses a link that sets one knob in two spellings for the same side: which of them is meant?
fn refuse_twins(link: &Link) -> Result<(), Failure> {
    let own = |side: &'_ [(String, String)]| side[link.both.len()..].to_vec();
    for set in [link.both.clone(), own(&link.a), own(&link.b)] {
        for (nth, (path, _)) in set.iter().enumerate() {
            let is_same = |other: &str| one_spelling(other) == one_spelling(path);
            if let Some((twin, _)) = set[..nth].iter().find(|(other, _)| is_same(other)) {
                return Err(Failure::usage(format!(
                    "the link sets one knob twice, as {} and as {}",
                    readable(twin),
                    readable(path)
                )));
            }
        }
    }
    Ok(())
}

fn is_slug(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

fn is_shipped(slug: &str) -> bool {
    scenarios_folder().is_ok_and(|folder| folder.join(slug).join("scenario.json").is_file())
}

/// `rt-pull-herd` of `…/rt-pull-herd/scenario.json`, else the file's name without its ending.
fn slug_of(path: &Path) -> String {
    let folder = path.parent().and_then(Path::file_name);
    let stem = path.file_stem();
    let name = if path.file_name().is_some_and(|name| name == "scenario.json") {
        folder.or(stem)
    } else {
        stem
    };
    name.map_or_else(|| "scenario".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Reads a scenario file or another kind of file, `what`; refuses a file that is too large before
/// reading it.
fn read(name: &str, path: &Path, what: &'static str) -> Result<String, Failure> {
    let shown_name = shown(&path.display().to_string(), NAME_MAX);
    let unreadable = |error: std::io::Error| {
        Failure::usage(format!("cannot read {shown_name}: {error}{}", near_shipped(path)))
    };
    let invalid = |message: String, expected: &str, (line, column): (u32, u32)| {
        let error =
            ScenarioError { expected: Some(expected.to_owned()), ..ScenarioError::whole(message) };
        Failure::Scenario(
            name.to_owned(),
            Box::new(ScenarioError { line: Some(line), column: Some(column), ..error }),
        )
    };
    let size = std::fs::metadata(path).map_err(unreadable)?.len();
    if size > TEXT_MAX as u64 {
        return Err(invalid(
            format!("the file has {size} bytes; at most {TEXT_MAX} are read"),
            "a file of ordinary size",
            (1, 1),
        ));
    }
    // A pipe has no size: read no more than a scenario may have, and one byte to notice that there
    // is more.
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(unreadable)?;
    inputs::opened(what, &file);
    std::io::Read::read_to_end(&mut std::io::Read::take(file, TEXT_MAX as u64 + 1), &mut bytes)
        .map_err(unreadable)?;
    String::from_utf8(bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]);
        let (line, column) = (
            before.matches('\n').count() + 1,
            before.rsplit('\n').next().unwrap_or_default().chars().count() + 1,
        );
        let place =
            (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX));
        invalid("the file is not UTF-8 text".to_owned(), "strict JSON in UTF-8", place)
    })
}

/// The shipped scenario whose name a missing file's is close to: `RT-MIGRATE`, `rt-migrate.json`.
fn near_shipped(path: &Path) -> String {
    let known = scenarios_folder()
        .and_then(|folder| schedscope_scenario::shipped(&folder).map_err(Failure::usage))
        .unwrap_or_default();
    let stem =
        path.file_stem().filter(|_| !path.exists()).map(|stem| stem.to_string_lossy().into_owned());
    let near = stem.and_then(|stem| nearest(&stem, known.iter().map(|entry| entry.slug.as_str())));
    near.map_or_else(String::new, |near| format!("\n  did you mean: {near}"))
}

/// Where a package that brings scenarios along has them.
static BROUGHT: OnceLock<PathBuf> = OnceLock::new();

/// From now on [`scenarios_folder`] is `folder`, unless `SCHEDSCOPE_SCENARIOS` names another one.
/// The first call counts.
pub fn bring_scenarios(folder: PathBuf) {
    let _ = BROUGHT.set(folder);
}

/// Where the shipped scenarios are: `SCHEDSCOPE_SCENARIOS`, those brought along, here or above,
/// beside the program, or the source tree.
///
/// # Errors
/// There are none.
pub fn scenarios_folder() -> Result<PathBuf, Failure> {
    let holds_scenarios = |folder: &PathBuf| {
        std::fs::read_dir(folder).is_ok_and(|mut entries| {
            entries
                .any(|entry| entry.is_ok_and(|entry| entry.path().join("scenario.json").is_file()))
        })
    };
    if let Some(named) = std::env::var_os("SCHEDSCOPE_SCENARIOS").map(PathBuf::from) {
        let missing = || {
            Failure::usage(format!(
                "SCHEDSCOPE_SCENARIOS names {}, which holds no scenarios",
                named.display()
            ))
        };
        return if holds_scenarios(&named) { Ok(named) } else { Err(missing()) };
    }
    let here = std::env::current_dir().ok();
    let program = std::env::current_exe().ok();
    let above =
        |start: &Path| start.ancestors().map(|folder| folder.join("scenarios")).collect::<Vec<_>>();
    let candidates = BROUGHT
        .get()
        .cloned()
        .into_iter()
        .chain(here.as_deref().map(above).unwrap_or_default())
        .chain(program.as_deref().map(above).unwrap_or_default())
        .chain([Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")]);
    let found = candidates.into_iter().find(holds_scenarios);
    found.ok_or_else(|| {
        Failure::usage(
            "the folder of shipped scenarios was not found; set SCHEDSCOPE_SCENARIOS to it",
        )
    })
}

/// `PATH=VALUE` arguments. A value that starts like JSON or holds a comma is JSON, unless its knob
/// takes text; any other is text for its knob to read.
pub fn parse_sets(arguments: &[String]) -> Result<Set, Failure> {
    arguments.iter().map(|argument| parse_set(argument)).collect()
}

fn parse_set(argument: &str) -> Result<(String, Value), Failure> {
    let (path, text) = argument.split_once('=').ok_or_else(|| without_value(argument))?;
    if path.is_empty() {
        return Err(Failure::usage(format!(
            "\"{argument}\" names no knob before its =\n  expected: PATH=VALUE, such as \
                machine.cpus=8"
        )));
    }
    // A list of CPUs holds commas and is a text for all that.
    let is_text = knob(path).is_some_and(|knob| knob.kind == KnobType::Text);
    let is_json = text.starts_with(['"', '[', '{']) || text.contains(',') && !is_text;
    let value = if is_json {
        serde_json::from_str::<serde::de::IgnoredAny>(text).map_err(|error| {
            Failure::usage(format!(
                "the value of {path} holds a comma or starts \
                like JSON, but is not JSON: {error}\n  expected: one value; several are for \
                `schedscope sweep --over`"
            ))
        })?;
        json_value(path, text).map_err(|error| Failure::usage(error.to_string()))?
    } else {
        Value::String(text.to_owned())
    };
    Ok((path.to_owned(), value))
}

/// The error for a change that is no `PATH=VALUE`: with the values of the knob if it exists, else
/// with the nearest name.
fn without_value(argument: &str) -> Failure {
    let expected = match knob(argument) {
        Some(knob) => format!("{argument}=VALUE, where VALUE is {}", expectation(knob)),
        None => "PATH=VALUE, such as machine.cpus=8; `schedscope list --knobs` names every path"
            .to_owned(),
    };
    let near = if knob(argument).is_some() {
        None
    } else {
        nearest(argument, knobs().iter().map(|knob| knob.path))
    };
    let near = near.map_or_else(String::new, |near| format!("\n  did you mean: {near}=VALUE"));
    Failure::usage(format!("\"{argument}\" has no = and no value\n  expected: {expected}{near}"))
}

/// The change that a file of costs means.
pub fn costs_of(path: &Path) -> Result<(String, Value), Failure> {
    let wrong = |error: ScenarioError| {
        Failure::usage(format!("--costs {}: {error}", shown(&path.display().to_string(), NAME_MAX)))
    };
    let text = read("", path, "the file of --costs").map_err(|failure| match failure {
        Failure::Scenario(_, error) => wrong(*error),
        other => other,
    })?;
    Ok(("machine.costs".to_owned(), costs_of_file(&text).map_err(wrong)?))
}

/// The part of a link whose changes are requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The changes for both sides.
    Both,
    /// The changes for a side, 0 or 1: those of both sides, then its own.
    Side(usize),
}
