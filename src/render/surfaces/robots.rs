//! `robots.txt`.

use crate::model::config::Config;

/// The rules of a release, up to the address of its site map.
pub(in crate::render) const ROBOTS_OPEN: &str = "User-agent: *\nAllow: /\n\nSitemap: ";

/// Who may read a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// A release: everybody.
    Open,
    /// A build with drafts: no robot.
    Closed,
}

/// The rules for robots.
pub fn robots(config: &Config, access: Access) -> Vec<u8> {
    match access {
        Access::Open => format!("{ROBOTS_OPEN}{}sitemap.xml\n", config.base_url),
        Access::Closed => "User-agent: *\nDisallow: /\n".to_owned(),
    }
    .into_bytes()
}
