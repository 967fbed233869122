//! Files of a group's limit: cpu.max of cgroup v2, the files of v1, weights, and the number that
//! `cat` prints of one.

use super::folders::{group_at, group_name};
use super::stat::{USAGE, counted};
use crate::words::case::{Case, Note};
use crate::words::counters::Field;
use crate::words::form::Form;
use crate::words::limit::weight_like_shares;
use crate::words::shell::pipelines;
use crate::words::{marks::unwrapped, paste::Piece};

pub(super) const FORM: Form = Form {
    name: "cpu_max",
    title: "cpu.max, cpu.cfs_quota_us",
    example: "cpu.max 50000 100000",
    read,
};

/// Files of a group that hold a limit or a weight; in the order in which `cat cpu.*` prints them.
pub const FILES: &[&str] = &[
    "cpu.cfs_burst_us",
    "cpu.cfs_period_us",
    "cpu.cfs_quota_us",
    "cpu.max",
    "cpu.max.burst",
    "cpu.shares",
    "cpu.weight",
];

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    if let Some((value, file)) = piece.written() {
        return stated(file, &value, case);
    }
    if let Some(words) = piece.pipeline().map(|pipeline| unwrapped(&pipeline[0].words))
        && matches!(words.first().map(String::as_str), Some("cgset" | "cgcreate"))
    {
        return of_libcgroup(words, case);
    }
    if let Some(pipeline) = piece.pipeline() {
        return printing(unwrapped(&pipeline[0].words), case);
    }
    let text = piece.text()?;
    named(text, case).or_else(|| bare(text, case))
}

/// `cpu.max 50000 100000`, `/sys/fs/cgroup/web/cpu.max:50000 100000`, `cpu.shares = 1024`.
fn named(whole: &str, case: &mut Case) -> Option<Note> {
    // A container's file of LXC, and a file of libcgroup.
    let text = whole.strip_prefix("lxc.cgroup2.").or_else(|| whole.strip_prefix("lxc.cgroup."));
    let text = text.unwrap_or(whole).trim_end_matches(';');
    let end = text.find([' ', ':', '=', '\t'])?;
    let value = text[end..].trim_start_matches([' ', ':', '=', '\t']);
    let path = &text[..end];
    let file = path.rsplit('/').next().unwrap_or(path);
    if !FILES.contains(&file) {
        return None;
    }
    let group = group_at(path.rsplit_once('/').map(|(folder, _)| folder), case);
    let (before, who) = (group.limit(), group.who());
    let note = stated(path, value, case)?;
    let group = group_at(path.rsplit_once('/').map(|(folder, _)| folder), case);
    let after = group.limit();
    // The files of v1 come one after the other: another period alone is no other limit.
    if let Some((before, after)) = before.zip(after)
        && before.quota_us != after.quota_us
    {
        case.doubt(format!(
            "The text states two limits of the {who}: {}, and then {}. The later one is taken: \
             give each group its name.",
            before.words(),
            after.words()
        ));
    }
    Some(note)
}

/// `cgset -r cpu.max="50000 100000" GROUP`, `cgcreate -g cpu:/GROUP`.
fn of_libcgroup(words: &[String], case: &mut Case) -> Option<Note> {
    if words[0] == "cgcreate" {
        return Some(Note::left_out("makes a group without a limit"));
    }
    let name = words.last()?;
    let pairs = words[1..].iter().filter_map(|word| {
        let word = word.strip_prefix("-r").unwrap_or(word);
        word.split_once('=')
    });
    let pairs: Vec<(&str, &str)> = pairs.collect();
    let notes = pairs.iter().filter_map(|(file, value)| {
        stated(&format!("{}/{file}", name.trim_start_matches('/')), value, case)
    });
    notes.last()
}

/// What a file holds; its folder names the group.
fn stated(path: &str, value: &str, case: &mut Case) -> Option<Note> {
    let (folder, file) = path.rsplit_once('/').map_or((None, path), |(at, file)| (Some(at), file));
    let file = FILES.iter().find(|known| **known == file)?;
    let value = value.trim().trim_matches(['"', '\'']);
    let group = group_at(folder, case);
    let number = || value.parse::<i64>().ok().filter(|number| number.abs() < 1_000_000_000_000);
    let count = || number().and_then(|number| u64::try_from(number).ok());
    match *file {
        "cpu.max" => {
            let mut words = value.split_whitespace();
            let quota = words.next()?;
            let quota_us = if quota == "max" { None } else { Some(quota.parse().ok()?) };
            let period_us = words.next().map(str::parse).transpose().ok()?;
            group.quota_us = Some(quota_us);
            group.period_us = period_us.or(group.period_us);
        }
        "cpu.cfs_quota_us" => group.quota_us = Some(u64::try_from(number()?).ok()),
        "cpu.cfs_period_us" => group.period_us = Some(count()?),
        "cpu.shares" => group.weight = Some(weight_like_shares(count()?)),
        "cpu.weight" => group.weight = Some(count()?.clamp(1, 10_000)),
        _ => group.burst_us = Some(count()?),
    }
    Some(Note::used(format!("{file} of the {}", group.who())))
}

