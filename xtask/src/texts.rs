//! The registry of forms of pasted texts, as the table of `docs/use/paste.md`.

use schedscope_formats::words::FORMS;

/// The rows, in the registry's order.
pub fn table() -> String {
    let rows = FORMS.iter().map(|form| {
        let example = form.example.replace('\n', " ⏎ ").replace('|', "\\|");
        format!("| {} | `{example}` |\n", form.title.replace('|', "\\|"))
    });
    format!("| form | example |\n|---|---|\n{}", rows.collect::<String>())
}
