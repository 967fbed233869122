//! `cargo xtask wasm | gen [--check] | tidy | claims`: the build steps that need Rust.
//!
//! A person runs the scripts of package.json, which call these steps.

mod catalogue;
mod claims;
mod constants;
mod files;
mod formats;
mod generate;
mod recordings;
mod texts;
mod tidy;
mod types;
mod typescript;
mod versions;
mod wasm;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask wasm | gen [--check] | tidy [--comments FOLDER...] | \
    claims [--quick | --write] [SCENARIO...]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = project_root();
    let outcome = match words.as_slice() {
        ["wasm"] => wasm::build(&root),
        ["gen"] => generate::write(&root),
        ["gen", "--check"] => generate::check(&root),
        ["tidy"] => tidy::check(&root),
        ["tidy", "--comments", folders @ ..] => tidy::check_comments(&root, folders),
        ["claims", words @ ..] => claims::run(&root, words),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn project_root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().expect("xtask is a folder of the project").to_owned()
}
