//! The result of a sweep for people and, as `schedscope.sweep/1`, for scripts: mean, percentiles
//! and median of each figure at each point.

use schedscope_runs::Failure;
use schedscope_runs::numbers::{counted, figure, grouped, mean, table};
use schedscope_runs::sweep::Plan;
use schedscope_runs::sweep::grid::{Axis, shown};
use schedscope_runs::sweep::jobs::RunRow;
use schedscope_runs::sweep::spread::{Spread, alike_words, of_point, seeds_alike};
use schedscope_scenario::{ENGINE_BEHAVIOUR, ENGINE_VERSION, Presentation};
use serde_json::{Map, Value, json};

use super::reach::Reach;
use schedscope_runs::sweep::rows::object as run_object;

/// Tables for people.
pub fn text(plan: &Plan, rows: &[RunRow], reach: Option<&Reach>) -> Result<String, Failure> {
    let presentation = &plan.target.document()?.presentation;
    let title = &presentation.title;
    let sizes: Vec<String> =
        plan.grid.axes.iter().map(|axis| axis.values.len().to_string()).collect();
    let points = if sizes.len() > 1 { format!("{} = ", sizes.join(" x ")) } else { String::new() };
    let mut text = format!(
        "{}: {title}\n{points}{}, {}{}\n\n",
        plan.target.slug,
        counted(plan.grid.points() as u64, "point"),
        seeds(plan, rows),
        one_kernel(plan)
    );
    if plan.grid.runs_of_point() == 1 {
        text.push_str(&of_one_run(presentation, plan, rows));
    } else {
        (0..plan.metrics.len())
            .for_each(|metric| text.push_str(&of_many_runs(presentation, plan, rows, metric)));
    }
    if let Some(alike) = alike_words(plan, rows) {
        text.push_str(&format!("{alike}\n"));
    }
    if let Some(reach) = reach {
        text.push_str(&reach.text(plan, rows));
    }
    Ok(text)
}

/// The kernel, where all points have the same: else a swept knob says it in every row.
fn one_kernel(plan: &Plan) -> String {
    match plan.kernels.split_first() {
        Some((first, rest)) if rest.iter().all(|kernel| kernel.whole == first.whole) => {
            format!(", kernel {}", first.beside_axes)
        }
        _ => String::new(),
    }
}

fn seeds(plan: &Plan, rows: &[RunRow]) -> String {
    match &plan.grid.seeds {
        None if plan.grid.axes.iter().any(|axis| axis.path == "seed") => {
            "each with the seed it says".to_owned()
        }
        None => rows
            .first()
            .map_or_else(|| "none was run".to_owned(), |row| format!("seed {}", row.seed)),
        Some(seeds) if seeds.len() > 2 && seeds.windows(2).all(|pair| pair[1] == pair[0] + 1) => {
            format!("{} seeds each: {}..{}", seeds.len(), seeds[0], seeds[seeds.len() - 1])
        }
        Some(seeds) => {
            let list: Vec<String> = seeds.iter().map(u64::to_string).collect();
            format!("{} each: {}", counted(seeds.len() as u64, "seed"), list.join(", "))
        }
    }
}

/// The swept values at the left of every row; a version with the switches that differ from it.
fn values(plan: &Plan, point: usize) -> impl Iterator<Item = String> {
    let cell = |(axis, value): (&Axis, &Value)| match plan.kernels.get(point) {
        Some(kernel) if axis.path == "kernel.version" => kernel.beside_axes.clone(),
        _ => shown(value),
    };
    plan.grid.axes.iter().zip(plan.grid.point(point)).map(cell).collect::<Vec<_>>().into_iter()
}

fn paths(plan: &Plan) -> impl Iterator<Item = String> {
    plan.grid.axes.iter().map(|axis| axis.path.clone()).collect::<Vec<_>>().into_iter()
}

/// One table: a column for each figure.
fn of_one_run(presentation: &Presentation, plan: &Plan, rows: &[RunRow]) -> String {
    let cell = |point: usize, metric: usize| match of_point(plan, rows, point).next() {
        None => "not run".to_owned(),
        Some(row) if !row.complete => "cut short".to_owned(),
        Some(row) => row.figures[metric]
            .map_or_else(|| "-".to_owned(), |value| figure(&plan.metrics[metric], value)),
    };
    let names = plan.metrics.iter().map(|path| presentation.metric_in_words(path));
    let head = paths(plan).chain(names).collect();
    let row = |point: usize| {
        values(plan, point)
            .chain((0..plan.metrics.len()).map(|metric| cell(point, metric)))
            .collect()
    };
    let rows: Vec<Vec<String>> =
        std::iter::once(head).chain((0..plan.grid.points()).map(row)).collect();
    format!("{}\n", table(&rows))
}

