//! Passes the engine's columns to the page. Each getter hands its column over and leaves an empty
//! one behind, so that nothing is copied twice and no view of wasm memory outlives a call.

use schedscope_engine::trace::columns::{Columns, Wakes};
use std::mem::take;
use wasm_bindgen::prelude::wasm_bindgen;

/// Trace rows; every getter may be called once.
#[wasm_bindgen]
pub struct TraceColumns(Columns);

impl TraceColumns {
    pub(crate) fn new(columns: Columns) -> Self {
        Self(columns)
    }
}

#[wasm_bindgen]
impl TraceColumns {
    /// Instants, ns.
    pub fn time(&mut self) -> Vec<f64> {
        instants(&take(&mut self.0.time))
    }
    /// Record kinds.
    pub fn kind(&mut self) -> Vec<u8> {
        take(&mut self.0.kind)
    }
    /// CPUs, 65535 = none.
    pub fn cpu(&mut self) -> Vec<u16> {
        take(&mut self.0.cpu)
    }
    /// First operand.
    pub fn a(&mut self) -> Vec<u32> {
        take(&mut self.0.a)
    }
    /// Second operand.
    pub fn b(&mut self) -> Vec<u32> {
        take(&mut self.0.b)
    }
}

/// Finished wake-ups; every getter may be called once.
#[wasm_bindgen]
pub struct WakeColumns(Wakes);

impl WakeColumns {
    pub(crate) fn new(wakes: Wakes) -> Self {
        Self(wakes)
    }
}

#[wasm_bindgen]
impl WakeColumns {
    /// Task ids.
    pub fn task(&mut self) -> Vec<u32> {
        take(&mut self.0.task)
    }
    /// Which wake-up of its task, from 0.
    pub fn nth(&mut self) -> Vec<u32> {
        take(&mut self.0.nth)
    }
    /// The CPU it ran on.
    pub fn cpu(&mut self) -> Vec<u16> {
        take(&mut self.0.cpu)
    }
    /// Due instants, ns.
    pub fn due(&mut self) -> Vec<f64> {
        instants(&take(&mut self.0.due))
    }
    /// Latencies, ns.
    pub fn latency(&mut self) -> Vec<f64> {
        instants(&take(&mut self.0.latency))
    }
    /// One past its last segment, counted from the run's first segment.
    #[wasm_bindgen(js_name = segmentsEnd)]
    pub fn segments_end(&mut self) -> Vec<u32> {
        take(&mut self.0.segments_end)
    }
    /// Causes of the segments.
    #[wasm_bindgen(js_name = segmentCause)]
    pub fn segment_cause(&mut self) -> Vec<u8> {
        take(&mut self.0.segment_cause)
    }
    /// Lengths of the segments, ns.
    #[wasm_bindgen(js_name = segmentNs)]
    pub fn segment_ns(&mut self) -> Vec<u32> {
        take(&mut self.0.segment_ns)
    }
}

#[allow(clippy::cast_precision_loss)]
fn instants(values: &[u64]) -> Vec<f64> {
    values.iter().map(|&value| value as f64).collect()
}
