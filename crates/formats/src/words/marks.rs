//! What people, mails and terminals put around a line: quotation marks, colours, prompts, marks of
//! lists and of code.

use super::shell::{Command, PROGRAMS, pipelines};

/// Longest prompt, in bytes.
const PROMPT_MAX: usize = 60;
/// Tags of HTML that surround a text without being one.
const TAGS: &[&str] = &[
    "b", "br", "code", "details", "div", "em", "i", "li", "p", "pre", "span", "strong", "summary",
    "td", "th", "tr", "tt",
];
/// Options of sudo and doas whose value is the next word.
const OF_SUDO: &str = "CDghpRrTtUu";

/// The lines as programs wrote them, without what was put around them.
pub(super) fn plain(lines: &[String]) -> Vec<String> {
    lines.iter().map(|line| typed(&quoted(&without_colours(line)))).collect()
}

/// A line without the marks that mails put before it, with its indentation.
fn quoted(line: &str) -> String {
    let line = line.replace('\u{a0}', " ");
    let mut line = line.trim_end();
    while let Some(rest) = line.trim_start().strip_prefix('>') {
        line = rest.strip_prefix(' ').unwrap_or(rest);
    }
    without_tags(line)
}

/// A line without the tags of a page that it was copied out of.
fn without_tags(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        text.push_str(before);
        let name = tag[1..].trim_start_matches('/');
        let name =
            name.split(|sign: char| !sign.is_ascii_alphanumeric()).next().unwrap_or_default();
        let is_tag = name.len() <= 10 && TAGS.contains(&name.to_ascii_lowercase().as_str());
        match is_tag.then(|| tag.find('>')).flatten() {
            Some(end) => rest = &tag[end + 1..],
            None => {
                text.push('<');
                rest = &tag[1..];
            }
        }
    }
    text.push_str(rest);
    text
}

/// A line with the dashes of options that a word processor joined: `—cpus` is `--cpus`, `–t4` is
/// `-t4`, and `–cpus` is `--cpus`.
fn typed(line: &str) -> String {
    const DASHES: [char; 3] = ['\u{2013}', '\u{2014}', '\u{2212}'];
    if !line.contains(DASHES) {
        return line.to_owned();
    }
    let mut text = String::with_capacity(line.len());
    let mut is_begin = true;
    for (at, sign) in line.char_indices() {
        let rest = &line[at + sign.len_utf8()..];
        let letters = rest.chars().take_while(|next| next.is_ascii_alphabetic()).count();
        match sign {
            _ if !DASHES.contains(&sign) || !is_begin || letters == 0 => text.push(sign),
            '\u{2013}' if letters == 1 => text.push('-'),
            _ => text.push_str("--"),
        }
        is_begin = sign.is_whitespace();
    }
    text
}

/// A line without what steers a terminal: `ESC [ 32 m`, `ESC ] 0 ; title BEL`, other controls.
fn without_colours(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut signs = line.chars().peekable();
    while let Some(sign) = signs.next() {
        match (sign, signs.peek()) {
            ('\u{1b}', Some('[')) => {
                signs.next();
                signs.by_ref().find(|next| ('@'..='~').contains(next));
            }
            ('\u{1b}', Some(']')) => {
                signs.by_ref().find(|next| matches!(next, '\u{7}' | '\\'));
            }
            ('\u{1b}', Some('(')) => drop((signs.next(), signs.next())),
            ('\t', _) => text.push(sign),
            _ if sign.is_control() || is_unseen(sign) => {}
            _ => text.push(sign),
        }
    }
    text
}

/// Marks of direction and of no width, which pages and messengers put into a text.
fn is_unseen(sign: char) -> bool {
    matches!(sign, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{feff}')
}

/// A line of prose without the marks of its list, its code and its table: `* nr_periods: 600`,
/// `` - `nr_periods 600` ``, `| nr_periods | 600 |`.
pub(super) fn without_marks(text: &str) -> String {
    let text =
        ["- ", "* ", "• ", "+ "].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text);
    let text = text.replace('`', "").replace("**", "");
    let row = text.trim().strip_prefix('|').and_then(|rest| rest.strip_suffix('|'));
    match row {
        Some(row) => row.split('|').map(str::trim).collect::<Vec<_>>().join(" "),
        None => text.trim().to_owned(),
    }
}

/// The line behind a prompt such as `user@host:~$`, `[root@host ~]#` or `$`; `#` is one only before
/// a command that is known. A line that is such a command has no prompt.
pub(super) fn without_prompt(text: &str) -> (bool, &str) {
    if is_typed(text) {
        return (false, text);
    }
    if let Some(rest) = behind_prompt(text) {
        return (true, rest);
    }
    let Some(at) = text.find(['$', '#']) else { return (false, text) };
    let (before, rest) = (&text[..at], &text[at + 1..]);
    let is_root = text[at..].starts_with('#');
    let is_end = rest.is_empty() || rest.starts_with(' ');
    let named = before.trim();
    let is_name = !named.is_empty()
        && named.contains('@')
        && (named.starts_with('[') == named.ends_with(']'))
        && !named.contains(['=', '"', '\'', '|', ';']);
    let is_bare = named.is_empty() && !is_root;
    if is_end && (is_name || is_bare) { (true, rest.trim_start()) } else { (false, text) }
}