/// A table of one figure: mean, 5th percentile, median, 95th percentile.
fn of_many_runs(
    presentation: &Presentation,
    plan: &Plan,
    rows: &[RunRow],
    metric: usize,
) -> String {
    let path = &plan.metrics[metric];
    let wanted = plan.grid.runs_of_point();
    let spreads: Vec<Option<Spread>> =
        (0..plan.grid.points()).map(|point| Spread::of(plan, rows, point, metric)).collect();
    let counted = |spread: &Option<Spread>| spread.map_or(0, |spread| spread.runs);
    let row = |(point, spread): (usize, &Option<Spread>)| {
        let runs = counted(spread);
        let runs =
            if runs == wanted { grouped(runs as u64) } else { format!("{runs} of {wanted}") };
        let cells = spread.map_or_else(
            || ["-"; 4].map(str::to_owned),
            |Spread { mean: of_runs, p5, median, p95, .. }| {
                let [p5, median, p95] = [p5, median, p95].map(|value| figure(path, value));
                [mean(path, &of_runs), p5, median, p95]
            },
        );
        values(plan, point).chain(std::iter::once(runs)).chain(cells).collect::<Vec<_>>()
    };
    let head =
        paths(plan).chain(["runs", "mean", "5 %", "median", "95 %"].map(str::to_owned)).collect();
    let cells: Vec<Vec<String>> =
        std::iter::once(head).chain(spreads.iter().enumerate().map(row)).collect();
    let lacks = spreads.iter().any(|spread| counted(spread) < wanted);
    let note =
        if lacks { "the other runs have no figure, or did not come to an end\n" } else { "" };
    format!("{}\n{}{note}\n", presentation.metric_in_words(path), table(&cells))
}

/// The `schedscope.sweep/1` object: integers only.
pub fn object(plan: &Plan, rows: &[RunRow], reach: Option<&Reach>) -> Value {
    let point = |point: usize| {
        let set: Map<String, Value> = plan
            .grid
            .axes
            .iter()
            .zip(plan.grid.point(point))
            .map(|(axis, value)| (axis.path.clone(), value.clone()))
            .collect();
        let told = |metric: usize| {
            let spread = Spread::of(plan, rows, point, metric)?;
            let thousandths = |value: f64| (value * 1_000.0).round() as i64;
            let told = json!({ "runs": spread.runs, "min": spread.min, "p5": spread.p5,
                "median": spread.median, "p95": spread.p95, "max": spread.max,
                "mean_thousandths": thousandths(spread.mean.value),
                "error_thousandths": spread.mean.error.map(thousandths) });
            Some((plan.metrics[metric].clone(), told))
        };
        let metrics: Map<String, Value> = (0..plan.metrics.len()).filter_map(told).collect();
        let runs: Vec<Value> =
            of_point(plan, rows, point).map(|row| run_object(plan, row)).collect();
        json!({ "set": set, "kernel": plan.kernels.get(point).map(|kernel| &kernel.whole),
            "metrics": metrics, "runs": runs })
    };
    let over = plan
        .grid
        .axes
        .iter()
        .map(|axis| json!({ "path": axis.path, "values": axis.values }))
        .collect::<Vec<_>>();
    let total = plan.grid.points() * plan.grid.runs_of_point();
    let mut object = json!({
        "schema": "schedscope.sweep/1",
        "scenario": plan.target.slug,
        "engine": ENGINE_VERSION,
        "engine_behaviour": ENGINE_BEHAVIOUR,
        "over": over,
        "seeds": plan.grid.seeds,
        "metrics": plan.metrics,
        "seeds_alike": seeds_alike(plan, rows).is_some(),
        "complete": rows.len() == total && rows.iter().all(|row| row.complete),
        "points": (0..plan.grid.points()).map(point).collect::<Vec<_>>(),
    });
    if let (Some(reach), Value::Object(members)) = (reach, &mut object) {
        members.insert("reach".to_owned(), reach.object(plan, rows));
    }
    object
}
