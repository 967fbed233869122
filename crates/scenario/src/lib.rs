//! The only parser of scenario files and scenario links.
//!
//! A text and a list of changes go in; a [`Setup`](schedscope_engine::setup::Setup) for the engine
//! and a [`RunMeta`] for people come out, or one [`ScenarioError`] with its place. No input makes
//! it panic, hang or grow without bound.

mod canonical;
mod cgroups;
mod changes;
mod document;
mod error;
mod generators;
mod handover;
pub mod knobs;
pub mod link;
mod live;
mod meta;
mod metrics;
mod prepare;
mod prepared;
mod reading;
mod report;
mod resolve;
mod rt_app;
mod schema;
mod shipped;
pub mod statistics;
mod steps;
pub mod text;
pub mod units;
mod version;
#[cfg(feature = "prose")]
pub mod versions;

pub use cgroups::path::one_spelling;
pub use changes::check_value;
pub use document::Document;
pub use document::parts::{Presentation, Reference, Source, Variant};
pub use error::{ScenarioError, nearest};
pub use handover::{FirstRun, FirstRuns, Handover, first_runs};
pub use knobs::setting::expectation;
pub use knobs::{Knob, knobs};
pub use meta::{
    CostInfo, GroupInfo, LiveKnob, LiveWrite, ObjectInfo, RunMeta, SeriesInfo, TaskInfo,
    compare_command, live_flags, replay_command, set_flags,
};
pub use metrics::names::MetricNames;
pub use metrics::{
    FINGERPRINT_V1, check_metric, fingerprint, is_metric, metric_at, nearest_metric, sampled_at,
    samples_of,
};
pub use prepare::prepare;
pub use prepared::Prepared;
pub use reading::json::{NESTING_MAX, TEXT_MAX, json_value};
pub use report::{ENGINE_BEHAVIOUR, ENGINE_VERSION, ReportHead, RunReport, report_json, report_of};
pub use resolve::costs::costs_of_file;
pub use resolve::kernel::spelling_note;
pub use resolve::resolver::{Origin, ResolvedKnob, Unavailable};
pub use schema::json_schema;
pub use shipped::{ScenarioEntry, entry, shipped};
pub use steps::words::Moment;
pub use text::readable;
pub use version::OwnSwitch;
