//! The rows of the table of kernels (`kernel/config/table.rs`) for a random machine: their values,
//! drawn and listed. Every row has dice of its own, so a new row needs no code here and changes no
//! draw of another.

use std::convert::Infallible;

use schedscope_engine::kernel::config::{Beside, Kernel, Reader, Row, Version};
use schedscope_engine::named::Named;

use super::random::Dice;

/// The rows of cases that once failed, with their values at that time: these cases must find their
/// faults again. A row that is not in the list has the version's value; everything else comes from
/// the seed.
const ONCE_BROKEN: &[(u64, &str)] = &[
    (
        100_147,
        "spinlock=qspinlock rt_balance=ipi_4_16_skip1 cpupri=v102 ttwu_queue=cross_llc \
            ttwu_on_cpu=any_rule ipi_polling_elide=resched_and_callfunc ksoftirqd_defers=true \
            hrtimer_hang_guard=true fair=cfs base_slice=750000 delay_dequeue=true \
            load_balance=true llc_balancing=false \
            ni_random=false overload_def=count_gt1 rto_scope=cpuset \
            lowest_pick=domain_distribute push_running=false rt_throttle=950_1000_noshare \
            nohz_ilb=needs_update idle_stop=governor_retain",
    ),
    (
        112_348,
        "spinlock=qspinlock rt_balance=active_2007_first cpupri=v102 \
            ttwu_queue=cross_llc_or_idle ttwu_on_cpu=old_lock \
            ipi_polling_elide=resched_and_callfunc ksoftirqd_defers=true hrtimer_hang_guard=true \
            fair=eevdf base_slice=750000 delay_dequeue=true load_balance=true llc_balancing=false \
            ni_random=true \
            overload_def=pushable_nonempty rto_scope=root_domain lowest_pick=domain_first \
            push_running=false rt_throttle=950_1000_noshare nohz_ilb=early_out \
            idle_stop=governor_retain",
    ),
    (
        7_002_837,
        "spinlock=ticket rt_balance=active_2007_first cpupri=v102 ttwu_queue=cross_llc \
            ttwu_on_cpu=any_rule ipi_polling_elide=off ksoftirqd_defers=true \
            hrtimer_hang_guard=true fair=cfs base_slice=700000 delay_dequeue=true \
            load_balance=true llc_balancing=false \
            ni_random=false overload_def=count_gt1 rto_scope=root_domain \
            lowest_pick=domain_distribute push_running=false rt_throttle=dl_server_6_12 \
            nohz_ilb=rfc_2023_10 idle_stop=always",
    ),
    (
        7_303_621,
        "spinlock=qspinlock rt_balance=passive_2624 cpupri=v101 ttwu_queue=cross_llc \
            ttwu_on_cpu=spin ipi_polling_elide=off ksoftirqd_defers=false \
            hrtimer_hang_guard=true fair=cfs base_slice=700000 delay_dequeue=false \
            load_balance=false llc_balancing=false \
            ni_random=false overload_def=count_gt1 rto_scope=cpuset \
            lowest_pick=first_scan push_running=false rt_throttle=dl_server_6_12 \
            nohz_ilb=v2_2023_10_20 idle_stop=governor_retain",
    ),
    (
        1_000_723,
        "spinlock=ticket rt_balance=passive_2624 cpupri=off ttwu_queue=all_remote \
            ttwu_on_cpu=spin ipi_polling_elide=resched_only ksoftirqd_defers=false \
            hrtimer_hang_guard=false fair=cfs base_slice=750000 delay_dequeue=false \
            load_balance=false llc_balancing=false \
            ni_random=false overload_def=migratory rto_scope=cpuset \
            lowest_pick=domain_first push_running=true rt_throttle=950_1000_share \
            nohz_ilb=newidle_next idle_stop=always",
    ),
    (
        1_012_181,
        "spinlock=ticket rt_balance=ipi_4_16_skip1 cpupri=v101 ttwu_queue=all_remote \
            ttwu_on_cpu=spin ipi_polling_elide=resched_only ksoftirqd_defers=false \
            hrtimer_hang_guard=false fair=cfs base_slice=700000 delay_dequeue=false \
            load_balance=true llc_balancing=false \
            ni_random=false overload_def=count_gt1 rto_scope=cpuset \
            lowest_pick=domain_first push_running=false rt_throttle=950_1000_share \
            nohz_ilb=early_out idle_stop=after_one_idle_tick",
    ),
    (
        1_033_543,
        "spinlock=qspinlock rt_balance=ipi_2026_noself cpupri=off ttwu_queue=cross_llc \
            ttwu_on_cpu=any_rule ipi_polling_elide=resched_only ksoftirqd_defers=false \
            hrtimer_hang_guard=true fair=eevdf base_slice=750000 delay_dequeue=false \
            load_balance=true llc_balancing=false \
            ni_random=true overload_def=count_gt1 rto_scope=root_domain \
            lowest_pick=domain_first push_running=true rt_throttle=950_1000_noshare \
            nohz_ilb=rfc_2023_10 idle_stop=after_one_idle_tick",
    ),
];

