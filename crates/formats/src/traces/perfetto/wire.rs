//! Protobuf's wire format: a message is a list of fields, each a number with a type, then a varint,
//! 4 or 8 bytes, or a length and bytes (protobuf.dev/programming-guides/encoding).

/// A field of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value<'m> {
    /// A varint, or fixed bytes.
    Number(u64),
    /// A text, bytes, a message or a packed list.
    Bytes(&'m [u8]),
}

/// Walks the fields of a message; ends at its end, or where it is none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message<'m> {
    rest: &'m [u8],
    is_broken: bool,
}

impl<'m> Message<'m> {
    pub(super) fn of(bytes: &'m [u8]) -> Self {
        Self { rest: bytes, is_broken: false }
    }

    /// Whether it ended before its end.
    pub(super) fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// What is behind the fields so far.
    pub(super) fn rest(&self) -> &'m [u8] {
        self.rest
    }

    /// The first field of this number that is a message.
    pub(super) fn message(bytes: &'m [u8], field: u32) -> Option<&'m [u8]> {
        Self::of(bytes).find_map(|(number, value)| match value {
            Value::Bytes(bytes) if number == field => Some(bytes),
            _ => None,
        })
    }

    fn field(&mut self) -> Option<(u32, Value<'m>)> {
        let mut rest = self.rest;
        let tag = varint(&mut rest)?;
        let number = u32::try_from(tag >> 3).ok().filter(|number| (1..1 << 29).contains(number))?;
        let mut fixed = |length: usize| {
            let (bytes, behind) = rest.split_at_checked(length)?;
            rest = behind;
            Some(bytes)
        };
        let join = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        let value = match tag & 7 {
            0 => Value::Number(varint(&mut rest)?),
            1 => Value::Number(fixed(8)?.iter().rev().fold(0, join)),
            2 => {
                let length = usize::try_from(varint(&mut rest)?).ok()?;
                let (bytes, behind) = rest.split_at_checked(length)?;
                rest = behind;
                Value::Bytes(bytes)
            }
            5 => Value::Number(fixed(4)?.iter().rev().fold(0, join)),
            _ => return None,
        };
        self.rest = rest;
        Some((number, value))
    }
}

impl<'m> Iterator for Message<'m> {
    type Item = (u32, Value<'m>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() || self.is_broken {
            return None;
        }
        let field = self.field();
        self.is_broken = field.is_none();
        field
    }
}

/// Takes a varint from the front.
fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    for (nth, byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7f).checked_shl(7 * nth as u32)?;
        if byte & 0x80 == 0 {
            *bytes = bytes.get(nth + 1..)?;
            return Some(value);
        }
    }
    None
}

/// A packed list of varints, as far as it is one.
pub(super) fn packed(mut bytes: &[u8]) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || varint(&mut bytes))
}
