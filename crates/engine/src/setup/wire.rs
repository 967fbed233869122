//! A setup as bytes, on its way from the part that reads scenarios to the part that runs them
//! (decision 0017).
//!
//! Every type of a setup derives serde's two traits; a new field or type needs nothing more. The
//! bytes are no file format: one build writes and reads them. The fingerprint of the build precedes
//! them, and a checksum follows, because a changed byte could decode to a valid setup that no
//! scenario describes.

use super::Setup;

/// Fingerprint of the engine's sources (`build.rs`): bytes of another build would be read as
/// something else.
const BUILD: [u8; 8] = u64_of(env!("SCHEDSCOPE_ENGINE_SOURCES")).to_le_bytes();

/// The number in decimal digits.
const fn u64_of(digits: &str) -> u64 {
    let (bytes, mut at, mut value) = (digits.as_bytes(), 0, 0u64);
    while at < bytes.len() {
        value = value.wrapping_mul(10).wrapping_add((bytes[at] - b'0') as u64);
        at += 1;
    }
    value
}

/// FNV-1a, 64 bits: any one changed byte changes it. Not the digest's hash, whose code would make
/// the reader 3 kB larger.
fn checksum(body: &[u8]) -> u64 {
    body.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}

impl Setup {
    /// The setup for [`Setup::from_bytes`] of the same build.
    ///
    /// # Panics
    /// Never: nothing in a setup refuses to be written to memory.
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = postcard::to_allocvec(self).expect("a setup is plain data");
        Self::sealed(&body)
    }

    /// `body` with the header that [`Setup::from_bytes`] expects, for tests with a body that was
    /// not written from a setup.
    pub fn sealed(body: &[u8]) -> Vec<u8> {
        [&BUILD, &checksum(body).to_le_bytes(), body].concat()
    }

    /// The setup that [`Setup::to_bytes`] of this build wrote. Refuses the bytes of any other
    /// build, changed bytes, and every setup that [`Setup::check`] refuses.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        const DAMAGED: &str = "this prepared run is damaged: load the page again";
        let rest = bytes
            .strip_prefix(&BUILD)
            .ok_or("this prepared run is of another build: load the page again")?;
        let (stated, body) = rest.split_first_chunk::<8>().ok_or(DAMAGED)?;
        if checksum(body).to_le_bytes() != *stated {
            return Err(DAMAGED.to_owned());
        }
        let (setup, left) = postcard::take_from_bytes::<Self>(body).map_err(|_| DAMAGED)?;
        if !left.is_empty() {
            return Err(DAMAGED.to_owned());
        }
        setup.check()?;
        Ok(setup)
    }
}
