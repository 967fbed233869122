//! Text of others as it may be shown: characters that steer a terminal or turn the text around are
//! written out, and nothing is endless.

/// Most characters of a name or a value that are shown.
const READABLE_MAX: usize = 60;

/// Characters that are not drawn: Default_Ignorable_Code_Point of Unicode's
/// DerivedCoreProperties.txt (16.0) with the interlinear marks and the two separators of lines.
/// Left out are the joiners U+200C and U+200D and the variation selectors U+FE00 to U+FE0F, which
/// scripts and pictures need.
const UNDRAWN: [(char, char); 17] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200b}'),
    ('\u{200e}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// First and last of every stretch of characters that are written out, in order: controls and
/// [`UNDRAWN`].
pub fn hidden() -> impl Iterator<Item = (char, char)> {
    [('\0', '\u{1f}'), ('\u{7f}', '\u{9f}')].into_iter().chain(UNDRAWN)
}

/// Whether `c` would not be seen but do something: controls, line ends that are none to us, what
/// turns the text around, what is not drawn.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || !c.is_ascii() && UNDRAWN.iter().any(|(first, last)| (*first..=*last).contains(&c))
}

/// At most `most` characters, none of them hidden: an escape becomes `\u{1b}`, a line end `\n`.
pub fn shown(text: &str, most: usize) -> String {
    let visible =
        |c: char| if is_hidden(c) { c.escape_default().collect::<String>() } else { c.to_string() };
    let mut chars = text.chars();
    let mut out: String = chars.by_ref().take(most).map(visible).collect();
    if chars.next().is_some() {
        out.push_str("...");
    }
    out
}

/// A name or a value from a file, a flag or a link, for a message: one line of at most 60
/// characters.
pub fn readable(text: &str) -> String {
    shown(text, READABLE_MAX)
}

/// Lines of text with nothing hidden but their ends and tabs, each cut to `most` characters.
pub fn shown_lines(text: &str, most: usize) -> String {
    let line =
        |line: &str| line.split('\t').map(|part| shown(part, most)).collect::<Vec<_>>().join("\t");
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// JSON with nothing hidden. The value stays, because hidden characters are in strings only.
pub fn shown_json(json: &str) -> String {
    if json.bytes().all(|byte| byte == b'\n' || (b' '..=b'~').contains(&byte)) {
        return json.to_owned();
    }
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c != '\n' && is_hidden(c) {
            c.encode_utf16(&mut [0; 2])
                .iter()
                .for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_for_the_page_holds_what_the_command_writes_out() {
        let listed = |c: char| hidden().any(|(first, last)| (first..=last).contains(&c));
        assert_eq!(('\0'..=char::MAX).find(|c| listed(*c) != is_hidden(*c)), None);
    }

    #[test]
    fn what_steers_a_terminal_is_written_out_and_json_stays_the_same_value() {
        let nasty = "a\u{1b}[31m\u{9b}2J\u{202e}b\r\n\u{7f}\u{200f}ü日";
        let told = readable(nasty);
        assert_eq!(told, "a\\u{1b}[31m\\u{9b}2J\\u{202e}b\\r\\n\\u{7f}\\u{200f}ü日");
        let json = serde_json::json!({ nasty: nasty });
        let safe = shown_json(&format!("{json:#}"));
        assert!(safe.chars().all(|c| c == '\n' || !is_hidden(c)), "{safe}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).ok(), Some(json));
        assert_eq!(shown_lines("a\tb\u{1b}\nc", 9), "a\tb\\u{1b}\nc");
        assert_eq!(shown(&"x".repeat(100_000), 5), "xxxxx...");
    }
}
