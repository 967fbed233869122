//! Every source that a scenario, a lesson or a rule of the model cites has a row in
//! docs/model/sources.md: the addresses that it gives, and the short names of a scenario's
//! reference figures.

use std::collections::BTreeMap;

const SOURCES: &str = "docs/model/sources.md";
/// Folders that cite sources. Commits have a check of their own (`commits.rs`).
const CITING: [&str; 3] = ["docs/model/", "lessons/", "scenarios/"];
const COMMIT: &str = "https://git.kernel.org/linus/";
/// The key of a reference figure's source in a scenario's file; sources of claims need no row.
const REFERENCE: &str = "\"source\": \"";

/// All findings in these files, path and text, sorted by path.
pub fn judge(files: &BTreeMap<String, String>) -> Vec<String> {
    let rows = files.get(SOURCES).map_or("", String::as_str);
    let mut findings = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| cites(path)) {
        for (number, line) in (1..).zip(text.lines()) {
            let unknown = addresses(line).filter(|url| !rows.contains(&format!("({url})")));
            findings.extend(unknown.map(|url| {
                format!(
                    "{path}:{number}: {url} is in no row of {SOURCES}; add what is taken from it"
                )
            }));
            if path.ends_with("/scenario.json") {
                let names =
                    references(line).filter(|name| !rows.contains(&format!("\n| {name} |")));
                findings.extend(names.map(|name| {
                    format!("{path}:{number}: no row of {SOURCES} is called \"{name}\"")
                }));
            }
        }
    }
    findings
}

fn cites(path: &str) -> bool {
    CITING.iter().any(|folder| path.starts_with(folder))
        && !path.contains("/expected/")
        && !path.ends_with(".schema.json")
}

/// The addresses of a line, except those of commits.
fn addresses(line: &str) -> impl Iterator<Item = &str> {
    let starts = line.match_indices("https://").map(|(at, _)| &line[at..]);
    let ends = |at: char| at.is_whitespace() || "\"()<>`".contains(at);
    starts
        .filter(|rest| !rest.starts_with(COMMIT))
        .map(move |rest| rest.split(ends).next().unwrap_or(rest).trim_end_matches(['.', ',', ';']))
}

/// The names of the sources of the reference figures in a line.
fn references(line: &str) -> impl Iterator<Item = &str> {
    line.split(REFERENCE).skip(1).filter_map(|rest| rest.split('"').next())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = "# S\n\n| Roe 2015 | [a mail](https://host/x), 2015 | a figure |\n";

    fn said(path: &str, text: &str) -> Vec<String> {
        let files = [(SOURCES, ROW), (path, text)];
        judge(&files.map(|(path, text)| (path.to_owned(), text.to_owned())).into())
    }

    #[test]
    fn an_address_without_a_row_is_a_finding_with_its_place() {
        let told = said("scenarios/a/README.md", "As\n[he](https://host/y), https://host/x.");
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("scenarios/a/README.md:2: https://host/y is in no row"));
        for (path, text) in [
            (concat!("docs/", "model/a.md"), "[a](https://git.kernel.org/linus/917b627d4d98)"),
            ("lessons/a.json", "\"see https://host/x\""),
            ("docs/use/offline.md", "https://host/z"),
            ("scenarios/a/expected/reports.json", "https://host/z"),
        ] {
            assert_eq!(said(path, text), [""; 0], "{path}");
        }
    }

    #[test]
    fn a_reference_figure_names_a_row() {
        let figure = |source: &str| format!("{{ \"low\": 12, {REFERENCE}{source}\" }}");
        assert_eq!(said("scenarios/a/scenario.json", &figure("Roe 2015")), [""; 0]);
        assert_eq!(said("scenarios/a/scenario.json", &figure("Roe 2016")).len(), 1);
        assert_eq!(said("scenarios/a/claims.json", &figure("model")), [""; 0]);
    }
}
