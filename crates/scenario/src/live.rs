//! Whether a write to the running kernel can be made at all, known before the run starts; and what
//! is said of one that the kernel refuses on the way.

use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{Policy, Program, TaskSpec};

use crate::cgroups;
use crate::cgroups::path::path_of;
use crate::changes::node_of;
use crate::error::{Fault, ScenarioError, nearest, one_of};
use crate::knobs::all::lookup;
use crate::knobs::knob::Applies;
use crate::knobs::setting::typed;
use crate::meta::LiveWrite;
use crate::prepared::Prepared;
use crate::text::readable as shorten;
use crate::units::time_text;

/// What can be written to a task while it runs.
const TASK_KEYS: [&str; 3] = ["cpus", "policy", "wake"];
/// Files of a group that can be written while it runs.
const GROUP_KEYS: [&str; 3] = ["cpu_max", "cpu_max_burst", "cpu_weight"];
const POLICIES: &str = "\"SCHED_FIFO 50\" or \"SCHED_RR 1\" (1 to 99), \"SCHED_OTHER -5\" (nice, \
    -20 to 19) or \"SCHED_IDLE\"";

impl Prepared {
    /// Refuses a write that this run could make at no instant: a path or a value that it does not
    /// have, or a knob of which a change restarts the run.
    pub fn check_live(&self, write: &LiveWrite) -> Result<(), ScenarioError> {
        let checked = match write.path.split_once('.') {
            Some(("tasks", rest)) => self.check_task(write, rest),
            Some(("cgroups", rest)) => self.check_group(write, rest),
            _ => self.check_switch(write),
        };
        checked.map_err(|fault| fault.locate(""))
    }

    /// What there is to say of writes that are made without effect, or never.
    pub(crate) fn note_live(&mut self) {
        let end = self.setup.duration_ns;
        for write in &self.live {
            let (origin, at) = (write.origin, time_text(write.at_ns));
            let path = shorten(&write.path);
            if write.at_ns >= end {
                let end = time_text(end);
                self.meta.notes.push(format!(
                    "{origin} writes {path} at {at}, but the run ends at {end}: the write is not \
                     made"
                ));
            } else if let Some(why) = self.meta.inert(&write.path) {
                self.meta.notes.push(format!("{origin} writes {path} without effect: {why}"));
            }
        }
    }

    fn check_switch(&self, write: &LiveWrite) -> Result<(), Fault> {
        let LiveWrite { path, value, .. } = write;
        let knob = lookup(path, None)?;
        let fault = |message: String| Fault::new(None, path.as_str(), message);
        if knob.applies == Applies::Boot {
            let live = self.meta.live.iter().map(|live| live.path.as_str());
            let switches = live.filter(|path| path.starts_with("kernel."));
            return Err(fault(
                "this model does not change it while a kernel runs: a change restarts the run"
                    .to_owned(),
            )
            .expected(format!(
                "--set {} for the whole run, or a live knob of this kernel: {}",
                knob.path,
                one_of(switches)
            )));
        }
        let live = self.meta.live.iter().find(|live| live.path == *path);
        let needs_kernel = ["kernel.rt_push_ipi", "kernel.preempt", "kernel.ttwu_queue"];
        if live.is_none() && needs_kernel.contains(&path.as_str()) {
            let of = |path: &str| self.meta.resolved(path).and_then(|knob| knob.value.as_str());
            let why = self.meta.inert(path).map_or_else(String::new, |why| format!("; {why}"));
            return Err(fault(format!(
                "this kernel (version {}) cannot switch it while it runs: it stays {}{why}",
                of("kernel.version").unwrap_or_default(),
                of(path).unwrap_or_default()
            ))
            .expected("a kernel that can"));
        }
        typed(knob, &node_of(knob, &value.as_str().into()))?;
        let values = live.map_or(&[][..], |live| &live.values);
        if !values.is_empty() && !values.contains(&value.as_str()) {
            let quoted = values.iter().map(|value| format!("\"{value}\""));
            return Err(fault(format!(
                "this kernel cannot be switched to \"{}\" while it runs",
                shorten(value)
            ))
            .expected(one_of(quoted)));
        }
        Ok(())
    }

    fn check_group(&self, write: &LiveWrite, rest: &str) -> Result<(), Fault> {
        let LiveWrite { path, value, .. } = write;
        let fault = |message: String| Fault::new(None, path.as_str(), message);
        let (name, key) = rest.rsplit_once('.').unwrap_or((rest, ""));
        let name = name.trim_matches('"');
        let below_root = || self.setup.groups.iter().skip(1);
        let Some(group) = below_root().find(|group| group.path == name) else {
            let paths = || below_root().map(|group| group.path.as_str());
            let last = |path: &&str| path.rsplit_once('/').is_some_and(|(_, last)| last == name);
            let near = paths().find(last).map(str::to_owned).or_else(|| nearest(name, paths()));
            return Err(fault(format!("the run has no control group \"{}\"", shorten(name)))
                .expected("cgroups.<name>.cpu_max, with a key of the scenario's cgroups")
                .suggest(near.map(|near| path_of(&near, key))));
        };
        if !GROUP_KEYS.contains(&key) {
            let near = nearest(key, GROUP_KEYS).map(|near| path_of(name, &near));
            let message = format!("\"{}\" of a group cannot be written in mid-run", shorten(key));
            return Err(fault(message).expected(one_of(GROUP_KEYS)).suggest(near));
        }
        let knob = lookup(&path_of(name, key), None)?;
        typed(knob, &node_of(knob, &value.as_str().into())).map_err(|fault| fault.at_path(path))?;
        match key {
            "cpu_max" => cgroups::cpu_max(value, group.bandwidth, path, None).map(drop),
            "cpu_max_burst" if value != "0" && !self.setup.kernel.bandwidth.has_burst() => {
                Err(fault(cgroups::NO_BURST.to_owned()).expected("\"0\" in this kernel"))
            }
            _ => Ok(()),
        }
    }

