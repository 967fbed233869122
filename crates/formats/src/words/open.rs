//! What lines say that only the whole text settles.

use std::collections::BTreeMap;

/// Lines whose meaning depends on others, which may come later.
#[derive(Clone, Debug, Default)]
pub struct Open {
    /// Units of systemd, by the text's order.
    pub units: Vec<Unit>,
    /// Index of the unit that lines without a name belong to.
    pub unit: Option<usize>,
    /// Lines such as `limits.cpu: 500m`: what they are of, and the quantity.
    pub resources: Vec<(String, String)>,
    /// Limits in MHz.
    pub megahertz: Vec<Megahertz>,
    /// MHz of a core, where the text has it.
    pub core: Option<f64>,
    /// Lines `cpu:` are of a node: what it has, no limit.
    pub is_node: bool,
    /// The text has averages, which show no throttling.
    pub has_averages: bool,
    /// `date +%s` prints numbers.
    pub has_epoch: bool,
    /// Settings of the kubelet.
    pub kubelet: Kubelet,
    /// The text has pressure.
    pub has_pressure: bool,
}

/// What the kubelet makes of limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kubelet {
    /// The period of quotas, us, where the text has it.
    pub period_us: Option<u64>,
    /// It sets no quotas.
    pub is_off: bool,
}

/// A unit of systemd.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// `web.service`, where the text says it.
    pub name: Option<String>,
    /// `Service` or `Slice`, where its lines say it.
    pub section: Option<String>,
    /// The last assignment of each setting; an empty one takes back the values before it.
    pub settings: BTreeMap<String, String>,
}

/// A limit that is a share of a core's MHz.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Megahertz {
    /// Index of the group.
    pub group: usize,
    /// The share of a core of `Open::core`.
    pub mhz: f64,
    /// From one refill to the next, us.
    pub period_us: u64,
}
