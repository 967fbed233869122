//! Judging the steps, key by key.

use schedscope_engine::named::Named;
use schedscope_engine::setup::{CPUS_MAX, Setup};

use super::words::{CHOICE_CHARS, CHOICES, COUNT, HEROES, MEANINGS, Moment, SIDES};
use crate::error::{Fault, nearest, one_of};
use crate::knobs::all::{knob, lookup};
use crate::knobs::setting::typed;
use crate::metrics::names::MetricNames;
use crate::metrics::{is_metric, nearest_metric};
use crate::reading::json::{Node, Value, join};
use crate::reading::values::{integer, known_object, list, missing, object, text, wrong_kind};
use crate::text::readable as shorten;
use crate::units::{parse_cpu_list, parse_time};

/// Most words of a caption; the text between two braces counts as one.
const CAPTION_WORDS: usize = 20;
/// Longest time in a step: that of a run, ns.
const TIME_MAX_NS: u64 = 86_400_000_000_000;

/// What a moment can be narrowed by.
const NARROWED: &[&str] = &["lock", "task", "group", "cpu", "nth"];

const STEP_KEYS: &[&str] = &[
    "caption", "question", "view", "focus", "side", "speed", "playhead", "answer", "slow", "hero",
    "set", "bet", "choices", "note", "same",
];
/// Most stretches that play slowly.
const SLOW_MAX: usize = 4;
const FOCUS_KEYS: &[&str] = &["lanes", "lock", "group", "wakeup"];

/// Judges the form of the steps; what they name is judged by [`check_names`], which knows the run.
pub(crate) fn check(root: &Node) -> Result<(), Fault> {
    let Some(member) = root.member("steps") else { return Ok(()) };
    let steps = list(&member.value, "steps", COUNT.1)?;
    if steps.len() < COUNT.0 {
        return Err(Fault::new(
            member.value.at,
            "steps",
            format!("there are {} steps", steps.len()),
        )
        .expected(format!("{} to {}, or no \"steps\" at all", COUNT.0, COUNT.1)));
    }
    if let Some(set) = steps.first().and_then(|step| step.member("set")) {
        return Err(Fault::new(
            set.at,
            "steps[0].set",
            "the first step is the opening view: it flips nothing",
        )
        .expected("\"set\" in a later step, or a variant"));
    }
    steps
        .iter()
        .enumerate()
        .try_for_each(|(index, step)| check_step(step, &format!("steps[{index}]")))
}

fn check_step(step: &Node, path: &str) -> Result<(), Fault> {
    known_object(step, path, STEP_KEYS)?;
    let needed = |key: &str, what: &str| {
        step.member(key).map(|member| &member.value).ok_or_else(|| missing(step, path, key, what))
    };
    caption(
        needed("caption", "what the viewer sees, in at most 20 words")?,
        &join(path, "caption"),
    )?;
    view(needed("view", "two instants, or a stretch around a moment")?, &join(path, "view"))?;
    if step.member("choices").is_some() {
        needed("bet", "the question that \"choices\" answer")?;
    }
    for member in object(step, path)? {
        let (node, path) = (&member.value, join(path, &member.key));
        match member.key.as_str() {
            "focus" => focus(node, &path)?,
            "side" => one(node, &path, &SIDES)?,
            "hero" => hero(node, &path)?,
            "speed" => time(node, &path).and_then(|ns| not_zero(node, &path, ns))?,
            "playhead" | "answer" => time(node, &path).map(drop)?,
            "slow" => slow(node, &path)?,
            "set" => changes(node, &path)?,
            "question" | "bet" | "note" => text(node, &path).map(drop)?,
            "choices" => choices(node, &path)?,
            "same" => boolean(node, &path)?,
            _ => {}
        }
    }
    Ok(())
}

