//! Mutations from a number: flips bytes, drops, doubles and moves parts between inputs, exchanges
//! numbers and words.

/// A stream of random numbers (splitmix64).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Uniform in `0..bound`; 0 if that is empty.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound.max(1) as u64) as usize
    }

    fn pick<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }
}

/// Largest input.
const LEN_MAX: usize = 20_000;

/// Words that take the place of an expected word in a text.
const WORDS: &[&str] = &[
    "0",
    "1",
    "-1",
    "1024",
    "1025",
    "16384",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "9007199254740993",
    "1e308",
    "0.5",
    "null",
    "true",
    "{}",
    "[]",
    "\"\"",
    "\"auto\"",
    "\"0us\"",
    "\"1ns\"",
    "\"24h\"",
    "\"-1us\"",
    "\"99999999999s\"",
    "\"max\"",
    "\"1us-3us\"",
    "\"all\"",
    "\"0-1023\"",
    "\"g/h\"",
    "\"1000 1000\"",
    "\"max 100000\"",
    "//",
    "/*",
    "*/",
    ",",
    ":",
    "{",
    "}",
    "[",
    "]",
    "\\u0000",
    "\\ud800",
    "\u{7f}",
    "~",
    "&",
    "=",
    "%",
    "~00",
    "&k.kernel.version=6.12",
    "&a.machine.cpus=1024",
    "&seed=1",
];

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.-".contains(&byte)
}

/// The range of a random word in `bytes`.
fn word(dice: &mut Dice, bytes: &[u8]) -> std::ops::Range<usize> {
    let at = dice.below(bytes.len());
    let from = bytes[..at].iter().rposition(|byte| !is_word(*byte)).map_or(0, |before| before + 1);
    let to =
        bytes[at..].iter().position(|byte| !is_word(*byte)).map_or(bytes.len(), |after| at + after);
    from..to.max(from)
}

fn part(dice: &mut Dice, bytes: &[u8]) -> std::ops::Range<usize> {
    let from = dice.below(bytes.len() + 1);
    let most = [4, 40, bytes.len()][dice.below(3)];
    from..(from + dice.below(most + 1)).min(bytes.len())
}

fn once(dice: &mut Dice, bytes: &mut Vec<u8>, other: &[u8]) {
    if bytes.is_empty() {
        bytes.extend_from_slice(other);
        return;
    }
    let at = dice.below(bytes.len());
    match dice.below(10) {
        0 => bytes[at] ^= 1 << dice.below(8),
        1 => bytes[at] = *dice.pick(&[0, 1, 0x7f, 0x80, 0xff, b'"', b'9']),
        2 => bytes[at] = bytes[at].wrapping_add([1, 255, 16, 240][dice.below(4)]),
        3 => drop(bytes.drain(part(dice, bytes))),
        4 => {
            let doubled = bytes[part(dice, bytes)].to_vec();
            bytes.splice(at..at, doubled);
        }
        5 => {
            let moved = other[part(dice, other)].to_vec();
            bytes.splice(part(dice, bytes), moved);
        }
        6 | 7 => {
            let from = word(dice, bytes);
            bytes.splice(from, dice.pick(WORDS).bytes());
        }
        8 => {
            let taken =
                if other.is_empty() { Vec::new() } else { other[word(dice, other)].to_vec() };
            let from = word(dice, bytes);
            bytes.splice(from, taken);
        }
        _ => {
            let (one, two) = (word(dice, bytes), word(dice, bytes));
            let taken = bytes[two].to_vec();
            bytes.splice(one, taken);
        }
    }
}

/// Mutation number `seed` of `seeds`, the same each time.
pub fn mutant(seeds: &[Vec<u8>], seed: u64) -> Vec<u8> {
    let dice = &mut Dice::new(seed);
    let mut bytes = dice.pick(seeds).clone();
    let other = dice.pick(seeds).clone();
    for _ in 0..=dice.below(4) {
        once(dice, &mut bytes, &other);
        bytes.truncate(LEN_MAX);
    }
    bytes
}

/// The link with the length and the checksum of its content, if it has the frame of a link. With a
/// wrong length or checksum the reader would refuse nearly every mutated link unread.
pub fn framed(address: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(address);
    let Some((path, fragment)) = text.split_once('#') else { return address.to_vec() };
    let body = fragment.split_once('&').map_or("", |(_, rest)| rest);
    let body = body.rsplit_once("&c=").map_or(body, |(body, _)| body);
    let version = fragment
        .strip_prefix("v=")
        .and_then(|rest| rest.split_once('.'))
        .map_or("1", |(version, _)| version);
    // Digits of the length count too.
    let of = |length: usize| format!("v={version}.{length}&{body}");
    let near = of(0).len() + 10;
    let length = (near..near + 8).find(|length| of(*length).len() + 11 == *length).unwrap_or(near);
    let checked = of(length);
    format!("{path}#{checked}&c={:08x}", crc32fast::hash(checked.as_bytes())).into_bytes()
}
