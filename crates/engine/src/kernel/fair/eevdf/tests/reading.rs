//! EEVDF on one queue, written from `fair.c` of 6.12.117, 6.18.15, 7.0.7, 7.1.13 and 7.3.4 and not
//! from the engine.

use crate::kernel::config::Protection;

const TICK: i64 = 1_000_000;
/// normalized_sysctl_sched_base_slice.
const BASE_SLICE: i64 = 700_000;

/// What the releases differ by.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    pub protection: Protection,
    pub short: bool,
    pub yield_ends_request: bool,
    pub greatest_slice: bool,
    pub actions: bool,
    pub delayed_floor: bool,
    pub delayed_groups: bool,
    pub run_to_parity: bool,
    pub place_lag: bool,
    /// Tasks are queued in the place of groups.
    pub flat: bool,
}

/// One sched_entity: a task, or a group with one task.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entity {
    pub is_group: bool,
    pub weight: i64,
    pub slice: i64,
    pub vruntime: i64,
    pub deadline: i64,
    pub vlag: i64,
    /// `vlag` of the running entity to 6.16, which holds a deadline; `vprot` since.
    pub protection: i64,
    pub queued: bool,
    pub delayed: bool,
}

impl Entity {
    /// calc_delta_fair().
    pub fn scaled(&self, ns: i64) -> i64 {
        ns * 1024 / self.weight
    }
}

/// One cfs_rq.
pub struct Reading {
    pub form: Form,
    pub entities: Vec<Entity>,
    pub curr: usize,
    /// cfs_rq->next.
    pub next: Option<usize>,
    pub need_resched: bool,
}

impl Reading {
    fn is_group(&self, at: usize) -> bool {
        self.entities[at].is_group && !self.form.flat
    }

