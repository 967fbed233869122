//! The paragraphs of a source file's comments: which characters of the text are comments, and
//! which lines of them one reads together.
//!
//! The scanner knows the strings of Rust, TypeScript and CSS well enough to skip a `//` inside one.
//! A JSX text or a regular expression may still deceive the scanner; both end with their line.

/// Lines that one reads together, without the comment marks.
pub struct Paragraph {
    /// Line numbers from 1, in order.
    pub lines: Vec<(usize, String)>,
}

/// How the files of a language mark strings and comments.
#[derive(Clone, Copy, PartialEq)]
enum Language {
    Rust,
    Script,
    Css,
}

/// A stretch of comment within one line of the file.
struct Piece {
    line: usize,
    text: String,
    /// Code precedes the comment in its line, so the comment is a remark on that code alone.
    trails: bool,
    /// The comment begins here, instead of going on from the line before. Only a block goes on.
    begins: bool,
    mark: &'static str,
}

/// What opens and closes code in a comment.
const FENCE: &str = "```";

/// All paragraphs of the comments in the file `path`, from top to bottom.
pub fn paragraphs(path: &str, text: &str) -> Vec<Paragraph> {
    join(&pieces(language(path), text))
}

/// The lines of the comments in the file `path` whose fence does not mark code, and why not.
pub fn stray_fences(path: &str, text: &str) -> Vec<(usize, &'static str)> {
    const BEHIND: &str = "a code fence opens its line";
    const OPEN: &str = "a code fence closes in the comment that opens it";
    let pieces = pieces(language(path), text);
    let mut stray = Vec::new();
    let mut open = None;
    let mut last = None;
    for piece in &pieces {
        if !follows(last, piece) {
            stray.extend(open.take().map(|line| (line, OPEN)));
        }
        match piece.text.trim().find(FENCE) {
            Some(0) if !piece.trails => open = open.xor(Some(piece.line)),
            Some(_) if open.is_none() => stray.push((piece.line, BEHIND)),
            _ => {}
        }
        last = Some(piece);
    }
    stray.extend(open.map(|line| (line, OPEN)));
    stray
}

fn language(path: &str) -> Language {
    match path.rsplit_once('.') {
        Some((_, "rs")) => Language::Rust,
        Some((_, "css")) => Language::Css,
        _ => Language::Script,
    }
}

/// Whether a line goes on with the comment of the line before it.
fn follows(last: Option<&Piece>, piece: &Piece) -> bool {
    last.is_some_and(|last| {
        let neighbour = !piece.begins || (last.mark == "//" && last.mark == piece.mark);
        last.line + 1 == piece.line && neighbour && !last.trails && !piece.trails
    })
}

/// Joins neighbouring lines. An empty line, a fence, a heading, a drawing and the start of a list's
/// item each end a paragraph.
fn join(pieces: &[Piece]) -> Vec<Paragraph> {
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    let mut last: Option<&Piece> = None;
    let mut fenced = false;
    for piece in pieces {
        let follows = follows(last, piece);
        fenced &= follows;
        let text = piece.text.trim();
        let fence = text.starts_with(FENCE) && !piece.trails;
        fenced ^= fence;
        let prose = !fenced && !fence && !is_drawn(&piece.text);
        last = prose.then_some(piece);
        if !prose || text.is_empty() {
            last = fenced.then_some(piece);
            continue;
        }
        let line = (piece.line, item(text).unwrap_or(text).to_owned());
        match paragraphs.last_mut().filter(|_| follows && item(text).is_none()) {
            Some(paragraph) => paragraph.lines.push(line),
            None => paragraphs.push(Paragraph { lines: vec![line] }),
        }
    }
    paragraphs
}

/// The text of a list's item, behind its bullet or number.
fn item(text: &str) -> Option<&str> {
    let number = text.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let numbered = (number.len() < text.len()).then(|| number.strip_prefix(". ")).flatten();
    numbered.or_else(|| text.strip_prefix("- ")).or_else(|| text.strip_prefix("* "))
}

/// A picture, a table, a heading or indented code: nothing that has sentences.
fn is_drawn(text: &str) -> bool {
    let inner = text.trim_start();
    text.len() - inner.len() >= 5
        || inner.starts_with(['|', '#'])
        || inner.contains(['─', '►', '◄', '│'])
}

