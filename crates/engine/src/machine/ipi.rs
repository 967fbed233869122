//! Interrupt lines: one pending bit per vector, and the IPIs still on their way.
//!
//! An arrival that finds its bit set is merged into it (x86 IRR;
//! docs/model/locks-and-ipis.md#interrupt-delivery): counted, never lost from the ledger.

use crate::ids::CpuId;

/// Vector of the CPU's own timer.
pub const LOCAL_TIMER: usize = 0;
/// Vector of the reschedule IPI.
pub const RESCHEDULE: usize = 1;
/// Vector of the function-call IPI: wake-list since 5.8, remote irq_work.
pub const CALL_FUNCTION_SINGLE: usize = 2;
/// Vector of the one device the model has.
pub const DEVICE: usize = 3;
/// Vector a CPU raises on itself for its own irq_work.
pub const IRQ_WORK: usize = 4;
pub const VECTORS: usize = 5;

/// Order in which pending vectors are taken when interrupts come back on: x86 takes the highest,
/// reschedule (0xfd), call-function (0xfb), irq_work (0xf6), then the timer (0xec), devices last.
const PRIORITY: [usize; VECTORS] =
    [RESCHEDULE, CALL_FUNCTION_SINGLE, IRQ_WORK, LOCAL_TIMER, DEVICE];

/// An IPI on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InFlight {
    /// When the IPI reaches the target.
    pub arrival: u64,
    pub sender: CpuId,
    pub sent: u64,
}

/// One CPU's interrupt lines.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// A bit for each vector.
    pending: u8,
    /// Since when each vector that is pending is so.
    since: [u64; VECTORS],
    /// With their vectors, sorted by them, then by (arrival, sender): few at a time, and one list
    /// for all is less to copy.
    in_flight: Vec<(u8, InFlight)>,
}

impl Lines {
    /// Puts an IPI on its way; the earliest arrival of that vector.
    pub fn send(&mut self, vector: usize, ipi: InFlight) -> u64 {
        let ipi = (vector as u8, ipi);
        let at = self.in_flight.partition_point(|other| *other < ipi);
        self.in_flight.insert(at, ipi);
        self.in_flight[self.first_of(vector)].1.arrival
    }
    /// The earliest IPI of `vector` arrives: itself, whether it was coalesced, and the next
    /// arrival.
    pub fn arrive(&mut self, vector: usize) -> (InFlight, bool, Option<u64>) {
        let at = self.first_of(vector);
        let (_, ipi) = self.in_flight.remove(at);
        let coalesced = !self.raise(vector, ipi.arrival);
        let next = self.in_flight.get(at).filter(|(of, _)| usize::from(*of) == vector);
        (ipi, coalesced, next.map(|(_, next)| next.arrival))
    }
    /// Where the IPIs of `vector` begin.
    fn first_of(&self, vector: usize) -> usize {
        self.in_flight.partition_point(|(other, _)| usize::from(*other) < vector)
    }
    /// Sets the pending bit; false if it was set already.
    pub fn raise(&mut self, vector: usize, now: u64) -> bool {
        let free = !self.is_pending(vector);
        if free {
            self.pending |= 1 << vector;
            self.since[vector] = now;
        }
        free
    }
    /// Takes the pending vector of highest priority: the vector and when it became pending.
    pub fn take(&mut self) -> Option<(usize, u64)> {
        let vector = PRIORITY.into_iter().find(|vector| self.is_pending(*vector))?;
        self.pending &= !(1 << vector);
        Some((vector, self.since[vector]))
    }
    /// Whether any vector is pending.
    pub fn any_pending(&self) -> bool {
        self.pending != 0
    }
    pub fn is_pending(&self, vector: usize) -> bool {
        self.pending >> vector & 1 == 1
    }
    /// IPIs of `vector` still on their way.
    pub fn in_flight(&self, vector: usize) -> usize {
        self.in_flight.iter().filter(|(of, _)| usize::from(*of) == vector).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_arrival_is_merged_into_the_pending_bit() {
        let mut lines = Lines::default();
        for (sender, arrival) in [(3, 120), (1, 100), (0, 120)] {
            lines.send(RESCHEDULE, InFlight { arrival, sender: CpuId::new(sender), sent: 0 });
        }
        let (first, coalesced, next) = lines.arrive(RESCHEDULE);
        assert_eq!((first.sender.raw(), coalesced, next), (1, false, Some(120)));
        let (second, coalesced, _) = lines.arrive(RESCHEDULE);
        assert_eq!((second.sender.raw(), coalesced), (0, true));
        assert_eq!(lines.take(), Some((RESCHEDULE, 100)));
        assert_eq!(lines.take(), None);
    }

    #[test]
    fn ipis_of_one_vector_arrive_in_their_order_whatever_else_is_on_its_way() {
        let mut lines = Lines::default();
        let ipi = |sender, arrival| InFlight { arrival, sender: CpuId::new(sender), sent: 0 };
        let earliest = [
            (RESCHEDULE, ipi(1, 90), 90),
            (IRQ_WORK, ipi(2, 10), 10),
            (CALL_FUNCTION_SINGLE, ipi(3, 50), 50),
            (RESCHEDULE, ipi(4, 95), 90),
            (CALL_FUNCTION_SINGLE, ipi(5, 40), 40),
        ];
        for (vector, ipi, first) in earliest {
            assert_eq!(lines.send(vector, ipi), first);
        }
        let counts = [RESCHEDULE, CALL_FUNCTION_SINGLE, DEVICE, IRQ_WORK];
        assert_eq!(counts.map(|vector| lines.in_flight(vector)), [2, 2, 0, 1]);
        let arrivals = [
            (CALL_FUNCTION_SINGLE, ipi(5, 40), false, Some(50)),
            (RESCHEDULE, ipi(1, 90), false, Some(95)),
            (IRQ_WORK, ipi(2, 10), false, None),
            (RESCHEDULE, ipi(4, 95), true, None),
            (CALL_FUNCTION_SINGLE, ipi(3, 50), true, None),
        ];
        for (vector, ipi, coalesced, next) in arrivals {
            assert_eq!(lines.arrive(vector), (ipi, coalesced, next));
        }
        assert_eq!(counts.map(|vector| lines.in_flight(vector)), [0; 4]);
    }

    #[test]
    fn pending_vectors_are_taken_by_priority_not_by_arrival() {
        let mut lines = Lines::default();
        lines.raise(DEVICE, 1);
        lines.raise(LOCAL_TIMER, 2);
        lines.raise(RESCHEDULE, 3);
        let order: Vec<usize> =
            std::iter::from_fn(|| lines.take().map(|(vector, _)| vector)).collect();
        assert_eq!(order, [RESCHEDULE, LOCAL_TIMER, DEVICE]);
    }
}
