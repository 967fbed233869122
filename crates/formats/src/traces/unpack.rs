//! Compressed parts of recordings, within a limit for the whole file.

use std::io::Read;

/// Most bytes that all parts of a file come to.
const BYTES_MAX: usize = 1 << 30;
/// Most bytes for each byte of the file.
const TIMES_MAX: usize = 256;
/// Largest window of zstd: what every decoder has to take (RFC 8878, 3.1.1.1.2).
const WINDOW_MAX: u64 = 8 << 20;

/// How parts are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Zlib,
    Zstd,
}

/// What may still be unpacked of a file.
#[derive(Debug)]
pub(super) struct Room(usize);

impl Room {
    /// For a file of so many bytes.
    pub(super) fn of(file: usize) -> Self {
        Self(file.saturating_mul(TIMES_MAX).min(BYTES_MAX))
    }

    /// The bytes of a part, or why there are none.
    pub(super) fn unpacked(&mut self, part: &[u8], method: Method) -> Result<Vec<u8>, String> {
        let unpacked = match method {
            Method::Zlib => miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(part, self.0)
                .map_err(|error| match error.status {
                miniz_oxide::inflate::TINFLStatus::HasMoreOutput => too_much(),
                _ => "zlib cannot be decompressed".to_owned(),
            })?,
            Method::Zstd => self.zstd(part)?,
        };
        self.0 = self.0.saturating_sub(unpacked.len());
        Ok(unpacked)
    }

    fn zstd(&self, part: &[u8]) -> Result<Vec<u8>, String> {
        let why = |error: &dyn std::fmt::Display| format!("zstd cannot be decompressed: {error}");
        let decoder =
            ruzstd::decoding::StreamingDecoder::new_with_max_window_size(part, WINDOW_MAX)
                .map_err(|error| why(&error))?;
        let mut unpacked = Vec::new();
        let limit = (self.0 as u64).saturating_add(1);
        decoder.take(limit).read_to_end(&mut unpacked).map_err(|error| why(&error))?;
        if unpacked.len() > self.0 { Err(too_much()) } else { Ok(unpacked) }
    }
}

fn too_much() -> String {
    format!("it unpacks to more than {TIMES_MAX} times its size, or than 1 GiB")
}