    fn queued(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.entities.len()).filter(|at| self.entities[*at].queued)
    }

    fn load(&self) -> i64 {
        self.queued().map(|at| self.entities[at].weight).sum()
    }

    fn avg_vruntime(&self) -> i64 {
        let sum: i64 =
            self.queued().map(|at| self.entities[at].weight * self.entities[at].vruntime).sum();
        sum.div_euclid(self.load())
    }

    /// ineligible_vruntime(): one above the average of the others.
    fn ineligible_vruntime(&self, but: usize) -> Option<i64> {
        let weight = |at: &usize| self.entities[*at].weight;
        let others: Vec<usize> = self.queued().filter(|at| *at != but).collect();
        let load: i64 = others.iter().map(weight).sum();
        let sum: i64 = others.iter().map(|at| weight(at) * self.entities[*at].vruntime).sum();
        (load > 0).then(|| sum.div_euclid(load) + 1)
    }

    fn eligible(&self, at: usize) -> bool {
        let own = self.entities[at].vruntime;
        let ahead =
            |other: usize| self.entities[other].weight * (self.entities[other].vruntime - own);
        self.queued().map(ahead).sum::<i64>() >= 0
    }

    fn least_slice(&self) -> i64 {
        self.queued().map(|at| self.entities[at].slice).min().unwrap()
    }

    fn update_entity_lag(&mut self, at: usize) -> bool {
        let (se, average) = (self.entities[at], self.avg_vruntime());
        let limit = if self.form.greatest_slice {
            self.queued().map(|at| self.entities[at].slice).max().unwrap() + TICK
        } else {
            TICK.max(2 * se.slice)
        };
        let limit = se.scaled(limit);
        let mut lag = (average - se.vruntime).max(-limit).min(limit);
        if se.delayed && self.form.delayed_floor {
            lag = lag.max(se.vlag).min(0);
        }
        self.entities[at].vlag = lag;
        average - lag != se.vruntime
    }

    fn place_entity(&mut self, at: usize, initial: bool) {
        let (average, load) = (self.avg_vruntime(), self.load());
        let se = &mut self.entities[at];
        let lag = if self.form.place_lag { se.vlag * (load + se.weight) / load } else { 0 };
        se.vruntime = average - lag;
        let request = se.scaled(se.slice);
        se.deadline = se.vruntime + if initial { request / 2 } else { request };
    }

    fn protected(&self, at: usize) -> bool {
        let se = &self.entities[at];
        match self.form.protection {
            Protection::UntilDeadline => se.protection == se.deadline,
            _ => se.vruntime < se.protection,
        }
    }

    fn by_slice(&self) -> bool {
        match self.form.protection {
            Protection::UntilDeadline => false,
            Protection::LeastSlice | Protection::LeastSliceAtPick | Protection::ShortSlices => true,
        }
    }

    fn of_7_3(&self) -> bool {
        match self.form.protection {
            Protection::ShortSlices => true,
            Protection::UntilDeadline | Protection::LeastSlice | Protection::LeastSliceAtPick => {
                false
            }
        }
    }

    /// 7.3, with PREEMPT_SHORT.
    fn for_short(&self) -> bool {
        self.of_7_3() && self.form.short
    }

    fn cancel_protection(&mut self) {
        if self.protected(self.curr) {
            let by_slice = self.by_slice();
            let se = &mut self.entities[self.curr];
            se.protection = if by_slice { se.vruntime } else { se.deadline + 1 };
        }
    }

    pub fn update_curr(&mut self, ns: i64) {
        let curr = self.curr;
        if ns == 0 {
            return;
        }
        let se = &mut self.entities[curr];
        se.vruntime += se.scaled(ns);
        let used_up = se.vruntime >= se.deadline;
        if used_up {
            se.deadline = se.vruntime + se.scaled(se.slice);
        }
        if self.queued().count() == 1 {
            return;
        }
        let lost = if self.by_slice() {
            !self.protected(curr)
        } else {
            self.form.short && !self.protected(curr) && !self.eligible(curr)
        };
        self.need_resched |= used_up || lost;
    }

    fn pick(&self, protect: bool) -> usize {
        let mut best: Option<usize> = None;
        let mut waiting: Vec<usize> = self.queued().filter(|at| *at != self.curr).collect();
        waiting.sort_by_key(|at| (self.entities[*at].vruntime, self.is_group(*at), *at));
        if waiting.is_empty() {
            return self.curr;
        }
        if let Some(next) = self.next.filter(|next| protect && self.eligible(*next)) {
            return next;
        }
        let curr = Some(self.curr).filter(|at| self.entities[*at].queued && self.eligible(*at));
        let heeds = protect && (self.form.run_to_parity || self.by_slice());
        if let Some(curr) = curr.filter(|curr| heeds && self.protected(*curr)) {
            return curr;
        }
        for at in waiting.into_iter().filter(|at| self.eligible(*at)).chain(curr) {
            if best.is_none_or(|best| self.entities[at].deadline < self.entities[best].deadline) {
                best = Some(at);
            }
        }
        best.expect("one is eligible")
    }

    fn wakeup_preempt(&mut self, woken: usize, forked: bool) {
        let (form, curr) = (self.form, self.curr);
        if self.need_resched && !self.for_short() {
            return;
        }
        let shorter = form.short && self.entities[woken].slice < self.entities[curr].slice;
        if !self.by_slice() {
            let first = self.entities[woken].deadline < self.entities[curr].deadline;
            let sound = !(form.actions && forked) || shorter;
            if shorter && self.eligible(woken) && (first || !self.eligible(curr)) {
                self.cancel_protection();
            }
            self.need_resched = sound && self.pick(true) == woken;
            return;
        }
        let of_7_3 = self.of_7_3();
        let no_fork = !(form.actions && forked && !shorter);
        if !no_fork && !of_7_3 {
            return;
        }
        let picked = no_fork && self.pick(!shorter) == woken;
        if picked || (of_7_3 && shorter && self.eligible(woken)) {
            if shorter || of_7_3 {
                self.cancel_protection();
            }
            let own = self.entities[woken].slice;
            let weaker = self.next.is_none_or(|next| self.entities[next].slice >= own);
            if of_7_3 && shorter && weaker {
                self.next = Some(woken);
            }
            self.need_resched = true;
        } else if form.run_to_parity && (shorter || form.actions) {
            let (least, average) = (self.least_slice(), self.avg_vruntime());
            let se = &mut self.entities[curr];
            let from = if of_7_3 { se.vruntime.min(average) } else { se.vruntime };
            se.protection = se.protection.min(from + se.scaled(least));
        }
    }

    pub fn wake(&mut self, at: usize, (ns, forked): (i64, bool)) {
        if self.entities[at].delayed {
            let off = self.update_entity_lag(at);
            let replaced = if self.form.delayed_floor { off } else { self.entities[at].vlag > 0 };
            self.entities[at].delayed = false;
            if replaced {
                self.entities[at].vlag = self.entities[at].vlag.min(0);
                self.entities[at].queued = false;
                self.place_entity(at, false);
                self.entities[at].queued = true;
            }
            self.update_curr(ns);
        } else {
            self.update_curr(ns);
            self.place_entity(at, forked && !self.is_group(at));
            self.entities[at].queued = true;
        }
        self.wakeup_preempt(at, forked);
    }

    pub fn sleep(&mut self) {
        let at = self.curr;
        let stays = !self.is_group(at) || self.form.delayed_groups;
        if self.eligible(at) || !stays {
            self.update_entity_lag(at);
            self.entities[at].queued = false;
        } else {
            if self.form.delayed_floor {
                self.update_entity_lag(at);
            }
            self.entities[at].delayed = true;
        }
    }

    pub fn yields(&mut self) {
        let runnable = |at: &usize| !(self.is_group(*at) && self.entities[*at].delayed);
        // A task that yields in a group of its own gives up nothing on the queue above.
        if self.queued().filter(runnable).count() == 1 || self.is_group(self.curr) {
            return;
        }
        let eligible = self.eligible(self.curr);
        let se = &mut self.entities[self.curr];
        if !self.form.yield_ends_request {
            se.deadline += se.scaled(se.slice);
        } else if eligible {
            se.vruntime = se.deadline;
            se.deadline = se.vruntime + se.scaled(se.slice);
        }
    }

    pub fn schedule(&mut self) -> usize {
        self.need_resched = false;
        let next = loop {
            let at = self.pick(true);
            if !self.entities[at].delayed {
                break at;
            }
            self.update_entity_lag(at);
            let se = &mut self.entities[at];
            se.vlag = se.vlag.min(0);
            (se.queued, se.delayed) = (false, false);
        };
        if next != self.curr {
            let parity = self.form.run_to_parity;
            let least = if parity { self.least_slice() } else { BASE_SLICE };
            let (by_slice, others) = (self.by_slice(), self.ineligible_vruntime(next));
            let others = others.filter(|_| self.for_short());
            let se = &mut self.entities[next];
            se.protection = se.deadline;
            if by_slice && least < se.slice {
                let end = others.unwrap_or(se.vruntime + se.scaled(least));
                se.protection = se.deadline.min(end);
            }
            self.curr = next;
            self.next = self.next.filter(|marked| *marked != next);
        }
        next
    }
}
