//! Where a scenario comes from: every form of `source` that was ever written is read, none changes
//! a run, and what ships can be opened.

use std::path::Path;

use schedscope_scenario::{Source, entry, prepare, shipped};

const FILE: &str = r#"{
  "schema": 1, "title": "t",
  "source": SOURCE,
  "duration": "2ms", "machine": { "cpus": 4 }, "kernel": { "version": "6.12" }, "cgroups": {},
  "workload": { "tasks": { "hog": { "run": 500, "sleep": 100 } } }
}"#;

fn with(source: &str) -> String {
    FILE.replace("SOURCE", source)
}

fn read(source: &str) -> Vec<Source> {
    entry("test", &with(source)).unwrap().source
}

fn source(id: &str, title: &str, url: &str) -> Source {
    Source { id: id.to_owned(), title: title.to_owned(), url: url.to_owned() }
}

#[test]
fn a_text_of_before_is_a_title() {
    let text = "Steven Rostedt, linux-kernel, February 2015";
    assert_eq!(read(&format!("\"{text}\"")), [source("", text, "")]);
    assert_eq!(read("\"\""), []);
    assert_eq!(entry("test", &with("1").replace("  \"source\": 1,\n", "")).unwrap().source, []);
}

#[test]
fn one_source_and_a_list_of_them_have_names_and_addresses() {
    let one = r#"{ "id": "Rostedt 2015", "title": "a patch", "url": "https://host/x" }"#;
    let known = source("Rostedt 2015", "a patch", "https://host/x");
    assert_eq!(read(one), std::slice::from_ref(&known));
    let two = format!("[{one}, {{ \"title\": \"an idea\" }}]");
    assert_eq!(read(&two), [known, source("", "an idea", "")]);
}

#[test]
fn what_no_browser_should_open_is_refused_with_its_place() {
    for (wrong, path, word) in [
        (r#"[{ "title": "x", "url": "javascript:alert(1)" }]"#, "source[0].url", "https://"),
        (r#"{ "title": "x", "url": "http://host/x" }"#, "source.url", "https://"),
        (r#"[{ "id": "x" }]"#, "source[0].title", "missing"),
        (r#"[{ "title": "x", "link": "y" }]"#, "source[0].link", "there is no key"),
        ("7", "source", "a list"),
    ] {
        let error = prepare("test", &with(wrong), &[]).err().unwrap();
        assert_eq!((error.path.as_str(), error.line), (path, Some(3)), "{wrong}: {error}");
        assert!(error.to_string().contains(word), "{error}");
    }
}

#[test]
fn no_form_of_it_changes_a_run() {
    let setup = |source: &str| prepare("test", &with(source), &[]).unwrap().setup.to_bytes();
    let of_text = setup("\"a text\"");
    for source in ["\"\"", "[]", r#"[{ "id": "i", "title": "t", "url": "https://host/" }]"#] {
        assert_eq!(setup(source), of_text, "{source}");
    }
}

#[test]
fn every_shipped_scenario_says_where_it_can_be_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let rows = std::fs::read_to_string(root.join("docs/model/sources.md")).unwrap();
    for scenario in shipped(&root.join("scenarios")).unwrap() {
        assert!(!scenario.source.is_empty(), "{}", scenario.slug);
        for source in &scenario.source {
            let (id, url) = (source.id.as_str(), source.url.as_str());
            match id.strip_prefix("commit ") {
                Some(hash) => assert_eq!(url, format!("https://git.kernel.org/linus/{hash}")),
                None => assert!(
                    rows.lines()
                        .any(|row| row.starts_with(&format!("| {id} |")) && row.contains(url)),
                    "{}: docs/model/sources.md has no row for {id} with {url}",
                    scenario.slug
                ),
            }
        }
    }
}
