//! Scenario links (`docs/use/links.md`): reading one, and saying exactly why it cannot be read.
//!
//! The page has its own reader and writer; both are tested on `e2e/fixtures/links.json`. This one
//! only reads.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::text::readable;

/// Newest link version this program reads.
pub const VERSION: u32 = 3;
/// Largest scenario a link may carry, bytes after inflating.
pub const PAYLOAD_MAX: usize = 65_536;
/// `&c=` and eight digits.
const CHECK_LEN: usize = 11;

/// A link that could be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// The shipped scenario it is about; `None` for a `lab` link.
    pub slug: Option<String>,
    /// The scenario it carries, in a `lab` link.
    pub scenario: Option<String>,
    /// Knob changes of side A, in order: `seed` and `k.`, then `a.`.
    pub a: Vec<(String, String)>,
    /// Knob changes of side B: `seed` and `k.`, then `b.`.
    pub b: Vec<(String, String)>,
    /// Knob changes of both sides: `seed` and `k.` only.
    pub both: Vec<(String, String)>,
    /// Changes of the running kernel, in the link's order.
    pub live: Vec<Live>,
    /// What was on screen: `t`, `p`, `lay`, `step`, `sel`, `area`, `e`, `was`, `fp`, a sweep or a
    /// bisection that is asked for, in the link's order.
    pub view: Vec<(String, String)>,
    /// Whether a changed `kernel.version` keeps the switches that the scenario's file states: links
    /// of version 1 mean it so.
    pub keep_stated: bool,
    /// Keys this version does not know.
    pub unknown: Vec<(String, String)>,
}

/// A switch written to a running kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Live {
    /// `k` for both sides, `a`, `b`.
    pub whose: char,
    /// From when on: a whole number and its unit.
    pub at: String,
    /// The knob's path.
    pub path: String,
    /// The value's text.
    pub value: String,
}

/// Far longer than any variant's name that a scenario may have; in UTF-16, as the page counts.
const STRIP_LENGTH_MAX: usize = 200;
/// Most writes a link may have; more are unknown keys.
const LIVE_MAX: usize = 200;

/// Marks that a sentence puts behind an address, and that no link ends in.
const SENTENCE: [char; 13] = ['.', ',', ';', ':', '!', '?', ')', ']', '>', '"', '\'', '”', '’'];

type Pairs = Vec<(String, String)>;

/// One step for each version before the newest: step n turns the pairs of version n into those of
/// version n + 1.
const STEPS: [fn(Pairs) -> Pairs; VERSION as usize - 1] = [from_1, from_2];

/// Version 3 says more, and nothing of version 2 otherwise.
fn from_2(pairs: Pairs) -> Pairs {
    pairs
}

/// In version 1 a changed kernel.version kept what the scenario states for its switches.
fn from_1(mut pairs: Pairs) -> Pairs {
    let changes =
        |key: &str| ["k.kernel.version", "a.kernel.version", "b.kernel.version"].contains(&key);
    if pairs.iter().any(|(key, _)| changes(key)) {
        pairs.retain(|(key, _)| key != "keep");
        pairs.push(("keep".to_owned(), "stated".to_owned()));
    }
    pairs
}

/// Why a link cannot be used; the codes are those of `docs/use/links.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkErrorCode {
    /// The address leads to no scenario.
    NotALink,
    /// Characters are missing at the end.
    Cut,
    /// Characters differ from what was written.
    Changed,
    /// A newer schedscope made it.
    Newer,
    /// Intact, but not well formed.
    Malformed,
    /// The scenario it carries cannot be unpacked.
    Payload,
    /// A `lab` link without a scenario.
    NoScenario,
}

impl LinkErrorCode {
    /// The code as documents and fixtures spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotALink => "not_a_link",
            Self::Cut => "cut",
            Self::Changed => "changed",
            Self::Newer => "newer",
            Self::Malformed => "malformed",
            Self::Payload => "payload",
            Self::NoScenario => "no_scenario",
        }
    }
}

/// A link that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkError {
    /// Which kind of trouble.
    pub code: LinkErrorCode,
    /// One sentence for people.
    pub message: String,
    /// The scenario it was for, if the address names one.
    pub slug: Option<String>,
    /// For a cut link: characters that arrived, and characters it had.
    pub arrived_of: Option<(usize, usize)>,
}

