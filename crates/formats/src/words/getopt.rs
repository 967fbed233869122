//! Options of a command as getopt reads them: short ones in one word, values with or without a
//! space, long ones by any beginning that only one of them has.

use std::collections::BTreeMap;

use super::amounts::quoted;

/// Whether an option has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// None.
    Nothing,
    /// One, which may be the next word.
    Value,
    /// One in the same word, or none.
    Maybe,
}

/// An option of a tool: its short letter (empty: none), its long names with `|` between them, and
/// whether it has a value. The first long name is its key.
#[derive(Clone, Copy, Debug)]
pub struct Opt(pub &'static str, pub &'static str, pub Takes);

impl Opt {
    fn key(&self) -> &'static str {
        self.1.split('|').next().unwrap_or_default()
    }
}

/// The options of a command.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Value by key; empty for none. The last counts.
    values: BTreeMap<&'static str, (String, String)>,
    /// Words that are no options.
    pub words: Vec<String>,
    /// Options that the tool does not have.
    pub strange: Vec<String>,
}

impl Given {
    /// Reads `words`, the command without its name.
    pub fn read(words: &[String], table: &'static [Opt]) -> Self {
        let mut all = Self::default();
        let mut words = words.iter().peekable();
        while let Some(word) = words.next() {
            let mut next = || words.next().cloned().unwrap_or_default();
            if word == "--" {
                all.words.extend(words.by_ref().cloned());
            } else if let Some(name) = word.strip_prefix("--") {
                all.long(word, name, table, &mut next);
            } else if word.len() > 1 && word.starts_with('-') {
                all.short(&word[1..], table, &mut next);
            } else {
                all.words.push(word.clone());
            }
        }
        all
    }

    fn long(
        &mut self,
        word: &str,
        name: &str,
        table: &'static [Opt],
        next: &mut dyn FnMut() -> String,
    ) {
        let (name, stated) =
            name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
        let is = |known: &str| known.replace('_', "-") == name.replace('_', "-");
        let begins = |known: &str| known.replace('_', "-").starts_with(&name.replace('_', "-"));
        let exact = table.iter().find(|opt| opt.1.split('|').any(is));
        let mut likely = table.iter().filter(|opt| opt.1.split('|').any(begins));
        let opt = exact.or_else(|| likely.next().filter(|_| likely.next().is_none()));
        let Some(opt) = opt.filter(|_| !name.is_empty()) else {
            return self.strange.push(word.to_owned());
        };
        let value = match (stated, opt.2) {
            (Some(value), _) => value.to_owned(),
            (None, Takes::Value) => next(),
            (None, _) => String::new(),
        };
        self.values.insert(opt.key(), (format!("--{name}"), value));
    }

    /// `pTl100`: letters up to the first that takes a value, which is the rest of the word.
    fn short(&mut self, word: &str, table: &'static [Opt], next: &mut dyn FnMut() -> String) {
        for (at, letter) in word.char_indices() {
            let rest = &word[at + letter.len_utf8()..];
            let Some(opt) = table.iter().find(|opt| opt.0.contains(letter)) else {
                return self.strange.push(format!("-{letter}"));
            };
            let (value, is_last) = match opt.2 {
                Takes::Nothing => (String::new(), false),
                Takes::Value if rest.is_empty() => (next(), true),
                Takes::Value | Takes::Maybe => (rest.to_owned(), true),
            };
            let value = value.strip_prefix('=').unwrap_or(&value).to_owned();
            self.values.insert(opt.key(), (format!("-{letter}"), value));
            if is_last {
                return;
            }
        }
    }

    /// Whether the option was given.
    pub fn has(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    /// The value of an option; empty where it has none.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(|(_, value)| value.as_str())
    }

    /// The option as it was written: `-g`.
    pub fn written(&self, key: &str) -> &str {
        self.values.get(key).map_or("", |(written, _)| written.as_str())
    }

    /// Options that were given, as they were written, of those that `is` takes.
    pub fn those(&self, is: impl Fn(&str) -> bool) -> Vec<String> {
        let given = self.values.iter().filter(|(key, _)| is(key));
        given.map(|(_, (written, _))| written.clone()).collect()
    }

    /// A whole number from `least` to `most`; none where the option was not given.
    ///
    /// # Errors
    /// The value is another one: what it is, and what is expected.
    pub fn number(&self, key: &str, least: u64, most: u64) -> Result<Option<u64>, String> {
        let Some((written, text)) = self.values.get(key) else { return Ok(None) };
        match whole(text).filter(|value| (least..=most).contains(value)) {
            Some(value) => Ok(Some(value)),
            None => Err(format!(
                "{written} is {}; expected a whole number from {least} to {most}",
                quoted(text)
            )),
        }
    }

    /// A time such as 60, 30s, 5m, 2h, 1d, in s; none where the option was not given.
    ///
    /// # Errors
    /// The value is no such time.
    pub fn seconds(&self, key: &str) -> Result<Option<u64>, String> {
        let Some((written, text)) = self.values.get(key) else { return Ok(None) };
        let end = text.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(text.len());
        let unit = match &text[end..] {
            "" | "s" => 1,
            "m" => 60,
            "h" => 3_600,
            "d" => 86_400,
            _ => 0,
        };
        let number = whole(&text[..end]).filter(|_| end <= 9).unwrap_or(0);
        match number * unit {
            0 => {
                Err(format!("{written} is {}; expected a time such as 60, 5m or 1h", quoted(text)))
            }
            seconds => Ok(Some(seconds)),
        }
    }
}

/// A number of digits alone.
pub fn whole(text: &str) -> Option<u64> {
    let is_number =
        (1..=15).contains(&text.len()) && text.bytes().all(|sign| sign.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}
