//! GIF: a film of the playhead as it crosses the view.

use crate::format::{Content, Format, What};

pub(super) const FORMAT: Format = Format {
    name: "gif",
    title: "GIF",
    extension: "gif",
    media_type: "image/gif",
    contents: &[Content::of_page(What::Film)],
    carries: "What is in view while the playhead crosses it, 12.5 frames a second.",
    loses: "Everything outside the view, and colours beyond 256. It lasts at most 8 s and is at \
        most 1280 wide.",
};
