//! Every commit of the kernel that is cited has a row in docs/model/sources.md, and every row is
//! cited.

use std::collections::{BTreeMap, BTreeSet};

const SOURCES: &str = "docs/model/sources.md";
/// Folders that cite commits. Expected reports and generated files cite nothing.
const CITING: [&str; 5] = ["crates/", "docs/", "lessons/", "scenarios/", "src/model/rules/"];
/// Lists of changes of releases that the model lacks, each with its commit: the page links them.
const LISTING: [&str; 3] =
    ["crates/scenario/src/versions/", "docs/model/versions.md", "docs/develop/kernel-readings.md"];
const DIGITS: usize = 12;

/// All findings in these files, path and text, sorted by path.
pub fn judge(files: &BTreeMap<String, String>) -> Vec<String> {
    let known: BTreeSet<&str> =
        files.get(SOURCES).map_or(BTreeSet::new(), |text| text.lines().filter_map(row).collect());
    let mut cited = BTreeSet::new();
    let mut findings = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| cites(path)) {
        for (number, line) in (1..).zip(text.lines()) {
            for hash in hashes(line).filter(|hash| !is_number(hash) || known.contains(hash)) {
                if cited.insert(hash) && !known.contains(hash) {
                    findings.push(format!(
                        "{path}:{number}: commit {hash} has no row under \"Commits\" in {SOURCES}"
                    ));
                }
            }
        }
    }
    let idle = known.difference(&cited);
    findings.extend(idle.map(|hash| format!("{SOURCES}: nothing cites commit {hash}")));
    findings
}

fn cites(path: &str) -> bool {
    CITING.iter().any(|folder| path.starts_with(folder))
        && path != SOURCES
        && !LISTING.iter().any(|list| path.starts_with(list))
        && !path.contains("/expected/")
}

/// The commit of a row of the table.
fn row(line: &str) -> Option<&str> {
    let (hash, rest) = line.strip_prefix("| [")?.split_once(']')?;
    rest.starts_with(&format!("(https://git.kernel.org/linus/{hash}) |")).then_some(hash)
}

/// Whether a word may be a number: a commit of decimal digits alone is one that has a row.
fn is_number(word: &str) -> bool {
    word.chars().all(|at| at.is_ascii_digit())
}

/// Words of a line that are twelve digits of a commit, or of a number.
fn hashes(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|at: char| !at.is_ascii_alphanumeric() && at != '_');
    words.filter(|word| {
        word.len() == DIGITS
            && word.chars().all(|at| matches!(at, '0'..='9' | 'a'..='f'))
            && word.contains(|at: char| at.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(files: &[(&str, &str)]) -> Vec<String> {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        judge(&files.collect())
    }

    #[test]
    fn a_cited_commit_has_a_row_and_a_row_is_cited() {
        let row = "| [917b627d4d98](https://git.kernel.org/linus/917b627d4d98) | 2.6.30 | x |\n";
        let cites = ("crates/x.rs", "fn f() {}\n// As commit 917b627d4d98.\n// 917b627d4d98");
        assert_eq!(said(&[(SOURCES, row), cites]), [""; 0]);
        let found = said(&[(SOURCES, "# Sources\n"), cites]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("crates/x.rs:2: commit 917b627d4d98"), "{found:?}");
        assert!(said(&[(SOURCES, row)])[0].contains("nothing cites"));
        let digits = row.replace("917b627d4d98", "917562704598");
        let cites_digits = ("crates/x.rs", "// Commit 917562704598.");
        assert_eq!(said(&[(SOURCES, &digits), cites_digits]), [""; 0]);
        let elsewhere = row.replace("linus/9", "linus/8");
        assert_eq!(said(&[(SOURCES, &elsewhere), cites]).len(), 1);
    }

    #[test]
    fn words_that_are_no_commit_and_files_that_cite_nothing_pass() {
        for line in
            ["100000000000", "deadbeefcafe", "917b627d4d98a", "x_917b627d4d98", "917B627D4D98"]
        {
            assert_eq!(said(&[(concat!("docs/", "x.md"), line)]), [""; 0], "{line}");
        }
        let run = "\"digest\": \"917b627d4d98\"";
        assert_eq!(said(&[("scenarios/x/expected/reports.json", run), ("src/x.ts", run)]), [""; 0]);
    }
}
