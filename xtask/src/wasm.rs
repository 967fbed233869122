//! `cargo xtask wasm`: builds the engine, the reader of scenarios, the writer of runs, the
//! bisector, the reader of pasted texts and the writer of real commands for the browser, and
//! prepares the opening run of each shipped scenario, all in `src/engine/wasm/` (git-ignored).
//!
//! wasm-bindgen's generator is linked in, so one line of Cargo.lock sets its version and that of
//! the crate, and no tool has to be installed.

use crate::files::Failure;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";
/// Package and name of each module, and its build options. All but the engine run no machine, so
/// the engine in them is built for size (4 kB of the reader's 150), not for speed.
const MODULES: [(&str, &str, &[&str]); 6] = [
    ("schedscope-wasm", "engine", &[]),
    ("schedscope-reader", "reader", &SMALL_ENGINE),
    ("schedscope-writer", "writer", &SMALL_ENGINE),
    ("schedscope-bisector", "bisector", &SMALL_ENGINE),
    ("schedscope-paste", "paste", &SMALL_FORMATS),
    ("schedscope-real", "real", &SMALL_FORMATS),
];

const SMALL_ENGINE: [&str; 2] =
    ["--config", "profile.wasm.package.schedscope-engine.opt-level=\"z\""];

/// Texts are short.
const SMALL_FORMATS: [&str; 2] =
    ["--config", "profile.wasm.package.schedscope-formats.opt-level=\"z\""];

/// Builds each wasm and its glue, and the first runs; writes nothing if no build changed.
pub fn build(root: &Path) -> Result<(), Failure> {
    let output = root.join("src/engine/wasm");
    for (package, name, otherwise) in MODULES {
        compile(root, package, otherwise)?;
        let file = format!("{}.wasm", package.replace('-', "_"));
        glue(&target_folder(root).join(TARGET).join("wasm").join(file), &output, name)?;
    }
    first_runs(root, &output.join("first"))
}

/// The opening runs of each shipped scenario, one file each. The native build computes them; a test
/// compares the bytes with those of the wasm build.
fn first_runs(root: &Path, output: &Path) -> Result<(), Failure> {
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", output.display());
    std::fs::create_dir_all(output).map_err(failed)?;
    let entries = schedscope_scenario::shipped(&root.join("scenarios"))?;
    for file in std::fs::read_dir(output).map_err(failed)? {
        let path = file.map_err(failed)?.path();
        if !entries
            .iter()
            .any(|entry| path.file_stem().is_some_and(|stem| stem == entry.slug.as_str()))
        {
            std::fs::remove_file(path).map_err(failed)?;
        }
    }
    entries.iter().try_for_each(|entry| {
        let runs = schedscope_scenario::first_runs(entry)
            .map_err(|error| format!("scenarios/{}: {error}", entry.slug))?;
        let text = serde_json::to_string(&runs).map_err(|error| error.to_string())?;
        std::fs::write(output.join(&entry.slug).with_extension("json"), text).map_err(failed)
    })
}

fn glue(input: &Path, output: &Path, name: &str) -> Result<(), Failure> {
    let stamp_file = output.join(format!(".stamp-{name}"));
    let stamp = stamp_of(input)?;
    if std::fs::read_to_string(&stamp_file).is_ok_and(|old| old == stamp)
        && output.join(format!("{name}_bg.wasm")).exists()
    {
        return Ok(());
    }
    bind(input, output, name).map_err(|error| format!("wasm-bindgen: {error:#}"))?;
    std::fs::write(&stamp_file, stamp)
        .map_err(|error| format!("cannot write {}: {error}", stamp_file.display()))
}

fn compile(root: &Path, package: &str, otherwise: &[&str]) -> Result<(), Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(root)
        .args([
            "build",
            "--quiet",
            "--locked",
            "--package",
            package,
            "--profile",
            "wasm",
            "--target",
            TARGET,
        ])
        .args(otherwise)
        .env("CARGO_ENCODED_RUSTFLAGS", flags(root).join("\u{1f}"))
        .status()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{package} does not build as wasm")) }
}

/// LLVM's inline threshold for functions without `#[inline]`; those with it have a threshold of
/// their own (325). The functions that every event of a run calls are marked. Measured in Node at
/// 40 CPUs: without the marks, a run took 20 % longer at a threshold of 22 and no longer at 250,
/// where the module has 179 kB; with the marks the module has 164 kB, before them 161 kB. With
/// opt-level "s" for the engine the module was no smaller and a run took 11 to 17 % longer.
const INLINE: &str = "-Cllvm-args=-inline-threshold=22";

fn flags(root: &Path) -> Vec<String> {
    let mut flags = path_flags(root);
    flags.push(INLINE.to_owned());
    flags
}

/// Flags that strip folders from the source paths of panic messages: the paths must not reveal the
/// machine that built the site, nor change the module's bytes.
fn path_flags(root: &Path) -> Vec<String> {
    let home =
        std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE")).map(PathBuf::from);
    let cargo_home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| home.map(|home| home.join(".cargo")));
    let mut flags = vec![format!("--remap-path-prefix={}=.", root.display())];
    flags
        .extend(cargo_home.map(|folder| format!("--remap-path-prefix={}=cargo", folder.display())));
    flags
}

fn target_folder(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root.join("target"), |folder| root.join(folder))
}

fn stamp_of(input: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(input)
        .map_err(|error| format!("cannot read {}: {error}", input.display()))?;
    let mut hasher = DefaultHasher::new();
    hasher.write(&bytes);
    Ok(format!("{} bytes, hash {:016x}\n", bytes.len(), hasher.finish()))
}

fn bind(input: &Path, output: &Path, name: &str) -> Result<(), impl std::fmt::Display + use<>> {
    Bindgen::new()
        .input_path(input)
        .out_name(name)
        .typescript(true)
        // Without the default, `init()` requires an argument and fails only when the page runs.
        .omit_default_module_path(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .web(true)
        .and_then(|bindgen| bindgen.generate(output))
}
