//! `cargo xtask gen`: every committed file that is made from Rust, and the check that none has drifted.

use crate::{Failure, catalogue, read, types};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// A generated file: its path below the project's root and its content.
struct Generated {
    path: &'static str,
    content: String,
}

fn all(root: &Path) -> Result<Vec<Generated>, Failure> {
    let raw = vec![
        Generated { path: "src/engine/gen/catalogue.ts", content: catalogue::typescript() },
        Generated { path: "src/engine/gen/types.ts", content: types::types()? },
        Generated { path: "src/engine/gen/knobs.ts", content: types::knob_list()? },
        Generated { path: "src/engine/gen/scenarios.ts", content: types::scenario_list(root)? },
        Generated { path: "scenarios/scenario.schema.json", content: types::scenario_schema() },
        Generated { path: "docs/trace.md", content: catalogue::markdown() },
    ];
    raw.into_iter().map(|file| pretty(root, file)).collect()
}

/// Writes the files that differ from what Rust says.
pub fn write(root: &Path) -> Result<(), Failure> {
    for file in drifted(root)? {
        let path = root.join(file.path);
        std::fs::write(&path, file.content).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        println!("wrote {}", file.path);
    }
    Ok(())
}

/// Fails with the names of the files that differ.
pub fn check(root: &Path) -> Result<(), Failure> {
    let names: Vec<&str> = drifted(root)?.iter().map(|file| file.path).collect();
    if names.is_empty() {
        return Ok(());
    }
    Err(format!("out of date: {}\nRun `npm run gen` and commit the result.", names.join(", ")))
}

fn drifted(root: &Path) -> Result<Vec<Generated>, Failure> {
    let files = all(root)?;
    Ok(files.into_iter().filter(|file| read(&root.join(file.path)).ok().as_ref() != Some(&file.content)).collect())
}

/// Lets Prettier lay out TypeScript and JSON, so that the page's one style check covers generated files too.
fn pretty(root: &Path, file: Generated) -> Result<Generated, Failure> {
    if file.path.ends_with(".md") {
        return Ok(file);
    }
    let program = root.join("node_modules/prettier/bin/prettier.cjs");
    if !program.exists() {
        return Err("Prettier is not installed: run `npm ci` first.".to_owned());
    }
    let mut child = Command::new("node")
        .current_dir(root)
        .arg(program)
        .args(["--stdin-filepath", file.path])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start node: {error}"))?;
    let written = child.stdin.take().map(|mut stdin| stdin.write_all(file.content.as_bytes()));
    let output = child.wait_with_output().map_err(|error| format!("Prettier: {error}"))?;
    if !matches!(written, Some(Ok(()))) || !output.status.success() {
        return Err(format!("Prettier refused {}", file.path));
    }
    let content = String::from_utf8(output.stdout).map_err(|error| format!("Prettier: {error}"))?;
    Ok(Generated { content, ..file })
}
