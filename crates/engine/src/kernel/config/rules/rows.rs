//! The rules, a row each: `name "label" { release [stable releases]: answer, source; … }`; without
//! a label where no scenario may state it.

mod fair;
mod machine;
mod running;

use crate::kernel::config::row::Row;

const PARTS: [&[Row<bool>]; 3] = [running::ROWS, fair::ROWS, machine::ROWS];

/// All of them.
pub const RULES: &[Row<bool>] =
    &joined::<{ running::ROWS.len() + fair::ROWS.len() + machine::ROWS.len() }>();

const fn joined<const COUNT: usize>() -> [Row<bool>; COUNT] {
    let mut rows = [PARTS[0][0]; COUNT];
    let (mut part, mut first, mut at) = (0, 0, 0);
    while at < COUNT {
        if at - first == PARTS[part].len() {
            (part, first) = (part + 1, at);
        }
        rows[at] = PARTS[part][at - first];
        at += 1;
    }
    rows
}
