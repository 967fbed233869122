//! Words for a POSIX shell.

/// One word of a POSIX shell, in quotes where it needs them.
pub(super) fn word(text: &str) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "_@%+=:,./-".contains(sign);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}
