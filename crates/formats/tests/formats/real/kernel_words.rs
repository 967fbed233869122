//! Which kernel a side is, of the scenarios that ship.

use super::*;

fn run_of_variant(slug: &str, nth: usize) -> Run {
    let entry = shipped().into_iter().find(|entry| entry.slug == slug).unwrap();
    run_of(&variant(&entry, nth).meta)
}

fn sentences(a: &Run, b: Option<&Run>) -> String {
    schedscope_formats::real::of(a, b, &Node::Object(Vec::new())).kernel
}

fn both_of(slug: &str) -> String {
    sentences(&run_of_variant(slug, 0), Some(&run_of_variant(slug, 1)))
}

#[test]
fn sides_that_differ_by_the_kernel_s_code_have_the_kernel_to_boot_named() {
    assert_eq!(
        both_of("quota-web-p95"),
        "Kernel of A: boot 4.15 (the run is 5.4 with CFS bandwidth 4.15). Kernel of B: boot 4.19 \
            (the run is 5.4 with CFS bandwidth 4.19)."
    );
    assert!(both_of("quota-stranded").contains("Kernel of B: boot 5.4."));
    assert_eq!(
        both_of("eevdf-slices"),
        "Kernel of A: boot 6.12. Kernel of B: boot 6.5 (the run is 6.12 with fair class cfs)."
    );
    assert!(both_of("quota-kernel-lock").contains(
        "A: boot 6.13 (the run is 6.18 with CFS bandwidth 6.13). Kernel of B: boot 6.18."
    ));
    assert!(both_of("rt-migrate").contains("A: boot 2.6.24. Kernel of B: boot 2.6.30 ("));
}

#[test]
fn code_that_no_release_has_is_no_kernel_to_boot() {
    assert_eq!(
        both_of("nohz-kick"),
        "Kernel of A: boot 6.6. Kernel of B: no release has this: 6.6 with idle balancing \
            rfc_2023_10."
    );
    assert!(
        both_of("schbench")
            .contains("B: no release has this: 6.6 with the preemption series of November 2023.")
    );
    assert_eq!(
        sentences(&run_of_variant("ipi-storm", 1), None),
        "Kernel: no release has this: 4.15 with RT balancing ipi_4_15."
    );
    assert_eq!(both_of("rt-throttling"), "Kernel: boot 4.15.");
    assert!(sentences(&run_of_variant("rt-throttling", 2), None).contains("boot 6.12 ("));
    // What is a file's to write has a line of its own.
    assert_eq!(both_of("rt-pull-herd"), "Kernel: boot 3.19 with the patch of February 2015.");
}

#[test]
fn every_variant_that_ships_is_of_a_kernel_and_each_line_of_it_is_one_line() {
    for entry in shipped() {
        let file = Node::read(&entry.text).unwrap();
        for nth in 0..entry.variants.len() {
            let run = run_of(&variant(&entry, nth).meta);
            let real = schedscope_formats::real::of(&run, None, &file);
            let words = real.kernel.strip_prefix("Kernel: ").unwrap();
            let is_known = ["boot ", "no release has this: "].iter().any(|begin| {
                let rest = words.strip_prefix(begin).unwrap_or_default();
                rest.starts_with(|sign: char| sign.is_ascii_digit())
            });
            assert!(is_known, "{}: {words}", entry.slug);
            assert!(real.shared.lines.iter().all(|line| !line.text.contains('\n')));
            assert!(real.sides.iter().all(Share::is_empty));
        }
    }
}

#[test]
fn what_both_sides_have_is_shared_and_the_rest_is_of_a_side() {
    let entry = shipped().into_iter().find(|entry| entry.slug == "rt-pull-herd").unwrap();
    let [a, b] = [0, 1].map(|nth| run_of(&variant(&entry, nth).meta));
    let file = Node::read(&entry.text).unwrap();
    let real = schedscope_formats::real::of(&a, Some(&b), &file);
    let texts = |share: &Share| -> Vec<String> {
        share.lines.iter().map(|line| line.text.clone()).collect()
    };
    assert!(texts(&real.shared).iter().any(|line| line.starts_with("sudo cyclictest")));
    assert_eq!(
        real.sides.each_ref().map(texts),
        [
            vec!["echo NO_RT_PUSH_IPI | sudo tee /sys/kernel/debug/sched_features".to_owned()],
            vec!["echo RT_PUSH_IPI | sudo tee /sys/kernel/debug/sched_features".to_owned()]
        ]
    );
    let object = real.json("rt-pull-herd");
    assert_eq!(object["schema"], "schedscope.real/1");
    assert_eq!(object["a"]["lines"][0]["needs"], "root");
    assert_eq!(object["a"]["lines"][0]["step"], "kernel");
}

#[test]
fn the_page_hands_a_run_over_as_json_and_hears_which_key_is_wrong() {
    let entry = shipped().into_iter().find(|entry| entry.slug == "quota-pinned").unwrap();
    let meta = variant(&entry, 0).meta;
    let mut object = serde_json::to_value(&meta).unwrap();
    object["kernel"] = meta.kernel_words(&[]).into();
    assert_eq!(Run::of_json(&object).unwrap(), run_of(&meta));
    object.as_object_mut().unwrap().remove("cpus");
    assert!(Run::of_json(&object).unwrap_err().contains("cpus"));
}
