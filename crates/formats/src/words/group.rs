//! Groups that a text speaks of: who they are, what they may use, what they counted.

use super::counters::Counters;
use super::cpus::{CPUS_MAX, CpuList};
use super::limit::{Limit, PERIOD_US};

/// A group of tasks: a container, a Pod, a unit, a cgroup by its path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// How the text calls it; none where it does not.
    pub name: Option<String>,
    /// What the text is about: `container`, `Pod`, `unit`; empty: a group.
    pub kind: &'static str,
    /// The quota: `Some(None)` is no limit (`max`, -1, 0 of docker), `None` not stated.
    pub quota_us: Option<Option<u64>>,
    /// The period; none where the text states none.
    pub period_us: Option<u64>,
    /// cpu.max.burst.
    pub burst_us: Option<u64>,
    /// cpu.weight of cgroup v2.
    pub weight: Option<u64>,
    /// CPUs that it may use, as the text lists them.
    pub cpus: Option<String>,
    /// Index of the group that it is inside of, where the text has that too.
    pub inside: Option<usize>,
    /// The counters at instants, in the text's order.
    pub counters: Vec<Counters>,
    /// What is known beside the limit, a sentence each.
    pub remarks: Vec<String>,
    /// What is assumed of it, a sentence each.
    pub assumed: Vec<String>,
    /// What is wrong with the limit as written, a sentence: the object would be refused.
    pub wrong: Option<String>,
}

impl Group {
    /// A group with a limit.
    pub fn limited(kind: &'static str, name: Option<String>, limit: Limit) -> Self {
        Self {
            name,
            kind,
            quota_us: Some(Some(limit.quota_us)),
            period_us: Some(limit.period_us),
            burst_us: (limit.burst_us > 0).then_some(limit.burst_us),
            ..Self::default()
        }
    }

    /// A group whose text says that it has no limit.
    pub fn unlimited(kind: &'static str, name: Option<String>) -> Self {
        Self { name, kind, quota_us: Some(None), ..Self::default() }
    }

    /// The limit, if the text states one.
    pub fn limit(&self) -> Option<Limit> {
        Some(Limit {
            quota_us: self.quota_us??,
            period_us: self.period_us.unwrap_or(PERIOD_US),
            burst_us: self.burst_us.unwrap_or(0),
        })
    }

    /// What is known beside the limit; once.
    pub fn remark(&mut self, words: impl Into<String>) {
        let words = words.into();
        if !self.remarks.contains(&words) {
            self.remarks.push(words);
        }
    }

    /// What is assumed of it; once.
    pub fn assume(&mut self, words: impl Into<String>) {
        let words = words.into();
        if !self.assumed.contains(&words) {
            self.assumed.push(words);
        }
    }

    /// A list of CPUs that it may use.
    pub fn on_cpus(&mut self, list: &str) {
        let list = list.trim();
        if list.is_empty() {
            return;
        }
        let words = super::amounts::quoted(list);
        if CpuList::read(list).is_none() {
            return self.remark(format!("{words} is no list of CPUs."));
        }
        self.cpus = Some(list.to_owned());
        self.remark(format!(
            "The {} may run on the CPUs {words} only: the scenario's machine has no others.",
            self.who()
        ));
    }

    /// The CPUs that it may use by their number: the scenario's machine has so many.
    pub fn on_so_many(&mut self, count: &str) {
        let count = count.trim().parse().ok().filter(|count| (1..=CPUS_MAX).contains(count));
        self.cpus = count.map(|count: u32| format!("0-{}", count - 1)).or(self.cpus.take());
    }

    /// Whether nothing is known but its name and what it counted.
    fn is_bare(&self) -> bool {
        self.quota_us.is_none() && self.weight.is_none() && self.wrong.is_none()
    }

    /// `container “web”`, `group`.
    pub fn who(&self) -> String {
        let kind = if self.kind.is_empty() { "group" } else { self.kind }.replace('-', " ");
        // Groups differ in the end of a long path.
        const LONG: usize = 40;
        match &self.name {
            Some(name) if name.chars().count() > LONG && name.contains('/') => {
                let last = name.rsplit('/').next().unwrap_or_default();
                format!("{kind} {}", super::amounts::quoted(last))
            }
            Some(name) => format!("{kind} {}", super::amounts::quoted(name)),
            None => kind,
        }
    }
}

