//! `cargo xtask gen`: every committed file that is made from Rust, and the check that none has
//! drifted.

use crate::files::{Failure, read};
use crate::{catalogue, constants, formats, recordings, texts, types, versions};
use schedscope_claims::{Scenario, fill, known_gaps, shipped};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// A generated file: its path below the project's root and its content.
struct Generated {
    path: String,
    content: String,
}

const METRIC_PATHS: &str = "crates/scenario/src/metrics/paths.rs";
/// The lines around the rows that claims generate.
const GAPS: Lines = ("<!-- gaps of claims -->", "<!-- /gaps of claims -->");
/// The lines around the table of forms of texts.
const FORMS: Lines = ("<!-- forms of texts -->", "<!-- /forms of texts -->");
/// The lines around the table of forms of recordings.
const RECORDINGS: Lines = ("<!-- forms of recordings -->", "<!-- /forms of recordings -->");

/// The lines before and behind a generated text.
type Lines = (&'static str, &'static str);

fn all(root: &Path) -> Result<Vec<Generated>, Failure> {
    let file = |path: &str, content: String| Generated { path: path.to_owned(), content };
    let mut raw = vec![
        file("src/engine/gen/catalogue.ts", catalogue::typescript()),
        file("src/engine/gen/codes.ts", catalogue::codes()),
        file("src/engine/gen/fingerprint.ts", constants::fingerprint()),
        file("src/engine/gen/formats.ts", formats::typescript()),
        file("src/engine/gen/run-formats.ts", formats::of_a_run()),
        file("src/engine/gen/format-docs.ts", formats::docs()),
        file("src/engine/gen/hidden.ts", constants::hidden()),
        file("src/engine/gen/types.ts", types::types()?),
        file("src/engine/gen/knobs.ts", types::knob_list()?),
        file("src/engine/gen/knob-docs.ts", types::knob_docs()?),
        file("src/engine/gen/version-rows.ts", versions::typescript()),
        file("src/engine/gen/version-places.ts", versions::places()),
        file("src/engine/gen/scenarios.ts", types::scenario_list(root)?),
        file("src/engine/gen/stories.ts", types::stories(root)?),
        file("scenarios/scenario.schema.json", types::scenario_schema()),
        file("docs/records/formats-out.md", formats::markdown()),
        file("docs/use/trace.md", catalogue::markdown()),
        file("docs/model/versions.md", versions::markdown()),
        file(METRIC_PATHS, constants::metric_paths()?),
        file("crates/scenario/src/report/behaviour.rs", constants::behaviour(root)?),
    ];
    raw.extend(quoting(root)?);
    raw.into_iter()
        .map(|file| {
            pretty(root, &file.path, file.content)
                .map(|content| Generated { path: file.path, content })
        })
        .collect()
}

/// The texts that quote claims, or have a table of a registry.
fn quoting(root: &Path) -> Result<Vec<Generated>, Failure> {
    let scenarios = shipped(&root.join("scenarios"))?;
    let readme = |scenario: &Scenario| {
        let path = format!("scenarios/{}/README.md", scenario.slug);
        let content = fill(scenario, &read(&root.join(&path))?)?;
        Ok(Generated { path, content })
    };
    let mut files: Vec<Generated> = scenarios.iter().map(readme).collect::<Result<_, Failure>>()?;
    files.push(between(root, "docs/model/known-gaps.md", GAPS, &known_gaps(&scenarios)?)?);
    files.push(between(root, "docs/use/paste.md", FORMS, &texts::table())?);
    files.push(between(root, "docs/use/recordings.md", RECORDINGS, &recordings::table())?);
    Ok(files)
}

/// A file with another text between two of its lines.
fn between(root: &Path, path: &str, lines: Lines, text: &str) -> Result<Generated, Failure> {
    let whole = read(&root.join(path))?;
    let parts = whole
        .split_once(lines.0)
        .and_then(|(before, rest)| rest.split_once(lines.1).map(|(_, after)| (before, after)));
    let (before, after) = parts.ok_or_else(|| format!("{path} has no line {}", lines.0))?;
    let content = format!("{before}{}\n{text}{}{after}", lines.0, lines.1);
    Ok(Generated { path: path.to_owned(), content })
}

/// Writes the files whose content differs from the generated one.
///
/// Generates the names of figures first: scenarios are checked against those that this program was
/// built with, so a new figure needs a second run of the program, rebuilt.
pub fn write(root: &Path) -> Result<(), Failure> {
    let (place, names) = (root.join(METRIC_PATHS), constants::metric_paths()?);
    if read(&place).ok().as_ref() != Some(&names) {
        std::fs::write(&place, names)
            .map_err(|error| format!("cannot write {METRIC_PATHS}: {error}"))?;
        println!("wrote {METRIC_PATHS}: run `npm run gen` once more");
        return Ok(());
    }
    for file in drifted(root)? {
        let path = root.join(&file.path);
        std::fs::write(&path, file.content)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        println!("wrote {}", file.path);
    }
    Ok(())
}

/// Fails with the names of the files that differ.
pub fn check(root: &Path) -> Result<(), Failure> {
    let drifted = drifted(root)?;
    let names: Vec<&str> = drifted.iter().map(|file| file.path.as_str()).collect();
    if names.is_empty() {
        return Ok(());
    }
    Err(format!("out of date: {}\nRun `npm run gen` and commit the result.", names.join(", ")))
}

fn drifted(root: &Path) -> Result<Vec<Generated>, Failure> {
    let files = all(root)?;
    Ok(files
        .into_iter()
        .filter(|file| read(&root.join(&file.path)).ok().as_ref() != Some(&file.content))
        .collect())
}

/// Lets Prettier lay out TypeScript and JSON, so that the page's one style check covers generated
/// files too.
pub fn pretty(root: &Path, path: &str, content: String) -> Result<String, Failure> {
    if path.ends_with(".md") || path.ends_with(".rs") {
        return Ok(content);
    }
    let program = root.join("node_modules/prettier/bin/prettier.cjs");
    if !program.exists() {
        return Err("Prettier is not installed: run `npm ci` first.".to_owned());
    }
    let mut child = Command::new("node")
        .current_dir(root)
        .arg(program)
        .args(["--stdin-filepath", path])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start node: {error}"))?;
    let written = child.stdin.take().map(|mut stdin| stdin.write_all(content.as_bytes()));
    let output = child.wait_with_output().map_err(|error| format!("Prettier: {error}"))?;
    if !matches!(written, Some(Ok(()))) || !output.status.success() {
        return Err(format!("Prettier refused {path}"));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("Prettier: {error}"))
}
