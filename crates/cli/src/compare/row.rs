//! A row of the trace in words: each column by its meaning, a packed one field by field.

use schedscope_engine::trace::catalogue::{
    CATALOGUE, CPU_STATES, FIELDS, Kind, KindDoc, NONE, VECTORS, kind_name,
};
use schedscope_engine::trace::codes::{Place, code_of};
use schedscope_runs::compare::Row;
use schedscope_scenario::units::time_text;

/// The name of a number in a column, the column, and the number.
type Named = (&'static str, Place, u32);

pub fn row_text(row: Option<Row>) -> String {
    let Some((time, kind, cpu, a, b)) = row else { return "has ended".to_owned() };
    let columns = CATALOGUE.get(usize::from(kind)).map_or_else(String::new, |entry| {
        if entry.kind == Kind::BwSilo {
            return format!("; {}: {a}; ns: {}", entry.a, b.cast_signed());
        }
        let told = |(label, place, number)| {
            format!("; {label}: {}", value_text(entry.kind, label, place, number))
        };
        named(entry, a, b).into_iter().map(told).collect()
    });
    let place = if cpu == u16::MAX { String::new() } else { format!(", CPU {cpu}") };
    format!("at {}{place}: {}{columns}", time_text(time), kind_name(kind))
}

fn named(entry: &KindDoc, a: u32, b: u32) -> Vec<Named> {
    let fields = FIELDS.iter().filter(|field| field.kind == entry.kind);
    let mut named: Vec<Named> =
        fields.map(|doc| (doc.doc, Place::Part(doc.field), doc.field.of(a))).collect();
    if named.is_empty() {
        named.push((entry.a, Place::A, a));
    }
    named.push((entry.b, Place::B, b));
    // A column that is always 0 is documented as "0" and says nothing.
    named.retain(|(label, ..)| *label != "0");
    named
}

fn value_text(kind: Kind, label: &str, place: Place, number: u32) -> String {
    let words = match label {
        "vector" | "the vector" => VECTORS.get(number as usize).map(|&(name, _)| name),
        "the CPU state" => CPU_STATES.get(number as usize).map(|(_, name, _)| *name),
        _ => code_of(kind, place).and_then(|code| code.words(number)),
    };
    match words {
        Some(words) => words.to_owned(),
        None if number == NONE => "none".to_owned(),
        None => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_stands_for_something_is_named_and_a_packed_column_is_taken_apart() {
        let told = |kind: Kind, a, b| row_text(Some((2_000_000, kind as u8, 3, a, b)));
        assert!(told(Kind::BwUnthrottle, 1, 1).ends_with("; group: 1; by: the slack timer"));
        assert!(told(Kind::CpuStop, 1, 500).ends_with("; by: host; ns: 500"));
        assert!(told(Kind::IpiSend, 0, 1).ends_with("; target CPU: 0; vector: reschedule"));
        assert!(told(Kind::BwUnthrottle, 1, 9).ends_with("; by: 9"));
        let point = told(Kind::PreemptPoint, 1 + 256, 7);
        let taken = "; the preemption point: interrupt exit; 1 if schedule() follows: 1; ";
        assert!(point.contains(taken) && point.ends_with(": 7"), "{point}");
        let ipi = told(Kind::IpiArrive, 5 + (1 << 16), 40);
        assert!(ipi.contains("; the CPU that sent it: 5; the vector: reschedule; "), "{ipi}");
        let state = told(Kind::CpuState, 0, NONE);
        assert!(state.contains("; the CPU state: idle; "), "{state}");
    }

    #[test]
    fn a_debt_is_told_as_one() {
        let told =
            row_text(Some((2_000_000, Kind::BwSilo as u8, 3, 1, (-948_995i32).cast_unsigned())));
        assert!(told.ends_with("group: 1; ns: -948995"), "{told}");
    }
}
