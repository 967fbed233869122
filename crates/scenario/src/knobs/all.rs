//! The one list of all knobs. Files, `--set`, links, the page's controls, `list --knobs` and the
//! JSON Schema read it.

use std::sync::LazyLock;

use super::knob::Knob;
use super::not_yet::NOT_YET_KNOBS;
use super::table::Table;
use super::{kernel, machine, run};
use crate::cgroups;
use crate::error::{Fault, nearest};
use crate::generators::all as generators;
use crate::generators::cyclictest::knobs as cyclictest;
use crate::generators::rt_noise;
use crate::reading::json::{Node, at_path};
use crate::reading::tree::find;
use crate::resolve::{bandwidth, costs};
use crate::rt_app::resources as rt_app;
use crate::text::readable as shorten;

/// Every knob this engine has.
pub fn knobs() -> &'static [Knob] {
    static KNOBS: LazyLock<Vec<Knob>> = LazyLock::new(|| {
        [
            run::knobs(),
            machine::machine_knobs(),
            machine::smt_knobs(),
            vec![machine::tick_skew_step()],
            costs::knobs(),
            kernel::kernel_knobs(),
            kernel::table_knobs(),
            cyclictest::program_knobs(),
            cyclictest::place_knobs(),
            cyclictest::timing_knobs(),
            cyclictest::limit_knobs(),
            rt_noise::knobs(),
            bandwidth::knobs(),
            cgroups::knobs(),
            generators::knobs(),
            rt_app::knobs(),
        ]
        .concat()
    });
    &KNOBS
}

/// Every knob this engine has, to be looked up by path.
pub(crate) fn table() -> Table {
    Table(knobs())
}

/// The knob at `path`; of a control group's key, its pattern.
pub fn knob(path: &str) -> Option<&'static Knob> {
    table().knob(path)
}

/// The knob at `path`, or what is wrong with the path.
pub(crate) fn lookup(path: &str, at: Option<usize>) -> Result<&'static Knob, Fault> {
    if let Some(knob) = knob(path) {
        return Ok(knob);
    }
    let under = |parent: &str| {
        path == parent || path.strip_prefix(parent).is_some_and(|rest| rest.starts_with('.'))
    };
    if let Some((_, missing)) = NOT_YET_KNOBS.iter().find(|(known, _)| under(known)) {
        return Err(Fault::new(at, shorten(path), format!("is not modelled: {missing}"))
            .expected("a path of `schedscope list --knobs`"));
    }
    let shown = if path.is_empty() { "\"\"".to_owned() } else { shorten(path) };
    let fault = Fault::new(at, shown, "there is no such knob");
    if let Some(expected) = in_place_of_object(path) {
        return Err(fault.expected(expected));
    }
    let all = knobs().iter().map(|knob| knob.path);
    let by_key = knobs().iter().find(|knob| knob.key() == path).map(|knob| knob.path.to_owned());
    Err(fault
        .expected("a path of `schedscope list --knobs`")
        .suggest(by_key.or_else(|| nearest(path, all))))
}

/// What can be set where `path` is that of an object of knobs, or of a key of the object that a
/// knob takes.
fn in_place_of_object(path: &str) -> Option<String> {
    fn key<'p>(path: &'p str, object: &str) -> Option<&'p str> {
        path.strip_prefix(object)?.strip_prefix('.')
    }
    if let Some(knob) = knobs().iter().find(|knob| key(knob.path, path).is_some()) {
        return Some(format!("one of its knobs, such as {}", knob.path));
    }
    // Single costs are knobs themselves: a name near one of theirs says more.
    let key = key(path, bandwidth::PATH)?;
    Some(format!("{}={{\"{}\": …}}", bandwidth::PATH, shorten(key)))
}

/// The value that the tree states at `path`, in any of the knob's spellings.
pub(crate) fn stated_node<'n>(root: &'n Node, path: &str) -> Option<&'n Node> {
    let Some(knob) = knob(path) else { return at_path(root, path) };
    let parent = match cgroups::path::split(path) {
        Some((name, _)) => &find(root, "cgroups")?.member(name)?.value,
        None => find(root, knob.parent())?,
    };
    super::setting::spellings(knob)
        .iter()
        .find_map(|(key, _)| parent.member(key))
        .map(|member| &member.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knobs::knob::KnobType;
    use schedscope_engine::kernel::config::{
        CpupriGen, IpiPollingElide, LowestPick, OverloadDef, RtBalance, RtPushIpi, SpinlockKind,
        TtwuQueue,
    };
    use schedscope_engine::named::Named;

    #[test]
    fn the_path_of_an_object_or_of_its_key_is_answered_with_what_can_be_set() {
        let said = |path: &str| {
            let fault = lookup(path, None).err().unwrap();
            fault.locate("").to_string()
        };
        for (path, expected) in [
            ("kernel", "expected: one of its knobs, such as kernel.version"),
            ("kernel.rules", "such as kernel.rules.has_post_schedule_hook"),
            ("workload.cyclictest", "such as workload.cyclictest."),
            ("kernel.bandwidth.csd", "expected: kernel.bandwidth={\"csd\": …}"),
            ("machine.costs.schedule", "did you mean: machine.costs.schedule_ns"),
        ] {
            let said = said(path);
            assert!(said.contains(expected) && said.contains(path), "{said}");
        }
        assert!(!said("kernel.rules").contains("did you mean"));
    }

    #[test]
    fn paths_are_unique_and_every_enum_holds_its_default() {
        let paths: std::collections::BTreeSet<&str> =
            knobs().iter().map(|knob| knob.path).collect();
        assert_eq!(paths.len(), knobs().len());
        for knob in knobs() {
            if knob.kind == KnobType::Enum {
                assert!(
                    knob.choices.iter().any(|choice| choice.value == knob.default),
                    "{}",
                    knob.path
                );
            }
            assert_eq!(knob.min.is_some(), knob.max.is_some(), "{}", knob.path);
            assert!(!knob.doc.is_empty() && !knob.source.is_empty(), "{}", knob.path);
        }
    }

    #[test]
    fn every_kernel_switch_of_the_engine_has_a_knob() {
        let switches = [
            RtBalance::ALL.len(),
            RtPushIpi::ALL.len(),
            SpinlockKind::ALL.len(),
            TtwuQueue::ALL.len(),
        ];
        let of = |path: &str| knob(path).unwrap().choices.len();
        assert_eq!(
            switches,
            [
                of("kernel.rt_balance"),
                of("kernel.rt_push_ipi"),
                of("kernel.spinlock"),
                of("kernel.ttwu_queue")
            ]
        );
        assert_eq!(
            of("kernel.overload_def") + of("kernel.lowest_pick") + of("kernel.cpupri"),
            OverloadDef::ALL.len() + LowestPick::ALL.len() + CpupriGen::ALL.len()
        );
        assert_eq!(of("kernel.ipi_polling_elide"), IpiPollingElide::ALL.len());
    }
}
