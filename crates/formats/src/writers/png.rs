//! PNG: what the page has in view, as dots.

use crate::format::{Content, Format, What};

pub(super) const FORMAT: Format = Format {
    name: "png",
    title: "PNG",
    extension: "png",
    media_type: "image/png",
    contents: &[Content::of_page(What::Picture)],
    carries: "What is in view at one instant, dot by dot.",
    loses: "Everything outside the view, and sharpness when it is enlarged.",
};
