//! For the tests of the laws: a sound machine, damaged in one place, breaks the law of that place.

use crate::sim::Sim;

pub(crate) type Damage = fn(&mut Sim);

/// `check` finds nothing wrong with a `sound` machine, and names each damage to one as said beside
/// it.
pub(crate) fn all_are_caught(
    sound: impl Fn() -> Sim,
    check: fn(&Sim) -> Result<(), String>,
    damages: &[(&str, Damage)],
) {
    assert_eq!(check(&sound()), Ok(()));
    for (expected, damage) in damages {
        let mut sim = sound();
        damage(&mut sim);
        let broken = check(&sim).expect_err(expected);
        assert!(broken.contains(expected), "{broken:?} should say {expected:?}");
    }
}