impl std::fmt::Display for LinkError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}", self.message)?;
        match &self.slug {
            Some(slug) => write!(out, " It was for {slug}."),
            None => Ok(()),
        }
    }
}

impl std::error::Error for LinkError {}

struct Trouble {
    code: LinkErrorCode,
    message: String,
    arrived_of: Option<(usize, usize)>,
}

fn trouble(code: LinkErrorCode, message: impl Into<String>) -> Trouble {
    Trouble { code, message: message.into(), arrived_of: None }
}

fn changed() -> Trouble {
    trouble(
        LinkErrorCode::Changed,
        "This link was changed on its way: its check value does not fit.",
    )
}

fn malformed(why: &str) -> Trouble {
    trouble(
        LinkErrorCode::Malformed,
        format!("This link arrived whole but is not well formed: {why}."),
    )
}

/// The folders of the site's pages that show a scenario: the lab's, an embed's, a talk's.
const FOLDERS: [&str; 3] = ["s", "embed", "present"];

/// Whether `text` looks like a link rather than a slug or a file: it has a fragment, or leads to
/// `s/<slug>/` or `lab/`.
pub fn looks_like_link(text: &str) -> bool {
    text.contains("://")
        || text.contains('#')
        || text.starts_with("v=")
        || FOLDERS.iter().chain(&["lab"]).any(|folder| {
            text.strip_prefix('/')
                .and_then(|path| path.strip_prefix(folder))
                .is_some_and(|rest| rest.starts_with('/'))
        })
}

/// Reads a link: a full address, a path with its fragment, or a bare fragment of a `lab` link.
pub fn parse(address: &str) -> Result<Link, LinkError> {
    let address = unwrapped(address);
    let (path, fragment) = match address.split_once('#') {
        Some((path, fragment)) => (path, fragment),
        None if address.starts_with("v=") => ("", address),
        None => (address, ""),
    };
    let slug = match place(path) {
        Some(slug) => slug,
        None => {
            let message =
                "This is no link to a scenario: it has neither s/<name>/ nor lab/ in its path."
                    .to_owned();
            return Err(LinkError {
                code: LinkErrorCode::NotALink,
                message,
                slug: None,
                arrived_of: None,
            });
        }
    };
    read(slug.as_deref(), fragment).map_err(|Trouble { code, message, arrived_of }| LinkError {
        code,
        message,
        slug,
        arrived_of,
    })
}

/// Takes off the marks that a sentence puts around an address. Marks behind a fragment stay: the
/// link's length distinguishes them from a changed link.
fn unwrapped(text: &str) -> &str {
    let bare = text.trim().trim_start_matches(['<', '(', '"', '\'', '“', '‘', '[']);
    if bare.contains('#') { bare } else { bare.trim_end_matches(SENTENCE) }
}

/// The slug of a path, `Some(None)` for `lab/` and for a bare fragment, `None` if it leads to no
/// scenario.
fn place(path: &str) -> Option<Option<String>> {
    let path = path.split('?').next().unwrap_or_default();
    let mut parts = path.trim_end_matches('/').rsplit('/');
    let (last, before) = (parts.next().unwrap_or_default(), parts.next());
    let is_slug = !last.is_empty()
        && last
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    match before {
        _ if path.is_empty() || last == "lab" => Some(None),
        Some(folder) if FOLDERS.contains(&folder) && is_slug => Some(Some(last.to_owned())),
        _ => None,
    }
}

fn read(slug: Option<&str>, fragment: &str) -> Result<Link, Trouble> {
    let fragment = percent_decoded(fragment)?;
    if fragment.is_empty() {
        return match slug {
            Some(slug) => Ok(Link { slug: Some(slug.to_owned()), ..Link::default() }),
            None => Err(trouble(
                LinkErrorCode::NoScenario,
                "This link carries no scenario: its part after # is missing.",
            )),
        };
    }
    let (version, body) = unframe(&fragment)?;
    let pairs = STEPS.iter().skip(version - 1).fold(pairs(body)?, |pairs, step| step(pairs));
    let mut link = Link { slug: slug.map(str::to_owned), ..Link::default() };
    let mut payload = None;
    for (key, value) in pairs {
        if key == "z" {
            payload = Some(value);
        } else {
            sort_in(&mut link, key, value);
        }
    }
    join_sides(&mut link);
    match (&link.slug, payload) {
        (None, None) => {
            return Err(trouble(LinkErrorCode::NoScenario, "This link carries no scenario."));
        }
        (Some(_), Some(_)) => {
            return Err(malformed(
                "it names a shipped scenario and carries one \
            of its own",
            ));
        }
        (None, Some(payload)) => link.scenario = Some(unpack(&payload)?),
        (Some(_), None) => {}
    }
    Ok(link)
}

