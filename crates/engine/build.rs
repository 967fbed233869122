//! Fingerprint of the engine's sources, for the bytes of a setup (`src/setup/wire.rs`): FNV-1a over
//! paths and contents in order. `crates/asked`, which builds the same sources, has it too.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The engine's folder, beside which `crates/asked` is.
const ENGINE: &str = "../engine";

fn main() {
    println!("cargo::rerun-if-changed={ENGINE}/src");
    env::set_current_dir(ENGINE).expect("crates/engine is there: this script is in it");
    let mut files = Vec::new();
    collect(Path::new("src"), &mut files);
    files.sort();
    let hash = files.iter().fold(0xcbf2_9ce4_8422_2325, |hash, file| {
        let name = file.to_string_lossy().replace('\\', "/");
        let content = fs::read(file).unwrap_or_default();
        name.bytes()
            .chain(content)
            .fold(hash, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    });
    println!("cargo::rustc-env=SCHEDSCOPE_ENGINE_SOURCES={hash}");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}
