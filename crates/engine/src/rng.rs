//! Keyed random numbers: draw `n` of a purpose and an entity, a pure function of the seed
//! (docs/develop/decisions/0003).
//!
//! There is no stream to fall out of step: switching a policy never shifts an unrelated draw, so
//! both sides of a comparison see the same arrivals.

/// The purpose of a draw. The numbers are part of every link's meaning: append, never reorder; 5
/// has been in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// When the cyclictest program starts, one draw.
    CyclictestStart = 1,
    /// A measuring thread's phase; entity = thread.
    CyclictestPhase = 2,
    /// The extra of a round's body; entity = task, n = round.
    CyclictestBody = 3,
    /// The gap before a randomly timed noise wake-up; n = wake-up.
    NoiseGap = 4,
    /// Durations a program draws; entity = task, n = draw.
    Amount = 6,
    /// Futex work of a wake-up; entity = waking task, n = wake-up.
    FutexWake = 7,
    /// How late a fair task's timer is delivered; entity = task, n = due time.
    TimerJitter = 8,
    /// The gap before a request from outside; entity = generator, n = request.
    Arrival = 9,
    /// First refill of a group; entity = group.
    PeriodPhase = 10,
    /// Whether a newly idle CPU looks at a domain; entity = CPU, n = draw.
    NewIdle = 11,
    /// How cold a woken task finds its caches; entity = task, n = wake-up.
    ColdStart = 12,
    /// The order in which a barrier wakes, if drawn; entity = task, n = opening.
    WakeOrder = 13,
    /// Time between two stops by hardware noise; entity = source and CPU, n = stop.
    HwNoiseGap = 14,
    /// Length of a stop; entity = source and CPU, n = stop.
    HwNoiseLength = 15,
    /// Time between two interrupts of the device with an affinity; n = interrupt.
    DeviceIrqGap = 16,
    /// Time of its handler; n = interrupt.
    DeviceIrqWork = 17,
    /// Time between two RCU callbacks; entity = CPU, n = callback.
    RcuGap = 18,
    /// How long the operations of an entry into the kernel take; entity = CPU, n = entry.
    CostFactor = 19,
    /// How late the timer's interrupt comes; entity = CPU, n = expiry.
    TimerLate = 20,
    /// Where in its second a CPU's remote tick is; entity = CPU. Without one: where the timer wheel
    /// is.
    RemoteTick = 21,
}

/// Draw `n` of (`purpose`, `entity`) under `seed`: 64 uniform bits.
pub fn draw(seed: u64, purpose: Purpose, entity: u64, n: u64) -> u64 {
    let mut state = mix(seed ^ 0x9e37_79b9_7f4a_7c15);
    state = mix(state ^ (purpose as u64).wrapping_mul(0xd1b5_4a32_d192_ed03));
    state = mix(state ^ entity.wrapping_mul(0xaef1_7502_108e_f2d9));
    mix(state ^ n.wrapping_mul(0xf135_7aea_2e62_a9c5))
}

/// A draw uniform in `0..bound`; 0 when `bound` is 0. The bias is below `bound` / 2^64.
pub fn below(seed: u64, purpose: Purpose, entity: u64, n: u64, bound: u64) -> u64 {
    ((u128::from(draw(seed, purpose, entity, n)) * u128::from(bound)) >> 64) as u64
}

/// A draw of an exponential distribution with this mean, rounded down; through libm, so that all
/// hosts agree.
pub fn exponential(seed: u64, purpose: Purpose, entity: u64, n: u64, mean: u64) -> u64 {
    let uniform = ((draw(seed, purpose, entity, n) >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    (-libm::log(uniform) * mean as f64) as u64
}

/// A draw of a log-normal distribution with this median and sigma (in thousandths), rounded down.
///
/// Box-Muller through libm, so that all hosts agree.
pub fn lognormal(
    seed: u64,
    purpose: Purpose,
    entity: u64,
    n: u64,
    median: u64,
    sigma_milli: u32,
) -> u64 {
    let bits = draw(seed, purpose, entity, n);
    let uniform = |bits: u64| (f64::from(bits as u32) + 0.5) / 4_294_967_296.0;
    let radius = libm::sqrt(-2.0 * libm::log(uniform(bits >> 32)));
    let normal = radius * libm::cos(2.0 * std::f64::consts::PI * uniform(bits & 0xffff_ffff));
    (median as f64 * libm::exp(normal * f64::from(sigma_milli) / 1000.0)) as u64
}

/// The finaliser of splitmix64: a bijection of 64 bits whose every output bit depends on every
/// input bit.
fn mix(mut bits: u64) -> u64 {
    bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_pinned_because_links_depend_on_them() {
        assert_eq!(
            draw(7, Purpose::CyclictestPhase, 3, 0),
            draw(7, Purpose::CyclictestPhase, 3, 0)
        );
        assert_ne!(
            draw(7, Purpose::CyclictestPhase, 3, 0),
            draw(7, Purpose::CyclictestPhase, 4, 0)
        );
        assert_ne!(draw(7, Purpose::CyclictestPhase, 3, 0), draw(7, Purpose::CyclictestBody, 3, 0));
    }

    #[test]
    fn bounded_draws_fill_their_range_evenly() {
        let mut counts = [0_u32; 10];
        for n in 0..100_000 {
            counts[below(1, Purpose::CyclictestBody, 0, n, 10) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
    }

    #[test]
    fn half_of_the_lognormal_draws_lie_below_the_median_and_a_tenth_of_a_percent_three_sigmas_above()
     {
        let draws: Vec<u64> =
            (0..100_000).map(|n| lognormal(1, Purpose::Amount, 0, n, 20_000, 1_000)).collect();
        let below = draws.iter().filter(|ns| **ns < 20_000).count();
        assert!((49_500..50_500).contains(&below), "{below}");
        let far = draws.iter().filter(|ns| **ns > 20_000 * 20).count();
        assert!((90..190).contains(&far), "{far}");
    }

    #[test]
    fn exponential_draws_have_their_mean_and_a_third_of_them_lies_above_it() {
        let draws: Vec<u64> =
            (0..100_000).map(|n| exponential(1, Purpose::Arrival, 0, n, 1_000_000)).collect();
        let mean = draws.iter().sum::<u64>() / 100_000;
        assert!((990_000..1_010_000).contains(&mean), "{mean}");
        let above = draws.iter().filter(|ns| **ns > 1_000_000).count();
        assert!((36_300..37_300).contains(&above), "{above}");
    }

    #[test]
    fn a_bound_of_zero_draws_zero() {
        assert_eq!(below(1, Purpose::CyclictestBody, 0, 0, 0), 0);
    }
}
