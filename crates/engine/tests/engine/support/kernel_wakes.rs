//! Random machines in which kernel work wakes others from inside.

use schedscope_engine::setup::{Amount, KernelWakee, KernelWakes, Op, Section, Setup};

use super::US;
use super::random::Dice;
use super::rare::each_op;

/// Some wake-ups come from inside of kernel work.
pub fn load(dice: &mut Dice, setup: &mut Setup) {
    each_op(setup, |op| {
        let who = match op {
            Op::Signal { cond } => KernelWakee::Signal(*cond),
            Op::Broadcast { cond } => KernelWakee::Broadcast(*cond),
            Op::SemPost { sem } => KernelWakee::Post(*sem),
            _ => return,
        };
        let at_ns = if dice.chance(30) { u64::MAX } else { dice.between(0, 5 * US) };
        // A semaphore takes no more posts than its waiters expect.
        let again = !matches!(who, KernelWakee::Post(_)) && dice.chance(30);
        let every_ns = again.then(|| dice.between(US, 3 * US));
        let apart = |dice: &mut Dice| Some(Amount::Fixed(dice.between(500, 9 * US)));
        *op = Op::KernelWakes {
            section: dice.pick(&[Section::Preemptible, Section::NoPreempt]),
            ns: Amount::Fixed(dice.between(US, 10 * US)),
            cond_resched: apart(dice),
            might_sleep: None,
            wakes: KernelWakes { who, at_ns, every_ns },
        };
    });
}
