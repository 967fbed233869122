//! The form of the table: the fields, the rows and the reader that a list of rows makes.

/// `kind ROW => field: type { [where it is stated].ties() release [stable releases]: value, source;
/// … }`. A row with `-> name` in place of a field says something that [`Kernel::settle`] needs.
macro_rules! kernel {
    (
        besides |$version:ident| {
            $($(#[$meta:meta])* $other:ident: $other_type:ty = $default:expr;)+
        }
        rows {
            $(
                $(#[doc = $doc:literal])*
                $kind:ident $row:ident $(=> $field:ident)? $(-> $settles:ident)?: $type:ty {
                    [$($words:tt)+]$(.$tie:ident($tied:expr))*
                    $($from:literal $([$($stable:literal),+])?: $value:expr, $source:literal;)+
                }
            )+
        }
    ) => {
        $(
            #[doc = concat!("What versions have for `", stringify!($row), "`.")]
            pub const $row: Row<$type> = row!(
                stringify!($row), concat!($($doc),*), $($words)+;
                $($from $([$($stable),+])?: $value, $source;)+
            )$(.$tie($tied))*;
        )+

        /// The kernel a run boots, every switch resolved.
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub struct Kernel {
            $($(#[$meta])* pub $other: $other_type,)+
            $($(#[doc = $doc])* $(pub $field: $type,)?)+
        }

        /// Values of rows that are no field of the kernel, but settle its fields.
        #[derive(Clone, Copy, Debug)]
        pub struct Unsettled {
            $($(pub $settles: $type,)?)+
        }

        impl Unsettled {
            /// The values of `version`.
            pub(super) fn of_rows(version: Version) -> Self {
                Self { $($($settles: $row.value(version),)?)+ }
            }
        }

        impl Kernel {
            /// The values of `version`, not settled.
            pub(super) fn of_rows($version: Version) -> Self {
                Self { $($other: $default,)+ $($($field: $row.value($version),)?)+ }
            }

            /// Sets every row to the value of `reader`.
            pub fn read<R: Reader>(&mut self, reader: &mut R) -> Result<Unsettled, R::Fault> {
                let mut unsettled = Unsettled::of_rows(self.version());
                $($(self.$field =)? $(unsettled.$settles =)?
                    reader.$kind(&$row, $row.by_others(self))?;)+
                self.read_rules(reader)?;
                Ok(unsettled)
            }
        }
    };
}

pub(super) use kernel;
