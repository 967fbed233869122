//! The lines as a page: whatever is no line is a comment, so that a shell takes the whole of it,
//! and `schedscope read` too.

use std::path::Path;

use schedscope_formats::real::{Line, Needs, Real, Share, Step};

/// The parts of the page: which lines, and what is above them.
const PARTS: &[(Step, Option<Needs>, &str)] = &[
    (Step::Kernel, Some(Needs::Build), "options of the kernel's build"),
    (Step::Kernel, Some(Needs::Boot), "words of the kernel's command line, from the next boot on"),
    (Step::Kernel, Some(Needs::Root), "the running kernel, as root: for everybody on the machine"),
    (Step::Group, Some(Needs::Root), "groups, as root"),
    (Step::Program, None, "programs"),
    (Step::Program, Some(Needs::Root), "programs, as root"),
    (Step::Reading, None, "the groups' figures"),
];

/// The page. `folder`: where the files were written, if they were.
pub fn page(real: &Real, folder: Option<&Path>) -> String {
    let mut text = comment(&real.kernel);
    for note in &real.notes {
        text += &comment(note);
    }
    text += &share(&real.shared, "", folder);
    for (side, name) in real.sides.iter().zip(["A: ", "B: "]) {
        text += &share(side, name, folder);
    }
    if !real.missing.is_empty() {
        text += "\n# without a line\n";
        for sentence in &real.missing {
            text += &comment(sentence);
        }
    }
    text
}

fn share(share: &Share, side: &str, folder: Option<&Path>) -> String {
    let mut text = String::new();
    for (step, needs, title) in PARTS {
        let is_of = |line: &&Line| line.step == *step && line.needs == *needs;
        text += &part(&format!("{side}{title}"), share.lines.iter().filter(is_of));
    }
    let own = format!("{side}a program of your own, inside the group, in place of the made-up one");
    text += &part(&own, share.own.iter());
    for file in &share.files {
        let place = match folder {
            Some(folder) => folder.join(&file.name).display().to_string(),
            None => format!("{}, which --dir DIR writes", file.name),
        };
        text += &format!("\n# {side}the file {place}\n");
        for note in &file.notes {
            text += &comment(note);
        }
    }
    text
}

fn part<'l>(title: &str, lines: impl Iterator<Item = &'l Line>) -> String {
    let lines: String = lines.map(|line| format!("{}\n", line.text)).collect();
    if lines.is_empty() { lines } else { format!("\n# {title}\n{lines}") }
}

fn comment(sentence: &str) -> String {
    format!("# {sentence}\n")
}
