//! Loops of a shell whose rounds are known as they are written, round by round:
//! `for n in $(seq 0 2); do stress-ng --cpu 1 --taskset $n & done`.

/// A machine here has at most so many CPUs, and a loop so many rounds.
const ROUNDS_MAX: usize = 1_024;

const FOR: &str = "for ";

/// The line with its first loop written out; none where it has none that is known, or one that is
/// longer than is read. `room`: how many bytes the loops of a text may become; what they do is
/// taken off.
pub(super) fn unrolled(line: &str, room: &mut usize) -> Option<String> {
    let begin = ["&& for ", "; for "].iter().find_map(|before| {
        let at = line.find(before)?;
        Some(at + before.len() - FOR.len())
    });
    let begin = if line.starts_with(FOR) { 0 } else { begin? };
    let (before, line) = line.split_at(begin);
    let (name, rest) = line.strip_prefix(FOR)?.split_once(" in ")?;
    let (list, rest) = rest.split_once("; do ")?;
    // A list of commands ends with `;` or `&` before its `done`.
    let end = rest.find("; done").or_else(|| rest.find("& done").map(|at| at + 1))?;
    let (body, after) = (&rest[..end], rest[end..].trim_start_matches(';').trim_start());
    let after = after.strip_prefix("done")?;
    let is_name = name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_');
    let items = items(list)?;
    if !is_name || name.is_empty() || items.len() > ROUNDS_MAX {
        return None;
    }
    let longest = items.iter().map(String::len).max()?.max(name.len());
    *room = room.checked_sub(items.len() * (body.len() + longest * body.matches('$').count()))?;
    let rounds = items.iter().map(|item| round(body, name, item)).collect::<Option<Vec<_>>>()?;
    Some(format!("{before}{}{after}", rounds.join("; ")))
}

/// `$(seq 0 2)`, or words. A pattern of files is itself: what is written into each of them is
/// written into all.
fn items(list: &str) -> Option<Vec<String>> {
    if let Some(range) = list.trim().strip_prefix("$(seq ").and_then(|all| all.strip_suffix(')')) {
        let ends: Vec<usize> =
            range.split_whitespace().map(|end| end.parse().ok()).collect::<Option<_>>()?;
        let (first, last) = match ends[..] {
            [last] => (1, last),
            [first, last] => (first, last),
            _ => return None,
        };
        let is_short = last.saturating_sub(first) < ROUNDS_MAX;
        return is_short.then(|| (first..=last).map(|number| number.to_string()).collect());
    }
    (!list.contains(['$', '`'])).then(|| list.split_whitespace().map(str::to_owned).collect())
}

/// One round: `$n`, `${n}` and `$((n % 4))` with the value in their place.
fn round(body: &str, name: &str, item: &str) -> Option<String> {
    let mut round = body.to_owned();
    while let Some(at) = round.find("$((") {
        let end = at + round[at..].find("))")?;
        let (left, right) = round[at + 3..end].split_once('%')?;
        let (number, modulus): (u64, u64) = (item.parse().ok()?, right.trim().parse().ok()?);
        if left.trim().trim_start_matches('$') != name {
            return None;
        }
        round.replace_range(at..end + 2, &number.checked_rem(modulus)?.to_string());
    }
    Some(round.replace(&format!("${{{name}}}"), item).replace(&format!("${name}"), item))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_is_its_rounds_one_after_the_other() {
        let line = "for n in $(seq 0 2); do a --cpu $((n % 2)) ${n} $n & done; wait";
        let rounds = "a --cpu 0 0 0 &; a --cpu 1 1 1 &; a --cpu 0 2 2 &; wait";
        let unrolled = |line| super::unrolled(line, &mut 1_000);
        assert_eq!(unrolled(line).unwrap(), rounds);
        let behind = "echo $$ > a && for n in 1 2; do b $n; done";
        assert_eq!(unrolled(behind).unwrap(), "echo $$ > a && b 1; b 2");
        let files = "for f in /sys/cpu*/runtime; do echo 0 > $f; done";
        assert_eq!(unrolled(files).unwrap(), "echo 0 > /sys/cpu*/runtime");
    }

    #[test]
    fn a_loop_that_is_not_known_stays_as_it_is() {
        for line in [
            "for f in $(ls); do rm $f; done",
            "for n in $(seq 0 9999999999); do a; done",
            "for n in 1 2 3",
            "for all of us in the end; do what you like",
            "for n in $(seq 0 2); do a $((n * 2)); done",
            "for n in $(seq 0 2); do a $((n % 0)); done",
        ] {
            assert_eq!(unrolled(line, &mut 1_000), None, "{line}");
        }
    }

    #[test]
    fn the_loops_of_a_text_become_no_more_than_there_is_room_for() {
        let line = "for n in $(seq 1 10); do hackbench -g $n; done";
        let mut room = 300;
        assert!(unrolled(line, &mut room).is_some_and(|text| text.len() < 300 - room));
        assert_eq!(unrolled(line, &mut room), None);
    }
}
