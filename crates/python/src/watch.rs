//! Work that goes on without Python's lock, while Python is asked now and then for signals.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;

/// Between two looks at signals and two calls of `progress`.
const PAUSE: Duration = Duration::from_millis(50);

/// How far the work is, and whether it is to end.
#[derive(Debug, Default)]
pub struct Watcher {
    stop: AtomicBool,
    done: AtomicU64,
}

impl Watcher {
    /// Notes how far the work is; false once it is to end.
    pub fn at(&self, done: u64) -> bool {
        self.done.store(done, Ordering::Relaxed);
        !self.is_over()
    }

    /// One more piece is done.
    pub fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether the work is to end.
    pub fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Does `work` on a thread of its own, so that this one can hear Ctrl-C, and calls
/// `progress(done, total)` meanwhile and at the end.
///
/// # Errors
/// What a signal's handler or `progress` raises; the work is ended then, and its result dropped.
pub fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    total: u64,
    work: impl FnOnce(&Watcher) -> T + Send,
) -> PyResult<T> {
    let watcher = &Watcher::default();
    let (sender, receiver) = channel::<()>();
    let receiver = Mutex::new(receiver);
    let ended = || {
        let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
        receiver.recv_timeout(PAUSE) == Err(RecvTimeoutError::Disconnected)
    };
    let tell = |done: u64| match progress {
        Some(progress) => progress.call1((done, total)).map(drop),
        None => Ok(()),
    };
    std::thread::scope(|scope| {
        let worker = scope.spawn(move || {
            // Dropped when the work is over, by a panic too.
            let _sender = sender;
            work(watcher)
        });
        let mut heard = Ok(());
        while !py.detach(ended) {
            heard = py.check_signals().and_then(|()| tell(watcher.done.load(Ordering::Relaxed)));
            if heard.is_err() {
                watcher.stop.store(true, Ordering::Relaxed);
                break;
            }
        }
        let result = py.detach(|| worker.join());
        heard?;
        let result = result.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        tell(total)?;
        Ok(result)
    })
}
