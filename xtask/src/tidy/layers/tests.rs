use super::*;

const LAW: Layers = Layers {
    of: "x",
    rows: &[&["low"], &["high", "low::lists"], &["top"]],
    upward: &[("low::odd", "high", "a reason")],
    one_thing: &[(&["top"], "one state")],
    parts: &[("top::one", &["top::other"]), ("top::other", &[])],
};

fn findings(files: &[(&str, &str)]) -> Vec<String> {
    // A file for the declared exception and one for the row of a part, because an unused one is
    // a finding.
    let odd = ("low/odd.rs", "use crate::high;");
    let one = ("top/one.rs", "use super::other::x;");
    let others = [odd, ("high.rs", ""), one, ("top/other.rs", "")];
    let all: BTreeMap<&str, &str> = others.into_iter().chain(files.iter().copied()).collect();
    LAW.judge(&Modules::of(all))
}

#[test]
fn a_module_imports_from_its_own_row_and_below() {
    assert_eq!(
        findings(&[("low.rs", ""), ("top.rs", "use crate::low; use crate::high;")]),
        [""; 0]
    );
    let up = findings(&[("low.rs", "\nuse crate::top::x;"), ("top.rs", "")]);
    assert_eq!(up.len(), 1, "{up:?}");
    assert!(up[0].starts_with("low imports top (line 2), which stands above it"), "{up:?}");
}

#[test]
fn the_longest_name_of_the_table_counts() {
    let lists = ("low/lists.rs", "use crate::high;");
    assert_eq!(findings(&[lists]), [""; 0]);
    let up = findings(&[lists, ("low.rs", "use lists::ALL;")]);
    assert!(up[0].starts_with("low imports low::lists (line 1)"), "{up:?}");
}

#[test]
fn a_circle_is_a_finding_but_within_what_is_declared_as_one_thing() {
    let circle = [("low.rs", "use a::x;"), ("low/a.rs", "use super::y;")];
    let found = findings(&circle);
    assert!(
        found[0].starts_with("2 modules import each other in a circle: low, low::a"),
        "{found:?}"
    );
    assert_eq!(findings(&[("top.rs", "use a::x;"), ("top/a.rs", "use super::y;")]), [""; 0]);
}

#[test]
fn a_part_imports_only_the_parts_of_its_row_and_a_row_names_only_whom_it_imports() {
    let back = findings(&[("top/other.rs", "use super::one::x;")]);
    assert_eq!(back.len(), 1, "{back:?}");
    assert!(back[0].starts_with("top::other imports top::one (line 1)"), "{back:?}");
    let idle = findings(&[("top/one.rs", "")]);
    assert!(idle[0].starts_with("nothing in top::one imports top::other any more"), "{idle:?}");
}

#[test]
fn a_module_without_a_row_and_an_exception_without_use_are_findings() {
    let one = ("top/one.rs", "use super::other::x;");
    let files = [("new.rs", ""), ("low/odd.rs", ""), one, ("top/other.rs", "")];
    let found = LAW.judge(&Modules::of(files));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("new has no row"), "{found:?}");
    assert!(found[1].starts_with("nothing in low::odd imports high any more"), "{found:?}");
}

#[test]
fn a_crate_uses_only_the_crates_of_its_row() {
    let manifest = |uses: &str| {
        let text = format!("[dependencies]\n{uses}\n[dev-dependencies]\nschedscope-cli = 1\n");
        crates(&BTreeMap::from([("crates/scenario/Cargo.toml".to_owned(), text)]))
    };
    assert_eq!(manifest("schedscope-engine.workspace = true"), [""; 0]);
    let found = manifest("schedscope-claims = { path = \"../claims\" }");
    assert!(found[0].starts_with("crates/scenario may not use crates/claims"), "{found:?}");
}