    fn check_task(&self, write: &LiveWrite, rest: &str) -> Result<(), Fault> {
        let LiveWrite { path, value, .. } = write;
        let fault = |message: String| Fault::new(None, path.as_str(), message);
        let (name, key) = rest.rsplit_once('.').unwrap_or((rest, ""));
        let name = name.trim_matches('"');
        if !TASK_KEYS.contains(&key) {
            let near = nearest(key, TASK_KEYS).map(|near| format!("tasks.\"{name}\".{near}"));
            let message = format!("\"{}\" of a task cannot be written in mid-run", shorten(key));
            return Err(fault(message).expected(one_of(TASK_KEYS)).suggest(near));
        }
        let tasks = &self.setup.tasks;
        let Some(task) = tasks.iter().find(|task| task.name == name) else {
            let near = nearest(name, tasks.iter().map(|task| task.name.as_str()));
            return Err(fault(format!("the run has no task \"{}\"", shorten(name)))
                .expected("a name of `tasks` in a report, such as web.0")
                .suggest(near.map(|near| format!("tasks.\"{near}\".{key}"))));
        };
        let stopper = task.program == Program::Migration;
        let bound = stopper || task.program == Program::Ksoftirqd;
        let own = || format!("{} is a thread of a CPU's own: the kernel refuses it", task.name);
        match key {
            "cpus" if bound => Err(fault(own()).expected("another task")),
            "policy" if stopper => Err(fault(own()).expected("another task")),
            "cpus" => self
                .check_cpus(task, value)
                .map_err(|(message, expected)| fault(message).expected(expected)),
            "policy" if Policy::from_text(value).is_none() => {
                Err(fault(format!("\"{}\" is no policy", shorten(value))).expected(POLICIES))
            }
            "wake" if value != "signal" => {
                Err(fault(format!("there is no \"{}\"", shorten(value))).expected("\"signal\""))
            }
            "wake" if !matches!(task.program, Program::Ops { .. }) => {
                let message = format!("no signal ends a sleep of {}", task.name);
                Err(fault(message)
                    .expected("a task of rt-app's `tasks`, or of a generator that plays ops"))
            }
            _ => Ok(()),
        }
    }

    /// What is wrong with a list of CPUs for `task`, and what would be right.
    fn check_cpus(&self, task: &TaskSpec, value: &str) -> Result<(), (String, String)> {
        let Some(cpus) = CpuMask::from_list(value) else {
            let message = format!("\"{}\" is no list of CPUs", shorten(value));
            return Err((message, "CPUs such as \"0-3,8\"".to_owned()));
        };
        let machine = &self.setup.machine;
        let of_task = |domain: &&CpuMask| domain.and(&task.cpus) == task.cpus;
        let partition = machine.domains.iter().find(of_task).copied();
        let allowed = partition.unwrap_or_else(|| CpuMask::first(machine.topology.cpus()));
        if !cpus.and(&allowed).is_empty() {
            return Ok(());
        }
        let message = format!("none of the CPUs {} is the task's", shorten(value));
        Err((message, format!("CPUs of {}", crate::units::cpu_list_text(&allowed))))
    }
}

impl LiveWrite {
    /// The kernel refused this write when its instant came: why it may have.
    pub fn refused(&self) -> ScenarioError {
        let Self { at_ns, path, value, .. } = self;
        let key = path.rsplit_once('.').map_or("", |(_, key)| key);
        let (why, expected) = match key {
            "cpus" | "policy" => {
                ("the task has ended or was not forked yet", "an instant at which the task exists")
            }
            "wake" => (
                "the task does not sleep by a timer",
                "an instant in a sleep that a timer would end",
            ),
            "cpu_max" | "cpu_max_burst" => (
                "the burst would be more than the quota, or the refills could not be counted",
                "a burst of at most the quota, and a smaller quota",
            ),
            "sched_rt_runtime_us" | "sched_rt_period_us" => (
                "the runtime would be longer than the period",
                "a runtime of at most the period, or -1 for no limit",
            ),
            _ => ("the kernel cannot change it while it runs", "a value of `list --knobs`"),
        };
        let at = time_text(*at_ns);
        let message = format!("\"{}\" is refused at {at}: {why}", shorten(value));
        Fault::new(None, path.as_str(), message).expected(expected).locate("")
    }
}
