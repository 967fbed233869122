//! SVG: what the page has in view, as shapes and words.

use crate::format::{Content, Format, What};

pub(super) const FORMAT: Format = Format {
    name: "svg",
    title: "SVG",
    extension: "svg",
    media_type: "image/svg+xml",
    contents: &[Content::of_page(What::Picture)],
    carries: "What is in view at one instant: lanes as rectangles, words as words, sharp at any \
        size, and the address that shows it again.",
    loses: "Everything outside the view. A side of more than 20000 rectangles is an image in it.",
};