/// A command inside a container, or a Pod, of this name and kind: what it prints is of that.
pub(super) fn inside(
    name: Option<&str>,
    kind: &'static str,
    words: &[String],
    case: &mut Case,
) -> Option<Note> {
    let note = printing(words, case)?;
    if let Some(name) = name.filter(|_| case.groups.turned_to().is_none()) {
        case.groups.turn_to(Some(name));
        let group = case.groups.current();
        group.kind = if group.kind.is_empty() { kind } else { group.kind };
    }
    Some(note)
}

/// A command that prints such files: the numbers and counters behind it are theirs.
pub(super) fn printing(words: &[String], case: &mut Case) -> Option<Note> {
    // `sh -c "cat cpu.max; cat cpu.stat"`
    if let [shell, flag, inner] = words
        && matches!(shell.as_str(), "sh" | "bash")
        && flag.ends_with('c')
    {
        let (pipelines, _) = pipelines(inner);
        let notes = pipelines.iter().filter_map(|all| printing(&all.first()?.words, case));
        return notes.last();
    }
    let program = words.first().map(String::as_str);
    if !matches!(program, Some("cat" | "head" | "tail" | "more" | "less" | "grep")) {
        return None;
    }
    let asked: Vec<&str> =
        words[1..].iter().filter(|word| !word.starts_with('-')).map(String::as_str).collect();
    let is_file = |word: &&str| ["cpu.", "cpuacct.", "cpuset."].iter().any(|of| word.contains(of));
    let is_grep = program == Some("grep");
    let asked: Vec<&str> = asked.into_iter().skip(usize::from(is_grep)).collect();
    if asked.is_empty() || !asked.iter().all(is_file) {
        return None;
    }
    let folder = asked[0].rsplit_once('/').and_then(|(folder, _)| group_name(folder));
    case.groups.turn_to(folder.filter(|folder| !folder.contains(['*', '$', '{'])));
    case.printed = asked.iter().map(|word| (*word).to_owned()).collect();
    Some(Note::left_out("prints what the next lines say"))
}

/// A line of numbers alone: of the file that the command above it prints.
fn bare(text: &str, case: &mut Case) -> Option<Note> {
    let words: Vec<&str> = text.trim_matches(['"', '\'']).split_whitespace().collect();
    let is_number = |word: &&str| {
        let digits = word.strip_prefix('-').unwrap_or(word);
        *word == "max" || !digits.is_empty() && digits.bytes().all(|sign| sign.is_ascii_digit())
    };
    if words.is_empty() || words.len() > 2 || !words.iter().all(is_number) {
        return None;
    }
    // Two numbers are a cpu.max, with or without the command that printed it.
    if words.len() == 2 || words == ["max"] {
        return stated("cpu.max", &words.join(" "), case);
    }
    if case.printed.is_empty() {
        return None;
    }
    if case.printed[0].ends_with("cpu.stat") {
        return None;
    }
    let path = case.printed.remove(0);
    if path.ends_with(USAGE) {
        let us = words[0].parse::<f64>().ok()? / 1e3;
        let who = counted(Some(&path), Field::Usage, us, case);
        return Some(Note::used(format!("{USAGE} of the {who}")));
    }
    let Some((before, _)) = path.rsplit_once('*') else {
        return stated(&path, words[0], case);
    };
    case.numbers.push((before.to_owned(), words[0].to_owned()));
    case.printed.insert(0, path.clone());
    Some(Note::used("a number of the files above"))
}

/// Numbers that `cat cpu.cfs_*` printed without their names: the files in the order of their names.
/// The burst is there from 5.14 on.
pub fn numbers_of(case: &mut Case) {
    let numbers = std::mem::take(&mut case.numbers);
    let Some((before, _)) = numbers.first() else { return };
    let begin = before.rsplit('/').next().unwrap_or(before);
    let folder = before.strip_suffix(begin).unwrap_or_default().to_owned();
    let all: Vec<&&str> = FILES.iter().filter(|file| file.starts_with(begin)).collect();
    let files = match numbers.len() {
        2 if begin.starts_with("cpu.cfs") => all.get(1..3),
        count if count == all.len() => Some(&all[..]),
        _ => None,
    };
    let Some(files) = files.map(<[_]>::to_vec) else {
        let count = numbers.len();
        return case.asks.push(format!(
            "Which file has which of the {count} numbers: grep . {begin}* prints them with names."
        ));
    };
    for (file, (_, number)) in files.iter().zip(&numbers) {
        stated(&format!("{folder}{file}"), number, case);
    }
    case.assumed.push(format!(
        "The numbers behind {begin}* are those of {}, in the order of their names.",
        files.iter().map(|file| **file).collect::<Vec<_>>().join(" and ")
    ));
}
