//! What is known to be missing: refused by its name, with the mechanism it needs, instead of as a slip of the finger.
//!
//!

/// Paths other schedscope documents name that this engine does not have yet, with what is missing.
pub(crate) const NOT_YET_KNOBS: &[(&str, &str)] = &[];

/// Values of known knobs that need a mechanism this engine does not have yet.
pub(crate) const NOT_YET_VALUES: &[(&str, &[&str])] = &[];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knobs::knob;

    #[test]
    fn what_is_not_there_yet_is_not_there() {
        for (path, _) in NOT_YET_KNOBS {
            assert!(knob(path).is_none(), "{path} exists now");
        }
        for (path, values) in NOT_YET_VALUES {
            let knob = knob(path).unwrap();
            for value in *values {
                assert!(knob.choices.iter().all(|choice| choice.value != *value), "{path} {value} exists now");
            }
        }
    }
}