/// A link never holds `%`; if one is there, some program encoded the address on its way.
fn percent_decoded(fragment: &str) -> Result<String, Trouble> {
    if fragment.contains('%') {
        unescape(fragment, b'%').ok_or_else(changed)
    } else {
        Ok(fragment.to_owned())
    }
}

/// Checks the frame `v=V.L … &c=C`; gives the version and the text between the two.
fn unframe(fragment: &str) -> Result<(usize, &str), Trouble> {
    let Some((head, _)) = fragment.split_once('&') else {
        let code =
            if is_start_of_head(fragment) { LinkErrorCode::Cut } else { LinkErrorCode::Changed };
        return Err(trouble(
            code,
            if code == LinkErrorCode::Cut {
                "This link is cut: only its first characters arrived."
            } else {
                "This link was changed on its way: it does not start as a link does."
            },
        ));
    };
    let numbers = head.strip_prefix("v=").and_then(|numbers| numbers.split_once('.'));
    let Some((version, length)) =
        numbers.and_then(|(version, length)| Some((number(version)?, number(length)?)))
    else {
        return Err(changed());
    };
    // A sentence may end behind a link.
    let whole = fragment.char_indices().nth(length).map(|(at, _)| fragment.split_at(at));
    let fragment = whole
        .filter(|(_, rest)| rest.chars().all(|mark| SENTENCE.contains(&mark)))
        .map_or(fragment, |(link, _)| link);
    let arrived = fragment.chars().count();
    if arrived < length {
        let message = format!("This link is cut: {arrived} of {length} characters arrived.");
        return Err(Trouble {
            code: LinkErrorCode::Cut,
            message,
            arrived_of: Some((arrived, length)),
        });
    }
    if arrived > length
        || !fragment.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~=&".contains(&byte))
        || length < head.len() + CHECK_LEN
    {
        return Err(changed());
    }
    let (checked, check) = fragment.split_at(length - CHECK_LEN);
    if check != format!("&c={:08x}", crc32fast::hash(checked.as_bytes())) {
        return Err(changed());
    }
    if version > VERSION as usize {
        let message = format!(
            "This link was made by a newer schedscope: it has version {version}, this program \
                reads up to {VERSION}."
        );
        return Err(trouble(LinkErrorCode::Newer, message));
    }
    Ok((version, checked[head.len()..].trim_start_matches('&')))
}

/// Digits without a leading zero, at most nine.
fn number(text: &str) -> Option<usize> {
    let plain = !text.is_empty()
        && text.len() <= 9
        && !text.starts_with('0')
        && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

/// `v`, `v=`, `v=1`, `v=1.`, `v=1.4`: what may be left of a head whose rest is missing.
fn is_start_of_head(text: &str) -> bool {
    match text.strip_prefix("v=") {
        None => text == "v",
        Some(rest) => match rest.split_once('.') {
            None => rest.is_empty() || number(rest).is_some(),
            Some((version, length)) => {
                number(version).is_some() && (length.is_empty() || number(length).is_some())
            }
        },
    }
}

fn pairs(body: &str) -> Result<Vec<(String, String)>, Trouble> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for item in body.split('&').filter(|_| !body.is_empty()) {
        let (key, value) = item.split_once('=').ok_or_else(|| malformed("an item has no value"))?;
        if key.is_empty() || value.contains('=') {
            return Err(malformed("an item is not one key and one value"));
        }
        let (key, value) = unescape(key, b'~')
            .zip(unescape(value, b'~'))
            .ok_or_else(|| malformed("an escape is broken"))?;
        // `seed` is short for `k.seed`: the two are one key.
        let name = if key == "seed" { "k.seed".to_owned() } else { key.clone() };
        if !seen.insert(name) {
            return Err(malformed(&format!("{} stands in it twice", readable(&key))));
        }
        pairs.push((key, value));
    }
    Ok(pairs)
}

