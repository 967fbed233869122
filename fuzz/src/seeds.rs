//! The sources of inputs: the committed corpus, shipped scenarios, and the links that both readers
//! are tested on.

use std::path::Path;

use schedscope_formats::words::FORMS;
use schedscope_scenario::prepare;
use serde_json::Value;

/// Shipped scenarios that between them use every part of the format.
pub const BASES: [&str; 8] = [
    include_str!("../../scenarios/rt-pull-herd/scenario.json"),
    include_str!("../../scenarios/quota-tree/scenario.json"),
    include_str!("../../scenarios/priority-inheritance/scenario.json"),
    include_str!("../../scenarios/softirq-live-lock/scenario.json"),
    include_str!("../../scenarios/nohz-kick/scenario.json"),
    include_str!("../../scenarios/quota-web-p95/scenario.json"),
    include_str!("../../scenarios/kernbench-switches/scenario.json"),
    include_str!("../../crates/scenario/tests/data/rt-app.json"),
];

const LINKS: &str = include_str!("../../e2e/fixtures/links.json");

/// The committed inputs of `target`, in the order of their names.
pub fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> =
        entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    files.sort();
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    files
        .iter()
        .map(|path| (name(path), std::fs::read(path).expect("the file can be read")))
        .collect()
}

/// The corpus of `target`, and its other seeds.
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = corpus(target).into_iter().map(|(_, bytes)| bytes).collect();
    match target {
        "scenario" => seeds.extend(BASES.iter().map(|text| text.as_bytes().to_vec())),
        "link" => {
            let fixtures: Value = serde_json::from_str(LINKS).expect("the fixtures are JSON");
            let links = fixtures["links"].as_array().into_iter().flatten();
            seeds.extend(
                links
                    .filter_map(|link| link["address"].as_str())
                    .map(|address| address.as_bytes().to_vec()),
            );
        }
        // Bytes of a setup are of one build: they are made, not kept. The fingerprint in front is
        // the target's business.
        "setup" => seeds.extend(
            BASES
                .iter()
                .filter_map(|text| prepare("fuzz", text, &[]).ok())
                .map(|made| made.setup.to_bytes()[8..].to_vec()),
        ),
        // Each form, and each beside the next one: a text is one case.
        "words" => {
            let examples = || FORMS.iter().map(|form| form.example);
            seeds.extend(examples().map(|text| text.as_bytes().to_vec()));
            let next = examples().skip(1).chain(examples());
            seeds.extend(
                examples().zip(next).map(|(one, other)| format!("{one}\n{other}\n").into_bytes()),
            );
        }
        _ => {}
    }
    seeds
}
