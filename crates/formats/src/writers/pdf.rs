//! PDF: what the page has in view, on one page.

use crate::format::{Content, Format, What};

pub(super) const FORMAT: Format = Format {
    name: "pdf",
    title: "PDF",
    extension: "pdf",
    media_type: "application/pdf",
    contents: &[Content::of_page(What::Picture)],
    carries: "What is in view at one instant: lanes as rectangles, words as words, sharp at any \
        size, and the address that shows it again.",
    loses: "Everything outside the view. A side of more than 20000 rectangles is an image in it. \
        Characters that PDF's own fonts lack become a question mark; the page names them.",
};
