//! The output of the engine: the catalogue of record kinds, the columns, the digest.

pub mod catalogue;
pub mod codes;
pub mod columns;
pub mod digest;
pub mod history;