/// The texts between braces, in order; a brace without its other is refused.
fn braces<'n>(node: &Node, path: &str, words: &'n str) -> Result<Vec<&'n str>, Fault> {
    let wrong = || {
        Fault::new(node.at, path, "a brace stands without its other")
            .expected("{PATH a}, {PATH b} or no braces")
    };
    let mut found = Vec::new();
    let mut rest = words;
    while let Some((before, after)) = rest.split_once('{') {
        let (inside, after) = after.split_once('}').ok_or_else(wrong)?;
        if before.contains('}') || inside.contains('{') {
            return Err(wrong());
        }
        found.push(inside);
        rest = after;
    }
    if rest.contains('}') { Err(wrong()) } else { Ok(found) }
}

/// At most twenty words, and figures that are filled in from the run: `{rq_lock.max_waiters a}`,
/// `{machine.cpus}`, `{wakeup b}`.
fn caption(node: &Node, path: &str) -> Result<(), Fault> {
    let caption = text(node, path)?;
    let figures = braces(node, path, caption)?;
    let plain = figures
        .iter()
        .fold(caption.to_owned(), |text, figure| text.replacen(&format!("{{{figure}}}"), "0", 1));
    let words = plain.split_whitespace().count();
    if words == 0 || words > CAPTION_WORDS {
        return Err(Fault::new(node.at, path, format!("the caption has {words} words")).expected(
            format!("one sentence of 1 to {CAPTION_WORDS} words; put the rest into \"note\""),
        ));
    }
    figures.iter().try_for_each(|figure| check_figure(node, path, figure))
}

fn check_figure(node: &Node, path: &str, figure: &str) -> Result<(), Fault> {
    let expected =
        "a metric and a side, {rq_lock.max_waiters a}; {wakeup a}; or a knob, {machine.cpus}";
    let (name, side) =
        figure.rsplit_once(' ').map_or((figure, None), |(name, side)| (name, Some(side)));
    let known = side.is_none_or(|side| SIDES.contains(&side));
    let measured = name == "wakeup" || is_metric(name);
    if known && (knob(name).is_some() || measured && side.is_some()) {
        return Ok(());
    }
    let near = if measured { Some(name.to_owned()) } else { nearest_metric(name) };
    let side = side.filter(|_| known).unwrap_or("a");
    Err(refused(
        node,
        path,
        "there is no figure",
        figure,
        expected,
        near.map(|near| format!("{{{near} {side}}}")),
    ))
}

/// `what "name"`, with what would be right.
#[inline(never)]
fn refused(
    node: &Node,
    path: &str,
    what: &str,
    name: &str,
    expected: &str,
    near: Option<String>,
) -> Fault {
    Fault::new(node.at, path, format!("{what} \"{}\"", shorten(name)))
        .expected(expected)
        .suggest(near)
}

fn view(node: &Node, path: &str) -> Result<(), Fault> {
    let members = object(node, path)?;
    if !members.iter().any(|member| member.key == "moment") {
        known_object(node, path, &["from", "to"])?;
        let get = |key: &str| {
            node.member(key)
                .ok_or_else(|| missing(node, path, key, "\"from\" and \"to\", or a \"moment\""))
        };
        let from = time(&get("from")?.value, &join(path, "from"))?;
        let to = &get("to")?.value;
        if time(to, &join(path, "to"))? <= from {
            return Err(Fault::new(to.at, join(path, "to"), "the view ends before it begins")
                .expected("an instant after \"from\""));
        }
        return Ok(());
    }
    let moment = named_moment(node, path)?;
    let allowed: Vec<&str> = ["moment", "before", "after", "side"]
        .into_iter()
        .chain(moment.keys().iter().copied())
        .collect();
    if let Some(member) = members.iter().find(|member| {
        NARROWED.contains(&member.key.as_str()) && !allowed.contains(&member.key.as_str())
    }) {
        let message = format!("\"{}\" says nothing of \"{}\"", member.key, moment.name());
        return Err(Fault::new(member.at, join(path, &member.key), message)
            .expected(format!("one of {}", allowed.join(", "))));
    }
    known_object(node, path, &allowed)?;
    let mut span = 0;
    for key in ["before", "after"] {
        let member = node.member(key).ok_or_else(|| {
            missing(node, path, key, "how much is shown before and after, such as \"50us\"")
        })?;
        span += time(&member.value, &join(path, key))?;
    }
    not_zero(node, path, span)?;
    for member in members {
        let (value, path) = (&member.value, join(path, &member.key));
        match member.key.as_str() {
            "side" => one(value, &path, &SIDES)?,
            "nth" => integer(value, &path, 1, 1_000_000).map(drop)?,
            "cpu" => integer(value, &path, 0, i64::from(CPUS_MAX) - 1).map(drop)?,
            "lock" | "task" | "group" => text(value, &path).map(drop)?,
            _ => {}
        }
    }
    Ok(())
}

