//! Which module of a crate imports which, read from the crate's sources.
//!
//! A module is a file. It imports every other file that a path in it names, in a `use` or
//! elsewhere. Tests may import anything. A name that a module passes on with `pub use` counts as
//! that module's own.

use std::collections::{BTreeMap, BTreeSet};

/// The name of the module that is the crate's own file.
pub const ROOT: &str = "";

/// One module names another module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The module that imports: `kernel::rt`.
    pub from: String,
    /// The imported module.
    pub to: String,
    /// The first line with this import.
    pub line: usize,
}

/// The modules of one crate.
#[derive(Debug, Default)]
pub struct Modules {
    pub names: BTreeSet<String>,
    /// One import for each pair of modules.
    pub imports: Vec<Import>,
}

impl Modules {
    /// Reads the files of a crate: path below `src` and text.
    pub fn of<'t>(files: impl IntoIterator<Item = (&'t str, &'t str)>) -> Self {
        let read = |(path, text): (&str, &'t str)| Some((module(path)?, tokens(text)));
        let files: BTreeMap<String, Vec<Token<'t>>> = files.into_iter().filter_map(read).collect();
        let names: BTreeSet<String> = files.keys().cloned().collect();
        let macros: BTreeMap<&str, &str> = files
            .iter()
            .flat_map(|(name, tokens)| macros(tokens).map(|made| (made, name.as_str())))
            .collect();
        let mut imports = Vec::new();
        for (name, tokens) in &files {
            let mut first = BTreeMap::new();
            for (to, line) in (Reader { module: name, names: &names, macros: &macros }).read(tokens)
            {
                first.entry(to).or_insert(line);
            }
            let others = first.into_iter().filter(|(to, _)| to != name);
            imports.extend(others.map(|(to, line)| Import { from: name.clone(), to, line }));
        }
        Self { names, imports }
    }

    /// Circles of modules that import each other, each circle once; only imports for which `counts`
    /// is true are followed.
    pub fn circles(&self, counts: impl Fn(&Import) -> bool) -> Vec<Vec<&str>> {
        let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for import in self.imports.iter().filter(|import| counts(import)) {
            next.entry(&import.from).or_default().push(&import.to);
        }
        let reach: BTreeMap<&str, BTreeSet<&str>> =
            self.names.iter().map(|name| (name.as_str(), reached(&next, name))).collect();
        let mut circles: Vec<Vec<&str>> = Vec::new();
        for (name, to) in &reach {
            let circle: Vec<&str> =
                to.iter().copied().filter(|other| reach[other].contains(name)).collect();
            if circle.first() == Some(name) {
                circles.push(circle);
            }
        }
        circles
    }
}

/// Every module that imports of `from` reach.
fn reached<'m>(next: &BTreeMap<&'m str, Vec<&'m str>>, from: &'m str) -> BTreeSet<&'m str> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(at) = open.pop() {
        open.extend(next.get(at).into_iter().flatten().filter(|to| reached.insert(**to)));
    }
    reached
}

/// The module whose file is at `path` below `src`; `None` for files of unit tests.
fn module(path: &str) -> Option<String> {
    let path = path.strip_suffix(".rs")?;
    if path == "lib" || path == "main" {
        return Some(ROOT.to_owned());
    }
    let name = path.strip_suffix("/mod").unwrap_or(path).replace('/', "::");
    (!name.split("::").any(|part| part == "tests")).then_some(name)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word<'t> {
    Name(&'t str),
    /// The token is `::`.
    Path,
    Mark(char),
}

/// A word and the number of its line.
type Token<'t> = (Word<'t>, usize);

/// The words of a text without comments, string literals and character literals.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut found, mut line, mut rest) = (Vec::new(), 1, text);
    while let Some(first) = rest.chars().next() {
        let long = length(rest, first);
        let (piece, after) = rest.split_at(long);
        if first.is_alphabetic() || first == '_' {
            found.push((Word::Name(piece), line));
        } else if piece == "::" {
            found.push((Word::Path, line));
        } else if !first.is_whitespace() && long == first.len_utf8() {
            found.push((Word::Mark(first), line));
        }
        line += piece.matches('\n').count();
        rest = after;
    }
    found
}

/// The number of bytes of the token at the start of `rest`; `first` is its first byte.
fn length(rest: &str, first: char) -> usize {
    let named =
        |rest: &str| rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    let up_to = |end: &str| rest.find(end).map_or(rest.len(), |at| at + end.len());
    match first {
        '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
        '/' if rest.starts_with("/*") => up_to("*/"),
        ':' if rest.starts_with("::") => 2,
        '"' => 1 + quoted(&rest[1..]),
        // A raw string; any other name with this first letter is a word.
        'r' if rest[1..].trim_start_matches('#').starts_with('"') => {
            let hashes = rest[1..].len() - rest[1..].trim_start_matches('#').len();
            let end = format!("\"{}", "#".repeat(hashes));
            let start = 2 + hashes;
            rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len())
        }
        // A character literal, else a lifetime.
        '\'' => match rest[1..].chars().next() {
            Some('\\') => 3 + rest.get(3..).and_then(|more| more.find('\'')).map_or(0, |at| at + 1),
            Some(letter) if rest[1 + letter.len_utf8()..].starts_with('\'') => {
                2 + letter.len_utf8()
            }
            _ => 1 + named(&rest[1..]),
        },
        _ if first.is_alphanumeric() || first == '_' => named(rest),
        _ => first.len_utf8(),
    }
}

