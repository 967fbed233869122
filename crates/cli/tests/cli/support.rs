//! The command as a test starts it, and files and links of a test's own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// Where this project's files are: every command runs there.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_schedscope"));
    command.args(arguments).current_dir(root());
    command
}

pub fn schedscope(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    text(&output.stderr)
}

/// The output of a command that succeeds.
pub fn stdout(arguments: &[&str]) -> String {
    let output = schedscope(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    text(&output.stdout)
}

/// The object that a command prints which succeeds.
pub fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(arguments)).unwrap()
}

/// Ends with `code`, says all of `words`, prints no result.
pub fn refused(arguments: &[&str], code: i32, words: &[&str]) {
    let output = schedscope(arguments);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    words.iter().for_each(|word| {
        assert!(said.contains(word), "{arguments:?}: \"{word}\" is not in {said}")
    });
    assert!(output.stdout.is_empty(), "{arguments:?}");
}

/// A folder of a test's own, removed at the end.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(
            tempfile::Builder::new()
                .prefix("test-")
                .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
                .unwrap(),
        )
    }

    pub fn name(&self) -> &str {
        self.0.path().to_str().unwrap()
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file; its path.
    pub fn with(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// Names of the files in it.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// A file in a folder of its own, removed at the end.
pub struct File {
    _folder: Folder,
    path: String,
}

impl File {
    pub fn new(name: &str, content: impl AsRef<[u8]>) -> Self {
        let folder = Folder::new();
        let path = folder.with(name, content);
        Self { _folder: folder, path }
    }

    pub fn name(&self) -> &str {
        &self.path
    }

    pub fn text(&self) -> String {
        std::fs::read_to_string(&self.path).unwrap()
    }
}

/// A link to `slug` of a version of the format, with these pairs, each after its `&`.
pub fn link(version: u32, slug: &str, pairs: &str) -> String {
    let fixed = format!("v={version}.{pairs}&c=01234567").len();
    let length = (1..10)
        .map(|digits| fixed + digits)
        .find(|length| length.to_string().len() + fixed == *length)
        .unwrap();
    let checked = format!("v={version}.{length}{pairs}");
    format!("/s/{slug}/#{checked}&c={:08x}", crc32(checked.as_bytes()))
}

/// CRC-32 as in zip, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    };
    !bytes.iter().fold(u32::MAX, step)
}
