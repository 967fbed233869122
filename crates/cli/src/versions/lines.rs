//! Sentences in lines of a terminal.

/// Columns of a line.
const WIDTH: usize = 100;

/// `text` in lines of at most [`WIDTH`] columns: the first one indented by `first`, the others by
/// `rest`. A longer word has a line of its own.
pub fn lines(first: usize, rest: usize, text: &str) -> String {
    let mut all = " ".repeat(first);
    let mut column = first;
    for (place, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        if place > 0 && column + 1 + length > WIDTH {
            all.push('\n');
            all.push_str(&" ".repeat(rest));
            column = rest;
        } else if place > 0 {
            all.push(' ');
            column += 1;
        }
        all.push_str(word);
        column += length;
    }
    all.push('\n');
    all
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn a_line_ends_before_the_word_that_would_pass_the_width() {
        let word = "x".repeat(48);
        assert_eq!(lines(2, 4, &format!("{word} {word} y")), format!("  {word} {word}\n    y\n"));
        assert_eq!(lines(0, 0, &format!("{word} {word} yyy")), format!("{word} {word}\nyyy\n"));
        assert_eq!(lines(1, 3, "a b"), " a b\n");
    }
}
