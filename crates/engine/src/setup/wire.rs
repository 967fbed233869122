//! A setup as bytes, on its way from the part that reads scenarios to the part that runs them (decision 0017).
//!
//! Every type of a setup derives serde's two traits; a new field or type needs nothing more. The bytes are no file format: they
//! are made and read by one build, whose fingerprint stands in front.

use super::Setup;

/// Fingerprint of the engine's sources (`build.rs`): bytes of another build would be read as something else.
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

impl Setup {
    /// The setup for [`Setup::from_bytes`] of the same build.
    ///
    /// # Panics
    /// Never: nothing in a setup refuses to be written to memory.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_extend(self, BUILD.to_vec()).expect("a setup is plain data")
    }

    /// The setup that [`Setup::to_bytes`] of the same build wrote; refuses the bytes of any other and whatever
    /// [`Setup::check`] refuses.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let body = bytes.strip_prefix(&BUILD).ok_or("this prepared run is of another build: load the page again")?;
        let setup: Self = postcard::from_bytes(body).map_err(|_| "this prepared run is damaged: load the page again")?;
        setup.check()?;
        Ok(setup)
    }
}
