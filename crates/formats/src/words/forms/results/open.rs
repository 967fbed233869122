//! The table that the lines of a result belong to.

use crate::words::case::Case;
use crate::words::table::{Kind, Table};

/// The last table, where it is of this kind.
pub(super) fn last(kind: Kind, case: &mut Case) -> Option<&mut Table> {
    case.tables.last_mut().filter(|table| table.kind == kind)
}

/// The table of this kind that rows belong to; a new one where the text has had none.
pub(super) fn table(kind: Kind, case: &mut Case) -> &mut Table {
    if !case.tables.last().is_some_and(|table| table.kind == kind) {
        case.tables.push(Table::new(kind, Vec::new()));
    }
    case.tables.last_mut().expect("it was pushed")
}
