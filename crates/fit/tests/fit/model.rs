//! The model against the simulator.

use schedscope_fit::model::counted;

use crate::support::{Drawn, program, ran};

#[test]
fn the_model_counts_what_the_simulator_counts() {
    let mut drawn = Drawn(0x9e37_79b9_7f4a_7c15);
    let (mut compared, mut same) = (0, 0);
    for _ in 0..30 {
        let (bursts, limit) = program(&mut drawn);
        let ran = ran(&bursts, &limit, 1);
        let model = counted(&bursts, &limit, 16, 0.3, 60);
        let near = |one: f64, other: f64, part: f64, more: f64| {
            (one - other).abs() <= part * other.abs() + more
        };
        let is_same = near(model.share(), ran.share(), 0.1, 0.02)
            && near(model.each_us(), ran.each_us(), 0.12, 2_000.0)
            && near(model.used_us(), ran.used_us(), 0.03, 0.0)
            && near(model.longest_us, ran.longest_us, 0.05, 2_000.0);
        println!("{is_same} {} under {}: {model:?} {ran:?}", bursts.words(), limit.cpu_max());
        compared += 1;
        same += u32::from(is_same);
    }
    assert!(same * 10 >= compared * 9, "{same} of {compared}");
}
