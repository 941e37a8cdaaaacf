//! Pages at the addresses of aliases, which send the reader on.

use super::Shelf;
use crate::render::html::escape;

/// A redirect of this build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirected {
    /// Path in the release: `terms/ALIAS/index.html`.
    pub path: String,
    /// The page.
    pub html: Vec<u8>,
}

/// The redirects of the terms on the shelf, in the order of their addresses.
pub fn redirect(shelf: &Shelf<'_>) -> Vec<Redirected> {
    let redirects = shelf.site.names.redirects().iter();
    redirects
        .filter_map(|redirect| {
            let listed = shelf.get(redirect.to)?;
            let to = format!("../{}/", listed.entry.id);
            Some(Redirected {
                path: format!("terms/{}/index.html", redirect.from),
                html: page(shelf, &to, &listed.entry.address(), listed.entry.name()),
            })
        })
        .collect()
}

fn page(shelf: &Shelf<'_>, to: &str, address: &str, name: &str) -> Vec<u8> {
    let canonical = shelf.absolute(address);
    let (name, language) = (escape(name), escape(&shelf.site.config.language));
    format!(
        "<!doctype html>\n<html lang=\"{language}\">\n<meta charset=\"utf-8\">\n\
         <title>{name}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"description\" content=\"The page about {name} stands at another address.\">\n\
         <meta name=\"robots\" content=\"noindex\">\n\
         <link rel=\"canonical\" href=\"{}\">\n\
         <meta http-equiv=\"refresh\" content=\"0; url={to}\">\n\
         <main><h1>{name}</h1><p>This page is at <a href=\"{to}\">{name}</a>.</p></main>\n</html>\n",
        escape(&canonical)
    )
    .into_bytes()
}
