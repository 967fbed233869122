//! The digest: a fingerprint of the schedule itself, encoding 1.
//!
//! Every row whose kind is marked `digested` in the catalogue enters as 19 little-endian bytes:
//! time u64, kind u8, cpu u16, a u32, b u32. The hash is XXH3-128. A new record kind enters only
//! with a new encoding number.

use xxhash_rust::xxh3::Xxh3;

use super::catalogue::Kind;

/// Number of the encoding above; part of the digest's text.
const ENCODING: u32 = 1;

const ROW_BYTES: usize = 19;
/// Rows that are hashed in one go.
const BLOCK_ROWS: usize = 64;

/// The running fingerprint.
#[derive(Clone)]
pub struct Digest {
    hash: Xxh3,
    /// Rows not hashed yet, the first `rows` of it.
    block: [[u8; ROW_BYTES]; BLOCK_ROWS],
    rows: usize,
}

impl Digest {
    /// The digest of no rows.
    pub fn new() -> Self {
        Self { hash: Xxh3::new(), block: [[0; ROW_BYTES]; BLOCK_ROWS], rows: 0 }
    }
    #[inline]
    pub fn row(&mut self, time: u64, kind: Kind, cpu: u32, a: u32, b: u32) {
        if self.rows == BLOCK_ROWS {
            self.hash.update(self.block.as_flattened());
            self.rows = 0;
        }
        let bytes = &mut self.block[self.rows];
        bytes[..8].copy_from_slice(&time.to_le_bytes());
        bytes[8] = kind as u8;
        bytes[9..11].copy_from_slice(&(cpu as u16).to_le_bytes());
        bytes[11..15].copy_from_slice(&a.to_le_bytes());
        bytes[15..].copy_from_slice(&b.to_le_bytes());
        self.rows += 1;
    }
    /// The digest so far: encoding number and 32 hex digits.
    pub fn hex(&self) -> String {
        let mut hash = self.hash.clone();
        hash.update(self.block[..self.rows].as_flattened());
        format!("{ENCODING}-{:032x}", hash.digest128())
    }
}

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.hex())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_that_of_its_rows_one_by_one() {
        let (mut digest, mut plain) = (Digest::new(), Xxh3::new());
        for n in 0..3 * BLOCK_ROWS as u32 + 1 {
            digest.row(u64::from(n), Kind::SchedSwitch, n, n + 1, n + 2);
            plain.update(&u64::from(n).to_le_bytes());
            plain.update(&[Kind::SchedSwitch as u8]);
            plain.update(&(n as u16).to_le_bytes());
            plain.update(&(n + 1).to_le_bytes());
            plain.update(&(n + 2).to_le_bytes());
            assert_eq!(
                digest.hex(),
                format!("1-{:032x}", plain.digest128()),
                "after {} rows",
                n + 1
            );
        }
    }

    #[test]
    fn every_column_matters() {
        let of = |time, cpu, a, b| {
            let mut digest = Digest::new();
            digest.row(time, Kind::SchedSwitch, cpu, a, b);
            digest.hex()
        };
        let all = [of(1, 2, 3, 4), of(2, 2, 3, 4), of(1, 3, 3, 4), of(1, 2, 4, 4), of(1, 2, 3, 5)];
        let distinct: std::collections::BTreeSet<&String> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
    }
}
