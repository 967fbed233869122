//! Import rules of the Rust crates; eslint.config.js has those of the page.
//!
//! A crate uses only the crates that its row names. In a crate with a table of rows, a module
//! imports from its own row and those before it, never in a circle. Exceptions have their reasons.

use super::modules::{Import, Modules, ROOT};
use std::collections::{BTreeMap, BTreeSet};

/// The crates that each crate may use; dev-dependencies are free.
const CRATES: &[(&str, &[&str])] = &[
    ("engine", &[]),
    ("asked", &[]),
    ("scenario", &["engine"]),
    ("claims", &["engine", "scenario"]),
    ("formats", &["engine"]),
    ("bisect", &["engine", "scenario"]),
    ("fit", &["formats"]),
    ("runs", &["asked", "bisect", "engine", "fit", "formats", "scenario"]),
    ("cli", &["engine", "fit", "formats", "runs", "scenario"]),
    ("python", &["cli", "engine", "fit", "formats", "runs", "scenario"]),
    ("wasm", &["engine"]),
    ("reader", &["scenario"]),
    ("bisector", &["bisect", "scenario"]),
    ("paste", &["fit", "formats"]),
    ("real", &["formats"]),
    ("writer", &["engine", "formats"]),
];

/// The order of a crate's modules.
struct Layers {
    /// The crate's folder under `crates`.
    of: &'static str,
    /// The rows from the bottom up. A name covers the module and all modules below it; a name that
    /// ends in `::` covers only those below. The longest matching name decides. The crate's own
    /// file is on top.
    rows: &'static [&'static [&'static str]],
    /// Imports against the order: the importing module, the imported module, the reason.
    upward: &'static [(&'static str, &'static str, &'static str)],
    /// Groups of modules that may import each other, named as in the rows, each with its reason.
    one_thing: &'static [(&'static [&'static str], &'static str)],
    /// The parts of the modules in `one_thing`, and the other parts that each may import. The
    /// longest matching name decides. A module outside all parts follows the rows alone.
    parts: &'static [Part],
}