/// Stretches, each as two instants.
fn slow(node: &Node, path: &str) -> Result<(), Fault> {
    list(node, path, SLOW_MAX)?.iter().enumerate().try_for_each(|(index, stretch)| {
        let path = format!("{path}[{index}]");
        let (from, to) = match list(stretch, &path, 2)? {
            [from, to] => (time(from, &path)?, time(to, &path)?),
            _ => (0, 0),
        };
        if from < to {
            return Ok(());
        }
        Err(Fault::new(stretch.at, path, "this is not a stretch")
            .expected("two times, the later one last: [\"10us\", \"20us\"]"))
    })
}

/// Answers to the step's bet, each once.
fn choices(node: &Node, path: &str) -> Result<(), Fault> {
    let choices = list(node, path, CHOICES.1)?;
    if choices.len() < CHOICES.0 {
        return Err(Fault::new(node.at, path, "there are fewer than two choices")
            .expected("2 to 4 texts, first what the runs show, or no \"choices\" at all"));
    }
    let mut before = Vec::new();
    for (index, choice) in choices.iter().enumerate() {
        let path = format!("{path}[{index}]");
        let words = text(choice, &path)?;
        let fits = (1..=CHOICE_CHARS).contains(&words.chars().count());
        if !fits || before.contains(&words) {
            let expected = "a text of 1 to 32 characters, unlike the other choices";
            return Err(refused(choice, &path, "this is no choice:", words, expected, None));
        }
        before.push(words);
    }
    Ok(())
}

fn named_moment(node: &Node, path: &str) -> Result<Moment, Fault> {
    let (member, path) = (node.member("moment").map(|member| &member.value), join(path, "moment"));
    let member = member.unwrap_or(node);
    let name = text(member, &path)?;
    Moment::parse(name).ok_or_else(|| {
        let near = nearest(name, Moment::ALL.iter().map(|moment| moment.name()));
        refused(
            member,
            &path,
            "there is no moment",
            name,
            &one_of(Moment::ALL.iter().map(|moment| moment.name())),
            near,
        )
    })
}

fn focus(node: &Node, path: &str) -> Result<(), Fault> {
    known_object(node, path, FOCUS_KEYS)?;
    for member in object(node, path)? {
        let (value, path) = (&member.value, join(path, &member.key));
        let name = text(value, &path)?;
        if member.key == "lanes" && parse_cpu_list(name).is_none() {
            return Err(refused(
                value,
                &path,
                "this is not a list of CPUs:",
                name,
                "CPUs such as \"0-3,8\"",
                None,
            ));
        }
    }
    Ok(())
}

fn changes(node: &Node, path: &str) -> Result<(), Fault> {
    let members = object(node, path)?;
    if members.is_empty() {
        return Err(Fault::new(node.at, path, "the step flips nothing")
            .expected("knob paths and values, or no \"set\""));
    }
    members.iter().try_for_each(|member| {
        let knob = lookup(&member.key, member.at)?;
        typed(knob, &member.value).map(drop).map_err(|fault| fault.of_group(&member.key))
    })
}

fn one(node: &Node, path: &str, names: &[&str]) -> Result<(), Fault> {
    let name = text(node, path)?;
    if names.contains(&name) {
        return Ok(());
    }
    let near = nearest(name, names.iter().copied());
    Err(refused(node, path, "there is no side", name, &one_of(names), near))
}

