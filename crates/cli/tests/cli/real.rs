//! `schedscope real`: the lines for a real machine, through the real binary.

use crate::support::{File, Folder, command, json, refused, stderr, stdout, text};

#[test]
fn the_page_has_the_lines_by_what_they_need_and_the_rest_as_comments() {
    let page = stdout(&["real", "quota-pinned"]);
    let places = [
        "# Kernel: boot ",
        "# words of the kernel's command line",
        "nr_cpus=",
        "# groups, as root",
        "sudo mkdir -p /sys/fs/cgroup/app",
        "| sudo tee /sys/fs/cgroup/app/cpu.max",
        "# programs, as root",
        "exec rt-app stand-in.json",
        "# the groups' figures",
        "cat /sys/fs/cgroup/app/cpu.stat",
        "# the file stand-in.json, which --dir DIR writes",
    ]
    .map(|words| page.find(words).unwrap_or_else(|| panic!("{words:?} is not in\n{page}")));
    assert!(places.is_sorted(), "{page}");
}

#[test]
fn a_change_of_the_scenario_changes_the_lines_and_what_has_no_line_is_said() {
    let with = |preempt: &str| {
        let set = format!("kernel.preempt={preempt}");
        stdout(&["real", "rt-pull-herd", "--set", "kernel.version=6.12", "--set", &set])
    };
    assert!(with("full").contains("\npreempt=full\n"));
    assert!(with("rt").contains("\nCONFIG_PREEMPT_RT=y\n"));
    let page = stdout(&["real", "softirq-live-lock"]);
    assert!(page.contains("# without a line\n# No tool leaves tasklets behind"), "{page}");
}

#[test]
fn both_sides_have_what_they_share_once() {
    let page = stdout(&["real", "rt-pull-herd", "--both"]);
    assert_eq!(page.matches("sudo cyclictest").count(), 1, "{page}");
    for words in [
        "# A: the running kernel, as root: for everybody on the machine\necho NO_RT_PUSH_IPI",
        "# B: the running kernel, as root: for everybody on the machine\necho RT_PUSH_IPI",
    ] {
        assert!(page.contains(words), "{words:?} is not in\n{page}");
    }
    let object =
        json(&["real", "rt-pull-herd", "--a", "machine.cpus=8", "--b", "machine.cpus=9", "--json"]);
    assert_eq!(object["a"]["lines"][0]["line"], "nr_cpus=8");
    assert_eq!(object["b"]["lines"][0]["needs"], "boot");
}

#[test]
fn the_object_has_lines_files_and_sentences() {
    let object = json(&["real", "quota-gomaxprocs", "--json"]);
    assert_eq!(object["schema"], "schedscope.real/1");
    assert_eq!(object["scenario"], "quota-gomaxprocs");
    let keys = |of: &serde_json::Value| -> Vec<String> {
        of.as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(
        keys(&object),
        ["a", "b", "kernel", "missing", "notes", "scenario", "schema", "shared"]
    );
    let shared = &object["shared"];
    assert_eq!(keys(shared), ["files", "lines", "own"]);
    assert_eq!(keys(&shared["lines"][0]), ["line", "needs", "step"]);
    assert_eq!(keys(&shared["files"][0]), ["command", "name", "notes", "text"]);
    assert!(shared["own"][0]["line"].as_str().unwrap().starts_with("GOMAXPROCS="));
}

#[test]
fn the_files_are_written_into_a_folder_and_are_read_back() {
    let folder = Folder::new();
    let place = folder.path("files");
    let place = place.as_str();
    let page = stdout(&["real", "quota-pinned", "--dir", place]);
    assert!(page.contains(&format!("# the file {place}/stand-in.json\n")), "{page}");
    let read = stdout(&["read", &format!("{place}/stand-in.json")]);
    assert!(read.contains("an rt-app file with the tasks"), "{read}");
    let output = command(&["real", "rt-pull-herd", "--dir", place]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let herd = text(&output.stdout);
    assert!(herd.contains(&format!("{place}/stand-in.json")), "{herd}");
    let none = command(&["real", "hackbench", "--dir", place]).output().unwrap();
    assert!(stderr(&none).contains("note: no file is needed here"), "{}", stderr(&none));
}

#[test]
fn no_line_of_the_page_is_strange_to_the_reader() {
    for slug in ["rt-pull-herd", "quota-pinned", "cron-burst", "lazy-or-now", "kernbench-switches"]
    {
        let file = File::new("page.txt", stdout(&["real", slug]));
        let object = json(&["read", file.name(), "--json"]);
        for line in object["lines"].as_array().unwrap() {
            for note in line["notes"].as_array().unwrap() {
                assert_ne!(note["fate"], "not understood", "{slug}: {line}");
            }
        }
    }
}

#[test]
fn a_scenario_that_is_not_there_and_a_wrong_value_are_refused() {
    refused(&["real", "no-such-scenario"], 2, &["there is no scenario"]);
    refused(&["real", "quota-pinned", "--set", "machine.cpus=0"], 3, &["machine.cpus"]);
}
