//! `cargo xtask tidy`: rules of the house that no linter knows. File lengths, wide lines of Rust,
//! paths of one person's machine, download addresses in the lock file, private names of sources and
//! citations that lead nowhere (`tidy/citations.rs`), commits without a row in
//! docs/model/sources.md (`tidy/commits.rs`) and other sources without one (`tidy/sources.rs`),
//! kernel versions named outside the table of kernels, policies compared with one value
//! (`tidy/policies.rs`), modules that import from a row above their own (`tidy/layers.rs`),
//! comments in roundabout English (`tidy/comments.rs`), stories with long or missing parts
//! (`tidy/stories.rs`), and results in READMEs that no claim measures.

mod citations;
mod comments;
mod commits;
mod layers;
mod modules;
mod policies;
mod sources;
mod stories;

use crate::files::{Failure, read};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// A longer file does two things and needs splitting.
const MAX_LINES: usize = 500;
/// rustfmt does not break texts, comments and macros; this limit applies to them.
const MAX_WIDTH_RUST: usize = 100;
/// Path prefixes that only one machine has.
const MACHINE_PATHS: [&str; 4] =
    [concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/Us", "ers/"), concat!("/wo", "rk/")];

/// Kernel versions may be named only here, in the table of kernels. All other code asks the kernel
/// for a behaviour by its name (docs/develop/recipes.md).
const KERNEL_TABLE: &str = "crates/engine/src/kernel/config";
/// The changes that the table lacks have ranges of releases, too.
const KERNEL_TEXTS: &str = "crates/scenario/src/versions/";
/// Expressions that name a version or ask for its place in the order of versions.
const VERSION_NAMED: [&str; 11] = [
    concat!("Ver", "sion::V"),
    concat!("Ver", "sion::of("),
    concat!("version()", " <"),
    concat!("version()", " >"),
    concat!("version()", " =="),
    concat!("version()", " !="),
    concat!("version()", " as"),
    concat!("version().name()", " =="),
    concat!("<", " default_version"),
    concat!("=", "= default_version"),
    concat!(">", "= default_version"),
];
const ENGINE: &str = "crates/engine/src/";
/// Expressions that the engine may not use outside the table: the engine neither knows versions nor
/// orders the generations of RT balancing, under any name of an import.
const VERSION_ASKED: [&str; 5] = [
    concat!("Ver", "sion"),
    concat!(".ver", "sion()"),
    concat!("newest_", "version"),
    concat!("Rt", "Balance"),
    concat!("rt_balance", " as"),
];

/// Checks every tracked file and reports all findings at once.
pub fn check(root: &Path) -> Result<(), Failure> {
    let files = texts(root)?;
    let mut findings: Vec<String> =
        files.iter().flat_map(|(path, text)| judge(path, text)).collect();
    findings.extend(layers::judge(&files));
    findings.extend(citations::judge(&files));
    findings.extend(comments::judge(&files));
    findings.extend(commits::judge(&files));
    findings.extend(sources::judge(&files));
    findings.extend(policies::judge(&files));
    for scenario in schedscope_claims::shipped(&root.join("scenarios"))? {
        let path = format!("scenarios/{}/README.md", scenario.slug);
        let readme = read(&root.join(&path))?;
        findings.extend(stories::judge(&scenario.slug, &readme));
        let bare = schedscope_claims::bare_figures(&scenario.text, &scenario.table, &readme);
        findings.extend(bare.iter().map(|figure| {
            format!(
                "{path}: \"{figure}\" is a result that no claim measures (docs/model/claims.md)"
            )
        }));
    }
    outcome(&findings)
}

/// Checks the words of the comments below these folders, or of all comments, those that `check`
/// leaves out too.
pub fn check_comments(root: &Path, folders: &[&str]) -> Result<(), Failure> {
    outcome(&comments::judge_folders(&texts(root)?, folders))
}

fn outcome(findings: &[String]) -> Result<(), Failure> {
    if findings.is_empty() { Ok(()) } else { Err(findings.join("\n")) }
}

/// The text of every tracked file by its path. Binary files (the screenshot) and files deleted but
/// not committed have none.
fn texts(root: &Path) -> Result<BTreeMap<String, String>, Failure> {
    // A binary file (the screenshot) has no text to judge, but links may lead to it. A file that
    // was deleted but not committed is none.
    let texts = tracked(root)?.into_iter().filter_map(|path| {
        let place = root.join(&path);
        let text = read(&place).ok().or_else(|| place.exists().then(String::new))?;
        Some((path, text))
    });
    Ok(texts.collect())
}

/// Paths of the files that git knows, below `root`.
pub(crate) fn tracked(root: &Path) -> Result<Vec<String>, Failure> {
    let output = Command::new("git")
        .current_dir(root)
        .args(["ls-files", "-z"])
        .output()
        .map_err(|error| format!("cannot start git: {error}"))?;
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
    findings.extend(
        wide_lines(path, text)
            .map(|line| format!("{path}:{line}: longer than {MAX_WIDTH_RUST} characters")),
    );
    for (number, line) in text.lines().enumerate() {
        if let Some(prefix) = MACHINE_PATHS.iter().find(|prefix| names_machine_path(line, prefix)) {
            findings.push(format!("{path}:{}: a path of one machine ({prefix}…)", number + 1));
        }
    }
    findings.extend(named_versions(path, text).map(|line| {
        format!(
            "{path}:{line}: asks for a kernel version; give what it does a row in \
            {KERNEL_TABLE} and ask the kernel by its name (in a unit test of the engine, take the \
            version by its spelling: Version::parse)"
        )
    }));
    if path == "package-lock.json" && text.contains("\"resolved\"") {
        findings.push(format!(
            "{path}: holds download addresses; npm install with this project's \
            .npmrc leaves them out"
        ));
    }
    findings
}

/// Lines of Rust that are too wide and could be broken.
fn wide_lines<'t>(path: &str, text: &'t str) -> impl Iterator<Item = usize> + 't {
    let lines = text.lines().take(if path.ends_with(".rs") { usize::MAX } else { 0 });
    let wide = |line: &str| line.chars().count() > MAX_WIDTH_RUST && !is_unbreakable(line);
    lines.enumerate().filter(move |(_, line)| wide(line)).map(|(number, _)| number + 1)
}

