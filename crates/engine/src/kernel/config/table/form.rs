//! The form of the table: the fields, the rows and the reader that a list of rows makes.

/// `kind ROW => field: type { [where it is stated].ties() release [stable releases]: value, source;
/// … }`. A row with `-> name` in place of a field says something that [`Kernel::settle`] needs, for
/// a field under `settled`, which is noted in place of the row.
macro_rules! kernel {
    (
        besides |$version:ident| {
            $($(#[$meta:meta])* $other:ident: $other_type:ty = $default:expr;)+
        }
        settled {
            $($(#[$settled_meta:meta])* $settled:ident: $settled_type:ty = $unsettled:expr;)+
        }
        besides {
            $($(#[$more_meta:meta])* $more:ident: $more_type:ty = $more_default:expr;)+
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
        ///
        /// Where the code's questions are noted (`asked.rs`), the fields of rows are private: each
        /// is read by its accessor. Unit tests write them.
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub struct Kernel {
            $($(#[$meta])* pub $other: $other_type,)+
            $(
                $(#[$settled_meta])*
                #[cfg(any(test, not(feature = "asked")))]
                pub $settled: $settled_type,
                #[cfg(all(feature = "asked", not(test)))]
                $settled: $settled_type,
            )+
            $($(#[$more_meta])* pub $more: $more_type,)+
            $(
                $(#[doc = $doc])*
                $(
                    #[cfg(any(test, not(feature = "asked")))]
                    pub $field: $type,
                    #[cfg(all(feature = "asked", not(test)))]
                    $field: $type,
                )?
            )+
        }

        noted! {
            Kernel from RULES.len();
            $($(#[$settled_meta])* $settled: $settled_type,)+
            $($(#[doc = $doc])* $($field: $type,)?)+
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
                Self {
                    $($other: $default,)+
                    $($settled: $unsettled,)+
                    $($more: $more_default,)+
                    $($($field: $row.value($version),)?)+
                }
            }

            /// Sets every row to the value of `reader`.
            pub fn read<R: Reader>(&mut self, reader: &mut R) -> Result<Unsettled, R::Fault> {
                let mut unsettled = Unsettled::of_rows(self.version());
                $($(self.$field =)? $(unsettled.$settles =)?
                    reader.$kind(&$row, $row.by_others(self))?;)+
                self.read_rules(reader)?;
                Ok(unsettled)
            }

            /// Takes what `other` has for each row that is not in `asked`.
            pub fn take_unasked(&mut self, other: &Self, asked: RowSet) {
                self.release.take_unasked(other.release, asked);
                self.bandwidth.take_unasked_values(&other.bandwidth, asked);
                self.take_unasked_values(other, asked);
            }
        }
    };
}

pub(super) use kernel;
