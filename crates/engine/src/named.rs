//! Names for enums: one list gives the variants, their kernel spelling and their tooltip.
//!
//! Scenario files, links and the page all spell a switch by its names, so the names are declared
//! with the variants and nowhere else.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

/// An enum whose variants carry the spelling used in scenario files and a one-line meaning.
pub trait Named: Sized + Copy + PartialEq + 'static {
    /// Every variant in the order a person should see them.
    const ALL: &'static [Self];
    /// The spelling in scenario files, links and reports.
    fn name(self) -> &'static str;
    /// One sentence: the modelled behaviour, and its source.
    fn doc(self) -> &'static str;
    /// The variant spelt `text`, if any.
    fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|variant| variant.name() == text)
    }
}

/// For people and reports the name; in the bytes of a setup ([`crate::setup::Setup::to_bytes`]) the
/// place in the list.
pub fn serialize<T: Named, S: Serializer>(
    value: T,
    place: u8,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        serializer.serialize_str(value.name())
    } else {
        serializer.serialize_u8(place)
    }
}

/// The variant at the place that is read.
pub fn deserialize<'de, T: Named, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let place = u8::deserialize(deserializer)?;
    T::ALL.get(usize::from(place)).copied().ok_or_else(|| D::Error::custom("no such variant"))
}

/// Declares an enum with names and tooltips; see [`Named`]. Most enums have no order: one whose
/// variants are compared derives `PartialOrd` and `Ord` itself.
#[macro_export]
macro_rules! named_enum {
    ($(#[$meta:meta])* $vis:vis enum $name:ident {
        $($(#[$vmeta:meta])* $variant:ident = $text:literal, $doc:literal;)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name { $($(#[$vmeta])* #[doc = $doc] $variant,)+ }
        impl $crate::named::Named for $name {
            const ALL: &'static [Self] = &[$(Self::$variant,)+];
            fn name(self) -> &'static str { match self { $(Self::$variant => $text,)+ } }
            fn doc(self) -> &'static str { match self { $(Self::$variant => $doc,)+ } }
        }
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::named::serialize(*self, *self as u8, serializer)
            }
        }
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::named::deserialize(deserializer)
            }
        }
        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> { stringify!($name).into() }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "enum": [$($text),+] })
            }
        }
    };
}

/// Questions of yes and no about an enum: each lists the variants that answer yes and those that
/// answer no. A new variant therefore has no answer until its author writes one, and the compiler
/// names every question.
#[macro_export]
macro_rules! questions {
    ($name:ident { $($(#[$meta:meta])* $ask:ident: $($yes:ident)|+, not $($no:ident)|+;)+ }) => {
        impl $name {
            $($(#[$meta])* #[inline] pub const fn $ask(self) -> bool {
                match self { $(Self::$yes)|+ => true, $(Self::$no)|+ => false }
            })+
        }
    };
}
