//! What rt-app cannot say of a run, as sentences.

use schedscope_engine::setup::{GROUP_WEIGHT, GroupSpec, Object, Setup};

/// Most kinds of tasks that one sentence names.
const NAMED: usize = 4;

/// Whether rt-app would have to write to the group's files.
fn is_limited(group: &GroupSpec) -> bool {
    group.bandwidth.is_some() || group.weight != GROUP_WEIGHT
}

/// What is lost so far, in the order in which it was found.
#[derive(Debug, Default)]
pub(super) struct Losses(Vec<(String, Vec<String>)>);

impl Losses {
    /// Something of the whole run.
    pub(super) fn add(&mut self, what: &str) {
        self.find(what);
    }

    /// Something of a task of this kind.
    pub(super) fn of_kind(&mut self, kind: &str, what: &str) {
        let kinds = &mut self.find(what).1;
        if !kinds.iter().any(|known| known == kind) {
            kinds.push(kind.to_owned());
        }
    }

    fn find(&mut self, what: &str) -> &mut (String, Vec<String>) {
        let at = self.0.iter().position(|(known, _)| known == what).unwrap_or_else(|| {
            self.0.push((what.to_owned(), Vec::new()));
            self.0.len() - 1
        });
        &mut self.0[at]
    }

    /// What lies beside the tasks.
    pub(super) fn of_setup(&mut self, setup: &Setup) {
        let second = 1_000_000_000;
        if !setup.duration_ns.is_multiple_of(second) {
            self.add("the duration is rounded up to whole seconds");
        }
        let beside = [
            (
                setup.groups.iter().any(is_limited),
                "weights and quotas of control groups are left out: rt-app keeps those of a group \
                 that is there before",
            ),
            (setup.softirq.is_some(), "softirq load is left out"),
            (setup.hw_noise.iter().any(Option::is_some), "hardware noise is left out"),
            (setup.device_irq.is_some(), "device interrupts are left out"),
            (setup.rcu.is_some(), "RCU callbacks are left out"),
        ];
        beside.iter().filter(|(is, _)| *is).for_each(|(_, what)| self.add(what));
        let has = |pi| setup.objects.iter().any(|spec| spec.object == Object::Mutex { pi });
        if has(true) && has(false) {
            self.add("every mutex lends priority: rt-app has one switch for all");
        }
    }

    /// A sentence for each.
    pub(super) fn sentences(self) -> Vec<String> {
        let sentence = |(what, kinds): (String, Vec<String>)| {
            let more = kinds.len().saturating_sub(NAMED);
            let kinds = kinds[..kinds.len() - more].join(", ");
            match more {
                0 if kinds.is_empty() => what,
                0 => format!("{kinds}: {what}"),
                more => format!("{kinds} and {more} more: {what}"),
            }
        };
        self.0.into_iter().map(sentence).collect()
    }
}
