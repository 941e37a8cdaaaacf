//! Images of files.

use super::text::escape;
use super::writer::Writer;
use crate::render::address::encode;
use crate::resolve::Destination;

impl Writer<'_> {
    /// An image within a paragraph; its words where there is no file.
    pub(super) fn image(&self, at: usize) -> String {
        let Some(image) = self.here.body.images.get(at) else {
            return String::new();
        };
        let alt = escape(&image.alt);
        let Some(Destination::File(path)) = self.here.references.images.get(at) else {
            return alt.to_string();
        };
        let size = match self.build.image_size(path) {
            Some((width, height)) => format!(" width=\"{width}\" height=\"{height}\""),
            None => String::new(),
        };
        let href = format!("{}{}", self.here.root, encode(path));
        format!(
            "<img src=\"{}\" alt=\"{alt}\"{size} loading=\"lazy\">",
            escape(&href)
        )
    }

    /// An image that stands alone.
    pub(super) fn image_figure(&self, at: usize) -> String {
        let image = self.image(at);
        let title = self
            .here
            .body
            .images
            .get(at)
            .map_or("", |image| &image.title);
        if title.is_empty() {
            return format!("<figure class=\"figure\">{image}</figure>\n");
        }
        format!(
            "<figure class=\"figure\">{image}<figcaption>{}</figcaption></figure>\n",
            escape(title)
        )
    }
}