/// A command that is known, behind what a shell puts before it: `➜  ~ `, `PS C:\\Users\\me> `,
/// `bash-5.1# `, `[10:22:33] root@host:~# `, `/sys/fs/cgroup # `.
fn behind_prompt(text: &str) -> Option<&str> {
    const ENDS: [char; 8] = ['$', '#', '%', '>', '➜', '❯', 'λ', '»'];
    let ends = text.char_indices().take_while(|(at, _)| *at < PROMPT_MAX);
    for (at, sign) in ends.filter(|(_, sign)| ENDS.contains(sign)) {
        let before = &text[..at];
        let is_one = !before.contains(['=', '"', '\'', '|', ';', '`'])
            && (before.trim().is_empty()
                || matches!(sign, '%' | '➜' | '❯' | 'λ' | '»')
                || is_place(before, sign));
        let words = text[at + sign.len_utf8()..].trim_start();
        // zsh names the folder behind its arrow.
        let behind = [words, words.split_once(' ').map_or("", |(_, rest)| rest)];
        let few = if sign == '➜' || sign == '❯' { 2 } else { 1 };
        if let Some(rest) = behind[..few].iter().find(|rest| is_one && is_typed(rest)) {
            return Some(rest);
        }
    }
    None
}

/// Who, where and when, as a prompt says it: a few words, one of them a place.
fn is_place(before: &str, sign: char) -> bool {
    let words: Vec<&str> = before.split_whitespace().collect();
    let is_place = |word: &&str| {
        word.contains(['@', '~', '\\']) || word.starts_with('/') || word.contains(":/")
    };
    let is_name =
        |word: &str| word.chars().all(|sign| sign.is_ascii_alphanumeric() || "-._".contains(sign));
    // `host$ `: the sign is a part of the word.
    let is_host = words.len() == 1
        && is_name(words[0])
        && sign != '>'
        && !before.ends_with(char::is_whitespace);
    words.len() <= 4 && words.iter().any(is_place) || is_host
}

/// Whether a line begins with a command that people type.
pub(super) fn is_typed(text: &str) -> bool {
    // The first words are enough.
    const SIGNS: usize = 2_000;
    let end = text.char_indices().nth(SIGNS).map_or(text.len(), |(at, _)| at);
    pipelines(&text[..end]).0.first().is_some_and(|first| is_command(&first[0]))
}

/// The command of a line of prose: in a list, or as code between other words.
pub(super) fn in_prose(text: &str) -> Option<String> {
    let item = without_marks(text);
    let digits = item.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let numbered = digits.strip_prefix(['.', ')']).filter(|_| digits.len() < item.len());
    let item = numbered.map_or(item.as_str(), str::trim);
    if item != text && is_typed(item) {
        return Some(item.to_owned());
    }
    let mut parts = text.split('`').skip(1).step_by(2).map(str::trim);
    parts.find(|part| part.contains(' ') && is_typed(part)).map(str::to_owned)
}

/// Whether the first word is a program that people type: one that a form reads, or one that prints
/// what a form reads.
pub(super) fn is_command(command: &Command) -> bool {
    let is_known = |words: &[String]| {
        let Some(first) = words.first() else { return false };
        let name = first.rsplit('/').next().unwrap_or(first);
        // People make many things without jobs.
        let is_prose = name == "make" && !words.iter().any(|word| word.starts_with("-j"));
        !is_prose && PROGRAMS.binary_search(&name).is_ok()
    };
    is_known(&command.words) || is_known(unwrapped(&command.words))
}

/// The words behind `sudo` with its options, and behind variables that are set for one command.
pub fn unwrapped(words: &[String]) -> &[String] {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        match word.as_str() {
            "sudo" | "doas" => at += options_of_sudo(&words[at..]),
            _ if word.contains('=') && !word.starts_with('-') && !word.contains('/') => {}
            _ => return &words[at - 1..],
        }
    }
    &[]
}

/// How many words are options of sudo or doas.
fn options_of_sudo(words: &[String]) -> usize {
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.starts_with('-')) {
        at += 1;
        if word == "--" {
            break;
        }
        let takes = match word.strip_prefix("--") {
            Some(name) => matches!(name, "user" | "group" | "chdir" | "host" | "prompt"),
            None => word.ends_with(|letter| OF_SUDO.contains(letter)),
        };
        at += usize::from(takes);
    }
    at.min(words.len())
}

/// Takes the lines of a difference between two texts for the later text: what was removed becomes
/// an empty line, and the signs before the others go.
pub(super) fn undiffed(lines: &mut [String]) {
    let mut at = 0;
    while at < lines.len() {
        let is_part = |line: &&String| line.is_empty() || line.starts_with([' ', '+', '-', '@']);
        let count = lines[at..].iter().take_while(is_part).count();
        let block = &mut lines[at..at + count];
        at += count.max(1);
        if !is_difference(block) {
            continue;
        }
        for line in block.iter_mut() {
            let is_kept = line.starts_with([' ', '+']) && !line.starts_with("+++ ");
            *line = line.get(1..).filter(|_| is_kept).unwrap_or_default().to_owned();
        }
    }
}

/// Whether a line that is removed has its key in one that is added.
fn is_difference(block: &[String]) -> bool {
    let key = |line: &str| {
        let (key, _) = line.split_once([':', '='])?;
        let key = key.trim();
        (!key.is_empty()).then(|| key.to_owned())
    };
    let keys = |sign: char| block.iter().filter_map(move |line| key(line.strip_prefix(sign)?));
    let added: Vec<String> = keys('+').collect();
    !added.is_empty() && keys('-').any(|removed| added.contains(&removed))
}