/// The comments of a text, line by line.
fn pieces(language: Language, text: &str) -> Vec<Piece> {
    let mut scanner = Scanner { text, at: 0, line: 1, line_starts: 0, code: false, before: '\n' };
    let mut pieces = Vec::new();
    while let Some(next) = scanner.rest().chars().next() {
        let rest = scanner.rest();
        let address = language == Language::Script && scanner.before == ':';
        if language != Language::Css && rest.starts_with("//") && !address {
            let body = scanner.take(rest.find('\n').unwrap_or(rest.len()));
            pieces.push(scanner.line_comment(body));
        } else if rest.starts_with("/*") {
            scanner.block(language, &mut pieces);
        } else if let Some(length) = string(language, rest, scanner.before) {
            scanner.code = true;
            scanner.take(length);
            scanner.before = '"';
        } else {
            scanner.take(next.len_utf8());
            if next != '\n' && !next.is_whitespace() {
                scanner.code = true;
                scanner.before = next;
            }
        }
    }
    pieces
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    line_starts: usize,
    /// The current line has code so far.
    code: bool,
    /// The last character of code that is no space.
    before: char,
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Steps over `length` bytes and returns them.
    fn take(&mut self, length: usize) -> &'t str {
        let taken = &self.text[self.at..self.at + length];
        self.at += length;
        if let Some(end) = taken.rfind('\n') {
            self.line += taken.matches('\n').count();
            self.line_starts = self.at - (taken.len() - end - 1);
            self.code = false;
        }
        taken
    }

    fn line_comment(&self, body: &str) -> Piece {
        let text = body.trim_start_matches('/');
        let text = text.strip_prefix('!').unwrap_or(text);
        Piece {
            line: self.line,
            text: text.to_owned(),
            trails: self.code,
            begins: true,
            mark: "//",
        }
    }

    /// Takes a block comment; blocks nest in Rust.
    fn block(&mut self, language: Language, pieces: &mut Vec<Piece>) {
        let rest = self.rest();
        let (mut depth, mut end) = (1, 2);
        while depth > 0 && end < rest.len() {
            let inner = &rest[end..];
            let step = inner.chars().next().map_or(1, char::len_utf8);
            if inner.starts_with("*/") {
                (depth, end) = (depth - 1, end + 2);
            } else if language == Language::Rust && inner.starts_with("/*") {
                (depth, end) = (depth + 1, end + 2);
            } else {
                end += step;
            }
        }
        let (first, trails) = (self.line, self.code);
        let body = self.take(end.min(rest.len()));
        let body = body.trim_start_matches(['/', '*', '!']).trim_end_matches('/');
        pieces.extend(body.trim_end_matches('*').split('\n').enumerate().map(|(nth, line)| {
            let bare = line.trim_start();
            let text = if nth == 0 { line } else { bare.strip_prefix('*').unwrap_or(bare) };
            let (begins, trails) = (nth == 0, nth == 0 && trails);
            Piece { line: first + nth, text: text.to_owned(), trails, begins, mark: "/*" }
        }));
    }
}

/// The length of the string, character or regular expression that begins `rest`.
fn string(language: Language, rest: &str, before: char) -> Option<usize> {
    let first = rest.chars().next()?;
    match (language, first) {
        (Language::Rust, 'r') if !(before.is_alphanumeric() || before == '_') => raw_string(rest),
        (Language::Rust, '"') => Some(quoted(rest, '"', true)),
        (Language::Rust, '\'') => character(rest),
        (Language::Script, '`') => Some(quoted(rest, '`', true)),
        (_, '"' | '\'') => Some(quoted(rest, first, false)),
        (Language::Script, '/') if "\n(,=:[!&|?{};>".contains(before) => Some(expression(rest)),
        _ => None,
    }
}

