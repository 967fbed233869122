//! Kernel work: `kernel` and `nopreempt`, with their points, their mutex, and whom they wake.

use schedscope_engine::setup::{Amount, KernelWakee, KernelWakes, Op, Section};

use super::events::Reader;
use super::resources::Sort;
use crate::error::Fault;
use crate::reading::json::{Node, Value, join};
use crate::reading::values::{integer, known_object, missing, text, wrong_kind};
use crate::text::readable as shorten;

const FORMS: &str = "microseconds, { \"us\", \"cond_resched\", \"might_sleep\" }, \
    { \"us\", \"mutex\" } or { \"us\", \"resume\", \"at\", \"every\" }";

/// Events that kernel work can do from inside.
pub(crate) const WAKES: [&str; 4] = ["resume", "signal", "broad", "sem_post"];

impl Reader<'_, '_> {
    /// A section of kernel code of a task, or of a kernel thread.
    pub(super) fn kernel(
        &mut self,
        section: Section,
        node: &Node,
        path: &str,
    ) -> Result<Op, Fault> {
        let Some(work) = node.member("us") else {
            let plain = matches!(node.value, Value::Number(_)) || node.member("max").is_some();
            let ns = match node.value {
                _ if plain => self.amount(node, path)?,
                Value::Object(_) => {
                    return Err(missing(node, path, "us", "the work in microseconds"));
                }
                _ => return Err(wrong_kind(node, path, FORMS)),
            };
            return Ok(Op::Kernel { section, ns, cond_resched: None, might_sleep: None });
        };
        let mutex = node.member("mutex").filter(|_| section == Section::Preemptible);
        let wakes = self.wakes(node, path)?;
        let mut keys = vec!["us"];
        match (&mutex, section, &wakes) {
            (Some(_), ..) => keys.push("mutex"),
            (None, Section::Preemptible, _) => keys.extend(["cond_resched", "might_sleep"]),
            (None, Section::NoPreempt | Section::IrqOff, _) => {}
        }
        if mutex.is_none() {
            keys.extend(WAKES);
            keys.extend(["at", "every"].into_iter().filter(|_| wakes.is_some()));
        }
        known_object(node, path, &keys)?;
        let ns = self.amount(&work.value, &join(path, "us"))?;
        if let Some(name) = mutex {
            let mutex = self.kernel_mutex(&name.value, &join(path, "mutex"))?;
            return Ok(Op::KernelMutex { mutex, ns });
        }
        let mut points = |key: &str| {
            node.member(key).map(|member| self.amount(&member.value, &join(path, key))).transpose()
        };
        if let (Some(KernelWakes { at_ns, .. }), Amount::Fixed(end), Some(at)) =
            (&wakes, ns, node.member("at"))
            && *at_ns > end
        {
            let message = "the section is over by then";
            return Err(Fault::new(at.value.at, join(path, "at"), message)
                .expected(format!("at most {} microseconds", end / 1_000)));
        }
        let (cond_resched, might_sleep) = (points("cond_resched")?, points("might_sleep")?);
        Ok(match wakes {
            None => Op::Kernel { section, ns, cond_resched, might_sleep },
            Some(wakes) => Op::KernelWakes { section, ns, cond_resched, might_sleep, wakes },
        })
    }

    /// Whom the work wakes, and when: `at` microseconds into it, or at its end; then `every` so
    /// many.
    fn wakes(&mut self, node: &Node, path: &str) -> Result<Option<KernelWakes>, Fault> {
        let mut found = WAKES.iter().filter_map(|key| Some((*key, node.member(key)?)));
        let Some((event, member)) = found.next() else { return Ok(None) };
        if let Some((other, second)) = found.next() {
            let message = format!("{event} is there already");
            return Err(Fault::new(second.value.at, join(path, other), message)
                .expected("one wake-up a section; a second one in a section of its own"));
        }
        let path_of = |key: &str| join(path, key);
        let name = text(&member.value, &path_of(event))?;
        if name.is_empty() {
            return Err(
                Fault::new(member.value.at, path_of(event), "the name is empty").expected("a name")
            );
        }
        let who = match event {
            "signal" => KernelWakee::Signal(self.resources.object(Sort::Cond, name)),
            "sem_post" => KernelWakee::Post(self.resources.object(Sort::Semaphore, name)),
            // A task that suspends waits on a condition of its own name.
            _ => KernelWakee::Broadcast(self.resources.object(Sort::Cond, name)),
        };
        let us = |key: &str, least: i64| {
            let read = |node: &Node| integer(node, &path_of(key), least, 1_000_000_000);
            node.member(key).map(|member| read(&member.value)).transpose()
        };
        let ns = |us: i64| us.unsigned_abs() * 1_000;
        Ok(Some(KernelWakes {
            who,
            at_ns: us("at", 0)?.map_or(u64::MAX, ns),
            every_ns: us("every", 1)?.map(ns),
        }))
    }

    /// A mutex of the kernel's own, which lends no priority.
    fn kernel_mutex(&mut self, node: &Node, path: &str) -> Result<u32, Fault> {
        let name = text(node, path)?;
        if name.is_empty() {
            return Err(Fault::new(node.at, path, "the name is empty").expected("a name"));
        }
        if self.resources.pi_enabled() {
            let message =
                format!("\"{}\" lends priority, as pi_enabled asks of every mutex", shorten(name));
            return Err(
                Fault::new(node.at, path, message).expected("a workload without global.pi_enabled")
            );
        }
        Ok(self.resources.object(Sort::Mutex, name))
    }
}
