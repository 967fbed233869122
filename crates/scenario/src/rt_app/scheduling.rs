//! Where and how an rt-app task or phase is scheduled: policy, priority, CPUs.

use schedscope_engine::ids::CpuId;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::Policy;

use super::words::{NOT_YET, POLICIES, policy_names};
use crate::error::{Fault, nearest, one_of};
use crate::reading::json::{Member, Node, Value, join};
use crate::reading::values::{integer, list, text, wrong_kind};
use crate::text::readable as shorten;
use crate::units::parse_cpu_list;

/// The policy that `node` names, with the priority that rt-app gives it.
pub(super) fn named_policy(node: &Node, path: &str) -> Result<Policy, Fault> {
    let name = text(node, path)?;
    if let Some(known) = POLICIES.into_iter().find(|known| known.name() == name) {
        return Ok(known);
    }
    let message = if NOT_YET.contains(&name) {
        format!("{name} is not modelled")
    } else {
        format!("there is no policy \"{}\"", shorten(name))
    };
    let near = nearest(name, policy_names()).filter(|_| !NOT_YET.contains(&name));
    Err(Fault::new(node.at, path, message).expected(one_of(policy_names())).suggest(near))
}

/// The policy of a task or a phase; `otherwise` where it states neither policy nor priority.
pub(super) fn policy(node: &Node, path: &str, otherwise: Policy) -> Result<Policy, Fault> {
    let policy = match node.member("policy") {
        Some(member) => named_policy(&member.value, &join(path, "policy"))?,
        None => otherwise,
    };
    let Some(Member { value, .. }) = node.member("priority") else { return Ok(policy) };
    let path = join(path, "priority");
    match policy {
        Policy::Fair { .. } => {
            let range = "the nice value of SCHED_OTHER, from -20 to 19";
            let nice = integer(value, &path, -20, 19).map_err(|fault| fault.expected(range))?;
            Ok(Policy::Fair { nice: i8::try_from(nice).expect("-20 to 19") })
        }
        Policy::Fifo { .. } => Ok(Policy::Fifo { rt_priority: rt_priority(value, &path, policy)? }),
        Policy::RoundRobin { .. } => {
            Ok(Policy::RoundRobin { rt_priority: rt_priority(value, &path, policy)? })
        }
        Policy::Idle => {
            let message = "SCHED_IDLE has no priority: it weighs the same at every nice value";
            Err(Fault::new(value.at, &path, message).expected("no priority beside this policy"))
        }
    }
}

fn rt_priority(node: &Node, path: &str, policy: Policy) -> Result<u8, Fault> {
    let range = format!("the priority of {}, from 1 to 99", policy.name());
    let priority = integer(node, path, 1, 99).map_err(|fault| fault.expected(range))?;
    Ok(u8::try_from(priority).expect("1 to 99"))
}

/// CPUs a task may run on: `[0, 1]` or `"0-3,8"`; every one must exist.
pub(super) fn cpu_mask(node: &Node, path: &str, cpus: u32) -> Result<CpuMask, Fault> {
    let last = cpus - 1;
    let expected = format!("CPUs from 0 to {last}, as [0, 1] or \"0-3,8\"");
    let mask = match &node.value {
        Value::Array(_) => {
            let mut mask = CpuMask::EMPTY;
            for (index, element) in list(node, path, 1024)?.iter().enumerate() {
                let path = format!("{path}[{index}]");
                let cpu = integer(element, &path, 0, i64::from(u32::MAX))
                    .map_err(|fault| fault.expected(expected.clone()))?;
                match u32::try_from(cpu).ok().filter(|cpu| *cpu <= last) {
                    Some(cpu) => mask.set(CpuId::new(cpu)),
                    None => return Err(no_such_cpu(element, &path, cpu, cpus).expected(expected)),
                }
            }
            mask
        }
        Value::Text(text) => match parse_cpu_list(text) {
            Some(mask) => mask,
            None => {
                return Err(Fault::new(
                    node.at,
                    path,
                    format!("\"{}\" is not a list of CPUs of this machine", shorten(text)),
                )
                .expected(expected));
            }
        },
        _ => return Err(wrong_kind(node, path, &expected)),
    };
    match mask.last() {
        None => Err(Fault::new(node.at, path, "the list of CPUs is empty").expected(expected)),
        Some(highest) if highest.raw() > last => {
            Err(no_such_cpu(node, path, i64::from(highest.raw()), cpus).expected(expected))
        }
        Some(_) => Ok(mask),
    }
}

fn no_such_cpu(node: &Node, path: &str, cpu: i64, cpus: u32) -> Fault {
    Fault::new(node.at, path, format!("there is no CPU {cpu}: the machine has {cpus}"))
}
