//! What a policy does is asked by a name that answers for each of its values
//! (`kernel/config/questions.rs`), or matched with an arm for every value: never compared with one
//! value, or a new value would silently count as "not that one".

use super::{ENGINE, KERNEL_TABLE, tests_begin};
use std::collections::{BTreeMap, BTreeSet};

/// Where policies are declared beside the table of kernels.
const MACHINE: [&str; 2] = ["crates/engine/src/machine/spinlock.rs", "crates/engine/src/setup.rs"];

/// All findings in these files, path and text, sorted by path.
pub fn judge(files: &BTreeMap<String, String>) -> Vec<String> {
    let policies: BTreeSet<&str> = files
        .iter()
        .filter(|(path, _)| declares(path))
        .flat_map(|(_, text)| declared(text))
        .collect();
    let asking = files.iter().filter(|(path, _)| asks(path));
    asking.flat_map(|(path, text)| compared(path, text, &policies)).collect()
}

fn declares(path: &str) -> bool {
    path.starts_with(KERNEL_TABLE) || MACHINE.contains(&path)
}

fn asks(path: &str) -> bool {
    path.starts_with(ENGINE)
        && path.ends_with(".rs")
        && !path.starts_with(KERNEL_TABLE)
        && !path.ends_with("tests.rs")
}

/// Names of the enums that a text declares with their spellings.
fn declared(text: &str) -> impl Iterator<Item = &str> {
    text.split("named_enum! {").skip(1).filter_map(|rest| {
        let name = rest.split_once("pub enum ")?.1;
        Some(name.split_once(' ')?.0)
    })
}

/// The places of a file that hold a policy against one value.
fn compared(path: &str, text: &str, policies: &BTreeSet<&str>) -> Vec<String> {
    let lines = text.lines().take(tests_begin(text));
    let code: String = lines
        .flat_map(|line| [if line.trim_start().starts_with("//") { "" } else { line }, "\n"])
        .collect();
    let finds = |(at, policy): (usize, &str)| {
        let line = code[..at].matches('\n').count() + 1;
        format!(
            "{path}:{line}: compares {policy} with one value; ask by a name that answers for all \
            of them (kernel/config/questions.rs)"
        )
    };
    let places = code.match_indices("::").filter_map(|(at, _)| {
        let start = code[..at].rfind(|c: char| !c.is_alphanumeric()).map_or(0, |before| before + 1);
        let policy = policies.get(&code[start..at])?;
        is_comparison(&code, start).then_some((start, *policy))
    });
    places.map(finds).collect()
}

/// Whether the value that begins at `start` is compared with something.
fn is_comparison(code: &str, start: usize) -> bool {
    let before = code[..start].trim_end();
    let end = code[start..].find(|c: char| !c.is_alphanumeric() && c != ':');
    let after = code[end.map_or(code.len(), |end| start + end)..].trim_start();
    let equals = ["==", "!=", " let"].iter().any(|word| before.ends_with(word))
        || ["==", "!="].iter().any(|word| after.starts_with(word));
    equals || is_in_matches(before)
}

/// Whether a `matches!(` is still open behind `before`.
fn is_in_matches(before: &str) -> bool {
    before.rfind("matches!(").is_some_and(|at| {
        let mut open = 1;
        before[at + "matches!(".len()..].chars().all(|c| {
            open += i32::from(c == '(') - i32::from(c == ')');
            open > 0
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(path: &str, text: &str) -> Vec<String> {
        let table = "named_enum! {\n    /// How.\n    pub enum Refill {\n        Reset = \"reset\", \"x\";\n    }\n}\n";
        let files = [
            (format!("{KERNEL_TABLE}/bandwidth.rs"), table.to_owned()),
            (path.to_owned(), text.to_owned()),
        ];
        judge(&files.into_iter().collect())
    }

    #[test]
    fn a_policy_that_is_compared_with_one_value_is_refused_with_its_place() {
        for asked in [
            "if era.refill == Refill::Reset {}",
            "if Refill::Reset != era.refill {}",
            "let resets = matches!(era.refill, Refill::Reset);",
            "if let Refill::Reset = era.refill {}",
            "ensure(!matches!(\n    era.f(x),\n    Refill::Reset\n));",
        ] {
            let found = said("crates/engine/src/kernel/fair.rs", &format!("// Why.\n{asked}\n"));
            assert_eq!(found.len(), 1, "{asked}: {found:?}");
            assert!(found[0].starts_with("crates/engine/src/kernel/fair.rs:"), "{found:?}");
        }
    }

    #[test]
    fn matches_with_an_arm_for_each_value_names_of_questions_and_tests_pass() {
        let text = "match era.refill {\n    Refill::Reset => 1,\n    Refill::Accumulate => 2,\n}\n\
            let x = matches!(y, Y::A) && f(Refill::Reset);\n// era.refill == Refill::Reset\n\
            #[cfg(test)]\nmod tests {\n    fn f() { a == Refill::Reset }\n}\n";
        assert_eq!(said("crates/engine/src/kernel/fair.rs", text), [""; 0]);
        let inside = "if self.refill == Refill::Reset {}\n";
        assert_eq!(said(&format!("{KERNEL_TABLE}/rules.rs"), inside), [""; 0]);
        assert_eq!(said("crates/scenario/src/resolve.rs", inside), [""; 0]);
    }
}
