//! Where a file has the pages of the kernel's buffers.

/// Pages of one CPU in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) cpu: u32,
    pub(super) offset: u64,
    pub(super) size: u64,
}

/// One buffer of the kernel.
#[derive(Debug)]
pub(super) struct Buffer {
    pub(super) clock: String,
    /// Bytes of a page, where they are the buffer's own.
    pub(super) page: Option<usize>,
    pub(super) data: Data,
}

#[derive(Debug)]
pub(super) enum Data {
    Pages(Vec<Stretch>),
    /// In chunks, each compressed.
    Packed(Vec<Stretch>),
    /// Text of the kernel's file `trace`, from a byte of the file on.
    Text(usize),
    PackedText(usize),
}
