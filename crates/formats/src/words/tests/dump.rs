use crate::words::read;
#[test]
fn dump() {
    let Ok(folder) = std::env::var("DUMP") else { return };
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    for file in files {
        let reading = read(&std::fs::read_to_string(&file).unwrap()).unwrap();
        println!("=== {}", file.file_name().unwrap().to_string_lossy());
        for line in &reading.lines {
            for note in &line.notes {
                println!("  {:.50} -> {}: {}", line.text.trim(), note.fate.name(), note.words);
            }
        }
        for (name, list) in [
            ("says", &reading.says),
            ("DOUBT", &reading.doubts),
            ("ASK", &reading.asks),
            ("assumed", &reading.assumed),
        ] {
            for words in list {
                println!("  [{name}] {words}");
            }
        }
        let text = reading.scenario_text.or(reading.scenario.as_ref().map(|s| s.to_string()));
        match text {
            None => println!("  NO SCENARIO"),
            Some(text) => {
                let value: serde_json::Value = serde_json::from_str(&text).unwrap();
                println!(
                    "  W {} M {} K {} D {} V {} H {}",
                    value["workload"],
                    value["machine"],
                    value["kernel"],
                    value["duration"],
                    value["variants"],
                    value["headline"]
                );
                let sets: Vec<serde_json::Value> =
                    value["variants"].as_array().cloned().unwrap_or_default();
                for variant in std::iter::once(serde_json::json!({"set":{}})).chain(sets) {
                    let set: Vec<(String, serde_json::Value)> = variant["set"]
                        .as_object()
                        .unwrap()
                        .iter()
                        .map(|(k, v)| (k.clone(), v.clone()))
                        .collect();
                    if let Err(error) = schedscope_scenario::prepare("pasted", &text, &set) {
                        println!("  !!!! {} {error}", variant["name"]);
                    }
                }
            }
        }
    }
}