/// The number of bytes up to and with the quote that ends a string.
fn quoted(rest: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in rest.char_indices() {
        match letter {
            '"' if !escaped => return at + 1,
            _ => escaped = letter == '\\' && !escaped,
        }
    }
    rest.len()
}

/// Names of the macros that a file defines.
fn macros<'t>(tokens: &[Token<'t>]) -> impl Iterator<Item = &'t str> {
    tokens.windows(3).filter_map(|words| match words {
        [(Word::Name("macro_rules"), _), (Word::Mark('!'), _), (Word::Name(name), _)] => {
            Some(*name)
        }
        _ => None,
    })
}

/// Reads the imports of one file.
struct Reader<'r> {
    module: &'r str,
    names: &'r BTreeSet<String>,
    macros: &'r BTreeMap<&'r str, &'r str>,
}

impl Reader<'_> {
    /// The imported modules and the lines.
    fn read(&self, tokens: &[Token<'_>]) -> Vec<(String, usize)> {
        let (mut paths, mut uses, mut at) = (Vec::new(), Vec::new(), 0);
        while at < tokens.len() {
            at = match tokens[at].0 {
                _ if is_test_only(&tokens[at..]) => past_item(tokens, at),
                Word::Name("use") => tree(tokens, at + 1, &[], &mut uses),
                Word::Name(_) if tokens.get(at + 1).is_some_and(|next| next.0 == Word::Path) => {
                    let start = at;
                    let path = plain_path(tokens, &mut at);
                    // `pub(in …)` only limits visibility.
                    let seen_by = start > 0 && tokens[start - 1].0 == Word::Name("in");
                    let made = start > 0 && tokens[start - 1].0 == Word::Mark('$');
                    if !seen_by && !made {
                        paths.push((path, tokens[start].1));
                    }
                    at
                }
                _ => at + 1,
            };
        }
        // Local names of modules; one `use` may build on another, so two passes find them all.
        let mut known = BTreeMap::new();
        let mut found = Vec::new();
        for _ in 0..2 {
            found.clear();
            for (path, called, line) in &uses {
                let Some((module, whole)) = self.resolve(path, &known) else { continue };
                if whole {
                    known.insert(*called, module.clone());
                }
                found.push((module, *line));
            }
        }
        let written =
            paths.iter().filter_map(|(path, line)| Some((self.resolve(path, &known)?.0, *line)));
        found.extend(written);
        found
    }

    /// The longest prefix of `path` that is a module, and whether it is the whole path.
    fn resolve(&self, path: &[&str], known: &BTreeMap<&str, String>) -> Option<(String, bool)> {
        let (first, mut rest) = path.split_first()?;
        let mut module = match *first {
            "crate" => ROOT.to_owned(),
            "self" => self.module.to_owned(),
            "super" => parent(self.module).to_owned(),
            name => match known.get(name) {
                Some(module) => module.clone(),
                None => self.names.get(&below(self.module, name))?.clone(),
            },
        };
        while let Some((name, more)) = rest.split_first() {
            module = match *name {
                "super" => parent(&module).to_owned(),
                "self" => module,
                name => match self.names.get(&below(&module, name)) {
                    Some(module) => module.clone(),
                    None => break,
                },
            };
            rest = more;
        }
        // A macro belongs to the file that defines it, under any path.
        match rest.first().and_then(|name| self.macros.get(name)) {
            Some(made) if module == ROOT => Some(((*made).to_owned(), false)),
            _ => Some((module, rest.is_empty())),
        }
    }
}

fn parent(module: &str) -> &str {
    module.rsplit_once("::").map_or(ROOT, |(parent, _)| parent)
}

fn below(module: &str, name: &str) -> String {
    if module == ROOT { name.to_owned() } else { format!("{module}::{name}") }
}

/// `#[cfg(test)]`
fn is_test_only(tokens: &[Token<'_>]) -> bool {
    let words = [
        Word::Mark('#'),
        Word::Mark('['),
        Word::Name("cfg"),
        Word::Mark('('),
        Word::Name("test"),
        Word::Mark(')'),
        Word::Mark(']'),
    ];
    tokens.len() >= words.len() && tokens.iter().zip(words).all(|(token, word)| token.0 == word)
}

/// The index after the item that begins at `at`: after its semicolon or its braces.
fn past_item(tokens: &[Token<'_>], at: usize) -> usize {
    let mut deep = 0;
    for (index, (word, _)) in tokens.iter().enumerate().skip(at) {
        match word {
            Word::Mark(';') if deep == 0 => return index + 1,
            Word::Mark('{') => deep += 1,
            Word::Mark('}') if deep == 1 => return index + 1,
            Word::Mark('}') => deep -= 1,
            _ => {}
        }
    }
    tokens.len()
}

fn plain_path<'t>(tokens: &[Token<'t>], at: &mut usize) -> Vec<&'t str> {
    let mut path = Vec::new();
    while let Some((Word::Name(name), _)) = tokens.get(*at) {
        path.push(*name);
        *at += 1;
        if tokens.get(*at).is_none_or(|next| next.0 != Word::Path) {
            break;
        }
        *at += 1;
    }
    path
}