fn hero(node: &Node, path: &str) -> Result<(), Fault> {
    let name = text(node, path)?;
    if HEROES.contains(&name) {
        return Ok(());
    }
    let near = nearest(name, HEROES.iter().copied());
    Err(refused(node, path, "there is no hero", name, &one_of(HEROES), near))
}

fn boolean(node: &Node, path: &str) -> Result<(), Fault> {
    if matches!(node.value, Value::Bool(_)) {
        Ok(())
    } else {
        Err(wrong_kind(node, path, "true or false"))
    }
}

fn time(node: &Node, path: &str) -> Result<u64, Fault> {
    let words = text(node, path)?;
    parse_time(words).filter(|ns| *ns <= TIME_MAX_NS).ok_or_else(|| {
        refused(
            node,
            path,
            "this is not a time:",
            words,
            "digits and a unit: \"100us\", \"1.5ms\"",
            None,
        )
    })
}

fn not_zero(node: &Node, path: &str, ns: u64) -> Result<(), Fault> {
    if ns > 0 {
        Ok(())
    } else {
        Err(Fault::new(node.at, path, "no time passes here").expected("more than 0"))
    }
}

/// Refuses steps that name tasks, groups, locks or figures the scenario does not have.
pub(crate) fn check_names(root: &Node, setup: &Setup, names: &MetricNames) -> Result<(), Fault> {
    let Some(Value::Array(steps)) = root.member("steps").map(|member| &member.value.value) else {
        return Ok(());
    };
    let tasks: Vec<&str> =
        setup.tasks.iter().flat_map(|task| [task.kind.as_str(), task.name.as_str()]).collect();
    let groups: Vec<&str> = setup
        .groups
        .iter()
        .map(|group| group.path.as_str())
        .filter(|path| !path.is_empty())
        .collect();
    let locks = schedscope_engine::kernel::rt::root_domain::lock_names(setup);
    let locks: Vec<&str> = locks.iter().map(String::as_str).collect();
    for (index, step) in steps.iter().enumerate() {
        let path = format!("steps[{index}]");
        for part in ["view", "focus"] {
            let Some(node) = step.member(part).map(|member| &member.value) else { continue };
            for (key, known) in
                [("task", &tasks), ("wakeup", &tasks), ("group", &groups), ("lock", &locks)]
            {
                let meaning = MEANINGS
                    .iter()
                    .find(|(of, _)| part == "focus" && *of == key)
                    .map(|(_, meaning)| *meaning);
                if let Some(member) = node.member(key) {
                    known_name(&member.value, &format!("{path}.{part}.{key}"), known, meaning)?;
                }
            }
        }
        if let Some(caption) = step.member("caption").map(|member| &member.value) {
            check_figure_names(caption, &format!("{path}.caption"), names)?;
        }
    }
    Ok(())
}

fn check_figure_names(caption: &Node, path: &str, names: &MetricNames) -> Result<(), Fault> {
    let figures = braces(caption, path, text(caption, path)?)?;
    let metrics =
        figures.iter().filter_map(|figure| figure.rsplit_once(' ')).map(|(metric, _)| metric);
    match metrics.filter(|metric| is_metric(metric)).find(|metric| !names.can_hold(metric)) {
        None => Ok(()),
        Some(metric) => {
            let expected = "the name of one of its tasks, kinds or groups";
            Err(refused(
                caption,
                path,
                "the scenario has nothing to measure as",
                metric,
                expected,
                names.nearest(metric),
            ))
        }
    }
}

fn known_name(node: &Node, path: &str, known: &[&str], meaning: Option<&str>) -> Result<(), Fault> {
    let name = text(node, path)?;
    if known.contains(&name) || meaning == Some(name) {
        return Ok(());
    }
    let expected = meaning.map_or("the name of one of its own".to_owned(), |word| {
        format!("\"{word}\", or the name of one of its own")
    });
    let near = nearest(name, known.iter().copied().chain(meaning));
    Err(refused(node, path, "the scenario has no", name, &expected, near))
}
