//! Protobuf's wire format, as far as a trace needs it: a message is a list of fields, each a number
//! with a type, then a varint, 8 bytes, or a length and bytes
//! (protobuf.dev/programming-guides/encoding).

/// The bytes of one message.
#[derive(Clone, Debug, Default)]
pub(super) struct Message(Vec<u8>);

/// Types of fields.
const VARINT: u32 = 0;
const FIXED64: u32 = 1;
const LENGTH: u32 = 2;

impl Message {
    /// A field of any unsigned type, of bool or of an enum.
    pub fn uint(&mut self, field: u32, value: impl Into<u64>) -> &mut Self {
        self.tag(field, VARINT);
        self.varint(value.into());
        self
    }

    /// A field int32 or int64: two's complement of 64 bits.
    pub fn int(&mut self, field: u32, value: i64) -> &mut Self {
        self.uint(field, value.cast_unsigned())
    }

    /// A field fixed64.
    pub fn fixed(&mut self, field: u32, value: u64) -> &mut Self {
        self.tag(field, FIXED64);
        self.0.extend(value.to_le_bytes());
        self
    }

    /// A field string.
    pub fn text(&mut self, field: u32, text: &str) -> &mut Self {
        self.bytes(field, text.as_bytes())
    }

    /// A field that is a message.
    pub fn message(&mut self, field: u32, message: &Self) -> &mut Self {
        self.bytes(field, &message.0)
    }

    /// The fields of another message behind those of this one.
    pub fn append(&mut self, message: &Self) -> &mut Self {
        self.0.extend_from_slice(&message.0);
        self
    }

    /// All of it.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Forgets every field.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    fn bytes(&mut self, field: u32, bytes: &[u8]) -> &mut Self {
        self.tag(field, LENGTH);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    fn tag(&mut self, field: u32, kind: u32) {
        self.varint(u64::from(field << 3 | kind));
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}
