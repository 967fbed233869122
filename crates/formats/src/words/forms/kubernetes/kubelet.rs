//! What the kubelet makes of limits: cpuCFSQuotaPeriod and cpuCFSQuota of its file, and the flags
//! of the same meaning.

use serde_json::Value;

use crate::words::amounts::{self, quoted};
use crate::words::case::{Case, Note};
use crate::words::limit::{LEAST_US, PERIOD_US};
use crate::words::open::Kubelet;
use crate::words::quantity;

/// What is assumed of the period where the text has no setting of the kubelet.
pub(super) const PERIOD: &str =
    "The period is the kubelet's default, 100 ms; cpuCFSQuotaPeriod may change it.";

/// A file of the kind KubeletConfiguration, or its keys.
pub(super) fn file(value: &Value, case: &mut Case) -> Option<Note> {
    let object = value.as_object()?;
    let is_file = object.get("kind").is_some_and(|kind| kind == "KubeletConfiguration");
    let period = object.get("cpuCFSQuotaPeriod").and_then(Value::as_str);
    let quota = object.get("cpuCFSQuota").and_then(Value::as_bool);
    if !is_file && period.is_none() && quota.is_none() {
        return None;
    }
    Some(set(period, quota, case))
}

/// `--cpu-cfs-quota-period=10ms --cpu-cfs-quota=false`.
pub(super) fn flags(text: &str, case: &mut Case) -> Option<Note> {
    let value = |name: &str| {
        text.split([' ', '"', '\'', ','])
            .find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
    };
    let period = value("--cpu-cfs-quota-period").or_else(|| {
        text.strip_prefix("cpuCFSQuotaPeriod:").map(|rest| rest.trim().trim_matches(['"', '\'']))
    });
    let quota = value("--cpu-cfs-quota")
        .map(|word| word == "true")
        .or_else(|| text.strip_prefix("cpuCFSQuota:").map(|rest| rest.trim() == "true"));
    (period.is_some() || quota.is_some()).then(|| set(period, quota, case))
}

fn set(period: Option<&str>, quota: Option<bool>, case: &mut Case) -> Note {
    let Kubelet { period_us, is_off } = &mut case.open.kubelet;
    *is_off = quota.map_or(*is_off, |quota| !quota);
    let us = period.map(|text| (text, quantity::time_us(text, "")));
    match us {
        Some((_, Some(us))) if (1e3..=1e6).contains(&us) => *period_us = Some(us.round() as u64),
        Some((text, _)) => {
            let words = quoted(text);
            case.doubt(format!("cpuCFSQuotaPeriod is {words}; expected 1ms to 1s, such as 10ms."));
            return Note::left_out("a period that the kubelet does not take");
        }
        None => {}
    }
    let said = match (case.open.kubelet.is_off, case.open.kubelet.period_us) {
        (true, _) => "the kubelet sets no quotas".to_owned(),
        (_, Some(us)) => format!("the period of quotas is {}", amounts::time(us as f64)),
        _ => return Note::left_out("the kubelet's settings of quotas are its defaults here"),
    };
    Note::used(said)
}

/// Gives limits of Kubernetes the period that the kubelet has.
pub(super) fn settled(case: &mut Case) {
    let Kubelet { period_us, is_off } = case.open.kubelet;
    if period_us.is_none() && !is_off {
        return;
    }
    for group in &mut case.groups.all {
        let Some(at) = group.assumed.iter().position(|words| words == PERIOD) else { continue };
        group.assumed.remove(at);
        if is_off {
            group.quota_us = Some(None);
            group.remark("With cpuCFSQuota: false the kubelet sets no quota, whatever limits say.");
        } else if let Some((us, quota)) = period_us.zip(group.quota_us.flatten()) {
            group.quota_us = Some(Some((quota * us / PERIOD_US).max(LEAST_US)));
            group.period_us = Some(us);
        }
    }
}