/// A path of a `use`, its local name and its line.
type Use<'t> = (Vec<&'t str>, &'t str, usize);

/// Reads the tree of a `use` from `at` on, below `prefix`; returns the index after it.
fn tree<'t>(
    tokens: &[Token<'t>],
    mut at: usize,
    prefix: &[&'t str],
    uses: &mut Vec<Use<'t>>,
) -> usize {
    // A leading `::` begins the name of a crate.
    at += usize::from(tokens.get(at).is_some_and(|token| token.0 == Word::Path));
    let Some((_, line)) = tokens.get(at) else { return at };
    let path = [prefix, &plain_path(tokens, &mut at)].concat();
    match tokens.get(at).map(|token| token.0) {
        Some(Word::Mark('{')) => {
            at += 1;
            while at < tokens.len() && tokens[at].0 != Word::Mark('}') {
                // A comma or one more tree; any other token is no valid Rust and is skipped.
                at = match tokens[at].0 {
                    Word::Name(_) | Word::Mark('*') => tree(tokens, at, &path, uses),
                    _ => at + 1,
                };
            }
            at + 1
        }
        Some(Word::Mark('*')) => {
            uses.push((path, "*", *line));
            at + 1
        }
        Some(Word::Name("as")) => {
            let called =
                if let Some((Word::Name(name), _)) = tokens.get(at + 1) { *name } else { "_" };
            uses.push((path, called, *line));
            at + 2
        }
        _ => {
            let named = path.iter().rev().find(|name| **name != "self").copied();
            uses.extend(named.map(|name| (path, name, *line)));
            at
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imports(files: &[(&str, &str)]) -> Vec<String> {
        let modules = Modules::of(files.iter().copied());
        let told = |import: &Import| format!("{} -> {} at {}", import.from, import.to, import.line);
        modules.imports.iter().map(told).collect()
    }

    #[test]
    fn a_path_leads_to_the_file_that_it_names_however_it_is_written() {
        let files = [
            ("lib.rs", "mod a;\nmod b;\npub use a::A;\n"),
            ("a.rs", "pub mod inner;\nuse crate::b::{self, deep::{C, D}};\nfn f() { b::g() }"),
            ("a/inner.rs", "use super::A;\nlet x = super::super::b::deep::f();"),
            ("b.rs", "pub(in crate::a) fn g() { std::mem::take(); }"),
            ("b/deep.rs", "use crate::A;"),
        ];
        assert_eq!(
            imports(&files),
            [
                " -> a at 3",
                "a -> b at 2",
                "a -> b::deep at 2",
                "a::inner -> a at 1",
                "a::inner -> b::deep at 2",
                "b::deep ->  at 1",
            ]
        );
    }

    #[test]
    fn comments_texts_letters_and_tests_import_nothing() {
        let text = "// crate::b::x()\n/* crate::b::x() */ const T: &str = \"\\\" crate::b::x\";\n\
            const R: &str = r#\"crate::b::x \" \"#; const Q: char = '\"'; const B: char = '\\'';\n\
            fn f<'a>(x: &'a str) {}\n#[cfg(test)]\nmod tests { use crate::b::x; fn f() {} }\n\
            #[cfg(test)]\nmod more;\nuse crate::c::y;\n";
        let files = [("a.rs", text), ("b.rs", ""), ("c.rs", ""), ("a/tests.rs", "use crate::b;")];
        assert_eq!(imports(&files), ["a -> c at 9"]);
    }

    #[test]
    fn a_macro_belongs_to_the_file_that_makes_it() {
        let files = [
            ("lib.rs", ""),
            ("m.rs", "macro_rules! made { () => { $crate::a::f() } }"),
            ("a.rs", "use crate::made;"),
        ];
        assert_eq!(imports(&files), ["a -> m at 1"]);
    }

    #[test]
    fn modules_that_reach_each_other_are_one_circle_and_those_on_the_way_to_it_are_not() {
        let files = [
            ("a.rs", "use crate::b;"),
            ("b.rs", "use crate::c;"),
            ("c.rs", "use crate::a; use crate::d;"),
            ("d.rs", ""),
            ("e.rs", "use crate::a;"),
        ];
        let modules = Modules::of(files);
        assert_eq!(modules.circles(|_| true), [["a", "b", "c"]]);
        assert!(modules.circles(|import| import.from != "c" || import.to != "a").is_empty());
    }
}