/// Tests have long names of one word; drawings and tables in comments cannot be broken; an address
/// is one word.
fn is_unbreakable(line: &str) -> bool {
    let line = line.trim();
    let named =
        line.strip_prefix("fn ").and_then(|rest| rest.trim_end_matches(" {").strip_suffix("()"));
    let comment = line.strip_prefix("//").map(|rest| rest.trim_start_matches(['/', '!']).trim());
    let drawn = |text: &str| text.starts_with('|') || text.contains(['─', '►', '◄', '│']);
    named.is_some_and(|name| !name.contains(' '))
        || comment.is_some_and(drawn)
        || line.split_whitespace().any(|word| word.contains("://"))
}

/// Lines of `text` that name a kernel version outside the table. Unit tests at the end of a file
/// may name versions, except in the engine, whose tests take a version by its spelling.
fn named_versions<'t>(path: &str, text: &'t str) -> impl Iterator<Item = usize> + 't {
    let may = !path.ends_with(".rs")
        || path.starts_with(KERNEL_TABLE)
        || path.starts_with(KERNEL_TEXTS)
        || path.contains("/tests/")
        || path.ends_with("tests.rs");
    let end = if may { 0 } else { tests_begin(text) };
    let engine = path.starts_with(ENGINE) && !path.starts_with(KERNEL_TABLE);
    let asked: &[&str] = if engine { &VERSION_ASKED } else { &[] };
    let in_test: &[&str] = if engine { &VERSION_NAMED[..2] } else { &[] };
    let asks = move |(number, line): &(usize, &str)| {
        let mut code = VERSION_NAMED.iter().chain(asked);
        let names = |named: &&str| line.contains(named);
        !line.trim_start().starts_with("//")
            && if *number < end { code.any(names) } else { in_test.iter().any(names) }
    };
    text.lines().enumerate().filter(asks).map(|(number, _)| number + 1)
}

/// The number of the last line before a file's own test module.
fn tests_begin(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let begins = |pair: &[&str]| {
        pair[0] == "#[cfg(test)]" && pair[1].contains("mod ") && pair[1].ends_with('{')
    };
    lines.windows(2).position(begins).unwrap_or(lines.len())
}

