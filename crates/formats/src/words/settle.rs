//! Which group of a text the scenario is about, what its figures say, and what is missing.

use super::amounts;
use super::case::Case;
use super::counters::Happened;
use super::group::Group;
use super::kernel;
use super::limit::Limit;

mod clock;

/// The group that the scenario is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The index among the case's groups.
    pub group: usize,
    /// The limit.
    pub limit: Limit,
    /// What it counted, where that can be.
    pub happened: Option<Happened>,
    /// The limit of the group around it.
    pub outer: Option<Limit>,
    /// Whether its kernel has cpu.max.burst.
    pub has_burst: bool,
}

/// Chooses the group, and says what its figures say; none where no group has a limit.
pub fn settle(case: &mut Case) -> Option<Chosen> {
    kernel::settle(case);
    beyond(case);
    refuse(case);
    case.groups.nest();
    let counted = counted(case);
    let index = match counted {
        Some(from) => owner(case, from),
        None => first_limited(case),
    };
    beside(case, index, counted);
    let index = index?;
    let group = &case.groups.all[index];
    let limit = group.limit()?;
    let outer = group.inside.and_then(|at| case.groups.all[at].limit());
    let cpus = cpus_of_group(case, index);
    case.says.push(format!("The {} may use {}.", group.who(), limit.words()));
    let happened = counted.and_then(|from| said(case, from, &limit, cpus));
    let happened =
        happened.filter(|_| counted.is_none_or(|from| clock::holds(case, from, &limit, cpus)));
    if happened.is_none() {
        case.says.extend(limit.follows(cpus));
    }
    let has_burst = kernel::has_burst(kernel::stated(case));
    Some(Chosen { group: index, limit, happened, outer, has_burst })
}

/// A list with a CPU that the machine of the text does not have.
fn beyond(case: &mut Case) {
    let (Some(cpus), least) = (case.cpus, case.cpus_at_least) else { return };
    if cpus < least {
        case.doubts.push(format!(
            "The text counts {cpus} CPUs, and a list of it has CPU {}. nproc leaves out CPUs that \
             it may not run on, such as those of isolcpus=; lscpu counts all.",
            least - 1
        ));
    }
}

/// What is known and assumed beside the limit: of the group that is chosen, of those around it and
/// directly in it, and of the one with the counters; of all groups where none is chosen.
fn beside(case: &mut Case, index: Option<usize>, counted: Option<usize>) {
    let mut about: Vec<usize> = match index {
        None => (0..case.groups.all.len()).collect(),
        Some(_) => counted.filter(|from| index != Some(*from)).into_iter().collect(),
    };
    let mut next = index;
    while let Some(at) = next.filter(|at| !about.contains(at)) {
        about.push(at);
        next = case.groups.all[at].inside;
    }
    // A task's containers share what it has.
    if index.is_some() {
        about.extend(indices(case, |group| group.inside == index));
    }
    about.sort_unstable();
    about.dedup();
    for at in about {
        let Group { remarks, assumed, .. } = case.groups.all[at].clone();
        remarks.into_iter().for_each(|words| case.say(words));
        assumed.into_iter().for_each(|words| case.assume(words));
    }
}

/// Limits that a kernel would refuse do not count.
fn refuse(case: &mut Case) {
    let mut doubts = Vec::new();
    for group in &mut case.groups.all {
        let wrong = group.wrong.take().or_else(|| {
            let why = group.limit()?.wrong()?;
            Some(format!("The limit of the {} cannot be: {why}.", group.who()))
        });
        if let Some(wrong) = wrong {
            doubts.push(wrong);
            group.quota_us = None;
        }
    }
    case.doubts.append(&mut doubts);
}

