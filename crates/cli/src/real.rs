//! `schedscope real`: what one types on a real machine to do what a run does here.

mod page;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use schedscope_formats::real::{self, Knob, Real, Run};
use schedscope_formats::words::Node;
use schedscope_runs::{Failure, Target};
use schedscope_scenario::{Origin, ResolvedKnob, RunMeta};

use crate::changes::Changes;
use crate::new_file::NewFile;
use crate::remarks;
use crate::results;
use crate::sides::{arms, say_notes};
use crate::target::find;
use crate::variant::OfVariant;

/// Arguments of `real`.
#[derive(Args)]
pub struct Arguments {
    /// A shipped scenario, a file, or a link
    scenario: String,
    /// Start from this variant of the scenario, to which --set is added; given twice, A from the
    /// first and B from the second. A wrong name lists them
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    variant: Vec<String>,
    /// Both sides, as compare chooses them: what they share, then what each has of its own
    #[arg(long)]
    both: bool,
    /// Set a knob on side A only; implies --both
    #[arg(long, value_name = "PATH=VALUE")]
    a: Vec<String>,
    /// Set a knob on side B only; implies --both
    #[arg(long, value_name = "PATH=VALUE")]
    b: Vec<String>,
    #[command(flatten)]
    changes: Changes,
    /// Write the files for rt-app into this folder
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Print the schedscope.real/1 object, which has the files' texts
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let target = find(&arguments.scenario)?;
    let real = if arguments.wants_both() {
        both(arguments, &target)?
    } else {
        let of = OfVariant::named(arguments.variant.first().cloned());
        let side = of.side(&target, &arguments.changes)?;
        remarks::note(&side.prepared.meta.notes);
        real::of(&run_of(&side.prepared.meta), None, &file_of(&target)?)
    };
    if let Some(folder) = &arguments.dir {
        write_files(folder, &real)?;
    }
    if arguments.json {
        return results::print_json(&results::as_json(&real.json(&target.slug))?);
    }
    results::print(&page::page(&real, arguments.dir.as_deref()))
}

impl Arguments {
    fn wants_both(&self) -> bool {
        self.both || !self.a.is_empty() || !self.b.is_empty() || self.variant.len() > 1
    }
}

fn both(arguments: &Arguments, target: &Target) -> Result<Real, Failure> {
    let Arguments { variant, a, b, changes, .. } = arguments;
    let [a, b] = arms(target, variant, [a, b], changes)?;
    say_notes([&a, &b]);
    let [of_a, of_b] = [&a, &b].map(|arm| run_of(&arm.side.prepared.meta));
    Ok(real::of(&of_a, Some(&of_b), &file_of(target)?))
}

/// The scenario's file with its keys in their order.
fn file_of(target: &Target) -> Result<Node, Failure> {
    Node::read(target.text()).map_err(Failure::usage)
}

fn run_of(meta: &RunMeta) -> Run {
    let knob = |knob: &ResolvedKnob| Knob {
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

fn write_files(folder: &Path, real: &Real) -> Result<(), Failure> {
    let files: Vec<_> = real.files().collect();
    if files.is_empty() {
        remarks::say("note: no file is needed here, and --dir writes none");
        return Ok(());
    }
    let wrong = |error: std::io::Error| {
        Failure::usage(format!("cannot write into {}: {error}", folder.display()))
    };
    fs::create_dir_all(folder).map_err(wrong)?;
    for file in files {
        let mut new = NewFile::create(&folder.join(&file.name), "--dir")?;
        new.write_all(file.text.as_bytes()).map_err(wrong)?;
        new.keep()?;
    }
    Ok(())
}
