//! Where and how an rt-app task or phase is scheduled: policy, priority, CPUs.

use schedscope_engine::ids::CpuId;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::Policy;

use super::words::{DEFAULT_RT_PRIORITY, Global, NOT_YET, POLICIES};
use crate::error::{Fault, nearest, one_of};
use crate::reading::json::{Node, Value, join};
use crate::reading::values::{integer, list, text, wrong_kind};
use crate::text::readable as shorten;
use crate::units::parse_cpu_list;

pub(super) fn policy_name(node: &Node, path: &str) -> Result<&'static str, Fault> {
    let name = text(node, path)?;
    if let Some(known) = POLICIES.iter().find(|known| **known == name) {
        return Ok(known);
    }
    let message = if NOT_YET.contains(&name) {
        format!("{name} is not modelled")
    } else {
        format!("there is no policy \"{}\"", shorten(name))
    };
    let near = nearest(name, POLICIES.iter().copied()).filter(|_| !NOT_YET.contains(&name));
    Err(Fault::new(node.at, path, message).expected(one_of(POLICIES)).suggest(near))
}

pub(super) fn policy(node: &Node, path: &str, global: Global) -> Result<Policy, Fault> {
    let stated = node
        .member("policy")
        .map(|member| policy_name(&member.value, &join(path, "policy")))
        .transpose()?;
    let name = stated.or(global.policy).unwrap_or("SCHED_OTHER");
    let path = join(path, "priority");
    let priority = node.member("priority").map(|member| &member.value);
    if name == "SCHED_OTHER" {
        let range = "the nice value of SCHED_OTHER, from -20 to 19";
        let nice = priority.map_or(Ok(0), |priority| {
            integer(priority, &path, -20, 19).map_err(|fault| fault.expected(range))
        })?;
        return Ok(Policy::Fair { nice: i8::try_from(nice).expect("-20 to 19") });
    }
    if name == "SCHED_IDLE" {
        let refused = |priority: &Node| {
            Fault::new(
                priority.at,
                &path,
                "SCHED_IDLE has no priority: it weighs the same at every nice value",
            )
        };
        return priority.map_or(Ok(Policy::Idle), |priority| {
            Err(refused(priority).expected("no priority beside this policy"))
        });
    }
    let range = format!("the priority of {name}, from 1 to 99");
    let priority = priority.map_or(Ok(DEFAULT_RT_PRIORITY), |priority| {
        integer(priority, &path, 1, 99).map_err(|fault| fault.expected(range))
    })?;
    let rt_priority = u8::try_from(priority).expect("1 to 99");
    Ok(if name == "SCHED_FIFO" {
        Policy::Fifo { rt_priority }
    } else {
        Policy::RoundRobin { rt_priority }
    })
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
