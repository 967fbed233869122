//! What does on a real machine what a run does here, through the public door.

mod groups;
mod kernel_words;
mod lines;
mod programs;
mod round_trip;
mod rt_app;
mod stand_ins;

use schedscope_formats::real::{Knob, Run, Share, of_run};
use schedscope_formats::words::Node;
use schedscope_scenario::{Origin, Prepared, RunMeta};
use serde_json::Value;

/// A run of 1.5 s on four CPUs that states these knobs, `path: value` in JSON.
fn stating(values: &Value) -> Run {
    let knob = |(path, value): (&String, &Value)| Knob {
        path: path.clone(),
        value: value.clone(),
        is_stated: true,
        is_inert: false,
    };
    let mut knobs: Vec<Knob> = values.as_object().unwrap().iter().map(knob).collect();
    // The order of a run: the machine, the kernel, the groups, the programs.
    knobs.sort_by_key(|knob| {
        let place = ["machine.", "workload.device_irq", "workload.rcu", "kernel.", "cgroups."];
        (
            place.iter().position(|begin| knob.path.starts_with(begin)).unwrap_or(9),
            knob.path.clone(),
        )
    });
    Run { cpus: 4, duration_ns: 1_500_000_000, knobs, ..Run::default() }
}

/// The share of a run without tasks, and what is missing.
fn of_knobs(values: &Value) -> (Share, Vec<String>) {
    of_run(&stating(values), &Node::Object(Vec::new()), "")
}

/// The lines of such a run, each with what it needs: `root: …`.
fn lines(values: &Value) -> Vec<String> {
    texts(&of_knobs(values).0)
}

fn texts(share: &Share) -> Vec<String> {
    let needs = |line: &schedscope_formats::real::Line| {
        let needs = line.needs.map_or("anyone", schedscope_formats::real::Needs::name);
        format!("{needs}: {}", line.text)
    };
    share.lines.iter().map(needs).collect()
}

/// A run as the command hands it over.
fn run_of(meta: &RunMeta) -> Run {
    let knob = |knob: &schedscope_scenario::ResolvedKnob| Knob {
        path: knob.path.to_string(),
        value: knob.value.clone(),
        is_stated: knob.origin == Origin::Stated,
        is_inert: knob.inert.is_some(),
    };
    let own = meta.own_switches.iter().map(|own| (own.path.to_owned(), own.value.clone()));
    Run {
        slug: meta.slug.clone(),
        cpus: meta.cpus,
        duration_ns: meta.duration_ns,
        knobs: meta.knobs.iter().map(knob).collect(),
        own_switches: own.collect(),
        kernel: meta.kernel_words(&[]),
    }
}

/// A variant of a shipped scenario, prepared.
fn variant(entry: &schedscope_scenario::ScenarioEntry, nth: usize) -> Prepared {
    schedscope_scenario::prepare(&entry.slug, &entry.text, &entry.variants[nth].set).unwrap()
}

/// The shipped scenarios.
fn shipped() -> Vec<schedscope_scenario::ScenarioEntry> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    schedscope_scenario::shipped(&folder).unwrap()
}
