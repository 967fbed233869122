use super::*;

/// A series of eight seeds around `mean`, with a spread that differs from series to series.
fn around(mean: f64, spread: f64, turn: usize) -> Series {
    const NOISE: [f64; 8] = [-1.0, 0.6, 0.9, -0.4, 0.2, -0.8, 0.3, 0.2];
    Series::of((0..8).map(|seed| Some(mean + spread * NOISE[(seed + turn) % 8])))
}

fn tried(alone: f64, without: f64) -> Tried {
    Tried { alone: Some(around(alone, 1.0, 3)), without: Some(around(without, 1.0, 5)) }
}

fn nothing() -> Tried {
    let zeros = around(0.0, 0.0, 0);
    Tried { alone: Some(zeros.clone()), without: Some(zeros) }
}

fn places(ranking: &Ranking) -> Vec<Vec<usize>> {
    ranking.ranked.iter().map(|ranked| ranked.changes.clone()).collect()
}

/// The share of a ranked entry.
fn share(ranking: &Ranking, place: usize) -> f64 {
    ranking.ranked[place].share.expect("a whole difference")
}

#[test]
fn the_largest_effect_is_first_and_a_change_that_does_nothing_is_not_ranked() {
    let whole = around(100.0, 1.0, 0);
    let changes = [tried(20.0, 21.0), nothing(), tried(80.0, 79.0)];
    let ranking = rank(&whole, &changes, &BTreeMap::new());
    assert_eq!(places(&ranking), [[2], [0]]);
    assert!((share(&ranking, 0) - 0.795).abs() < 0.01, "{ranking:?}");
    let left = ranking.unexplained.expect("eight seeds");
    assert!(left.mean.abs() < 1.0 && !left.is_clear(), "{left:?}");
    assert!(pairs_to_try(&whole, &changes).is_empty());
}

#[test]
fn a_large_effect_that_may_be_none_comes_after_a_small_sure_one_and_wants_more_seeds() {
    let whole = around(100.0, 1.0, 0);
    let unsure = Tried { alone: Some(around(30.0, 200.0, 0)), without: None };
    let changes = [unsure, tried(12.0, 12.0)];
    assert_eq!(places(&rank(&whole, &changes, &BTreeMap::new())), [[1], [0]]);
    assert_eq!(undecided(&whole, &changes), [0]);
    assert!(undecided(&whole, &changes[1..]).is_empty());
}

#[test]
fn two_changes_that_need_each_other_are_ranked_as_a_pair() {
    let whole = around(100.0, 1.0, 0);
    // Neither does anything alone, and without either nothing is left.
    let changes = [tried(0.0, 100.0), nothing(), tried(0.0, 100.0)];
    let pairs = pairs_to_try(&whole, &changes);
    assert_eq!(pairs, [[0, 2]]);
    let measured = BTreeMap::from([([0, 2], tried(100.0, 100.0))]);
    let ranking = rank(&whole, &changes, &measured);
    assert_eq!(places(&ranking), [[0, 2]]);
    assert!((share(&ranking, 0) - 1.0).abs() < 0.02, "{ranking:?}");
    assert!(ranking.unexplained.expect("eight seeds").mean.abs() < 2.0);
}

#[test]
fn a_pair_that_only_adds_up_is_no_pair() {
    let whole = around(100.0, 1.0, 0);
    let changes = [tried(40.0, 40.0), tried(30.0, 30.0)];
    let pairs = pairs_to_try(&whole, &changes);
    assert_eq!(pairs, [[0, 1]], "30 of 100 are left");
    let sum = |one: f64| around(one, 1.0, 3).with(&around(30.0, 1.0, 3), |one, other| one + other);
    let both = Tried { alone: Some(sum(40.0)), without: Some(sum(40.0)) };
    let ranking = rank(&whole, &changes, &BTreeMap::from([([0, 1], both)]));
    assert_eq!(places(&ranking), [[0], [1]]);
    assert!((ranking.unexplained.expect("eight seeds").mean - 30.0).abs() < 1.0);
}