/// Cases that once failed: a pushable task gone while its CPU waited to push it (lock never
/// released); 700 ms of softirqs every 23 us, taken for a run without end; a push of 2007 behind
/// each switch that asks for RT tasks while the fair server serves; per-task throttling under lazy
/// preemption; a limit of RT time taken away in the midst of a walk over throttled CPUs; expiry by
/// time with periods shorter than a tick.
pub fn once_broken() -> impl Iterator<Item = u64> {
    ONCE_BROKEN.iter().map(|(seed, _)| *seed)
}

/// Draws every row of `kernel`.
pub fn draw(seed: u64, kernel: &mut Kernel) {
    let Ok(_) = match ONCE_BROKEN.iter().find(|(broken, _)| *broken == seed) {
        Some((_, stated)) => kernel.read(&mut Stated { stated, version: kernel.version() }),
        None => kernel.read(&mut Drawn { seed }),
    };
}

/// `kernel`, its answer to one rule turned round.
pub fn with_other_answer(kernel: &Kernel, rule: &str) -> Kernel {
    let mut other = kernel.clone();
    let Ok(()) = other.read_rules(&mut Turned { kernel, rule });
    other
}

struct Turned<'k> {
    kernel: &'k Kernel,
    rule: &'k str,
}

impl Reader for Turned<'_> {
    type Fault = Infallible;

    fn named<T: Named>(&mut self, row: &Row<T>, _: Beside<T>) -> Result<T, Infallible> {
        unreachable!("{} is no rule", row.name)
    }

    fn flag(&mut self, row: &Row<bool>, _: Beside<bool>) -> Result<bool, Infallible> {
        let mut answers = self.kernel.answers().filter(|(rule, _)| rule.name == row.name);
        let (_, answer) = answers.next().expect("a rule that can be stated");
        Ok(answer ^ (row.name == self.rule))
    }

    fn time(&mut self, row: &Row<u32>, _: Beside<u32>) -> Result<u32, Infallible> {
        unreachable!("{} is no rule", row.name)
    }
}

struct Drawn {
    seed: u64,
}

impl Drawn {
    /// FNV-1a of the row's name beside the seed.
    fn dice(&self, name: &str) -> Dice {
        let step = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        Dice::new(self.seed.rotate_left(34) ^ name.bytes().fold(0xcbf2_9ce4_8422_2325, step))
    }
}

impl Reader for Drawn {
    type Fault = Infallible;

    fn named<T: Named>(&mut self, row: &Row<T>, _: Beside<T>) -> Result<T, Infallible> {
        Ok(self.dice(row.name).pick(T::ALL))
    }

    fn flag(&mut self, row: &Row<bool>, _: Beside<bool>) -> Result<bool, Infallible> {
        Ok(self.dice(row.name).chance(50))
    }

