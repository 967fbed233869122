//! The registry of forms of recordings, as the table of `docs/use/recordings.md`.

use schedscope_formats::traces::TRACES;

/// The rows, in the registry's order.
pub fn table() -> String {
    let rows = TRACES.iter().map(|form| {
        let cells = [form.title, form.made_by, form.carries, form.loses];
        format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
    });
    let head = "| form | made by | carries | loses |\n|---|---|---|---|\n";
    format!("{head}{}", rows.collect::<String>())
}