#[test]
fn two_changes_that_cancel_have_shares_of_opposite_sign() {
    let whole = around(10.0, 1.0, 0);
    let changes = [tried(50.0, 50.0), tried(-40.0, -40.0)];
    let ranking = rank(&whole, &changes, &BTreeMap::new());
    assert_eq!(places(&ranking), [[0], [1]]);
    assert!(share(&ranking, 0) > 4.9 && share(&ranking, 1) < -3.9, "{ranking:?}");
    assert!(!ranking.cancels, "there is a difference");
}

#[test]
fn two_changes_that_cancel_to_nothing_are_ranked_without_a_share() {
    let whole = around(0.0, 1.0, 0);
    let changes = [nothing(), tried(50.0, 51.0), tried(-50.0, -49.0)];
    let ranking = rank(&whole, &changes, &BTreeMap::new());
    assert_eq!(places(&ranking), [[1], [2]]);
    assert!(ranking.cancels && ranking.ranked.iter().all(|ranked| ranked.is_clear));
    assert!(ranking.ranked.iter().all(|ranked| ranked.share.is_none()), "{ranking:?}");
    assert!(ranking.unexplained.expect("eight seeds").mean.abs() < 2.0);
    assert!(pairs_to_try(&whole, &changes).is_empty(), "they add up to the whole");
}

#[test]
fn a_change_whose_opposite_is_not_found_cancels_nothing() {
    let whole = around(0.0, 1.0, 0);
    let ranking = rank(&whole, &[tried(50.0, 50.0)], &BTreeMap::new());
    assert!(ranking.ranked[0].is_clear && !ranking.cancels);
    assert!((ranking.unexplained.expect("eight seeds").mean + 50.0).abs() < 2.0, "{ranking:?}");
}

#[test]
fn two_changes_that_take_each_other_back_stay_two() {
    let whole = around(0.0, 1.0, 0);
    // Either alone does something, and both together nothing.
    let changes = [tried(50.0, -50.0), tried(50.0, -50.0)];
    assert_eq!(pairs_to_try(&whole, &changes), [[0, 1]]);
    let ranking = rank(&whole, &changes, &BTreeMap::from([([0, 1], tried(0.0, 0.0))]));
    assert_eq!(places(&ranking), [[0], [1]]);
    assert!(ranking.cancels && ranking.ranked.iter().all(|ranked| ranked.is_clear));
}

#[test]
fn without_a_difference_chance_names_no_change_and_asks_for_seeds_of_the_likely_ones_alone() {
    let whole = around(0.0, 1.0, 0);
    // The interval of either reaches 5.6 to both sides.
    let [likely, unlikely] =
        [10.0, 3.0].map(|mean| Tried { alone: Some(around(mean, 10.0, 0)), without: None });
    let changes = [unlikely, likely];
    let ranking = rank(&whole, &changes, &BTreeMap::new());
    assert!(!ranking.cancels && ranking.ranked.iter().all(|ranked| !ranked.is_clear));
    assert_eq!(undecided(&whole, &changes), [1]);
    assert!(pairs_to_try(&whole, &changes).is_empty(), "nothing is to be explained");
}

#[test]
fn at_most_six_changes_are_paired() {
    let whole = around(1_000.0, 1.0, 0);
    let changes: Vec<Tried> =
        (0..9).map(|change| tried(f64::from(change) * 10.0, f64::from(change) * 10.0)).collect();
    let pairs = pairs_to_try(&whole, &changes);
    assert_eq!(pairs.len(), 15);
    assert!(pairs.iter().flatten().all(|change| *change >= 3), "{pairs:?}");
}

#[test]
fn a_change_that_a_release_cannot_have_is_judged_by_the_other_one() {
    let whole = around(10.0, 1.0, 0);
    let change = Tried { alone: None, without: Some(around(10.0, 1.0, 2)) };
    let ranking = rank(&whole, &[change], &BTreeMap::new());
    let first = &ranking.ranked[0];
    assert!(first.alone.is_none() && first.without.is_some() && first.is_clear);
    assert!((share(&ranking, 0) - 1.0).abs() < 0.1, "{first:?}");
}
