//! A pasted text and what runs find out about it: the program behind its counters, then the
//! questions that people have. Command, page and Python make the runs; what to run is said here.

use schedscope_formats::words::{self, Bursts, Reading};
use serde_json::{Value, json};

use crate::answers::{Answers, answers};
use crate::fitting::{Fitting, Got, Wish};
use crate::questions::{self, Trial, Tried};
use crate::sentences;

/// CPUs of a group for which the text says none.
const CPUS: u32 = 8;

/// A text, and what is known of it by now.
#[derive(Debug)]
pub struct Inquiry {
    reading: Reading,
    wish: Wish,
    begun: bool,
    /// None where the group was not throttled, or has no counters.
    fitting: Option<Fitting>,
    /// The program of a group that was not throttled.
    calm: Option<Bursts>,
    questions: Option<Questions>,
    runs: u32,
}

/// The questions, and the runs that answer them.
#[derive(Debug)]
pub struct Questions {
    /// Settings that keep the bound.
    pub answers: Answers,
    /// What has run.
    pub tried: Vec<Tried>,
    trials: Vec<Trial>,
}

impl Inquiry {
    /// An inquiry about a text; nothing has run.
    pub fn new(reading: Reading, wish: Wish) -> Self {
        let wish = Wish { cpus: reading.group_cpus(), ..wish };
        Self { reading, wish, begun: false, fitting: None, calm: None, questions: None, runs: 0 }
    }

    /// Whether its group was throttled, so that runs have to find the program behind the counters.
    pub fn is_throttled(&self) -> bool {
        let chosen = self.reading.chosen.as_ref();
        chosen.and_then(|chosen| chosen.happened).is_some_and(|happened| happened.throttled > 0.0)
    }

    /// Reckons the programs that can have counted the same: up to a second.
    fn begin(&mut self) {
        self.begun = true;
        let Some(chosen) = &self.reading.chosen else { return };
        let Some(happened) = chosen.happened else { return };
        self.fitting = Fitting::new(chosen, self.wish);
        if self.fitting.is_none() {
            let cpus = self.wish.cpus.unwrap_or(CPUS);
            self.calm = Some(sentences::not_throttled(&chosen.limit, happened.used_us(), cpus));
        }
    }

    /// The text.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// The fit; none where the group was not throttled, which needs no program that is.
    pub fn fitting(&self) -> Option<&Fitting> {
        self.fitting.as_ref()
    }

    /// The questions; none before [`Inquiry::ask`].
    pub fn questions(&self) -> Option<&Questions> {
        self.questions.as_ref()
    }

    /// Runs of the fit that were heard.
    pub fn runs(&self) -> u32 {
        self.runs
    }

    /// The scenario whose run is needed next, and has to be heard before the next one; none where
    /// the fit is over, or every question has its runs.
    pub fn next_run(&mut self) -> Option<Value> {
        if !self.begun {
            self.begin();
        }
        let trial = match &self.questions {
            Some(Questions { trials, tried, .. }) => *trials.get(tried.len())?,
            None => self.fitting.as_mut()?.next_run()?.into(),
        };
        self.run_of(&trial)
    }

    fn run_of(&self, trial: &Trial) -> Option<Value> {
        let Trial { bursts, limit, outer, release, .. } = trial;
        let (mut scenario, _) = self.reading.with_bursts(bursts, Some(*limit), *outer)?;
        if let Some(release) = release {
            scenario["kernel"]["version"] = json!(release);
        }
        Some(scenario)
    }

    /// Takes the `metrics` of the report of the run that was needed last; false where they do not
    /// have the group's figures.
    pub fn hear(&mut self, metrics: &Value) -> bool {
        let group = self.reading.group_path();
        let Some(got) = group.and_then(|group| Got::of(metrics, &group)) else { return false };
        match (&mut self.questions, &mut self.fitting) {
            (Some(Questions { trials, tried, .. }), _) => {
                tried.extend(trials.get(tried.len()).map(|trial| (*trial, got)));
            }
            (None, Some(fitting)) => {
                self.runs += 1;
                fitting.hear(got);
            }
            (None, None) => return false,
        }
        true
    }

    /// Begins with the questions, when the fit is over.
    ///
    /// # Errors
    /// Why there can be no answer, a sentence.
    pub fn ask(&mut self) -> Result<(), String> {
        let Some(fitting) = &self.fitting else { return Err(self.without_fit()) };
        let Some(answers) = answers(fitting) else { return Err(without_program(fitting)) };
        let trials = questions::trials(fitting, &answers, &self.reading);
        self.questions = Some(Questions { answers, trials, tried: Vec::new() });
        Ok(())
    }

    /// Why a text has no answer: a sentence with what is missing.
    fn without_fit(&self) -> String {
        let why = self.reading.doubts.iter().chain(&self.reading.asks).next();
        let counted = self.reading.chosen.as_ref().and_then(|chosen| chosen.happened);
        match (why, counted) {
            (Some(why), _) => format!("no answer: {why}"),
            (None, Some(_)) => "no answer is needed: the group was not throttled".to_owned(),
            (None, None) => {
                "no answer: the text has no counters\n  expected: a limit (cpu.max, or \
                             the container's resources), and cpu.stat, best twice, a minute apart"
                    .to_owned()
            }
        }
    }

    /// The program of the scenario; none where the text's own is assumed.
    fn program(&self) -> Option<Bursts> {
        let best = self.fitting.as_ref().and_then(Fitting::best).map(|best| best.bursts);
        best.or(self.calm)
    }

    /// The scenario by now; without text where no line comes to one.
    pub fn made(&self) -> Made {
        let fitted =
            self.program().and_then(|bursts| self.reading.with_bursts(&bursts, None, None));
        let (scenario, assumed) = match fitted {
            Some((scenario, assumed)) => (Some(scenario), assumed),
            None => (self.reading.scenario.clone(), self.reading.assumed.clone()),
        };
        let pasted = self.reading.scenario_text.clone();
        let text = pasted.or_else(|| scenario.as_ref().map(words::file_text));
        Made { scenario, text, assumed }
    }
}

/// The scenario that a text comes to.
#[derive(Clone, Debug)]
pub struct Made {
    /// The scenario; none also where it was pasted as a scenario or an rt-app file, whose order of
    /// keys counts.
    pub scenario: Option<Value>,
    /// The text of its file.
    pub text: Option<String>,
    /// What is assumed beside the text, a sentence each.
    pub assumed: Vec<String>,
}

/// Why a fit has no answer.
fn without_program(fitting: &Fitting) -> String {
    if fitting.is_overload() {
        let why = sentences::limits(fitting, "");
        return format!("no search can succeed: {}", why.join(" "));
    }
    "no answer: no program was found that counts the same".to_owned()
}