/// The groups of a text. Lines without a name speak of the one whose name was last above them.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// In the text's order.
    pub all: Vec<Group>,
    /// The group that lines without a name belong to.
    at: Option<usize>,
}

impl Groups {
    /// Adds a group of its own; its index.
    pub fn add(&mut self, group: Group) -> usize {
        self.all.push(group);
        self.all.len() - 1
    }

    /// Adds what a text states of a group as a whole; its index. One of this name that has counters
    /// alone is that group, and a second text that says the same adds none.
    pub fn put(&mut self, group: Group) -> usize {
        let name = group.name.clone();
        let same = |other: &Group| {
            name.is_some()
                && other.name == name
                && (other.is_bare()
                    || other.kind == group.kind
                        && other.quota_us == group.quota_us
                        && other.period_us == group.period_us
                        && other.weight == group.weight
                        && other.inside.is_none() == group.inside.is_none())
        };
        let Some(index) = self.all.iter().position(same) else { return self.add(group) };
        let counters = std::mem::take(&mut self.all[index].counters);
        self.all[index] = Group { counters, ..group };
        index
    }

    /// Takes over what a later command sets of a group; what it does not name stays.
    pub fn change(&mut self, group: Group) {
        let is_same = |other: &&mut Group| group.name.is_some() && other.name == group.name;
        let Some(known) = self.all.iter_mut().find(is_same) else {
            self.put(group);
            return;
        };
        if group.quota_us.is_some() {
            (known.quota_us, known.period_us) = (group.quota_us, group.period_us);
        }
        known.weight = group.weight.or(known.weight);
        known.cpus = group.cpus.or(known.cpus.take());
        known.wrong = group.wrong.or(known.wrong.take());
        group.remarks.into_iter().for_each(|words| known.remark(words));
        if known.kind.is_empty() {
            known.kind = group.kind;
        }
    }

    /// The group of this name; a new one where the text has had none.
    pub fn named(&mut self, name: &str) -> &mut Group {
        let known = self.all.iter().position(|group| group.name.as_deref() == Some(name));
        let index = known
            .unwrap_or_else(|| self.add(Group { name: Some(name.to_owned()), ..Group::default() }));
        &mut self.all[index]
    }

    /// Lines without a name belong to this group from here on; none: to the text's own.
    pub fn turn_to(&mut self, name: Option<&str>) {
        self.at = name.map(|name| {
            self.named(name);
            self.all.iter().position(|group| group.name.as_deref() == Some(name)).unwrap_or(0)
        });
    }

    /// Puts groups that are called by their paths inside the closest one above them that has a
    /// limit.
    pub(super) fn nest(&mut self) {
        let limited: Vec<(usize, String)> = (0..self.all.len())
            .filter(|at| self.all[*at].limit().is_some() && self.all[*at].kind.is_empty())
            .filter_map(|at| Some((at, format!("{}/", self.all[at].name.as_deref()?))))
            .collect();
        for at in 0..self.all.len() {
            let group = &self.all[at];
            let Some(name) = group.name.as_deref().filter(|_| group.inside.is_none()) else {
                continue;
            };
            let above = limited.iter().filter(|(_, folder)| name.starts_with(folder.as_str()));
            let closest = above.max_by_key(|(_, folder)| folder.len());
            self.all[at].inside = closest.map(|(index, _)| *index);
        }
    }

    /// The name that lines without one have from the last one above them.
    pub fn turned_to(&self) -> Option<&str> {
        self.all[self.at?].name.as_deref()
    }

    /// The group that a line without a name speaks of.
    pub fn current(&mut self) -> &mut Group {
        let index = self.at.unwrap_or_else(|| {
            let bare =
                self.all.iter().position(|group| group.name.is_none() && group.kind.is_empty());
            bare.unwrap_or_else(|| self.add(Group::default()))
        });
        &mut self.all[index]
    }
}
