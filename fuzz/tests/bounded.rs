//! The committed corpus, and a fixed number of mutations of it, against every target.
//!
//! `FUZZ_CASES=n` sets how many mutations of each, `FUZZ_FROM=n` the number of the first; a failing
//! mutation prints how to repeat it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use schedscope_fuzz::mutate::{framed, mutant};
use schedscope_fuzz::seeds::{corpus, seeds};
use schedscope_fuzz::{TARGETS, Target};

/// Mutations of each target in the usual run: a few seconds each.
const CASES: u64 = 800;

fn number(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number, not {text:?}")))
}

fn panics(target: Target, input: &[u8]) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(|| (target.1)(input))).err()?;
    Some(
        panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
            .unwrap_or_default(),
    )
}

fn input(target: Target, seeds: &[Vec<u8>], seed: u64) -> Vec<u8> {
    let bytes = mutant(seeds, seed);
    if target.0 == "link" && !seed.is_multiple_of(4) { framed(&bytes) } else { bytes }
}

/// Drops every part without which the input still fails.
fn shortened(target: Target, mut input: Vec<u8>) -> Vec<u8> {
    let mut size = input.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < input.len() {
            let without = [&input[..at], &input[(at + size).min(input.len())..]].concat();
            if panics(target, &without).is_some() {
                input = without;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    input
}

fn bounded(name: &str) {
    let target = *TARGETS.iter().find(|target| target.0 == name).expect("the target is listed");
    for (file, bytes) in corpus(name) {
        assert_eq!(panics(target, &bytes), None, "fuzz/corpus/{name}/{file}");
    }
    let (seeds, from) = (seeds(name), number("FUZZ_FROM").unwrap_or(1));
    for seed in from..from + number("FUZZ_CASES").unwrap_or(CASES) {
        let bytes = input(target, &seeds, seed);
        if let Some(what) = panics(target, &bytes) {
            let least = shortened(target, bytes);
            let shown = least.escape_ascii();
            panic!(
                "{what}\nFUZZ_FROM={seed} FUZZ_CASES=1 cargo test -p schedscope-fuzz \
                    {name}\n{shown}"
            );
        }
    }
}

#[test]
fn no_text_breaks_the_reader_of_a_scenario() {
    bounded("scenario");
}

#[test]
fn no_address_breaks_the_reader_of_a_link() {
    bounded("link");
}

#[test]
fn no_bytes_break_the_decoder_of_a_setup() {
    bounded("setup");
}

#[test]
fn no_change_of_knobs_breaks_a_law_of_the_engine() {
    bounded("engine");
}

#[test]
fn no_words_that_are_pasted_break_their_readers() {
    bounded("words");
}

#[test]
fn no_bytes_break_the_readers_of_recordings() {
    bounded("traces");
}