/// `r"…"` or `r#"…"#`.
fn raw_string(rest: &str) -> Option<usize> {
    let hashes = rest[1..].len() - rest[1..].trim_start_matches('#').len();
    let body = rest[1 + hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(body.find(&end).map_or(rest.len(), |at| hashes + 2 + at + end.len()))
}

/// A character of Rust; a lifetime is none.
fn character(rest: &str) -> Option<usize> {
    let inner = rest[1..].chars().next()?;
    if inner == '\\' {
        return Some(quoted(rest, '\'', false));
    }
    let end = 1 + inner.len_utf8();
    rest[end..].starts_with('\'').then_some(end + 1)
}

/// Up to the closing mark, or, unless `many` lines may follow, to the end of the line.
fn quoted(rest: &str, mark: char, many: bool) -> usize {
    let mut escaped = false;
    for (at, next) in rest.char_indices().skip(1) {
        match next {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' if !many => return at,
            _ if next == mark => return at + mark.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// A regular expression up to its slash; a slash in brackets is none.
fn expression(rest: &str) -> usize {
    let (mut escaped, mut bracket) = (false, false);
    for (at, next) in rest.char_indices().skip(1) {
        match next {
            '\n' => return 1,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => bracket = true,
            ']' => bracket = false,
            '/' if !bracket => return at + 1,
            _ => {}
        }
    }
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &str, text: &str) -> Vec<(usize, String)> {
        let joined = |paragraph: &Paragraph| {
            let lines: Vec<&str> = paragraph.lines.iter().map(|(_, line)| line.as_str()).collect();
            (paragraph.lines[0].0, lines.join(" "))
        };
        paragraphs(path, text).iter().map(joined).collect()
    }

    #[track_caller]
    fn reads(path: &str, text: &str, expected: &[(usize, &str)]) {
        let expected: Vec<(usize, String)> =
            expected.iter().map(|(line, text)| (*line, (*text).to_owned())).collect();
        assert_eq!(read(path, text), expected);
    }

    #[test]
    fn strings_are_not_comments() {
        for code in [
            "let a = \"// no\";",
            "let a = \"\\\" // no\";",
            "let a = r#\"\" // no\"#;",
            "let a = \"two\n // no\";",
            "let a = ('\"', '\\'', b'\"');",
        ] {
            reads("a.rs", &format!("{code} // yes"), &[(1 + code.matches('\n').count(), "yes")]);
        }
        for code in [
            "const a = \"https://no\";",
            "const a = '// no';",
            "const a = `two\n // no`;",
            "const a = /[/\"]\\/\\//;",
            "<a>it's https://no</a>;",
        ] {
            reads("a.tsx", &format!("{code}\n// yes"), &[(2 + code.matches('\n').count(), "yes")]);
        }
        reads("a.css", "a { b: url(//no); } /* yes */", &[(1, "yes")]);
    }

    #[test]
    fn a_lifetime_begins_no_string() {
        reads("a.rs", "fn a<'t>(b: &'t str) {} // yes", &[(1, "yes")]);
    }

    #[test]
    fn neighbouring_lines_are_one_paragraph_and_an_empty_line_ends_it() {
        reads("a.rs", "/// One\n/// two.\n///\n/// Three.\n", &[(1, "One two."), (4, "Three.")]);
        reads(
            "a.ts",
            "/**\n * One\n * two.\n *\n * Three.\n */",
            &[(2, "One two."), (5, "Three.")],
        );
        reads("a.css", "/* One\n   two. */\n/* Three. */", &[(1, "One two."), (3, "Three.")]);
    }

    #[test]
    fn a_comment_behind_code_is_a_paragraph_of_its_own() {
        reads(
            "a.rs",
            "a, // One.\nb, // Two.\n// Three.",
            &[(1, "One."), (2, "Two."), (3, "Three.")],
        );
    }

    #[test]
    fn each_item_of_a_list_is_a_paragraph() {
        reads(
            "a.rs",
            "// One:\n// - two\n//   three\n// 2. four",
            &[(1, "One:"), (2, "two three"), (4, "four")],
        );
    }

    #[test]
    fn drawings_tables_headings_and_fences_are_no_sentences() {
        let text = "//! One.\n//! ```\n//! no\n//!\n//! no\n//! ```\n//! # no\n//! | no |\n\
            //!      no\n//!   no ──► no\n//! Two.";
        reads("a.rs", text, &[(1, "One."), (11, "Two.")]);
    }

    #[test]
    fn a_fence_ends_with_its_comment() {
        reads("a.rs", "// ```\n// no\na, // yes\n// Yes.", &[(3, "yes"), (4, "Yes.")]);
        reads("a.rs", "/// ```\n/// no\nfn a() {}\n/// Yes.", &[(4, "Yes.")]);
    }

    #[test]
    fn a_fence_behind_words_or_without_an_end_is_stray() {
        let lines = |text: &str| -> Vec<usize> {
            stray_fences("a.rs", text).into_iter().map(|(line, _)| line).collect()
        };
        for closed in [
            "/// ```\n/// a\n/// ```",
            "/* One:\n * ```text\n * a ```\n * ```\n */",
            "let a = \"// a ```\";",
        ] {
            assert!(lines(closed).is_empty(), "{closed}");
        }
        assert_eq!(lines("// One.\n// Two: ```\n// Three."), [2]);
        assert_eq!(lines("a, // ```\nb, // ```"), [1, 2]);
        assert_eq!(lines("/// ```\n/// a\nfn a() {}\n/// ```\n/// b\n/// ```"), [1]);
        assert_eq!(lines("/// ```\n/// a"), [1]);
    }
}
