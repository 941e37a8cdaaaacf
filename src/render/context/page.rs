//! The site and the page: what every template gets, whatever its kind.

use serde::Serialize;

/// The site, the same on every page (`site`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SiteContext {
    /// `title` of `site.toml`.
    pub title: String,
    /// `language` of `site.toml`, a BCP 47 tag.
    pub language: String,
    /// `description` of `site.toml`; may be empty.
    pub description: String,
    /// Where the release is published, with a slash at its end.
    pub base_url: String,
    /// The path of `base_url`: `/` or `/course/`.
    pub base_path: String,
    /// The plain pages, in order of title, for the foot of each page.
    pub pages: Vec<LinkContext>,
    /// The module that answers searches (`search/search.js`), loaded on first use. Absent: no
    /// search control is shown. `docs/templates.md` says what the module exports.
    pub search_href: Option<String>,
    /// The site's own icon, `favicon.svg`, where its `static/` has one. Absent: the built-in icon
    /// stands in the page itself, which saves each page a request.
    pub icon_href: Option<String>,
    /// True for a build with drafts and for the preview: unpublished entries have pages.
    pub drafts: bool,
}

/// Which template a page is made with (`page.kind`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageKind {
    /// `home.html`.
    Home,
    /// `term.html`.
    Term,
    /// `terms.html`.
    Terms,
    /// `lesson.html`.
    Lesson,
    /// `lessons.html`.
    Lessons,
    /// `page.html`.
    Page,
    /// `404.html`.
    NotFound,
}

impl PageKind {
    /// The name of the template.
    pub const fn template(self) -> &'static str {
        match self {
            Self::Home => "home.html",
            Self::Term => "term.html",
            Self::Terms => "terms.html",
            Self::Lesson => "lesson.html",
            Self::Lessons => "lessons.html",
            Self::Page => "page.html",
            Self::NotFound => "404.html",
        }
    }
}

/// One page, whatever its kind (`page`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageContext {
    /// Which template made it.
    pub kind: PageKind,
    /// The page's own title; the built-in templates add the site's title to it in `<title>`.
    pub title: String,
    /// The meta description; never empty, and no two pages share one.
    pub description: String,
    /// The address relative to the site's root: empty for the home page, `terms/warp/`.
    pub href: String,
    /// What leads from this page to the site's root: `./`, `../../`; on `404.html` the base path.
    pub root: String,
    /// The absolute address; absent on `404.html` and where `noindex` is set.
    pub canonical: Option<String>,
    /// Keeps search engines away: drafts, `404.html`.
    pub noindex: bool,
    /// The Markdown twin of the page, relative to the site's root.
    pub markdown_href: Option<String>,
    /// The Open Graph image.
    pub image: Option<ImageContext>,
    /// What a reader must know before anything else: a draft, a held or stale entry.
    pub banner: Option<BannerContext>,
}

/// A social card (`page.image`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImageContext {
    /// The absolute address, as Open Graph wants it.
    pub url: String,
    /// Its width in pixels.
    pub width_px: u32,
    /// Its height in pixels.
    pub height_px: u32,
    /// What it says, for those who do not see it.
    pub alt: String,
}

/// The banner over an unpublished entry (`page.banner`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BannerContext {
    /// The state: `draft`, `refused`, `stale`, `held`.
    pub state: String,
    /// One sentence a line: what it waits for, why it is held, what changed.
    pub lines: Vec<String>,
}

/// A link to another page of the site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LinkContext {
    /// The words of the link: a term's name, a lesson's or page's title.
    pub text: String,
    /// Relative to the site's root. Absent where the page is not in this build: the words stand
    /// alone then.
    pub href: Option<String>,
    /// The short answer of the entry; empty for a page that has none.
    pub short: String,
    /// `published`, or why it is not; only a build with drafts holds anything but `published`.
    pub state: String,
}
