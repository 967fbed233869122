//! Code never compares a policy or a scheduling class with one value, because a new value would
//! then silently count as "not that one". It asks a question that answers for each value
//! (`kernel/config/questions.rs`, `kernel/class.rs`), or matches with an arm for every value. This
//! check reads the text, so a policy has no second name, and its values are always written with
//! the policy's name.

use super::{KERNEL_TABLE, tests_begin};
use std::collections::{BTreeMap, BTreeSet};

/// Scheduling classes and the policies of tasks.
const CLASSES: &str = "crates/engine/src/kernel/class.rs";
/// Files that declare policies beside the table of kernels.
const MACHINE: [&str; 2] = ["crates/engine/src/machine/spinlock.rs", "crates/engine/src/setup.rs"];

/// All findings in these files, path and text, sorted by path.
pub fn judge(files: &BTreeMap<String, String>) -> Vec<String> {
    let policies: BTreeSet<&str> =
        files.iter().flat_map(|(path, text)| declared(path, text)).collect();
    let asking = files.iter().filter(|(path, _)| asks(path));
    asking.flat_map(|(path, text)| compared(path, text, &policies)).collect()
}

fn asks(path: &str) -> bool {
    let source = path.starts_with("crates/") && path.contains("/src/") && path.ends_with(".rs");
    source && !path.starts_with(KERNEL_TABLE) && !path.ends_with("tests.rs")
}

/// Names of the policies that a file declares: in the tables of kernels and of classes every enum,
/// those that generations answer with included; elsewhere the enums with spellings.
fn declared<'t>(path: &str, text: &'t str) -> impl Iterator<Item = &'t str> {
    let table = path.starts_with(KERNEL_TABLE) || path == CLASSES;
    let begins = if table { "pub enum " } else { "named_enum! {" };
    let declares = table || MACHINE.contains(&path);
    let names = move |rest: &'t str| {
        let named = if begins == "pub enum " { rest } else { rest.split_once("pub enum ")?.1 };
        Some(named.split_once(' ')?.0)
    };
    text.split(begins).skip(1).filter(move |_| declares).filter_map(names)
}

/// The places of a file that compare a policy with one value.
fn compared(path: &str, text: &str, policies: &BTreeSet<&str>) -> Vec<String> {
    let lines = text.lines().take(tests_begin(text));
    let code: String = lines
        .flat_map(|line| [if line.trim_start().starts_with("//") { "" } else { line }, "\n"])
        .collect();
    let finds = |(at, policy): (usize, &str)| {
        let line = code[..at].matches('\n').count() + 1;
        format!(
            "{path}:{line}: compares {policy} with one value; ask by a name that answers for all \
            of them (kernel/config/questions.rs, kernel/class.rs)"
        )
    };
    let named = |at: usize| {
        let start = code[..at].rfind(|c: char| !c.is_alphanumeric()).map_or(0, |before| before + 1);
        Some((start, *policies.get(&code[start..at])?))
    };
    let values = code.match_indices("::").filter_map(|(at, _)| named(at));
    let compared = values.filter(|(at, _)| is_compared(&code, *at) || is_imported(&code, *at));
    let renamed = code.match_indices(" as ").filter_map(|(at, _)| named(at));
    compared.chain(renamed.filter(|(at, _)| is_imported(&code, *at))).map(finds).collect()
}

/// Whether the word at `at` is part of a `use`.
fn is_imported(code: &str, at: usize) -> bool {
    let statement = code[..at].rfind(';').map_or(0, |end| end + 1);
    let words = &code[statement..at];
    words.rfind("use ").is_some_and(|from| !words[from..].contains(['(', '=', '.']))
}

/// Whether the value that begins at `start` is compared with something, bare or wrapped.
fn is_compared(code: &str, start: usize) -> bool {
    let path = |c: char| c.is_alphanumeric() || "_:".contains(c);
    let end = code[start..].find(|c| !path(c)).map_or(code.len(), |end| start + end);
    let (mut before, mut after) =
        (code[..start].trim_end_matches(path).trim_end(), code[end..].trim_start());
    loop {
        if let Some(rest) = before.strip_suffix('&') {
            before = rest.trim_end();
        } else if let Some(rest) = before.strip_suffix('(')
            && (rest.ends_with("Some") || !rest.ends_with(|c| path(c) || c == '!'))
        {
            before = rest.trim_end_matches("Some").trim_end();
            after = after.strip_prefix(')').unwrap_or(after).trim_start();
        } else {
            break;
        }
    }
    let bound = before.strip_suffix("let").is_some_and(|rest| !rest.ends_with(path));
    bound
        || ["==", "!="].iter().any(|word| before.ends_with(word))
        || ["==", "!=", "as u", "as i"].iter().any(|word| after.starts_with(word))
        || ASKING.iter().any(|call| is_within(before, call))
        || is_listed(before, after)
}

/// Calls that compare their argument.
const ASKING: [&str; 8] = [
    "matches!(",
    "matches![",
    "matches!{",
    "assert_eq!(",
    "assert_ne!(",
    ".eq(",
    ".ne(",
    ".contains(",
];

/// Whether a `call` is still open at the end of `before`.
fn is_within(before: &str, call: &str) -> bool {
    before.rfind(call).is_some_and(|at| {
        let mut open = 1;
        before[at + call.len()..].chars().all(|c| {
            open += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
            open > 0
        })
    })
}

/// Whether the value is in a list on which `contains` is called.
fn is_listed(before: &str, after: &str) -> bool {
    let list = before.ends_with(['[', ',']) || after.starts_with([',', ']']);
    let end = after.find([']', ';', '{']).filter(|end| after[*end..].starts_with(']'));
    list && end.is_some_and(|end| after[end + 1..].trim_start().starts_with(".contains("))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(path: &str, text: &str) -> Vec<String> {
        let table = "named_enum! {\n    /// How.\n    pub enum Refill {\n        \
            Reset = \"reset\", \"x\";\n    }\n}\n";
        let classes = "pub enum Class {\n    Rt,\n}\n";
        let files = [
            (format!("{KERNEL_TABLE}/bandwidth.rs"), table.to_owned()),
            (CLASSES.to_owned(), classes.to_owned()),
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
            "if era.refill == config::Refill::Reset {}",
            "if &era.refill == &Refill::Reset {}",
            "if (Refill::Reset) == era.refill {}",
            "if let Some(Refill::Reset) = refill {}",
            "let Refill::Reset = era.refill else { return };",
            "matches!{era.refill, Refill::Reset}",
            "debug_assert_eq!(era.refill, Refill::Reset);",
            "if era.refill.eq(&Refill::Reset) {}",
            "if [Refill::Reset].contains(&era.refill) {}",
            "if era.all.contains(&Refill::Reset) {}",
            "if era.refill as u8 == Refill::Reset as u8 {}",
            "if task.class() == Class::Rt {}",
            "use crate::kernel::config::{Expiry, Refill as R};",
            "use crate::kernel::config::Refill::*;",
            "use crate::kernel::config::{Expiry, Refill::{Accumulate, Reset}};",
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
        assert_eq!(said("crates/scenario/src/resolve.rs", inside).len(), 1);
        assert_eq!(said("crates/scenario/tests/scenario/units.rs", inside), [""; 0]);
    }
}