    fn time(&mut self, row: &Row<u32>, _: Beside<u32>) -> Result<u32, Infallible> {
        Ok(self.dice(row.name).pick(row.values))
    }
}

struct Stated {
    stated: &'static str,
    version: Version,
}

impl Stated {
    fn word(&self, name: &str) -> Option<&'static str> {
        let name = name.to_lowercase();
        let mut words = self.stated.split_whitespace().filter_map(|word| word.split_once('='));
        words.find(|(row, _)| *row == name).map(|(_, value)| value)
    }
}

impl Reader for Stated {
    type Fault = Infallible;

    fn named<T: Named>(&mut self, row: &Row<T>, _: Beside<T>) -> Result<T, Infallible> {
        let stated = self.word(row.name).map(|word| T::parse(word).expect("a value's name"));
        Ok(stated.unwrap_or(row.value(self.version)))
    }

    fn flag(&mut self, row: &Row<bool>, _: Beside<bool>) -> Result<bool, Infallible> {
        Ok(self.word(row.name).map_or(row.value(self.version), |word| word == "true"))
    }

    fn time(&mut self, row: &Row<u32>, _: Beside<u32>) -> Result<u32, Infallible> {
        let stated = self.word(row.name).map(|word| word.parse().expect("nanoseconds"));
        Ok(stated.unwrap_or(row.value(self.version)))
    }
}

/// Every value of every row: `kernel.fair` and `cfs`; of rules, `kernel.has_buddies` and `on`.
pub fn values() -> Vec<(String, String)> {
    let mut list = List::default();
    let Ok(_) = Kernel::of_version(Version::LADDER[0], 1).read(&mut list);
    list.0
}

/// The value of `kernel` in each row. Flags are "on" and "off", like everywhere in the count of
/// values that a swarm has reached.
pub fn of(kernel: &Kernel) -> Vec<(String, String)> {
    let fields = serde_json::to_value(kernel).expect("a kernel is names, numbers and flags");
    let mut rows: Vec<String> = values().into_iter().map(|(path, _)| path).collect();
    rows.dedup();
    let of_row = |path: String| {
        let name = &path["kernel.".len()..];
        if let Some((_, answer)) = kernel.answers().find(|(rule, _)| rule.name == name) {
            return Some((path, if answer { "on" } else { "off" }.to_owned()));
        }
        // A time's field also says its unit.
        let field = fields.get(name).or_else(|| fields.get(format!("{name}_ns")))?;
        let value = match field {
            serde_json::Value::Bool(flag) => if *flag { "on" } else { "off" }.to_owned(),
            serde_json::Value::String(name) => name.clone(),
            other => other.to_string(),
        };
        Some((path, value))
    };
    rows.into_iter().filter_map(of_row).collect()
}

#[derive(Default)]
struct List(Vec<(String, String)>);

impl List {
    fn add(&mut self, name: &str, values: impl IntoIterator<Item = String>) {
        // Other rows resolve that row's bit; the kernel has only the result.
        if name != "RT_PUSH_IPI" {
            let path = format!("kernel.{}", name.to_lowercase());
            self.0.extend(values.into_iter().map(|value| (path.clone(), value)));
        }
    }
}

impl Reader for List {
    type Fault = Infallible;

    fn named<T: Named>(&mut self, row: &Row<T>, _: Beside<T>) -> Result<T, Infallible> {
        self.add(row.name, T::ALL.iter().map(|value| value.name().to_owned()));
        Ok(row.values[0])
    }

    fn flag(&mut self, row: &Row<bool>, _: Beside<bool>) -> Result<bool, Infallible> {
        self.add(row.name, ["on", "off"].map(str::to_owned));
        Ok(row.values[0])
    }

    fn time(&mut self, row: &Row<u32>, _: Beside<u32>) -> Result<u32, Infallible> {
        let values: std::collections::BTreeSet<u32> = row.values.iter().copied().collect();
        self.add(row.name, values.iter().map(u32::to_string));
        Ok(row.values[0])
    }
}
