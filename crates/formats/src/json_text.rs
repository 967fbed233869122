//! Texts in JSON.

use std::fmt::{Display, Formatter, Write};

/// A text as a JSON string, with its quotation marks (RFC 8259, section 7).
#[derive(Clone, Copy, Debug)]
pub struct Quoted<T>(pub T);

impl<T: Display> Display for Quoted<T> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.write_char('"')?;
        write!(Escaping(formatter), "{}", self.0)?;
        formatter.write_char('"')
    }
}

/// Escapes what is written through it.
struct Escaping<'e, 'f>(&'e mut Formatter<'f>);

impl Write for Escaping<'_, '_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for character in text.chars() {
            match character {
                '"' => self.0.write_str("\\\"")?,
                '\\' => self.0.write_str("\\\\")?,
                '\0'..='\u{1f}' => write!(self.0, "\\u{:04x}", u32::from(character))?,
                _ => self.0.write_char(character)?,
            }
        }
        Ok(())
    }
}

/// A text as a JSON string, with its quotation marks.
pub fn quoted(text: &str) -> String {
    Quoted(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_marks_backslashes_and_control_characters_are_escaped() {
        assert_eq!(Quoted("a\"b\\c\n\u{1}é").to_string(), r#""a\"b\\c\u000a\u0001é""#);
    }

    #[test]
    fn a_reader_gets_the_same_text_back() {
        let text = "a \"b\" \\ c\n\td\u{1f}\u{7f} ä \u{1f600}";
        assert_eq!(serde_json::from_str::<String>(&quoted(text)).unwrap(), text);
    }
}
