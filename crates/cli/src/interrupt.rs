//! Ctrl-C, and the signals that ask to end. A command that simulates stops at its next pause and
//! prints its partial result. At the second signal, or if it does not simulate, the program ends at
//! once and removes its unfinished files.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

/// A signal has asked the program to end.
static ASKED: AtomicBool = AtomicBool::new(false);
/// The command ends by itself once it is asked; only the second time is an order.
static ENDS_ITSELF: AtomicBool = AtomicBool::new(false);
/// Unfinished files.
static PARTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Set by the first Ctrl-C: no further run is started, those under way stop. The second ends the
/// program.
pub fn asked_to_end() -> &'static AtomicBool {
    ENDS_ITSELF.store(true, Ordering::Relaxed);
    listen();
    &ASKED
}

/// Whether a signal has asked the program to end.
pub fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// From now on the first time is an order: nothing is left that could be stopped in order.
pub fn end_at_once() {
    ENDS_ITSELF.store(false, Ordering::Relaxed);
}

/// Makes something by `how` whose unfinished file, `part`, goes if the program is ended at once. An
/// order to end that comes meanwhile waits until the file is known.
pub fn take_along<T, E>(
    how: impl FnOnce() -> Result<T, E>,
    part: impl FnOnce(&T) -> Option<PathBuf>,
) -> Result<T, E> {
    // A command that writes a file simulates, and a stopped run still puts the file in its place.
    // The handler must exist before the file does: a signal without a handler would leave the
    // unfinished file behind.
    asked_to_end();
    parts(|parts| {
        let made = how()?;
        parts.extend(part(&made));
        Ok(made)
    })
}

/// Runs `how`, which finishes the unfinished file at `path`. A signal to end comes either before
/// `how`, and removes the file, or after it.
pub fn finish<T>(path: &Path, how: impl FnOnce() -> T) -> T {
    parts(|parts| {
        parts.retain(|part| part != path);
        how()
    })
}

fn parts<T>(with: impl FnOnce(&mut Vec<PathBuf>) -> T) -> T {
    with(&mut PARTS.lock().unwrap_or_else(PoisonError::into_inner))
}

fn listen() {
    static HANDLER: Once = Once::new();
    HANDLER.call_once(|| {
        // Without a handler Ctrl-C ends the program at once, and an unfinished file stays beside
        // its place.
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
