//! Ctrl-C, and the signals that ask to end: what is being written is taken away again, unless the command wants to end what it is at.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

/// Somebody asked the program to end.
static ASKED: AtomicBool = AtomicBool::new(false);
/// The command ends by itself once it is asked; only the second time is an order.
static ENDS_ITSELF: AtomicBool = AtomicBool::new(false);
/// Unfinished files.
static PARTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Set by the first Ctrl-C: no further run is started, those under way end. The second ends the program.
pub fn asked_to_end() -> &'static AtomicBool {
    ENDS_ITSELF.store(true, Ordering::Relaxed);
    listen();
    &ASKED
}

/// The unfinished file at `path` goes if the program is interrupted.
pub fn take_along(path: &Path) {
    parts(|parts| parts.push(path.to_owned()));
    listen();
}

/// The file at `path` is finished, or has gone.
pub fn let_be(path: &Path) {
    parts(|parts| parts.retain(|part| part != path));
}

fn parts<T>(with: impl FnOnce(&mut Vec<PathBuf>) -> T) -> T {
    with(&mut PARTS.lock().unwrap_or_else(PoisonError::into_inner))
}

fn listen() {
    static HANDLER: Once = Once::new();
    HANDLER.call_once(|| {
        // Without a handler Ctrl-C ends the program at once, and an unfinished file stays beside its place.
        let _ = ctrlc::set_handler(|| {
            let first = !ASKED.swap(true, Ordering::Relaxed);
            if first && ENDS_ITSELF.load(Ordering::Relaxed) {
                return;
            }
            parts(|parts| {
                parts.iter().for_each(|part| drop(std::fs::remove_file(part)));
                std::process::exit(130);
            });
        });
    });
}
