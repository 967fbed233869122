//! `cargo xtask wasm`: the engine for the browser, in `src/engine/wasm/` (git-ignored).
//!
//! wasm-bindgen's generator is linked in, so its version and the crate's are one line of Cargo.lock and no tool has
//! to be installed.

use crate::Failure;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";
const NAME: &str = "schedscope";

/// Builds the wasm and its glue; does nothing after a build that changed nothing.
pub fn build(root: &Path) -> Result<(), Failure> {
    compile(root)?;
    let input = target_folder(root).join(TARGET).join("wasm/schedscope_wasm.wasm");
    let output = root.join("src/engine/wasm");
    let stamp_file = output.join(".stamp");
    let stamp = stamp_of(&input)?;
    if std::fs::read_to_string(&stamp_file).is_ok_and(|old| old == stamp) && output.join("schedscope_bg.wasm").exists() {
        return Ok(());
    }
    bind(&input, &output).map_err(|error| format!("wasm-bindgen: {error:#}"))?;
    std::fs::write(&stamp_file, stamp).map_err(|error| format!("cannot write {}: {error}", stamp_file.display()))
}

fn compile(root: &Path) -> Result<(), Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(root)
        .args(["build", "--quiet", "--locked", "--package", "schedscope-wasm", "--profile", "wasm", "--target", TARGET])
        .env("CARGO_ENCODED_RUSTFLAGS", flags(root).join("\u{1f}"))
        .status()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err("the wasm crate does not build".to_owned()) }
}

/// LLVM's inline threshold. Measured in Node: with 26 instead of the 250 of opt-level 3 a run takes 1 to 3 % longer,
/// with opt-level "s" for the engine, no smaller, 11 to 17 % longer.
const INLINE: &str = "-Cllvm-args=-inline-threshold=26";

fn flags(root: &Path) -> Vec<String> {
    let mut flags = path_flags(root);
    flags.push(INLINE.to_owned());
    flags
}

/// Panic messages carry source paths: they must not tell whose machine built the site, nor change its bytes.
fn path_flags(root: &Path) -> Vec<String> {
    let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE")).map(PathBuf::from);
    let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| home.map(|home| home.join(".cargo")));
    let mut flags = vec![format!("--remap-path-prefix={}=.", root.display())];
    flags.extend(cargo_home.map(|folder| format!("--remap-path-prefix={}=cargo", folder.display())));
    flags
}

fn target_folder(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder))
}

fn stamp_of(input: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(input).map_err(|error| format!("cannot read {}: {error}", input.display()))?;
    let mut hasher = DefaultHasher::new();
    hasher.write(&bytes);
    Ok(format!("{} bytes, hash {:016x}\n", bytes.len(), hasher.finish()))
}

fn bind(input: &Path, output: &Path) -> Result<(), impl std::fmt::Display + use<>> {
    Bindgen::new()
        .input_path(input)
        .out_name(NAME)
        .typescript(true)
        // With the default left out, `init()` wants an argument and fails only when the page runs.
        .omit_default_module_path(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .web(true)
        .and_then(|bindgen| bindgen.generate(output))
}
