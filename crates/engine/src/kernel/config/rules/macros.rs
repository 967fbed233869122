//! What a row of `rows` is made of: its place in the table, and a question by its name.

/// How a scenario states the rule.
macro_rules! stated {
    ($name:ident, $doc:expr) => {
        None
    };
    ($name:ident, $doc:expr, $label:literal) => {
        Some(knob(concat!("kernel.rules.", stringify!($name)), $label, $doc, BY_VERSION))
    };
}

/// `rules! { rows of the parts before; row … }`.
macro_rules! rules {
    ($before:expr; $($(#[doc = $doc:literal])+ $name:ident $($label:literal)? {
        $($from:literal $([$($stable:literal),+])?: $answer:literal, $source:literal;)+
    })+) => {
        #[allow(non_camel_case_types, reason = "named as the questions are")]
        enum Rule { $($name,)+ }

        pub const ROWS: &[Row<bool>] = &[$(
            row!(
                stringify!($name),
                concat!($($doc),+).trim_ascii(),
                stated!($name, concat!($($doc),+).trim_ascii() $(, $label)?);
                $($from $([$($stable),+])?: $answer, $source;)+
            ),
        )+];

        impl Release {
            $(
                $(#[doc = $doc])+
                pub fn $name(self) -> bool { self.has($before + Rule::$name as usize) }
            )+
        }

        impl Kernel {
            $($(#[doc = $doc])+ pub fn $name(&self) -> bool { self.release.$name() })+
        }
    };
}
