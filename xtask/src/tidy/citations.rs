//! Every name in a text leads somewhere: no private label of a source, and no citation of a file or
//! heading that does not exist.
//!
//! Rules of the model are cited as `docs/model/<chapter>.md#<heading>` (docs/model/README.md),
//! other documents by their path, decisions also by the path up to the number. Relative links of
//! Markdown files are checked with their headings. This check does not compare a citation with the
//! text of the rule.

use std::collections::{BTreeMap, BTreeSet};

/// The folder of all documents.
const DOCS: &str = "docs/";
/// The folder of the chapters.
const MODEL: &str = concat!("docs/", "model/");
/// Names of papers that no reader can open, each followed by a number or letter.
const NUMBERED: [&str; 3] =
    [concat!("sp", "ec"), concat!("thr", "ead"), concat!("archi", "tecture")];
/// A phrase that names no discussion and no task, so that a reader cannot find either.
const NOBODYS: &str = "the thread's";
/// Words that occur only in those papers.
const WORDS: [&str; 3] = [concat!("ru", "ling"), concat!("ru", "lings"), concat!("con", "tracts")];

/// All findings in these files, path and text, sorted by path.
pub fn judge(files: &BTreeMap<String, String>) -> Vec<String> {
    let headings: BTreeMap<&str, BTreeSet<String>> = files
        .iter()
        .filter(|(path, _)| path.ends_with(".md"))
        .map(|(path, text)| (path.as_str(), slugs(text)))
        .collect();
    let mut findings = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| is_prose_or_code(path)) {
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(label) = private_label(line) {
                findings.push(format!(
                    "{path}:{number}: \"{label}\" is no name that a reader can open; cite a rule \
                        as {MODEL}<chapter>.md#<heading>, or a source by its name in \
                        docs/model/sources.md"
                ));
            }
            if path.starts_with("crates/") && line.to_lowercase().contains(NOBODYS) {
                findings.push(format!(
                    "{path}:{number}: whose? A discussion has a name in docs/model/sources.md, a \
                        task its own"
                ));
            }
            for cited in citations(path, line) {
                if let Err(why) = resolve(&cited, files, &headings) {
                    findings.push(format!("{path}:{number}: {cited} leads nowhere: {why}"));
                }
            }
        }
    }
    findings
}

fn is_prose_or_code(path: &str) -> bool {
    [".rs", ".md", ".ts", ".tsx", ".mjs", ".css", ".json", ".toml"]
        .iter()
        .any(|ending| path.ends_with(ending))
        && path != "package-lock.json"
}

/// The first private label of a line: a paper's name with a number, a word that occurs only in
/// those papers, or a bare section number such as a letter, a point and a digit.
fn private_label(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let bare = |word: &str| {
        word.trim_matches(|at: char| !at.is_alphanumeric()).trim_end_matches("'s").to_owned()
    };
    for (at, word) in words.iter().enumerate() {
        let plain = bare(word).to_lowercase();
        if WORDS.contains(&plain.as_str()) {
            return Some(bare(word));
        }
        let next = words.get(at + 1).map(|next| bare(next));
        let numbered = match (NUMBERED.iter().position(|name| *name == plain), &next) {
            (Some(0), Some(next)) => is_section(next),
            (Some(0), None) => word.starts_with('('),
            (Some(1), Some(next)) => next.len() == 3 && next.starts_with("00"),
            (Some(2), Some(next)) => next == "section" || is_numbered("D", next),
            _ => false,
        };
        if numbered {
            return Some(format!("{} {}", bare(word), next.unwrap_or_default()));
        }
        if is_numbered_section(&bare(word)) {
            return Some(bare(word));
        }
    }
    None
}

/// A letter of a paper's section, alone or with a point and a number.
fn is_section(word: &str) -> bool {
    let letter = word.starts_with(|first: char| first.is_ascii_uppercase() && first <= 'L');
    letter && (word.len() == 1 || is_numbered_section(word)) || word.starts_with("0.")
}

/// `name` directly followed by a number.
fn is_numbered(name: &str, word: &str) -> bool {
    word.strip_prefix(name).is_some_and(|number| number.parse::<u8>().is_ok())
}

fn is_numbered_section(word: &str) -> bool {
    let mut parts = word.splitn(2, '.');
    let (letter, number) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    letter.len() == 1
        && letter.chars().all(|letter| ('A'..='L').contains(&letter))
        && (1..=2).contains(&number.len())
        && number.chars().all(|digit| digit.is_ascii_digit())
}

/// The citations of a line, each from the root of the repository: those of documents anywhere,
/// and the links of a Markdown file.
fn citations(path: &str, line: &str) -> Vec<String> {
    let of_path = |at: char| at.is_ascii_alphanumeric() || "_-./#".contains(at);
    let mut cited: Vec<String> = line
        .match_indices(DOCS)
        .filter(|(at, _)| !line[..*at].ends_with(['/', '.']))
        .map(|(at, _)| {
            let end = line[at..].find(|c| !of_path(c)).map_or(line.len(), |end| at + end);
            line[at..end].trim_end_matches('.').to_owned()
        })
        .collect();
    if path.ends_with(".md") {
        let links = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let here = links.filter(|link| !link.contains(':') && !link.contains(' '));
        cited.extend(here.map(|link| beside(path, link)));
    }
    if path.starts_with(MODEL) {
        let sources = line.split('`').skip(1).step_by(2).filter(|code| code.starts_with("crates/"));
        cited.extend(sources.map(str::to_owned));
    }
    cited
}