fn is_source(path: &str) -> bool {
    let written_by_hand = !path.contains("/gen/");
    written_by_hand
        && [".rs", ".ts", ".tsx", ".css", ".mjs"].iter().any(|ending| path.ends_with(ending))
}

/// The prefix at the start of a path, not inside a longer address such as `https://host/home/`.
fn names_machine_path(line: &str, prefix: &str) -> bool {
    line.match_indices(prefix).any(|(at, _)| {
        !line[..at].ends_with(|before: char| before.is_alphanumeric() || "._-)/".contains(before))
    })
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
        assert_eq!(judge("crates/x.rs", &text).len(), 1);
        assert_eq!(judge("src/engine/gen/x.ts", &text).len(), 0);
        assert_eq!(judge(concat!("docs/", "x.md"), &text).len(), 0);
    }

    #[test]
    fn a_wide_line_of_rust_is_a_finding_unless_it_cannot_be_broken() {
        let wide = "x".repeat(MAX_WIDTH_RUST);
        let findings = |line: &str| judge("crates/x.rs", &format!("{line}\n")).len();
        assert_eq!(findings(&wide), 0);
        for line in [format!("// {wide}"), format!("\"a {wide}\","), format!("fn f({wide}: u8) {{")]
        {
            assert_eq!(findings(&line), 1, "{line}");
            assert_eq!(judge("src/x.ts", &line), [""; 0]);
        }
        for line in [
            format!("fn {wide}() {{"),
            format!("//!   a ──► {wide}"),
            format!("/// | {wide} |"),
            format!("// https://host/{wide}"),
        ] {
            assert_eq!(findings(&line), 0, "{line}");
        }
    }

    #[test]
    fn a_kernel_version_is_named_only_in_the_table_of_kernels_and_in_tests() {
        let named = format!(
            "fn old(&self) -> bool {{\n    self.kernel.version() < {}6_1\n}}\n",
            VERSION_NAMED[0]
        );
        let compared = "let same = a.version() == b.version();\n";
        for text in [named.as_str(), compared] {
            for path in ["crates/engine/src/kernel/prio.rs", "crates/scenario/src/bandwidth.rs"] {
                let findings = judge(path, text);
                assert_eq!(findings.len(), 1, "{findings:?}");
                assert!(findings[0].contains("asks for a kernel version"), "{findings:?}");
            }
            for path in ["config.rs", "config/rules.rs"] {
                assert_eq!(judge(&format!("crates/engine/src/kernel/{path}"), text), [""; 0]);
            }
            assert_eq!(judge("crates/engine/tests/engine/rt_push.rs", text), [""; 0]);
            let tests = format!("#[cfg(test)]\nmod tests {{\n{text}}}\n");
            assert_eq!(judge("crates/scenario/src/bandwidth.rs", &tests), [""; 0]);
            let beside = format!("#[cfg(test)]\nmod tests;\n{text}");
            assert_eq!(judge("crates/engine/src/kernel/prio.rs", &beside).len(), 1);
        }
        let tests = format!("#[cfg(test)]\nmod tests {{\n{named}}}\n");
        for (path, text) in [("prio.rs", &tests), ("prio/tests.rs", &named)] {
            let found = judge(&format!("{ENGINE}kernel/{path}"), text);
            assert_eq!(found.len(), 1, "{path}: {found:?}");
        }
        for asked in [
            "use crate::kernel::config::Version as V;",
            "matches!(kernel.version(), V::V6_1)",
            "kernel.version() as u8 >= 18",
            "kernel.version().name() == \"6.1\"",
            "kernel.version().ge(&default_version())",
            "kernel.rt_balance as u8 >= 3",
            "kernel.rt_balance == RtBalance::Ipi2026Noself",
        ] {
            let text = format!("{asked}\n");
            assert_eq!(judge("crates/engine/src/kernel/rt/push.rs", &text).len(), 1, "{asked}");
        }
        let ordered = "let newer = version >= default_version();\n";
        assert_eq!(judge("crates/scenario/src/resolve/kernel.rs", ordered).len(), 1);
    }
}
