//! cyclictest of rt-tests.

use crate::real::line::Line;
use crate::real::run::Own;

pub(super) fn line(own: &Own<'_>) -> Line {
    // -t alone is one thread for each CPU, of the list where -a has one.
    let threads = match (own.is("threads", "all"), own.is("affinity", "auto")) {
        (true, true) => String::new(),
        (true, false) if own.get("affinity").is_some() => own.run.cpus.to_string(),
        (true, false) => String::new(),
        (false, _) => own.text("threads"),
    };
    let affinity = match own.is("affinity", "auto") {
        true => (!own.is("pinned", false)).then(|| "-a".to_owned()),
        false => own.flag("-a", "affinity", None),
    };
    let is_aligned = own.get("aligned").is_some() && !own.is("aligned", "off");
    let words = [
        Some(format!("-t{threads}")),
        affinity,
        is_aligned.then(|| format!("-A{}", own.us("aligned"))),
        own.flag("-p", "priority", Some(0)),
        own.flag("--policy=", "policy", None),
        own.is("priospread", true).then(|| "--priospread".to_owned()),
        Some(format!("-i{}", own.us("interval"))),
        Some(format!("-d{}", own.us("distance"))),
        own.flag("-l", "loops", Some(0)),
        own.flag("-b", "breaktrace", Some(0)),
        own.flag("--latency=", "latency", Some(0)),
        Some("-m".to_owned()),
    ];
    let words: Vec<String> = words.into_iter().flatten().collect();
    Line::program_of_root(format!("cyclictest {}", words.join(" ")))
}