/// A part, and the other parts that it may import.
type Part = (&'static str, &'static [&'static str]);

/// Which parts of the engine's running state import which, by the modules and types that they name.
///
/// All parts are `impl Sim`, and one part calls another's method on `self` without a path, so these
/// rows do not limit calls: a class asks NOHZ for a balancing pass by
/// `self.nohz_newidle_balance()`.
const RUNNING_STATE: &[Part] = &[
    ("account", &["kernel::core", "kernel::cpu", "kernel::nohz", "sim", "workload"]),
    // schedule(), wake-ups and the tick call the classes and the parts around the classes.
    (
        "kernel::core",
        &[
            "account",
            "kernel::fair",
            "kernel::frame",
            "kernel::irq",
            "kernel::nohz",
            "kernel::rt",
            "kernel::syscall",
            "sim",
            "workload",
        ],
    ),
    // A CPU holds the waits that depend on it, and a task holds its own.
    ("kernel::cpu", &["account", "kernel::fair", "kernel::frame"]),
    // The classes name schedule(), but neither interrupts, system calls, NOHZ nor programs.
    ("kernel::fair", &["kernel::core", "kernel::frame", "sim"]),
    ("kernel::rt", &["kernel::core", "kernel::fair", "kernel::frame", "sim"]),
    // `kernel::frame` lists the frames of all other parts.
    (
        "kernel::frame",
        &[
            "kernel::core",
            "kernel::fair",
            "kernel::irq",
            "kernel::nohz",
            "kernel::rt",
            "kernel::syscall",
        ],
    ),
    (
        "kernel::irq",
        &["kernel::core", "kernel::fair", "kernel::frame", "kernel::rt", "kernel::syscall", "sim"],
    ),
    ("kernel::nohz", &["kernel::fair", "kernel::frame", "kernel::irq", "sim"]),
    ("kernel::syscall", &["kernel::core", "kernel::fair", "kernel::frame", "kernel::rt", "sim"]),
    (
        "sim",
        &[
            "account",
            "kernel::core",
            "kernel::cpu",
            "kernel::fair",
            "kernel::frame",
            "kernel::irq",
            "kernel::nohz",
            "kernel::rt",
            "kernel::syscall",
            "workload",
        ],
    ),
    ("workload", &["kernel::frame", "kernel::syscall", "sim"]),
];

/// A crate without exceptions.
const PLAIN: Layers = Layers { of: "", rows: &[], upward: &[], one_thing: &[], parts: &[] };

const LAYERS: &[Layers] = &[
    Layers {
        of: "engine",
        rows: &[
            &["ids", "named", "queue", "rng", "trace"],
            // The hardware does not know the kernel that runs on it.
            &["machine"],
            // A CPU's list of timers does not know who arms them. Classes are a table without code.
            &["kernel::class", "kernel::config", "kernel::hrtimer"],
            &["setup"],
            &["account", "kernel", "sim", "workload"],
            &["check"],
            &["run"],
        ],
        upward: &[],
        one_thing: &[
            (
                &["account", "kernel", "sim", "workload"],
                "the state is one object, `Sim`: each policy is an impl block of it, and a step of \
                    any policy is a frame of a CPU",
            ),
            (&["setup"], "what a run is given: its parts name each other, and are judged together"),
            (&["run"], "a run and the checkpoints on its way, which say how far it had come"),
        ],
        parts: RUNNING_STATE,
    },
    Layers {
        of: "claims",
        rows: &[
            &["metric", "over"],
            &["table"],
            &["scenario", "summary"],
            &["measure", "text"],
            &["judge"],
        ],
        ..PLAIN
    },
    Layers {
        of: "formats",
        // A writer knows what it writes, not the list that it is in.
        rows: &[
            &["figures", "json_text"],
            &["run"],
            &["format", "levels", "names", "policies"],
            &["events::"],
            &["events", "cgroup", "cyclictest"],
            &["writers::"],
            &["writers"],
            &["words::"],
            &["words", "real::", "real", "recording::"],
            &["recording", "traces::"],
            &["traces"],
        ],
        ..PLAIN
    },
    Layers {
        of: "bisect",
        rows: &[
            &["effect", "refusal", "set"],
            &["measured", "plan", "ranking"],
            &["bisection", "object"],
        ],
        ..PLAIN
    },
    Layers {
        of: "runs",
        rows: &[
            &["failure", "figures", "numbers"],
            &["inputs", "live", "waits"],
            &["asked", "execute"],
            &["explain"],
            &["target", "variant"],
            &["changes"],
            &["side"],
            &["compare", "pasted", "sides", "sweep"],
            &["bisect"],
        ],
        upward: &[],
        one_thing: &[
            (&["target", "variant"], "a scenario, and its variants by their names"),
            (&["explain"], "the wake-ups that are explained, their parts and what a part holds"),
            (&["sweep"], "a plan, its grid, and the jobs that run it"),
        ],
        parts: &[],
    },
    Layers {
        of: "cli",
        rows: &[
            &["interrupt", "new_file", "remarks"],
            &["cpu_stat", "exit", "results", "tools", "waits"],
            &["changes", "execute", "pasted", "recorded::", "run_file", "target"],
            &["recorded"],
            &["report", "sides", "variant"],
            &[
                "answer", "bisect", "compare", "digest", "explain", "export", "list", "real",
                "run", "sweep", "validate", "versions",
            ],
            // It goes on with other commands.
            &["read"],
        ],
        one_thing: &[
            (&["sweep"], "one plan, which knows its grid and what it looks for, and its parts"),
            (&["compare"], "what is compared, and the page that tells it"),
            (&["tools"], "a finished run, and a printer for each tool"),
        ],
        ..PLAIN
    },
    Layers {
        of: "scenario",
        rows: &[
            &["text", "units", "link", "statistics"],
            &["error"],
            &["reading", "metrics", "cgroups::path"],
            // The type of a knob, and the reader of its value.
            &["knobs::"],
            &["resolve::resolver"],
            // The type of a generator, and the parts of its tasks.
            &["generators::generator", "generators::workload", "generators::parts"],
            &["cgroups", "resolve::bandwidth"],
            &["generators", "rt_app"],
            &["resolve"],
            // The lists of all generators and of all knobs.
            &["generators::all"],
            &["knobs", "knobs::all", "knobs::machine"],
            &["document::parts", "steps"],
            &["version"],
            // The table of kernels in words.
            &["versions::rows", "versions::texts"],
            &["versions::unmodelled"],
            &["versions", "versions::changes"],
            &["changes", "document", "meta"],
            &["schema", "prepared"],
            &["canonical", "live", "prepare", "report"],
            &["shipped"],
            &["handover"],
        ],
        one_thing: &[(
            &["rt_app::events", "rt_app::critical"],
            "the events of a phase, those of critical sections in a file of their own",
        )],
        ..PLAIN
    },
];

/// The findings of all files that git tracks: path and text.
pub fn judge(files: &BTreeMap<String, String>) -> Vec<String> {
    let mut findings = crates(files);
    for layers in LAYERS {
        let folder = format!("crates/{}/src/", layers.of);
        let below = files
            .iter()
            .filter_map(|(path, text)| Some((path.strip_prefix(&folder)?, text.as_str())));
        let modules = Modules::of(below);
        findings
            .extend(layers.judge(&modules).iter().map(|finding| format!("{folder}: {finding}")));
    }
    findings
}

/// Compares `[dependencies]` of the crates with [`CRATES`].
fn crates(files: &BTreeMap<String, String>) -> Vec<String> {
    let manifest = |(path, text)| -> Option<(&str, &String)> {
        let path: &String = path;
        Some((path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml")?, text))
    };
    let mut findings = Vec::new();
    for (name, text) in files.iter().filter_map(manifest) {
        let Some((_, may)) = CRATES.iter().find(|(of, _)| *of == name) else {
            findings.push(format!("crates/{name} has no row in the table of crates ({TABLE})"));
            continue;
        };
        let lines = text.lines().skip_while(|line| *line != "[dependencies]").skip(1);
        let uses = lines
            .take_while(|line| !line.starts_with('['))
            .filter_map(|line| line.strip_prefix("schedscope-"))
            .filter_map(|line| line.split(['.', ' ', '=']).next());
        findings.extend(uses.filter(|used| !may.contains(used)).map(|used| {
            format!("crates/{name} may not use crates/{used}: the table of crates ({TABLE})")
        }));
    }
    findings
}

/// The file of these tables, named in every finding.
const TABLE: &str = "xtask/src/tidy/layers.rs";

impl Layers {
    fn judge(&self, modules: &Modules) -> Vec<String> {
        let homeless = modules
            .names
            .iter()
            .filter(|name| self.row(name).is_none())
            .map(|name| format!("{name} has no row in the table of layers ({TABLE})"));
        let wrong = modules.imports.iter().filter(|import| self.is_wrong(import)).map(|import| {
            let Import { from, to, line } = import;
            format!(
                "{} imports {} (line {line}), which stands above it ({TABLE}): what both need \
                    belongs below them",
                shown(from),
                shown(to)
            )
        });
        homeless
            .chain(wrong)
            .chain(self.circles(modules))
            .chain(self.idle(modules))
            .chain(self.strangers(modules))
            .collect()
    }

    /// Imports between parts of a group that no row allows, and rows that allow imports which do
    /// not exist.
    fn strangers(&self, modules: &Modules) -> Vec<String> {
        let part = |module: &str| {
            let fits = self.parts.iter().filter(|(part, _)| covers(part, module));
            fits.max_by_key(|(part, _)| part.len())
        };
        let mut unused: BTreeSet<(&str, &str)> = self
            .parts
            .iter()
            .flat_map(|(from, may)| may.iter().map(move |to| (*from, *to)))
            .collect();
        let mut findings = Vec::new();
        for Import { from, to, line } in &modules.imports {
            let (Some((of, may)), Some((whom, _))) = (part(from), part(to)) else { continue };
            unused.remove(&(*of, *whom));
            if of != whom && !may.contains(whom) {
                findings.push(format!(
                    "{from} imports {to} (line {line}): {of} may import {}, not {whom} ({TABLE})",
                    may.join(", ")
                ));
            }
        }
        findings.extend(unused.iter().map(|(of, whom)| {
            format!("nothing in {of} imports {whom} any more: strike it from its row in {TABLE}")
        }));
        findings
    }

    fn row(&self, module: &str) -> Option<usize> {
        if module == ROOT {
            return Some(self.rows.len());
        }
        let rows = self.rows.iter().enumerate();
        let fits = rows.flat_map(|(row, names)| {
            names.iter().filter(|name| covers(name, module)).map(move |name| (name.len(), row))
        });
        fits.max().map(|(_, row)| row)
    }

    fn is_wrong(&self, import: &Import) -> bool {
        self.row(&import.to) > self.row(&import.from) && self.declared(import).is_none()
    }

    fn declared(&self, import: &Import) -> Option<usize> {
        self.upward
            .iter()
            .position(|(from, to, _)| covers(from, &import.from) && covers(to, &import.to))
    }

    /// Circles, except within a group of `one_thing`.
    fn circles(&self, modules: &Modules) -> Vec<String> {
        let together = |import: &Import| {
            self.one_thing.iter().any(|(parts, _)| {
                let within = |module: &str| parts.iter().any(|part| covers(part, module));
                within(&import.from) && within(&import.to)
            })
        };
        let circles =
            modules.circles(|import| !together(import) && self.declared(import).is_none());
        let told = |circle: Vec<&str>| {
            let names: Vec<&str> = circle.iter().map(|name| shown(name)).collect();
            format!(
                "{} modules import each other in a circle: {}; what they share belongs into one \
                    that imports none of them",
                names.len(),
                names.join(", ")
            )
        };
        circles.into_iter().map(told).collect()
    }

    /// Exceptions that nothing needs any more.
    fn idle(&self, modules: &Modules) -> Vec<String> {
        let needed = |at: usize| {
            modules.imports.iter().any(|import| {
                self.declared(import) == Some(at) && self.row(&import.to) > self.row(&import.from)
            })
        };
        let idle = self.upward.iter().enumerate().filter(|(at, _)| !needed(*at));
        idle.map(|(_, (from, to, _))| {
            format!("nothing in {from} imports {to} any more: strike the exception in {TABLE}")
        })
        .collect()
    }
}

/// Whether `name`, a name of a table, covers `module`.
fn covers(name: &str, module: &str) -> bool {
    match name.strip_suffix("::") {
        Some(_) => module.starts_with(name),
        None => {
            module.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        }
    }
}

fn shown(module: &str) -> &str {
    if module == ROOT { "the crate's own file" } else { module }
}

#[cfg(test)]
mod tests;
