//! `sitemap.xml`.

use super::Shelf;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::io;

/// The sitemap: every page with the day of its last change, where it has one.
pub fn sitemap(shelf: &Shelf<'_>) -> Vec<u8> {
    // Writing into memory cannot fail.
    write(shelf).unwrap_or_default()
}

fn write(shelf: &Shelf<'_>) -> io::Result<Vec<u8>> {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 1);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    xml.create_element("urlset")
        .with_attribute(("xmlns", "http://www.sitemaps.org/schemas/sitemap/0.9"))
        .write_inner_content(|xml| {
            for (address, changed) in shelf.pages() {
                xml.create_element("url").write_inner_content(|xml| {
                    let address = shelf.absolute(&address);
                    xml.create_element("loc")
                        .write_text_content(BytesText::new(&address))?;
                    if let Some(changed) = changed {
                        xml.create_element("lastmod")
                            .write_text_content(BytesText::new(&changed))?;
                    }
                    Ok(())
                })?;
            }
            Ok(())
        })?;
    let mut bytes = xml.into_inner();
    bytes.push(b'\n');
    Ok(bytes)
}
