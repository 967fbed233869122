//! Blocks of lines that are JSON, YAML or HCL: whole files, and parts that people cut out of them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use serde_saphyr::DuplicateKeyPolicy;

use super::json::Node;
use super::{hcl, kernel, outline};

/// A block and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Index of its first line.
    pub line: usize,
    /// How many lines it has.
    pub lines: usize,
    /// `JSON`, `YAML` or `HCL`.
    pub language: &'static str,
    /// The values: a YAML text may have several. The order of keys is lost in them.
    pub values: Vec<Value>,
    /// The lines; empty where they have several values.
    pub text: String,
    /// JSON without comments and other things that JSON does not have.
    pub is_strict: bool,
    /// In which line a key comes first, of the lines that begin with one.
    pub keys: BTreeMap<String, usize>,
}

impl Document {
    /// Each value as a block of its own: a text may hold several manifests.
    pub(super) fn each(self) -> impl Iterator<Item = Self> {
        let mut whole = self;
        let values = std::mem::take(&mut whole.values);
        if values.len() > 1 {
            whole.text.clear();
        }
        values.into_iter().map(move |value| Self { values: vec![value], ..whole.clone() })
    }

    /// A block of `lines[at..at + count]`.
    pub(super) fn of(
        lines: &[String],
        at: usize,
        count: usize,
        language: &'static str,
        values: Vec<Value>,
    ) -> Self {
        let mut keys = BTreeMap::new();
        for (place, line) in lines[at..at + count].iter().enumerate() {
            if let Some(key) = key_of(line) {
                keys.entry(key.to_owned()).or_insert(place);
            }
        }
        let text = lines[at..at + count].join("\n");
        Self { line: at, lines: count, language, values, text, is_strict: false, keys }
    }

    /// The one value of a block as [`Document::each`] gives it.
    pub fn value(&self) -> &Value {
        self.values.first().unwrap_or(&Value::Null)
    }
}

/// Words that begin a block of YAML that is worth reading. Without one of them a line with a colon
/// is a line of its own.
const KEYS: &[&str] = &[
    "apiversion",
    "containerdefinitions",
    "containerrecommendations",
    "containers",
    "cpu_period",
    "cpu_quota",
    "cpulimit",
    "cpus",
    "cpuunits",
    "deploy",
    "initcontainers",
    "kernelarguments",
    "limits",
    "limits.cpu",
    "limits.cpu.allowance",
    "recommendation",
    "requests",
    "resources",
    "services",
    "tasks",
];
/// A line that begins so belongs to a form of its own, even beside YAML.
const ENDS: &[&str] = &[
    "nr_",
    "throttled_",
    "usage_",
    "user_usec",
    "system_usec",
    "burst_",
    "cpu.",
    "CPUs:",
    "some avg",
    "full avg",
];
/// Indentation of a whole file, not of a cut-out one, at most.
const DEPTH_MAX: usize = 200;

/// The block that begins at `lines[at]`; none where that line begins none. `Err`: it is one, but
/// cannot be read; so many lines, and why.
pub fn at(lines: &[String], at: usize) -> Option<Result<Document, (usize, String)>> {
    json_at(lines, at).or_else(|| hcl_at(lines, at).map(Ok)).or_else(|| yaml_at(lines, at))
}

fn hcl_at(lines: &[String], at: usize) -> Option<Document> {
    let (count, value) = hcl::at(lines, at)?;
    Some(Document::of(lines, at, count, "HCL", vec![value]))
}

fn json_at(lines: &[String], at: usize) -> Option<Result<Document, (usize, String)>> {
    // Files of rt-app begin with a comment.
    let begin = at + comments_at(&lines[at..]);
    let first = lines.get(begin)?.trim();
    let first =
        first.strip_prefix("/*").and_then(|text| text.split_once("*/")).map_or(first, |of| of.1);
    let first = first.trim();
    let is_fragment = first.starts_with('"') && key_of_fragment(first);
    if !is_fragment && !begins_json(first, lines[begin + 1..].iter().find(|line| !is_comment(line)))
    {
        return None;
    }
    let mut open = Brackets::default();
    let mut count = begin - at;
    for line in &lines[begin..] {
        let text = line.trim();
        let is_past = is_own(line) || text.starts_with("$ ") || matches!(text, "..." | "…");
        if count > begin - at && (is_past || is_fragment && open.depth == 0 && !goes_on(text)) {
            break;
        }
        count += 1;
        open.read(text);
        if !is_fragment && open.depth <= 0 {
            break;
        }
    }
    let text = lines[at..at + count].join("\n");
    let text = if is_fragment { fragment(&text) } else { text };
    let found = |values: Vec<Value>| Document::of(lines, at, count, "JSON", values);
    if let Ok(value) = serde_json::from_str(&text) {
        return Some(Ok(Document { text, is_strict: true, ..found(vec![value]) }));
    }
    let is_closed = open.depth <= 0;
    let with_comments =
        || is_closed.then(|| Node::read(&text).ok())?.map(|node| vec![node.value()]);
    Some(match parsed(&text).or_else(|why| with_comments().ok_or(why)) {
        Ok(values) => Ok(found(values)),
        // A text that was cut short: its brackets never close.
        Err(_) if open.depth > 0 => {
            let closed = format!("{}{}", without_end(&text), open.closing());
            parsed(&closed)
                .map(found)
                // What follows an open bracket may be something else altogether.
                .map_err(|why| (1, format!("JSON that does not end: {why}")))
        }
        Err(why) => Err((count, format!("no JSON that can be read: {why}"))),
    })
}

