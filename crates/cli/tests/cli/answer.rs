//! `schedscope answer`: what a throttled group needs.

use crate::support::{File, json, refused, stdout};

const THROTTLED: &str = "6.8.0-45-generic\nCPU(s): 8\ncpu.max 100000 100000\n\
    usage_usec 43630000\nnr_periods 600\nnr_throttled 300\nthrottled_usec 60000000\n";

#[test]
fn settings_that_keep_a_bound_come_cheapest_first_and_every_question_has_a_figure() {
    let file = File::new("stat.txt", THROTTLED);
    let page = stdout(&["answer", file.name(), "--within", "90ms"]);
    for words in [
        "what keeps a burst within 90 ms, the cheapest first",
        "Which limit?",
        "Does a burst help?",
        "Fewer threads?",
        "A shorter period?",
        "Is it the kernel?",
        "What does cpu.pressure say?",
    ] {
        assert!(page.contains(words), "{words:?} is not in\n{page}");
    }
    let object = json(&["answer", file.name(), "--within", "90ms", "--json"]);
    let rows = object["rows"].as_array().unwrap();
    let cpus = |row: &serde_json::Value| {
        row["quota_us"].as_f64().unwrap() / row["period_us"].as_f64().unwrap()
    };
    assert!(rows.len() >= 3 && rows.is_sorted_by_key(cpus), "{object}");
    // The run of the closest program bears every row out.
    for row in rows {
        assert!(row["longest_us"]["run"].as_f64().unwrap() <= 90_000.0, "{row}");
    }
    assert!(object["now"]["longest_us"]["run"].as_f64().unwrap() > 90_000.0, "{object}");
}

#[test]
fn of_two_limits_the_one_that_throttles_is_named() {
    let pod = |pod: &str, container: &str| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{ name: web }}\nspec:\n  resources: {{ limits: \
             {{ cpu: \"{pod}\" }} }}\n  containers:\n  - name: app\n    resources: {{ limits: {{ \
             cpu: \"{container}\" }} }}\n---\n==> app/cpu.stat <==\nnr_periods 600\n\
             nr_throttled 200\nthrottled_usec 40000000\nusage_usec 40000000\n"
        )
    };
    let file = File::new("pod.txt", pod("2", "1"));
    let object = json(&["answer", file.name(), "--within", "90ms", "--json"]);
    let answers = object["answers"].as_array().unwrap();
    let two = answers.iter().find(|each| each["question"] == "Which of the two limits?").unwrap();
    let answer = two["answer"].as_str().unwrap();
    assert!(answer.starts_with("That of the container: with the limit"), "{answer}");
    // Opened beside the text's own, the limit around it is free.
    assert_ne!(two["set"]["cgroups.pod.cpu_max"], serde_json::Value::Null, "{two}");
}

#[test]
fn a_search_that_cannot_succeed_does_not_start() {
    let answered = |text: &str| File::new("text.txt", text);
    let free = answered("cpu.max 100000 100000\nnr_periods 100\nnr_throttled 0\n");
    refused(&["answer", free.name()], 2, &["no answer is needed", "not throttled"]);
    let limit = answered("cpu.max 100000 100000\n");
    refused(&["answer", limit.name()], 2, &["no counters", "cpu.stat"]);
    let counters = answered("nr_periods 100\nnr_throttled 5\nthrottled_usec 9000\n");
    refused(&["answer", counters.name()], 2, &["no answer", "The limit is missing"]);
    let over = answered(
        "cpu.max 100000 100000\nusage_usec 60000000\nnr_periods 600\nnr_throttled 600\n\
         throttled_usec 60000000\n",
    );
    refused(&["answer", over.name()], 2, &["no search can succeed", "A burst does not help"]);
}