/// `link` in the file at `path`, from the root of the repository.
fn beside(path: &str, link: &str) -> String {
    if link.starts_with('#') {
        return format!("{path}{link}");
    }
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn resolve(
    cited: &str,
    files: &BTreeMap<String, String>,
    headings: &BTreeMap<&str, BTreeSet<String>>,
) -> Result<(), String> {
    let (file, heading) = cited.split_once('#').map_or((cited, None), |(f, h)| (f, Some(h)));
    let folder = format!("{}/", file.trim_end_matches('/'));
    let is_folder = files.keys().any(|path| path.starts_with(&folder));
    let is_number = file.ends_with(|last: char| last.is_ascii_digit())
        && files.keys().any(|path| path.starts_with(&format!("{file}-")));
    if !files.contains_key(file) && !is_folder && !is_number && !file.is_empty() {
        return Err("no such file is tracked".to_owned());
    }
    match (heading, headings.get(file)) {
        (Some(heading), Some(known)) if !known.contains(heading) => {
            Err(format!("{file} has no heading \"{heading}\""))
        }
        _ => Ok(()),
    }
}

/// The anchors of a Markdown file's headings, as GitHub makes them.
fn slugs(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let mut slugs = BTreeSet::new();
    for line in text.lines() {
        fenced ^= line.starts_with("```");
        let heading = line.trim_start_matches('#');
        if fenced || heading.len() == line.len() || !heading.starts_with(' ') {
            continue;
        }
        let kept = heading.trim().to_lowercase();
        let kept = kept.chars().filter(|at| at.is_alphanumeric() || " -_".contains(*at));
        slugs.insert(kept.map(|at| if at == ' ' { '-' } else { at }).collect());
    }
    slugs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(files: &[(&str, &str)]) -> Vec<String> {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        judge(&files.collect())
    }

    #[test]
    fn a_private_label_is_refused_with_its_place_and_a_sentence() {
        let [sections, threads, houses] = NUMBERED;
        for label in [
            format!("{sections} {}", concat!("B", ".3")),
            format!("{sections} E)"),
            format!("({sections}"),
            format!("{threads} 003"),
            format!("({houses} {})", concat!("D", "2")),
            format!("({houses} section 4)"),
            format!("the {} has it", WORDS[0]),
            format!("{} 2.1", WORDS[2]),
            concat!("H", ".1 row 5").to_owned(),
        ] {
            let found = said(&[("crates/x.rs", &format!("fn f() {{}}\n// As in {label}\n"))]);
            assert_eq!(found.len(), 1, "{label}: {found:?}");
            assert!(found[0].starts_with("crates/x.rs:2: "), "{found:?}");
            assert!(found[0].contains("no name that a reader can open"), "{found:?}");
        }
    }

    #[test]
    fn a_discussion_without_a_name_is_refused_in_code() {
        let line = format!("// {NOBODYS} figure");
        assert!(said(&[("crates/x.rs", &line)])[0].contains("docs/model/sources.md"));
        assert_eq!(said(&[(concat!("docs/", "x.md"), &line)]), [""; 0]);
    }

    #[test]
    fn names_that_lead_somewhere_pass() {
        for line in [
            "as in Chiluk 2019",
            "let spec = task(spec);",
            "spec A_thing, 2.1 and B",
            "thread 3 of A. Arora's, 6.12.117",
            "an overruling contract of H.264",
        ] {
            assert_eq!(said(&[("crates/x.rs", line)]), [""; 0], "{line}");
        }
    }

    #[test]
    fn a_rule_that_is_cited_exists() {
        let chapter = format!("{MODEL}a.md");
        let text = "# A\n\n### Push IPI: chain\n```\n# no heading\n```\n";
        let cites = |cited: &str| said(&[(&chapter, text), ("crates/x.rs", cited)]);
        assert_eq!(cites(&format!("// ({chapter}#push-ipi-chain), {chapter}.")), [""; 0]);
        let found = cites(&format!("// {chapter}#no-heading."));
        assert_eq!(found.len(), 1);
        assert!(
            found[0].contains("crates/x.rs:1: ") && found[0].contains("no heading"),
            "{found:?}"
        );
        assert_eq!(cites(&format!("// {MODEL}b.md#push-ipi-chain")).len(), 1);
        assert_eq!(cites(concat!("// docs/", "old.md says why")).len(), 1);
    }

    #[test]
    fn a_decision_is_cited_by_its_number() {
        let decision = concat!("docs/", "decisions/0012-fair-class.md");
        let cites = |number: &str| {
            said(&[(decision, ""), ("crates/x.rs", &format!("// ({DOCS}decisions/{number})"))])
        };
        assert_eq!(cites("0012"), [""; 0]);
        assert_eq!(cites("001").len(), 1);
        assert_eq!(cites("0013").len(), 1);
    }

    #[test]
    fn links_of_markdown_files_and_modules_named_by_chapters_exist() {
        let chapter = format!("{MODEL}a.md");
        let judge = |line: &str| {
            said(&[(&chapter, line), (concat!("docs/", "b.md"), "## One\n"), ("crates/x.rs", "")])
                .len()
        };
        assert_eq!(judge("[b](../b.md#one) [c](https://host/x) `crates/x.rs` [d](#e)\n# E"), 0);
        assert_eq!(judge("[b](../b.md#two)"), 1);
        assert_eq!(judge("![b](b.png)"), 1);
        assert_eq!(judge("[b](b.md)"), 1);
        assert_eq!(judge("`crates/y.rs`"), 1);
    }
}
