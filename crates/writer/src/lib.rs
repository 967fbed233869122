//! Writes runs as files in the browser: the page's columns go in, the bytes of a format come out.
//!
//! The page fetches this module when a person first saves a run. It knows wasm-bindgen and the
//! registry of formats; it knows nothing of how a run is simulated.

use schedscope_engine::setup::Policy;
use schedscope_engine::trace::columns::Columns;
use schedscope_formats::{Maker, Run, RunWriter, Task, What, named};
use wasm_bindgen::prelude::wasm_bindgen;

/// A panic becomes a JavaScript `Error` that carries its text and place. The instance must not be
/// used afterwards.
#[wasm_bindgen(start)]
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// One run on its way into a file.
#[wasm_bindgen]
pub struct Writer {
    writer: Box<dyn RunWriter>,
    /// Bytes that the page has not taken yet.
    bytes: Vec<u8>,
}

#[wasm_bindgen]
impl Writer {
    /// Begins a file in the format of that name. The lists have an element for each task:
    /// `SCHED_FIFO` and the like, and rt_priority for RT tasks or nice for fair ones. Rows from
    /// `from_ns` to before `to_ns` are written.
    ///
    /// # Errors
    /// There is no such format of traces or no such policy, or the lists differ in length.
    #[wasm_bindgen(constructor)]
    pub fn new(
        format: &str,
        cpus: u32,
        names: Vec<String>,
        policies: Vec<String>,
        priorities: &[i32],
        from_ns: f64,
        to_ns: f64,
    ) -> Result<Writer, String> {
        let Some(Maker::Run(begin)) = named(format).and_then(|row| row.maker(What::Trace)) else {
            return Err(format!("there is no format of traces \"{format}\""));
        };
        let tasks = tasks_of(&names, &policies, priorities)?;
        let run = Run { cpus, tasks, window: (whole(from_ns), whole(to_ns)) };
        let mut this = Self { writer: begin(run), bytes: Vec::new() };
        this.writer.begin(&mut this.bytes).map_err(|error| error.to_string())?;
        Ok(this)
    }

    /// Takes the next rows, from the run's first one on without those of `sim_cpu_state`, and gives
    /// the bytes that are ready.
    ///
    /// # Errors
    /// Why the rows cannot be written.
    pub fn rows(
        &mut self,
        time: &[f64],
        kind: Vec<u8>,
        cpu: Vec<u16>,
        a: Vec<u32>,
        b: Vec<u32>,
    ) -> Result<Vec<u8>, String> {
        let time = time.iter().map(|time| whole(*time)).collect();
        let rows = Columns { time, kind, cpu, a, b };
        self.writer.rows(&rows, &mut self.bytes).map_err(|error| error.to_string())?;
        Ok(std::mem::take(&mut self.bytes))
    }

    /// Ends the file and gives its last bytes.
    ///
    /// # Errors
    /// Why the rest cannot be written.
    pub fn end(&mut self) -> Result<Vec<u8>, String> {
        self.writer.end(&mut self.bytes).map_err(|error| error.to_string())?;
        Ok(std::mem::take(&mut self.bytes))
    }
}

fn tasks_of(
    names: &[String],
    policies: &[String],
    priorities: &[i32],
) -> Result<Vec<Task>, String> {
    if names.len() != policies.len() || names.len() != priorities.len() {
        return Err("each task needs a name, a policy and a priority".to_owned());
    }
    let tasks = names.iter().zip(policies).zip(priorities);
    let task = |((name, policy), &number): ((&String, &String), &i32)| {
        let policy = Policy::of(policy, number)
            .ok_or_else(|| format!("{name}: there is no policy \"{policy} {number}\""))?;
        Ok(Task::of(name, policy))
    };
    tasks.map(task).collect()
}

/// An instant from JavaScript, ns; what is beyond u64 means "no end".
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole(ns: f64) -> u64 {
    ns as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(policies: &[&str], priorities: &[i32]) -> String {
        let names = ["web.0".to_owned()];
        let policies: Vec<String> = policies.iter().map(|&policy| policy.to_owned()).collect();
        tasks_of(&names, &policies, priorities).expect_err("refused")
    }

    #[test]
    fn a_policy_that_no_task_can_have_is_refused_by_its_words() {
        for (policy, priority) in [
            ("SCHED_BATCH", 0),
            ("", 0),
            ("SCHED_FIFO", 0),
            ("SCHED_FIFO", 100),
            ("SCHED_OTHER", 20),
        ] {
            let error = format!("web.0: there is no policy \"{policy} {priority}\"");
            assert_eq!(refusal(&[policy], &[priority]), error);
        }
    }

    #[test]
    fn a_task_without_a_policy_or_a_priority_is_refused() {
        let error = "each task needs a name, a policy and a priority";
        assert_eq!(refusal(&[], &[0]), error);
        assert_eq!(refusal(&["SCHED_RR"], &[]), error);
    }
}
