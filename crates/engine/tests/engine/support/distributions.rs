//! Works and sleeps of random machines that are drawn by a distribution.

use schedscope_engine::setup::{Amount, Op, Quantiles, Setup};

use super::US;
use super::random::Dice;
use super::rare::each_op;

/// Some works and sleeps are exponential, or drawn by quantiles.
pub fn load(dice: &mut Dice, setup: &mut Setup) {
    let mut tables = std::mem::take(&mut setup.quantiles);
    each_op(setup, |op| {
        if let Op::Run { ns: amount } | Op::Sleep { ns: amount } = op
            && let Amount::Fixed(ns) = *amount
            && ns > US
            && dice.chance(50)
        {
            let max = ns * dice.between(1, 30);
            *amount = if dice.chance(50) {
                Amount::Exponential { mean: ns, max }
            } else {
                let points = vec![(0, US), (5_000, ns), (9_900, max), (10_000, max)];
                tables.push(Quantiles::new(points).expect("they rise"));
                Amount::Quantiles { table: tables.len() as u32 - 1 }
            };
        }
    });
    setup.quantiles = tables;
}
