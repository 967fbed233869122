//! The scenario's question, as it is asked of the machine that runs.

use super::Document;
use crate::reading::json;

impl Document {
    /// The title; a number of CPUs in it, which is the scenario's own, becomes those of `cpus`, one
    /// for each side: `Why do 16 CPUs wait for one lock?`. The page does this, too.
    pub fn question(&self, cpus: &[u32]) -> String {
        let title = &self.presentation.title;
        let stated = json::at_path(&self.root, "machine.cpus").map(|node| node.to_json());
        let Some(stated) = stated.and_then(|value| value.as_u64()) else { return title.clone() };
        asked(title, stated, cpus)
    }
}

fn asked(title: &str, stated: u64, cpus: &[u32]) -> String {
    let mut counts: Vec<u32> = Vec::new();
    cpus.iter().for_each(|count| {
        if !counts.contains(count) {
            counts.push(*count);
        }
    });
    let (Some(last), Some(named)) = (counts.last(), Named::find(title, stated)) else {
        return title.to_owned();
    };
    let counted: Vec<String> = counts.iter().map(u32::to_string).collect();
    let unit = if *last == 1 { "CPU" } else { "CPUs" };
    // "Why do 1 CPU wait" is no English.
    let before = if counts == [1] { ending_in_does(named.before) } else { named.before.to_owned() };
    format!("{before}{} {unit}{}", counted.join(" or "), named.after)
}

fn ending_in_does(before: &str) -> String {
    match before.strip_suffix("do ").filter(|rest| rest.is_empty() || rest.ends_with(' ')) {
        Some(rest) => format!("{rest}does "),
        None => before.to_owned(),
    }
}

/// What is around the first `40 CPUs` of a title.
struct Named<'t> {
    before: &'t str,
    after: &'t str,
}

impl<'t> Named<'t> {
    fn find(title: &'t str, stated: u64) -> Option<Self> {
        let words = format!("{stated} CPU");
        let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        title.match_indices(&words).find_map(|(at, _)| {
            let (before, rest) = (&title[..at], &title[at + words.len()..]);
            let after = rest.strip_prefix('s').unwrap_or(rest);
            let is_apart = !before.ends_with(is_of_word) && !after.starts_with(is_of_word);
            is_apart.then_some(Self { before, after })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::asked;

    #[test]
    fn the_number_of_cpus_in_a_question_is_that_of_the_machines_that_run() {
        let herd = "Why do 40 CPUs wait for one lock?";
        assert_eq!(asked(herd, 40, &[40]), herd);
        assert_eq!(asked(herd, 40, &[16]), "Why do 16 CPUs wait for one lock?");
        assert_eq!(asked(herd, 40, &[1]), "Why does 1 CPU wait for one lock?");
        assert_eq!(asked(herd, 40, &[16, 80]), "Why do 16 or 80 CPUs wait for one lock?");
        assert_eq!(asked(herd, 40, &[8, 8]), "Why do 8 CPUs wait for one lock?");
    }

    #[test]
    fn a_number_that_is_not_the_machine_s_stays() {
        for (title, stated) in
            [("What do 140 CPUs do?", 40), ("What do 40 CPUsets do?", 40), ("Who waits?", 40)]
        {
            assert_eq!(asked(title, stated, &[16]), title);
        }
    }
}
