//! How events are laid out, in the words of the kernel's files `events/*/*/format`.

use super::super::binary::{Fields, Sort, text_of};
use super::bytes::number;

/// A field of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    name: String,
    at: usize,
    size: usize,
    is_signed: bool,
    place: Place,
}

/// Where a field's bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In the field.
    Here,
    /// The field says where, from the beginning of the event.
    Elsewhere,
    /// The field says where, from its own end.
    Behind,
}

/// One event's name and fields.
#[derive(Clone, Debug, Default)]
pub(super) struct Format {
    pub(super) name: String,
    pub(super) sort: Option<Sort>,
    fields: Vec<Field>,
}

/// All formats of a file, by the events' numbers.
#[derive(Debug, Default)]
pub(super) struct Formats {
    by_id: Vec<Option<Format>>,
    /// common_type of every event, and common_flags.
    id: Option<Field>,
    flags: Option<Field>,
}

impl Formats {
    /// Takes a format; false where the text is none.
    pub(super) fn add(&mut self, text: &str) -> bool {
        let of = |start| text.lines().find_map(|line: &str| line.strip_prefix(start));
        let (Some(name), Some(id)) = (of("name: "), of("ID: ")) else { return false };
        let Ok(id) = id.trim().parse::<u16>() else { return false };
        let (name, sort) = (name.trim(), Sort::of(name.trim()));
        let fields = || text.lines().filter_map(field);
        if self.id.is_none() {
            self.id = fields().find(|field| field.name == "common_type");
            self.flags = fields().find(|field| field.name == "common_flags");
        }
        let fields = sort.map_or_else(Vec::new, |_| fields().collect());
        let id = usize::from(id);
        if self.by_id.len() <= id {
            self.by_id.resize(id + 1, None);
        }
        if let Some(slot) = self.by_id.get_mut(id) {
            *slot = Some(Format { name: name.to_owned(), sort, fields });
        }
        true
    }

    /// The event's number, its flags, and its format.
    pub(super) fn of(&self, record: Bytes<'_>) -> Option<(usize, u8, Option<&Format>)> {
        let id = self.id.as_ref().map_or_else(|| record.whole(0, 2), |id| record.of(id))?;
        let flags = self.flags.as_ref().and_then(|flags| record.of(flags)).unwrap_or(0);
        let id = usize::try_from(id).ok()?;
        Some((id, flags as u8, self.by_id.get(id).and_then(Option::as_ref)))
    }
}

/// A line `\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;`.
fn field(line: &str) -> Option<Field> {
    field_of(line.trim().strip_prefix("field:")?)
}

/// A field, from what is behind `field:`.
pub(super) fn field_of(text: &str) -> Option<Field> {
    let mut parts = text.split(';').map(str::trim);
    let declared = parts.next()?;
    let (mut at, mut size, mut is_signed) = (None, None, false);
    for part in parts {
        match part.split_once(':') {
            Some(("offset", value)) => at = value.parse().ok(),
            Some(("size", value)) => size = value.parse().ok(),
            Some(("signed", value)) => is_signed = value == "1",
            _ => {}
        }
    }
    let place = match declared.split_whitespace().next() {
        Some("__data_loc") => Place::Elsewhere,
        Some("__rel_loc") => Place::Behind,
        _ => Place::Here,
    };
    let bare = match declared.rfind('[') {
        Some(bracket) if declared.ends_with(']') => declared.get(..bracket)?,
        _ => declared,
    };
    let name = bare.trim_end().rsplit([' ', '*']).next()?.to_owned();
    Some(Field { name, at: at?, size: size?, is_signed, place })
}

impl Field {
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }
}

/// The bytes of one event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'f> {
    pub(super) bytes: &'f [u8],
    pub(super) is_big: bool,
}

impl<'f> Bytes<'f> {
    fn part(self, at: usize, size: usize) -> Option<&'f [u8]> {
        self.bytes.get(at..at.checked_add(size)?)
    }

    fn whole(self, at: usize, size: usize) -> Option<u64> {
        (size <= 8).then(|| Some(number(self.part(at, size)?, self.is_big)))?
    }

    fn of(self, field: &Field) -> Option<u64> {
        self.whole(field.at, field.size)
    }
}

/// One event with its format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record<'f> {
    pub(super) bytes: Bytes<'f>,
    pub(super) format: &'f Format,
}

impl Record<'_> {
    fn field(&self, name: &str) -> Option<&Field> {
        self.format.fields.iter().find(|field| field.name == name)
    }
}

impl Fields for Record<'_> {
    fn number(&self, name: &str) -> Option<i64> {
        let field = self.field(name)?;
        let number = self.bytes.of(field)?;
        let bits = u32::try_from(64_usize.checked_sub(field.size.checked_mul(8)?)?).ok()?;
        // prev_state is bits, though it is declared as a long.
        let is_signed = field.is_signed && name != "prev_state" && bits < 64;
        let number =
            if is_signed { (number << bits).cast_signed() >> bits } else { number.cast_signed() };
        Some(number)
    }

    fn text(&self, name: &str) -> Option<&str> {
        let field = self.field(name)?;
        let (at, size) = match field.place {
            Place::Here => (field.at, field.size),
            place => {
                let says = self.bytes.of(field)?;
                let at = usize::try_from(says & 0xffff).ok()?;
                let base =
                    if place == Place::Behind { field.at.checked_add(field.size)? } else { 0 };
                (base.checked_add(at)?, usize::try_from(says >> 16 & 0xffff).ok()?)
            }
        };
        self.bytes.part(at, size).map(text_of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_of_every_shape_have_their_names() {
        let name = |declared: &str| {
            field(&format!("\tfield:{declared};\toffset:8;\tsize:4;\tsigned:1;"))
                .map(|field| field.name)
        };
        for (declared, expected) in [
            ("char prev_comm[16]", "prev_comm"),
            ("char comm[TASK_COMM_LEN]", "comm"),
            ("__data_loc char[] child_comm", "child_comm"),
            ("const void *ip", "ip"),
            ("unsigned long args[2 * 3]", "args"),
            ("pid_t pid", "pid"),
        ] {
            assert_eq!(name(declared).as_deref(), Some(expected), "{declared}");
        }
        assert_eq!(field("print fmt: \"%s\""), None);
    }
}