/// The group whose counters are looked at: the first that has some.
fn counted(case: &mut Case) -> Option<usize> {
    let with: Vec<usize> = indices(case, |group| {
        group.counters.iter().any(|at| at.periods.is_some() || at.throttled_us.is_some())
    });
    let first = *with.first()?;
    if with.len() > 1 {
        let most = |at: &usize| {
            let happened = Happened::of(&case.groups.all[*at].counters).ok();
            happened.map_or(0.0, |happened| happened.throttled_us.unwrap_or(happened.throttled))
        };
        let worst = with.iter().copied().max_by(|one, two| most(one).total_cmp(&most(two)))?;
        let others: Vec<String> =
            with.iter().filter(|at| **at != worst).map(|at| case.groups.all[*at].who()).collect();
        case.assumed.push(format!(
            "The {} is looked at, which was throttled longest; the text counts the {} too.",
            case.groups.all[worst].who(),
            amounts::listed(&others)
        ));
        return Some(worst);
    }
    Some(first)
}

fn indices(case: &Case, is: impl Fn(&Group) -> bool) -> Vec<usize> {
    (0..case.groups.all.len()).filter(|at| is(&case.groups.all[*at])).collect()
}

/// The group with a limit whose counters those of `from` are.
fn owner(case: &mut Case, from: usize) -> Option<usize> {
    if case.groups.all[from].quota_us.is_some() {
        if case.groups.all[from].limit().is_none() {
            case.says.push(format!("The {} has no limit.", case.groups.all[from].who()));
        }
        return case.groups.all[from].limit().map(|_| from);
    }
    let limited = indices(case, |group| group.limit().is_some());
    let happened = Happened::of(&case.groups.all[from].counters);
    let can = |at: &usize| {
        let group = &case.groups.all[*at];
        let cpus = group.cpus.as_deref().and_then(cpus_of);
        let limit = group.limit();
        matches!((&happened, limit), (Ok(happened), Some(limit))
            if happened.cannot_be(&limit, cpus).is_none() && !happened.is_far_below(&limit))
    };
    let possible: Vec<usize> = limited.iter().copied().filter(can).collect();
    let alike = case.groups.all[from].name.clone().map_or_else(Vec::new, |name| {
        let is_alike = |at: &usize| {
            case.groups.all[*at].name.as_deref().is_some_and(|other| is_same(&name, other))
        };
        limited.iter().copied().filter(is_alike).collect()
    });
    match (&limited[..], &possible[..]) {
        ([], _) => {
            say_without_limit(case, from);
            None
        }
        ([only], _) => Some(*only),
        _ if alike.len() == 1 => {
            let [from, owner] = [from, alike[0]].map(|at| case.groups.all[at].who());
            case.assumed.push(format!("The {from} has the limit of the {owner}, by its name."));
            Some(alike[0])
        }
        (_, [only]) => {
            let who = case.groups.all[*only].who();
            case.assumed.push(format!(
                "The counters are those of the {who}: with the limit of another they cannot be."
            ));
            Some(*only)
        }
        (several, _) => {
            let names: Vec<String> = several.iter().map(|at| case.groups.all[*at].who()).collect();
            case.asks.push(format!(
                "Whose counters these are: the {}. Put ==> NAME/cpu.stat <== above them, with the \
                 group's name.",
                amounts::listed(&names).replacen(" and ", " or the ", 1)
            ));
            if let Ok(happened) = happened {
                case.says.push(format!("The group {}.", happened.words()));
            }
            None
        }
    }
}

/// Whether a container or a cgroup of this name is what another text calls `other`: `shop-6c9f/app`
/// and `app`, `system.slice/web.service` and `web.service`, `proj-api-1` of Compose and `api`.
fn is_same(name: &str, other: &str) -> bool {
    let last = |name: &str| name.rsplit('/').next().map(str::to_owned);
    let part = ['-', '_'].iter().any(|sign| name.contains(&format!("{sign}{other}{sign}")));
    last(name) == last(other) || part
}

/// Counters without a limit: what they say all the same, and what is missing.
fn say_without_limit(case: &mut Case, from: usize) {
    match Happened::of(&case.groups.all[from].counters) {
        Ok(happened) => {
            case.says.push(format!("The {} {}.", case.groups.all[from].who(), happened.words()));
            case.says.extend(happened.follows(None));
        }
        Err(wrong) => case.doubts.push(wrong),
    }
    let burst = case.groups.all[from].counters.iter().any(|at| at.bursts.is_some_and(|n| n > 0.0));
    let more = if burst { " and one with cpu.max.burst" } else { "" };
    case.asks.push(format!(
        "The limit is missing: add a line with cpu.max{more}, or the container's resources."
    ));
}