/// A line that is a comment of JSON's readers alone.
fn is_comment(line: &str) -> bool {
    let text = line.trim();
    text.is_empty() || text.starts_with("//") || text.starts_with("/*") && text.ends_with("*/")
}

/// How many lines of comments precede JSON.
fn comments_at(lines: &[String]) -> usize {
    const MOST: usize = 100;
    let mut is_open = false;
    let is_open_comment = |line: &&String| {
        let text = line.trim();
        if text.starts_with("//") && !is_open {
            return true;
        }
        let begins = is_open || text.starts_with("/*");
        let end = text.find("*/").filter(|_| begins);
        is_open = begins && end.is_none();
        begins && end.is_none_or(|end| text[end + 2..].trim().is_empty())
    };
    lines.iter().take(MOST).take_while(is_open_comment).count()
}

/// A text that was cut short, without what it ends with where that may be the half of a value.
fn without_end(text: &str) -> &str {
    let text = text.trim_end();
    if !text.ends_with(|sign: char| sign.is_alphanumeric() || sign == '.' || sign == '-') {
        return text.trim_end_matches(',');
    }
    let end = text
        .rfind([',', '{', '['])
        .map_or(0, |at| if text[at..].starts_with(',') { at } else { at + 1 });
    text[..end].trim_end()
}

/// `{` or `[`, alone or before what JSON has there.
fn begins_json(first: &str, next: Option<&String>) -> bool {
    let Some(rest) = first.strip_prefix(['{', '[']).filter(|_| !first.starts_with("{{")) else {
        return false;
    };
    let rest =
        if rest.trim().is_empty() { next.map_or("", |next| next.trim()) } else { rest.trim() };
    rest.starts_with(['"', '{', '[', '}', ']'])
}

/// `"key": …`
fn key_of_fragment(line: &str) -> bool {
    line[1..].split_once('"').is_some_and(|(_, rest)| rest.trim_start().starts_with(':'))
}

/// Whether a line can be the next one of a part that was cut out of JSON.
fn goes_on(text: &str) -> bool {
    text.starts_with('"') && key_of_fragment(text) || text.starts_with(['}', ']'])
}

/// Keys that were cut out of an object, as an object: the brackets of the objects around them are
/// left out.
fn fragment(text: &str) -> String {
    let mut text = text.trim();
    loop {
        let mut open = Brackets::default();
        open.read(text);
        match text.strip_suffix(['}', ']']) {
            Some(rest) if open.depth < 0 => text = rest.trim_end(),
            _ => break,
        }
    }
    format!("{{{}}}", text.trim_end_matches(','))
}

/// Which brackets are open, outside strings.
#[derive(Default)]
struct Brackets {
    depth: i64,
    open: Vec<char>,
    is_comment: bool,
}

impl Brackets {
    fn read(&mut self, text: &str) {
        let (mut is_quoted, mut is_escaped) = (false, false);
        for (at, sign) in text.char_indices() {
            let rest = &text[at..];
            match sign {
                _ if self.is_comment => {
                    self.is_comment = !text[..at + sign.len_utf8()].ends_with("*/")
                }
                '/' if !is_quoted && rest.starts_with("//") => return,
                '/' if !is_quoted && rest.starts_with("/*") => self.is_comment = true,
                _ if is_escaped => is_escaped = false,
                '\\' if is_quoted => is_escaped = true,
                '"' => is_quoted = !is_quoted,
                _ if is_quoted => {}
                '{' | '[' => {
                    self.depth += 1;
                    self.open.push(if sign == '{' { '}' } else { ']' });
                }
                '}' | ']' => {
                    self.depth -= 1;
                    self.open.pop();
                }
                _ => {}
            }
        }
    }

    fn closing(&self) -> String {
        self.open.iter().rev().collect()
    }
}

