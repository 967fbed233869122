//! What the reader hands to who runs a scenario: the same setup, and nothing else is taken for one.

use proptest::prelude::{any, prop_assert_eq, proptest};
use schedscope_engine::run::{Options, Run};
use schedscope_engine::setup::Setup;
use schedscope_scenario::{ScenarioEntry, first_runs, prepare, report_json, shipped};
use std::path::Path;
use std::sync::LazyLock;

fn scenarios() -> Vec<ScenarioEntry> {
    shipped(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios"))
        .expect("the shipped scenarios are valid")
}

fn smallest() -> Setup {
    static FOUND: LazyLock<Setup> = LazyLock::new(|| {
        let setups = scenarios()
            .into_iter()
            .map(|entry| prepare(&entry.slug, &entry.text, &[]).expect("it is shipped").setup);
        setups.min_by_key(|setup| setup.to_bytes().len()).expect("there are scenarios")
    });
    FOUND.clone()
}

#[test]
fn the_setup_of_every_shipped_variant_arrives_as_it_left() {
    for entry in scenarios() {
        for variant in &entry.variants {
            let setup =
                prepare(&entry.slug, &entry.text, &variant.set).expect("it is shipped").setup;
            let arrived = Setup::from_bytes(&setup.to_bytes()).expect("bytes of the same build");
            assert_eq!(
                format!("{arrived:?}"),
                format!("{setup:?}"),
                "{}: {}",
                entry.slug,
                variant.name
            );
        }
    }
}

#[test]
fn bytes_of_another_build_are_refused() {
    let mut bytes = smallest().to_bytes();
    bytes[0] ^= 1;
    let refusal = Setup::from_bytes(&bytes).expect_err("another fingerprint");
    assert!(refusal.contains("another build"), "{refusal}");
    assert!(Setup::from_bytes(&[]).is_err());
}

#[test]
fn cut_lengthened_and_damaged_bytes_are_refused() {
    let bytes = smallest().to_bytes();
    assert!((0..bytes.len()).all(|length| Setup::from_bytes(&bytes[..length]).is_err()));
    assert!(Setup::from_bytes(&[bytes.as_slice(), &[0]].concat()).is_err());
    for at in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= flip;
            assert!(Setup::from_bytes(&damaged).is_err(), "byte {at} ^ {flip:#x}");
        }
    }
}

proptest! {
    #[test]
    fn no_handful_of_changed_bytes_makes_another_setup(
        flips in proptest::collection::vec((any::<usize>(), 1u8..), 1..12),
    ) {
        let bytes = smallest().to_bytes();
        let mut damaged = bytes.clone();
        for (at, flip) in flips {
            damaged[at % bytes.len()] ^= flip;
        }
        prop_assert_eq!(Setup::from_bytes(&damaged).is_ok(), damaged == bytes);
    }
}

#[test]
fn a_number_the_engine_would_divide_by_is_refused_after_decoding() {
    let sound = smallest();
    let with = |change: fn(&mut Setup)| {
        let mut setup = sound.clone();
        change(&mut setup);
        Setup::from_bytes(&setup.to_bytes())
    };
    assert!(with(|_| ()).is_ok());
    assert!(with(|setup| setup.kernel.hz = 0).is_err());
    assert!(with(|setup| setup.duration_ns = 0).is_err());
    assert!(with(|setup| setup.groups.clear()).is_err());
}

#[test]
fn the_first_runs_are_the_two_sides_the_page_opens() {
    for entry in scenarios() {
        let first = first_runs(&entry).expect("it is shipped");
        assert_eq!(first.text, entry.text);
        let sets: Vec<_> = first.runs.iter().map(|run| &run.set).collect();
        assert_eq!(sets.len(), 2, "{}", entry.slug);
        assert!(
            sets.iter().zip(&entry.variants).all(|(set, variant)| **set == variant.set)
                || entry.variants.len() < 2
        );
    }
}

#[test]
fn the_reports_two_parts_are_the_whole() {
    let entry = &scenarios()[0];
    let prepared = prepare(&entry.slug, &entry.text, &[("duration".to_owned(), "1ms".into())])
        .expect("it is shipped");
    let mut run = Run::new(&prepared.setup, Options::default()).expect("a sound setup");
    run.advance(u64::MAX, u64::MAX);
    let mut parts = serde_json::to_value(prepared.handover().head).expect("plain");
    let own = serde_json::to_value(run.report()).expect("plain");
    let (parts, own) =
        (parts.as_object_mut().expect("an object"), own.as_object().expect("an object"));
    assert!(own.keys().all(|key| !parts.contains_key(key)));
    parts.extend(own.clone());
    assert_eq!(serde_json::Value::Object(parts.clone()), report_json(&prepared, &run.report()));
}
