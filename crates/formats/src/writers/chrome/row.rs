//! A row of the trace on its way into the file.

/// One row of the trace.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) time: u64,
    pub(super) cpu: usize,
    pub(super) a: u32,
    pub(super) b: u32,
}
