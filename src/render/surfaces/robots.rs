//! `robots.txt`.

use crate::model::config::Config;

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
        Access::Open => format!(
            "User-agent: *\nAllow: /\n\nSitemap: {}sitemap.xml\n",
            config.base_url
        ),
        Access::Closed => "User-agent: *\nDisallow: /\n".to_owned(),
    }
    .into_bytes()
}
