//! Thread 000: the herd on one run-queue lock, and what RT_PUSH_IPI makes of it.

mod support;

use schedscope_engine::kernel::config::{RtBalance, SpinlockKind};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::run::Options;
use schedscope_engine::trace::catalogue::Kind;
use schedscope_engine::trace::columns::Columns;
use support::{herd, run, with_balance, US};

/// One herd as the trace shows it.
#[derive(Debug, Clone, Copy)]
struct Herd { t1: u64, spread: u64, depth: u32, readers: u32 }

fn herds(trace: &Columns, cpus: u32) -> Vec<Herd> {
    let mut out = Vec::new();
    let mut fired: Option<usize> = None;
    let rows = trace.time.len();
    let mut marks: Vec<usize> = (0..rows).filter(|r| trace.kind[*r] == Kind::NoiseFire as u8).collect();
    marks.push(rows);
    for pair in marks.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let victim = u32::from(trace.cpu[from]);
        let end = trace.time[from] + 60 * US;
        let mut first_try = None; let mut taken = None; let mut depth = 0; let mut readers = 0;
        let mut releases: Vec<u64> = vec![];
        for r in from..to {
            if trace.time[r] > end && taken.is_some() { break; }
            if trace.time[r] > end { break; }
            let k = trace.kind[r];
            if k == Kind::PullTry as u8 && trace.a[r] == victim { first_try.get_or_insert(trace.time[r]); readers += 1; }
            if k == Kind::PullOk as u8 && trace.b[r] == victim { taken.get_or_insert(trace.time[r]); }
            if k == Kind::LockWait as u8 && trace.a[r] == victim { depth = depth.max(trace.b[r]); }
            if k == Kind::CpuState as u8 && trace.a[r] & 255 == 3 && trace.b[r] < cpus && releases.len() < cpus as usize { releases.push(trace.time[r]); }
        }
        if let (Some(a), Some(b)) = (first_try, taken) {
            out.push(Herd { t1: b - a, spread: releases.last().unwrap() - releases[0], depth, readers });
        }
    }
    let _ = fired.take();
    out
}

#[test]
fn law() {
    for costs in [CostsName::Ticket2012, CostsName::Qspin2s] { for kind in [SpinlockKind::Ticket, SpinlockKind::Qspinlock] { for w in [1, 2, 3, 4, 6, 8, 10, 12] {
        let mut setup = herd(40, 7, w * US, costs);
        setup.kernel.spinlock = kind;
        let mut r = run(&setup, Options::EVERYTHING, 64);
        let report = r.report();
        let trace = r.take_trace();
        let hs = herds(&trace, 40);
        let n = hs.len() as f64;
        let mean = |f: &dyn Fn(&Herd) -> f64| hs.iter().map(f).sum::<f64>() / n;
        let law = |h: &Herd| (39.0f64).min(39.0 * h.t1 as f64 / h.spread as f64);
        println!("{costs:?} {kind:?} w {w} herds {} fired {} max {} meandepth {:.1} meanlaw {:.1} maxlaw {:.1} T1 {:.0} W {:.0} readers {:.1} pulls {} maxlat {}", hs.len(), report.metrics.latency["rt_noise"].count, report.metrics.rq_lock.max_waiters,
            mean(&|h| f64::from(h.depth)), mean(&law), hs.iter().map(law).fold(0.0, f64::max), mean(&|h| h.t1 as f64), mean(&|h| h.spread as f64), mean(&|h| f64::from(h.readers)), report.metrics.sched.pulls, report.metrics.latency["cyclictest"].max_ns);
    }}}
}
