//! WebM: a film of the playhead as it crosses the view.

use crate::format::{Content, Format, What};

pub(super) const FORMAT: Format = Format {
    name: "webm",
    title: "WebM",
    extension: "webm",
    media_type: "video/webm",
    contents: &[Content::of_page(What::Film)],
    carries: "What is in view while the playhead crosses it, 30 frames a second.",
    loses: "Everything outside the view, and exact colours: the video is compressed. A browser \
        without WebCodecs cannot write it.",
};
