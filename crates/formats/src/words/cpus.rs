//! Lists of CPUs as the kernel writes them: `0-3,8`, `0-15:2/4`, `4-N`.

/// Most CPUs of a machine here.
pub const CPUS_MAX: u32 = 1_024;

/// A list of CPUs, some of whose ends may be `N`, the machine's last CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuList {
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    first: Cpu,
    last: Cpu,
    /// So many of each `group` are meant.
    used: u32,
    group: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cpu {
    Number(u32),
    Last,
}

impl CpuList {
    /// Reads `text`; none where it is no list, or names a CPU that no machine here has.
    pub fn read(text: &str) -> Option<Self> {
        if text == "all" {
            let whole = Part { first: Cpu::Number(0), last: Cpu::Last, used: 1, group: 1 };
            return Some(Self { parts: vec![whole] });
        }
        let parts = text.split(',').take(2 * CPUS_MAX as usize + 1).map(part);
        let parts: Vec<Part> = parts.collect::<Option<_>>()?;
        (parts.len() <= 2 * CPUS_MAX as usize).then_some(Self { parts })
    }

    /// CPUs that a machine has at least that has these.
    pub fn least_cpus(&self) -> u32 {
        let number = |cpu: Cpu| if let Cpu::Number(cpu) = cpu { cpu + 1 } else { 0 };
        self.parts.iter().map(|part| number(part.first).max(number(part.last))).max().unwrap_or(0)
    }

    /// Whether it depends on the number of the machine's CPUs.
    pub fn has_last(&self) -> bool {
        self.parts.iter().any(|part| [part.first, part.last].contains(&Cpu::Last))
    }

    /// The CPUs of it on a machine of `cpus`, each once, in order.
    pub fn on(&self, cpus: u32) -> Vec<u32> {
        let number = |cpu: Cpu| match cpu {
            Cpu::Number(cpu) => cpu,
            Cpu::Last => cpus.saturating_sub(1),
        };
        let mut all: Vec<u32> = self
            .parts
            .iter()
            .flat_map(|part| {
                let (first, last) = (number(part.first), number(part.last));
                (first..=last).filter(move |cpu| (cpu - first) % part.group < part.used)
            })
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

fn part(text: &str) -> Option<Part> {
    let (range, stride) =
        text.split_once(':').map_or((text, None), |(range, of)| (range, Some(of)));
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let (first, last) = (cpu(first)?, cpu(last)?);
    let (used, group) = match stride {
        None => (1, 1),
        Some(of) => {
            // taskset has the group alone: `0-6:2`.
            let (used, group) = of.split_once('/').unwrap_or(("1", of));
            (number(used)?, number(group)?)
        }
    };
    let is_in_order = match (first, last) {
        (Cpu::Number(first), Cpu::Number(last)) => first <= last,
        (Cpu::Last, Cpu::Number(_)) => false,
        _ => true,
    };
    (is_in_order && used >= 1 && used <= group).then_some(Part { first, last, used, group })
}

fn cpu(text: &str) -> Option<Cpu> {
    if text == "N" { Some(Cpu::Last) } else { number(text).map(Cpu::Number) }
}

fn number(text: &str) -> Option<u32> {
    let digits = (1..=4).contains(&text.len()) && text.bytes().all(|sign| sign.is_ascii_digit());
    text.parse().ok().filter(|number| digits && *number < CPUS_MAX)
}

/// `0-3,8`, as the kernel prints it.
pub fn written(cpus: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for cpu in cpus {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *cpu => *last = *cpu,
            _ => ranges.push((*cpu, *cpu)),
        }
    }
    let words = ranges.iter().map(|(first, last)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    });
    words.collect::<Vec<_>>().join(",")
}