/// Replaces `mark` + two hexadecimal digits by the byte they name; `None` if an escape is broken or
/// the result is not UTF-8.
fn unescape(text: &str, mark: u8) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == mark {
            let mut digit = || rest.next().and_then(|digit| char::from(digit).to_digit(16));
            let value = digit()? * 16 + digit()?;
            bytes.push(u8::try_from(value).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

fn sort_in(link: &mut Link, key: String, value: String) {
    let list = match key.split_once('.') {
        None if key == "keep" && value == "stated" => return link.keep_stated = true,
        None if key == "seed" => return link.both.push((key, value)),
        None if [
            "t", "p", "lay", "lanes", "step", "sel", "area", "markers", "lab", "open", "e", "was",
            "fp",
        ]
        .contains(&key.as_str()) =>
        {
            return link.view.push((key, value));
        }
        Some(("sweep" | "bisect", _)) => return link.view.push((key, value)),
        Some(("at", rest)) if link.live.len() < LIVE_MAX && live(rest).is_some() => {
            return link.live.extend(live(rest).map(|(whose, at, path)| Live {
                whose,
                at: at.to_owned(),
                path: path.to_owned(),
                value,
            }));
        }
        // Which variants were shown below A and B.
        Some(("strip", "c" | "d")) if value.encode_utf16().count() <= STRIP_LENGTH_MAX => {
            return link.view.push((key, value));
        }
        // What a figure was, by its name.
        Some(("was", _)) => return link.view.push((key, value)),
        Some(("k", _)) => &mut link.both,
        Some(("a", _)) => &mut link.a,
        Some(("b", _)) => &mut link.b,
        _ => return link.unknown.push((key, value)),
    };
    list.push((key[2..].to_owned(), value));
}

/// `a.1500us.kernel.rt_push_ipi` taken apart.
fn live(rest: &str) -> Option<(char, &str, &str)> {
    let mut parts = rest.splitn(3, '.');
    let (whose, at, path) = (parts.next()?, parts.next()?, parts.next()?);
    let unit = at.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let digits = at.len() - unit.len();
    let sound = ["k", "a", "b"].contains(&whose)
        && ["ns", "us", "ms", "s"].contains(&unit)
        && (1..=15).contains(&digits)
        && !path.is_empty();
    sound.then(|| (whose.chars().next().unwrap_or('k'), at, path))
}

/// Each side starts with what both have.
fn join_sides(link: &mut Link) {
    let both = link.both.clone();
    for side in [&mut link.a, &mut link.b] {
        let own = std::mem::take(side);
        *side = both.iter().cloned().chain(own).collect();
    }
}

fn unpack(payload: &str) -> Result<String, Trouble> {
    let payload_trouble = |why: &str| {
        trouble(
            LinkErrorCode::Payload,
            format!("The scenario in this link cannot be unpacked: {why}."),
        )
    };
    let packed = payload
        .strip_prefix("d.")
        .ok_or_else(|| payload_trouble("it is packed in a way this program does not know"))?;
    let packed =
        URL_SAFE_NO_PAD.decode(packed).map_err(|_| payload_trouble("it is not base64url"))?;
    let bytes = inflate(&packed).map_err(payload_trouble)?;
    String::from_utf8(bytes).map_err(|_| payload_trouble("it is not text"))
}

/// Inflates `packed`, all of it: bytes behind its end are not the link's own.
fn inflate(packed: &[u8]) -> Result<Vec<u8>, &'static str> {
    use miniz_oxide::inflate::TINFLStatus;
    use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};
    let mut bytes = vec![0; PAYLOAD_MAX];
    let mut state = Box::<DecompressorOxide>::default();
    let (status, read, written) = decompress(
        &mut state,
        packed,
        &mut bytes,
        0,
        inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
    );
    bytes.truncate(written);
    match status {
        TINFLStatus::Done if read == packed.len() => Ok(bytes),
        TINFLStatus::Done => Err("something follows its data"),
        TINFLStatus::HasMoreOutput => Err("it is larger than 65536 bytes"),
        _ => Err("its data are broken"),
    }
}
