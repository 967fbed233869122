//! `cargo xtask tidy`: rules of the house that no linter knows. File lengths, paths of one person's machine,
//! download addresses in the lock file, and results in READMEs that no claim measures.

use crate::{Failure, read};
use std::path::Path;
use std::process::Command;

/// A source file longer than this wants to be two nouns.
const MAX_LINES: usize = 400;
/// Path prefixes that only one machine has.
const MACHINE_PATHS: [&str; 4] = [concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/Us", "ers/"), concat!("/wo", "rk/")];

/// Checks every tracked file and reports all findings at once.
pub fn check(root: &Path) -> Result<(), Failure> {
    let mut findings = Vec::new();
    for path in tracked(root)? {
        // Binary files (the screenshot) and files deleted but not committed have no text to judge.
        let Ok(text) = read(&root.join(&path)) else { continue };
        findings.extend(judge(&path, &text));
    }
    for scenario in schedscope_claims::shipped(&root.join("scenarios"))? {
        let path = format!("scenarios/{}/README.md", scenario.slug);
        let bare = schedscope_claims::bare_figures(&scenario.text, &scenario.table, &read(&root.join(&path))?);
        findings.extend(bare.iter().map(|figure| format!("{path}: \"{figure}\" is a result that no claim measures (docs/claims.md)")));
    }
    if findings.is_empty() { Ok(()) } else { Err(findings.join("\n")) }
}

fn tracked(root: &Path) -> Result<Vec<String>, Failure> {
    let output =
        Command::new("git").current_dir(root).args(["ls-files", "-z"]).output().map_err(|error| format!("cannot start git: {error}"))?;
    if !output.status.success() {
        return Err("tidy reads the list of files from git, and this is no git checkout".to_owned());
    }
    let names = String::from_utf8_lossy(&output.stdout);
    Ok(names.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

fn judge(path: &str, text: &str) -> Vec<String> {
    let mut findings = Vec::new();
    let lines = text.lines().count();
    if is_source(path) && lines > MAX_LINES {
        findings.push(format!("{path}: {lines} lines, more than {MAX_LINES}"));
    }
    for (number, line) in text.lines().enumerate() {
        if let Some(prefix) = MACHINE_PATHS.iter().find(|prefix| names_machine_path(line, prefix)) {
            findings.push(format!("{path}:{}: a path of one machine ({prefix}…)", number + 1));
        }
    }
    if path == "package-lock.json" && text.contains("\"resolved\"") {
        findings.push(format!("{path}: holds download addresses; npm install with this project's .npmrc leaves them out"));
    }
    findings
}

fn is_source(path: &str) -> bool {
    let written_by_hand = !path.contains("/gen/");
    written_by_hand && [".rs", ".ts", ".tsx", ".css", ".mjs"].iter().any(|ending| path.ends_with(ending))
}

/// The prefix at the start of a path, not inside a longer address such as `https://host/home/`.
fn names_machine_path(line: &str, prefix: &str) -> bool {
    line.match_indices(prefix).any(|(at, _)| !line[..at].ends_with(|before: char| before.is_alphanumeric() || "._-)/".contains(before)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_one_machine_is_found_and_a_part_of_an_address_is_not() {
        let prefix = MACHINE_PATHS[0];
        assert!(names_machine_path(&format!("see {prefix}me/x"), prefix));
        assert!(!names_machine_path(&format!("https://host{prefix}me"), prefix));
    }

    #[test]
    fn a_long_source_file_is_a_finding_and_a_generated_one_is_not() {
        let text = "x\n".repeat(MAX_LINES + 1);
        assert_eq!(judge("src/lib/x.ts", &text).len(), 1);
        assert_eq!(judge("src/engine/gen/x.ts", &text).len(), 0);
        assert_eq!(judge("docs/x.md", &text).len(), 0);
    }
}