/// The first group with a limit that is not around another one; the others are named.
fn first_limited(case: &mut Case) -> Option<usize> {
    let limited = indices(case, |group| group.limit().is_some());
    let is_outer = |at: &usize| {
        case.groups.all.iter().any(|group| group.inside == Some(*at) && group.limit().is_some())
    };
    let inner: Vec<usize> = limited.iter().copied().filter(|at| !is_outer(at)).collect();
    let Some(first) = inner.first().copied() else {
        if !case.groups.all.is_empty() && case.doubts.is_empty() {
            without_any(case);
        }
        return None;
    };
    if inner.len() > 1 {
        let others: Vec<String> = inner[1..].iter().map(|at| case.groups.all[*at].who()).collect();
        case.assumed.push(format!(
            "Only the {} is simulated; left out: the {}.",
            case.groups.all[first].who(),
            amounts::listed(&others)
        ));
    }
    Some(first)
}

/// Groups, and none with a limit.
fn without_any(case: &mut Case) {
    let Some(group) = case.groups.all.first() else { return };
    let says = match (group.quota_us, group.weight) {
        (Some(None), weight) => {
            let weight = weight.map_or_else(String::new, |w| format!(", and cpu.weight {w}"));
            format!("The {} has no CPU limit{weight}: it is never throttled.", group.who())
        }
        (None, Some(weight)) => {
            format!(
                "The {} has cpu.weight {weight} and, as far as the text says, no CPU limit.",
                group.who()
            )
        }
        _ => return,
    };
    case.says.push(says);
    case.asks.push(
        "A limit: a group without one is never throttled; a weight counts where groups compete."
            .to_owned(),
    );
}

/// What the counters say under `limit`; none where they cannot be.
fn said(case: &mut Case, from: usize, limit: &Limit, cpus: Option<u32>) -> Option<Happened> {
    let happened = match Happened::of(&case.groups.all[from].counters) {
        Ok(happened) => happened,
        Err(wrong) => {
            case.doubts.push(wrong);
            return None;
        }
    };
    case.says.push(format!("It {}.", happened.words()));
    if let Some(why) = happened.cannot_be(limit, cpus) {
        case.doubts.push(why);
        return None;
    }
    case.says.extend(happened.follows(Some(limit)));
    if happened.since_start {
        case.says.push(
            "One reading counts since the group was made: a second one, a minute later, shows that \
             minute alone."
                .to_owned(),
        );
    }
    if happened.is_far_below(limit) {
        far_below(case, &happened, limit);
        return None;
    }
    Some(happened)
}

/// A group that used less than the quotas of its throttled periods.
fn far_below(case: &mut Case, happened: &Happened, limit: &Limit) {
    let has_bursts = happened.bursts.is_some() || limit.burst_us > 0;
    let why = match kernel::expires(case) {
        Some(true) => "CPUs held run time that expired unused, as kernels before 5.4 let it",
        None if !has_bursts => {
            "CPUs held run time that expired unused (kernels before 5.4), or the limit was another \
             one then"
        }
        _ => "the limit was another one then: from 5.4 on no run time expires",
    };
    case.doubts.push(format!("It used less than the quotas of its throttled periods: {why}."));
}

/// How many CPUs a group may use, where the text says so.
pub(super) fn cpus_of_group(case: &Case, index: usize) -> Option<u32> {
    case.groups.all[index].cpus.as_deref().and_then(cpus_of).or(case.cpus)
}

/// How many CPUs a list has; none where it is no list.
fn cpus_of(list: &str) -> Option<u32> {
    let cpus = super::cpus::CpuList::read(list)?;
    u32::try_from(cpus.on(super::limit::CPUS_MAX).len()).ok()
}
