//! A list of CPUs as the kernel writes them, `0-3,8` or `0-15:2/4`, alone, behind a name, or as the
//! answer of a file of /sys; or a mask, `0xff`.

use super::command::mask;
use crate::words::amounts::quoted;
use crate::words::case::{Case, ISOLATED, Note};
use crate::words::cpus::{CpuList, written};
use crate::words::form::Form;
use crate::words::{marks::unwrapped, paste::Piece};

pub(super) const FORM: Form =
    Form { name: "cpulist", title: "a list of CPUs", example: "isolated: 2-7", read };

const NOHZ_FULL: &str = "kernel.nohz_full";
const INTERRUPTS: &str = "workload.device_irq.cpus";
/// Names before a list, or ends of paths, and what the list is for; none: of no use here, and why.
const NAMES: &[(&str, Result<&str, &str>)] = &[
    ("isolated", Ok(ISOLATED)),
    ("isolcpus", Ok(ISOLATED)),
    ("nohz_full", Ok(NOHZ_FULL)),
    ("rcu_nocbs", Ok("workload.rcu.nocbs")),
    ("irqaffinity", Ok(INTERRUPTS)),
    ("smp_affinity_list", Ok(INTERRUPTS)),
    ("smp_affinity", Ok(INTERRUPTS)),
    ("default_smp_affinity", Ok(INTERRUPTS)),
    ("possible", Err("CPUs that the kernel has room for, not those of the machine")),
    ("present", Err("CPUs that are there; those that are on line count")),
    ("offline", Err("CPUs that are off do nothing")),
];
/// tuned: what its profile does with these CPUs depends on the profile.
const TUNED: &str = "isolated_cores";
const PRINTED: &str = "cpulist:";

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    if let Some((value, file)) = piece.written() {
        let name = file.rsplit('/').next()?;
        let is_irq = file.starts_with("/proc/irq/") && name.contains("smp_affinity");
        return is_irq.then(|| named(name, &value, case))?;
    }
    if let Some(pipeline) = piece.pipeline() {
        return printing(unwrapped(&pipeline[0].words), case);
    }
    let text = piece.text()?;
    if let Some(note) = printed(case).and_then(|name| named(&name, text, case)) {
        return Some(note);
    }
    let end = text.find([':', '=']);
    if let Some(end) = end {
        let name = text[..end].trim();
        let name = name.rsplit('/').next().unwrap_or(name);
        let value = text[end + 1..].trim();
        if let Some(note) = named(name, value, case) {
            return Some(note);
        }
        if name.starts_with("NUMA node") && CpuList::read(value).is_some() {
            return Some(Note::left_out("nodes of the machine are not taken over"));
        }
    }
    alone(text, case)
}

/// The file that the command above prints, where it prints one.
fn printed(case: &mut Case) -> Option<String> {
    let is_own = |name: &String| name.starts_with(PRINTED);
    if !case.printed.first().is_some_and(is_own) || case.printed.len() > 1 {
        return None;
    }
    Some(case.printed.remove(0)[PRINTED.len()..].to_owned())
}

fn printing(words: &[String], case: &mut Case) -> Option<Note> {
    let (name, files) = words.split_first()?;
    let is_cpus = |word: &&String| {
        word.starts_with("/sys/devices/system/cpu/") || word.starts_with("/proc/irq/")
    };
    let files: Vec<&String> = files.iter().filter(is_cpus).collect();
    if !matches!(name.as_str(), "cat" | "head" | "tail" | "grep") || files.is_empty() {
        return None;
    }
    if name == "cat" && files.len() > 1 {
        return Some(Note::left_out(
            "prints lines of several files without their names: print them with grep . instead",
        ));
    }
    if name == "cat" {
        let file = files[0].rsplit('/').next().unwrap_or_default();
        case.printed = vec![format!("{PRINTED}{file}")];
    }
    Some(Note::left_out("prints what the next line says"))
}

fn named(name: &str, value: &str, case: &mut Case) -> Option<Note> {
    if name == TUNED {
        let cpus = CpuList::read(value.trim_matches('"'))?;
        return Some(quiet(&cpus, "isolated_cores", case));
    }
    if name == "online" {
        let cpus = CpuList::read(value)?;
        let count = u32::try_from(cpus.on(crate::words::cpus::CPUS_MAX).len()).ok()?;
        if cpus.has_last() {
            return None;
        }
        case.cpus = Some(count);
        return Some(Note::used(format!("a machine of {count} CPUs")));
    }
    let (_, of) = NAMES.iter().find(|(known, _)| *known == name)?;
    if value.is_empty() || value == "(null)" {
        return Some(Note::left_out(format!("{name} names no CPU")));
    }
    let is_mask = name.ends_with("smp_affinity");
    let cpus = if is_mask { mask(&value.replace(',', "")) } else { CpuList::read(value) }?;
    Some(match of {
        Ok(of) => {
            let words = words(&cpus);
            case.list(of, cpus);
            Note::used(format!("{name}: {words}"))
        }
        Err(why) => Note::left_out(format!("{name}: {why}")),
    })
}

/// A list without a name: a mask with 0x, or several CPUs.
fn alone(text: &str, case: &mut Case) -> Option<Note> {
    let is_list = text.contains(['-', ','])
        && text.bytes().all(|sign| sign.is_ascii_digit() || b"N,:/-".contains(&sign));
    let digits = text.strip_prefix("0x").filter(|digits| !digits.is_empty());
    let is_words = text.contains(',')
        && text.len() <= 300
        && text.split(',').skip(1).all(|word| word.len() == 8)
        && text.bytes().all(|sign| sign.is_ascii_hexdigit() || sign == b',');
    let cpus = match digits {
        _ if is_words => mask(&text.replace(',', "")),
        Some(digits) => mask(digits),
        None if is_list => CpuList::read(text),
        None => return None,
    };
    let Some(cpus) = cpus else {
        return (is_list || digits.is_some()).then(|| {
            Note::left_out(format!(
                "{} is no list of CPUs from 0 to 1023, such as 0-3,8 or 0-15:2/4",
                quoted(text)
            ))
        });
    };
    Some(quiet(&cpus, "the list", case))
}

/// CPUs that are to be quiet, by a text that does not say how.
fn quiet(cpus: &CpuList, name: &str, case: &mut Case) -> Note {
    let words = words(cpus);
    case.assumed.push(format!(
        "“{name}” does not say what the CPUs are for: they are set apart here, and have no tick \
         (nohz_full) on side A."
    ));
    if cpus.on(cpus.least_cpus().max(1)).first() == Some(&0) {
        case.doubts.push(
            "The list has CPU 0: a kernel normally keeps it for timekeeping, and does not allow \
             nohz_full on it."
                .to_owned(),
        );
    }
    case.list(ISOLATED, cpus.clone());
    case.list(NOHZ_FULL, cpus.clone());
    Note::used(format!("{name} names {words}"))
}

fn words(cpus: &CpuList) -> String {
    let on = cpus.on(cpus.least_cpus().max(1));
    let count = if on.len() == 1 { "1 CPU".to_owned() } else { format!("{} CPUs", on.len()) };
    let list: String = written(&on).chars().take(120).collect();
    if cpus.has_last() { "CPUs up to the last one".to_owned() } else { format!("{count}: {list}") }
}
