//! Checks the README of a scenario: four parts of few words (docs/use/scenario-format.md).

/// The parts in the reader's order; the last one says what to do.
const PARTS: [&str; 4] =
    ["## The question", "## What to look at", "## Why it happens", "## What to do"];

/// The most words of a part; readers read a longer one twice or skip it.
const MAX_WORDS: usize = 80;

pub fn judge(slug: &str, readme: &str) -> Vec<String> {
    let path = format!("scenarios/{slug}/README.md");
    let mut findings = Vec::new();
    for part in PARTS {
        let Some(text) = text_of(readme, part) else {
            findings.push(format!("{path} has no part \"{part}\" (docs/use/scenario-format.md)"));
            continue;
        };
        let words = words(&text);
        if words > MAX_WORDS {
            findings.push(format!(
                "{path}: \"{part}\" has {words} words; at most {MAX_WORDS} are read, and figures \
                    may stand in \"## Figures\""
            ));
        }
    }
    findings
}

/// The text between a heading and the next.
fn text_of(readme: &str, heading: &str) -> Option<String> {
    let mut lines = readme.lines().skip_while(|line| *line != heading);
    lines.next()?;
    let part: Vec<&str> = lines.take_while(|line| !line.starts_with("## ")).collect();
    Some(part.join("\n"))
}

/// The words that a reader reads: without a claim's marks, the runs that its range is of, a link's
/// address and a list's numbers.
fn words(text: &str) -> usize {
    let seen: String = without(text, "<!--", "-->");
    let seen = without(&seen, " (5 to 95 % of ", " seeds)");
    let seen = without(&seen, " (all of ", " seeds)");
    let seen = without(&seen, "](", ")");
    let is_word = |word: &&str| {
        let number = word.strip_suffix('.').is_some_and(|word| word.parse::<u32>().is_ok());
        !number && word.contains(char::is_alphanumeric)
    };
    seen.split_whitespace().filter(is_word).count()
}

/// `text` without the parts from each `start` to the next `end`.
fn without(text: &str, start: &str, end: &str) -> String {
    let mut pieces = text.split(start);
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |seen, piece| seen + piece.split_once(end).map_or("", |(_, after)| after))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A README of four parts with `steps` as the second.
    fn readme(steps: &str) -> String {
        format!(
            "# T\n\n{}\nWho?\n\n{}\n{steps}\n\n{}\nSo.\n\n{}\nStop.\n\n## Figures\n{}\n",
            PARTS[0],
            PARTS[1],
            PARTS[2],
            PARTS[3],
            "figure ".repeat(MAX_WORDS + 1)
        )
    }

    #[test]
    fn a_part_that_is_missing_or_too_long_is_a_finding() {
        let most = "word ".repeat(MAX_WORDS);
        assert_eq!(judge("some", &readme(&most)), [""; 0]);
        let found = judge("some", &readme(&format!("{most} more")));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("scenarios/some/README.md: \"## What to look at\" has 81"));
        assert_eq!(judge("some", "# T\n").len(), PARTS.len());
    }

    #[test]
    fn marks_addresses_and_numbers_of_a_list_are_no_words() {
        let text =
            "1. A takes <!-- claim x -->1 to 2 ms<!-- /claim --> &\n2. [two words](../a.md).";
        assert_eq!(words(text), 8);
    }
}
