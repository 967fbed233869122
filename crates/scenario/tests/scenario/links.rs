//! Links: the fixtures this reader shares with the page's, and what no input may do.

use proptest::prelude::*;
use schedscope_scenario::link::{self, Link};
use serde_json::{Value, json};

const FIXTURES: &str = include_str!("../../../../e2e/fixtures/links.json");

fn pairs(pairs: &[(String, String)]) -> Value {
    pairs.iter().map(|(key, value)| json!([key, value])).collect()
}

fn shown(link: &Link) -> Value {
    let view: serde_json::Map<String, Value> =
        link.view.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
    let mut shown = json!({ "slug": link.slug, "a": pairs(&link.a), "b": pairs(&link.b),
        "view": view, "unknown": pairs(&link.unknown) });
    if !link.live.is_empty() {
        shown["live"] = link
            .live
            .iter()
            .map(|change| json!([change.whose, change.at, change.path, change.value]))
            .collect();
    }
    if link.keep_stated {
        shown["keepsStated"] = json!(true);
    }
    if let Some(text) = &link.scenario {
        shown["scenario"] = json!(text);
    }
    shown
}

#[test]
fn every_fixture_reads_as_documented() {
    let fixtures: Value = serde_json::from_str(FIXTURES).unwrap();
    let links = fixtures["links"].as_array().unwrap();
    assert!(links.len() >= 40, "the list has not shrunk");
    for fixture in links {
        let name = fixture["name"].as_str().unwrap();
        match (link::parse(fixture["address"].as_str().unwrap()), fixture.get("ok")) {
            (Ok(link), Some(expected)) => assert_eq!(shown(&link), *expected, "{name}"),
            (Ok(_), None) => panic!("{name}: read, but must be refused"),
            (Err(error), Some(_)) => panic!("{name}: refused: {error}"),
            (Err(error), None) => {
                let expected = &fixture["error"];
                assert_eq!(
                    error.code.name(),
                    expected["code"].as_str().unwrap(),
                    "{name}: {error}"
                );
                assert_eq!(json!(error.slug), expected["slug"], "{name}");
                let numbers = expected.get("arrived").map(|arrived| {
                    (
                        arrived.as_u64().unwrap() as usize,
                        expected["length"].as_u64().unwrap() as usize,
                    )
                });
                assert_eq!(error.arrived_of, numbers, "{name}");
            }
        }
    }
}

fn whole() -> String {
    let fixtures: Value = serde_json::from_str(FIXTURES).unwrap();
    fixtures["links"][0]["address"].as_str().unwrap().to_owned()
}

#[test]
fn a_link_cut_anywhere_opens_nothing_but_its_preset() {
    let whole = whole();
    let start = whole.find('#').unwrap() + 1;
    for end in start + 1..whole.len() {
        let error = link::parse(&whole[..end]).expect_err("a cut link is refused");
        assert_eq!(error.code, link::LinkErrorCode::Cut, "after {end} characters: {error}");
        assert_eq!(error.slug.as_deref(), Some("rt-pull-herd"));
    }
    assert_eq!(
        link::parse(&whole[..start]).unwrap(),
        Link { slug: Some("rt-pull-herd".to_owned()), ..Link::default() }
    );
}

proptest! {
    #[test]
    fn no_text_panics(text in ".{0,300}") {
        let _ = link::parse(&text);
        let _ = link::parse(&format!("/lab/#{text}"));
        let _ = link::parse(&format!("/s/x/#v=1.{}&{text}", text.len()));
    }

    #[test]
    fn one_changed_character_never_passes(at in 0_usize..1_000, replacement in "[ -~]") {
        let whole = whole();
        let start = whole.find('#').unwrap() + 1;
        let at = start + at % (whole.len() - start);
        prop_assume!(whole[at..=at] != replacement && replacement != "%");
        let changed = format!("{}{replacement}{}", &whole[..at], &whole[at + 1..]);
        prop_assert!(link::parse(&changed).is_err(), "{}", changed);
    }
}