fn yaml_at(lines: &[String], at: usize) -> Option<Result<Document, (usize, String)>> {
    let is_head = |line: &str| {
        key_of(line).is_some() || line.trim_start().starts_with("- ") || line.trim() == "---"
    };
    if !is_head(&lines[at]) || is_own(&lines[at]) {
        return None;
    }
    let least = indent(&lines[at]);
    let inside = |line: &String| {
        let text = line.trim();
        !is_own(line)
            && !text.starts_with("```")
            && (text.is_empty()
                || text.starts_with('#')
                || is_head(line)
                || indent(line) > least
                || is_template(text)
                || text.starts_with(['}', ']']))
    };
    // A key that comes again at this depth begins another manifest, without a line between them.
    let mut seen = BTreeSet::new();
    let mut is_first = |line: &String| {
        let key = key_of(line).filter(|_| indent(line) == least && !line.trim().starts_with('-'));
        if line.trim() == "---" {
            seen.clear();
        }
        key.is_none_or(|key| seen.insert(key.to_owned()))
    };
    let mut count = lines[at..].iter().take_while(|line| inside(line) && is_first(line)).count();
    while count > 0 && lines[at + count - 1].trim().is_empty() {
        count -= 1;
    }
    let block = &lines[at..at + count];
    let is_known = |line: &String| key_of(line).is_some_and(is_key) || flow_keys(line).any(is_key);
    if !block.iter().any(is_known) {
        return None;
    }
    // `kubectl describe` looks like YAML, and is none.
    if block.iter().any(|line| matches!(line.trim(), "Limits:" | "Requests:")) {
        let values = vec![outline::of(block)];
        return Some(Ok(Document::of(lines, at, count, "YAML", values)));
    }
    let text = plain(block);
    let read = parsed(&text).or_else(|why| {
        // The first line of a block out of a file's middle has lost its indentation.
        head_indented(block).map_or(Err(why.clone()), |text| parsed(&text).map_err(|_| why))
    });
    Some(
        read.map(|values| Document::of(lines, at, count, "YAML", values))
            .map_err(|why| (count, format!("no YAML that can be read: {why}"))),
    )
}

/// A line of another form: `nr_periods 1600` beside a manifest.
fn is_own(line: &str) -> bool {
    let text = line.trim_start();
    let is_head = line.len() - text.len() <= 1;
    ENDS.iter().any(|begin| text.starts_with(begin)) || is_head && kernel::named(text).is_some()
}

/// The key of `key:`, `key: value` and `- key: value`.
fn key_of(line: &str) -> Option<&str> {
    let mut text = line.trim_start();
    while let Some(rest) = text.strip_prefix("- ") {
        text = rest.trim_start();
    }
    let (key, rest) = text.split_once(':')?;
    let key = key.trim_matches(['"', '\'']);
    let is_word = !key.is_empty()
        && key.len() <= 100
        && key.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '_' || sign == 'x')
        && key.chars().all(|sign| sign.is_ascii_alphanumeric() || " _-./()".contains(sign));
    (is_word && (rest.is_empty() || rest.starts_with([' ', '\t']))).then_some(key)
}

fn is_key(key: &str) -> bool {
    KEYS.contains(&key.to_ascii_lowercase().as_str())
}

/// The keys inside the brackets of a line: `spec: {containers: [{name: b}]}`.
fn flow_keys(line: &str) -> impl Iterator<Item = &str> {
    let inside = line.split_once(['{', '[']).map_or("", |(_, inside)| inside);
    let parts = inside.split(['{', '[', ',']).filter_map(|part| part.split_once(':'));
    parts.map(|(key, _)| key.trim().trim_matches(['"', '\'']))
}

fn indent(line: &str) -> usize {
    line.chars().take_while(|sign| *sign == ' ' || *sign == '\t').count().min(DEPTH_MAX)
}

/// A line that is for the program of a template alone: `{{- if .Values.limits }}`.
fn is_template(text: &str) -> bool {
    text.starts_with("{{") && text.ends_with("}}")
}

/// Tabs as two spaces, and a value that YAML takes for something else in quotes: a template's
/// `{{ … }}`.
fn plain(block: &[String]) -> String {
    let lines = block.iter().filter(|line| !is_template(line.trim())).map(|line| {
        let line = line.replace('\t', "  ").replace(['“', '”'], "\"");
        match line.split_once(": ") {
            Some((key, value)) if value.trim_start().starts_with("{{") => {
                format!("{key}: '{}'", value.trim().replace('\'', "''"))
            }
            _ => line,
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The block with its first line indented as the least indented one of the others.
fn head_indented(block: &[String]) -> Option<String> {
    let least = block[1..].iter().filter(|line| !line.trim().is_empty()).map(|line| indent(line));
    let marks = block[0].trim_start();
    let own = least.min()?.checked_sub(marks.len() - marks.trim_start_matches("- ").len())?;
    let mut lines = block.to_vec();
    lines[0] = format!("{}{marks}", " ".repeat(own));
    (own > 0).then(|| plain(&lines))
}

/// The values of a text; JSON is YAML too. The reason in words where it is neither.
fn parsed(text: &str) -> Result<Vec<Value>, String> {
    if let Ok(value) = serde_json::from_str(text) {
        return Ok(vec![value]);
    }
    let options = serde_saphyr::options! {
        duplicate_keys: DuplicateKeyPolicy::FirstWins,
        with_snippet: false,
    };
    serde_saphyr::from_multiple_with_options::<Value>(text, options).map_err(|error| {
        let words = error.to_string();
        words.lines().next().unwrap_or_default().chars().take(160).collect()
    })
}
