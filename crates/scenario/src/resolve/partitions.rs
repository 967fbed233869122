//! `machine.partitions`: exclusive cpuset partitions, which are root domains, and which of them a
//! task lives in.

use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::TaskSpec;

use crate::error::Fault;
use crate::resolve::resolver::Resolver;
use crate::text::readable as shorten;
use crate::units::{cpu_list_text, parse_cpu_list};

const PATH: &str = "machine.partitions";

/// The partitions of a machine with `cpus` CPUs, the default one first; none for `auto`.
pub(crate) fn resolve(resolver: &mut Resolver<'_>, cpus: u32) -> Result<Vec<CpuMask>, Fault> {
    let stated = resolver.word(PATH)?;
    if stated.value == "auto" {
        return Ok(Vec::new());
    }
    let fault = |message: String| {
        Fault::new(stated.at, PATH, message)
            .expected("\"auto\" or CPU lists separated by ;, such as \"0-3;4-7\"")
            .decided_with(["machine.cpus"])
    };
    let all = CpuMask::first(cpus);
    let (mut domains, mut taken) = (Vec::new(), CpuMask::EMPTY);
    for text in stated.value.split(';') {
        let list = parse_cpu_list(text)
            .ok_or_else(|| fault(format!("\"{}\" is not a list of CPUs", shorten(text))))?;
        if list.and(&all) != list {
            return Err(fault(format!(
                "{} names CPUs the machine does not have: it has {cpus}",
                cpu_list_text(&list)
            )));
        }
        let twice = list.and(&taken);
        if !twice.is_empty() {
            let are = if twice.iter().count() == 1 { ("CPU", "is") } else { ("CPUs", "are") };
            return Err(fault(format!(
                "{} {} {} in two partitions",
                are.0,
                cpu_list_text(&twice),
                are.1
            )));
        }
        list.iter().for_each(|cpu| taken.set(cpu));
        domains.push(list);
    }
    let lists: Vec<String> = domains.iter().map(cpu_list_text).collect();
    resolver.resolved_to(PATH, lists.join(";"), None);
    let left: CpuMask = all.iter().filter(|cpu| !taken.has(*cpu)).collect();
    if !left.is_empty() {
        domains.insert(0, left);
    }
    Ok(domains)
}

/// Puts every task into one partition. One that may run anywhere lives in the first, the default
/// one; one whose CPUs lie in several is refused, since a cpuset has no such task.
pub(crate) fn settle(tasks: &mut [TaskSpec], domains: &[CpuMask], cpus: u32) -> Result<(), Fault> {
    let Some(first) = domains.first() else { return Ok(()) };
    let all = CpuMask::first(cpus);
    for task in tasks {
        if domains.iter().any(|domain| domain.and(&task.cpus) == task.cpus) {
            continue;
        }
        if task.cpus != all {
            let message = format!(
                "{} may run on CPUs {}, which lie in several partitions",
                task.name,
                cpu_list_text(&task.cpus)
            );
            let tasks =
                [format!("workload.tasks.{}.cpus", task.kind), format!("workload.{}", task.kind)];
            return Err(Fault::new(None, PATH, message)
                .expected("tasks that live in one partition each")
                .decided_with(tasks));
        }
        task.cpus = *first;
    }
    Ok(())
}
