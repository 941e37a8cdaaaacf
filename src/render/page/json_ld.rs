//! Structured data for search engines.
//!
//! Invariant: what is returned can stand inside a `script` element whatever authors wrote, and
//! parses back to the very texts.

use crate::model::entry::{Entry, Kind};
use crate::render::address::TERMS;
use crate::render::build::Build;
use crate::render::context::{EntryContext, PageContext, PersonContext};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The vocabulary.
const CONTEXT: &str = "https://schema.org";

/// What a page is about: a term (`DefinedTerm`) or a lesson (`LearningResource`).
#[derive(Serialize)]
struct About<'a> {
    #[serde(rename = "@type")]
    kind: &'static str,
    #[serde(rename = "@id")]
    id: &'a str,
    name: &'a str,
    #[serde(rename = "termCode", skip_serializing_if = "Option::is_none")]
    term_code: Option<&'a str>,
    url: &'a str,
    #[serde(rename = "inDefinedTermSet", skip_serializing_if = "Option::is_none")]
    term_set: Option<Value>,
    #[serde(
        rename = "learningResourceType",
        skip_serializing_if = "Option::is_none"
    )]
    resource_type: Option<&'static str>,
    #[serde(rename = "inLanguage", skip_serializing_if = "Option::is_none")]
    language: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    #[serde(rename = "alternateName", skip_serializing_if = "<[_]>::is_empty")]
    aliases: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    teaches: Vec<&'a str>,
    #[serde(flatten)]
    made: Option<Made<'a>>,
}

/// The page about it.
#[derive(Serialize)]
struct AboutPage<'a> {
    #[serde(rename = "@type")]
    kind: &'static str,
    #[serde(rename = "@id")]
    id: &'a str,
    name: &'a str,
    description: &'a str,
    #[serde(rename = "inLanguage")]
    language: &'a str,
    #[serde(rename = "isPartOf")]
    part_of: Value,
    #[serde(rename = "mainEntity")]
    main_entity: Reference<'a>,
    #[serde(flatten)]
    made: Made<'a>,
    #[serde(rename = "reviewedBy", skip_serializing_if = "Option::is_none")]
    reviewed_by: Option<Person<'a>>,
    #[serde(rename = "lastReviewed", skip_serializing_if = "Option::is_none")]
    last_reviewed: Option<&'a str>,
    #[serde(rename = "citation", skip_serializing_if = "Vec::is_empty")]
    citations: Vec<Work<'a>>,
}

/// Who made a page or a lesson, and when.
#[derive(Serialize, Clone, Copy)]
struct Made<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<Person<'a>>,
    #[serde(rename = "datePublished", skip_serializing_if = "Option::is_none")]
    published: Option<&'a str>,
    #[serde(rename = "dateModified", skip_serializing_if = "Option::is_none")]
    modified: Option<&'a str>,
}

#[derive(Serialize, Clone, Copy)]
struct Person<'a> {
    #[serde(rename = "@type")]
    kind: &'static str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
}

/// A cited document.
#[derive(Serialize)]
struct Work<'a> {
    #[serde(rename = "@type")]
    kind: &'static str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
}

/// What is described elsewhere in the graph.
#[derive(Serialize)]
struct Reference<'a> {
    #[serde(rename = "@id")]
    id: &'a str,
}

/// A page of an entry. Thousands are made, so that they are written without a tree of values.
#[derive(Serialize)]
struct EntryGraph<'a> {
    #[serde(rename = "@context")]
    context: &'static str,
    #[serde(rename = "@graph")]
    graph: (AboutPage<'a>, About<'a>),
}

/// A term or lesson, and the page about it with its byline.
pub(super) fn entry(
    build: &Build<'_>,
    entry: &Entry,
    context: &EntryContext,
    page: &PageContext,
) -> String {
    let url = url(build, &page.href);
    let id = format!("{url}#about");
    let byline = &context.byline;
    let made = Made {
        author: byline.written_by.as_ref().map(person),
        published: given(byline.written_on.as_ref()),
        modified: given(byline.last_checked_on.as_ref()),
    };
    let is_term = entry.kind() == Kind::Term;
    let taught = context.lesson.iter().flat_map(|lesson| &lesson.teaches);
    let about = About {
        kind: if is_term {
            "DefinedTerm"
        } else {
            "LearningResource"
        },
        id: &id,
        name: if is_term {
            &context.name
        } else {
            &context.title
        },
        term_code: is_term.then_some(context.id.as_str()),
        url: &url,
        term_set: is_term.then(|| term_set_value(build)),
        resource_type: (!is_term).then_some("lesson"),
        language: (!is_term).then_some(build.context.language.as_str()),
        description: &context.short,
        aliases: &context.aliases,
        teaches: taught.map(|link| link.text.as_str()).collect(),
        made: (!is_term).then_some(made),
    };
    let works = context.sources.iter().map(|source| Work {
        kind: "CreativeWork",
        name: &source.title,
        url: given(source.url.as_ref()),
    });
    let about_page = AboutPage {
        kind: "WebPage",
        id: &url,
        name: &context.title,
        description: &page.description,
        language: &build.context.language,
        part_of: website_value(build),
        main_entity: Reference { id: &id },
        made,
        reviewed_by: byline.reviewed_by.as_ref().map(person),
        last_reviewed: made.modified,
        citations: works.collect(),
    };
    script(&EntryGraph {
        context: CONTEXT,
        graph: (about_page, about),
    })
}

fn person(person: &PersonContext) -> Person<'_> {
    Person {
        kind: "Person",
        name: &person.name,
        url: given(person.url.as_ref()),
    }
}

fn given(text: Option<&String>) -> Option<&str> {
    text.map(String::as_str).filter(|text| !text.is_empty())
}

/// The glossary.
pub(super) fn term_set(build: &Build<'_>, page: &PageContext) -> String {
    let mut set = term_set_value(build);
    put(&mut set, "description", &page.description);
    script(&with_context(set))
}

/// The list of lessons.
pub(super) fn course(build: &Build<'_>, page: &PageContext) -> String {
    let parts = build.lessons.iter().filter_map(|index| {
        let link = build.link(*index)?;
        let url = url(build, link.href.as_deref()?);
        Some(json!({"@type": "LearningResource", "name": link.text, "url": url}))
    });
    let parts: Vec<_> = parts.collect();
    script(&with_context(json!({
        "@type": "CollectionPage",
        "@id": url(build, &page.href),
        "name": page.title,
        "description": page.description,
        "inLanguage": build.context.language,
        "isPartOf": website_value(build),
        "hasPart": parts,
    })))
}

/// The home page.
pub(super) fn website(build: &Build<'_>, page: &PageContext) -> String {
    let mut site = website_value(build);
    put(&mut site, "description", &page.description);
    put(&mut site, "inLanguage", &build.context.language);
    script(&with_context(site))
}

/// A plain page.
pub(super) fn page(build: &Build<'_>, page: &PageContext) -> String {
    script(&with_context(json!({
        "@type": "WebPage",
        "@id": url(build, &page.href),
        "name": page.title,
        "description": page.description,
        "inLanguage": build.context.language,
        "isPartOf": website_value(build),
    })))
}

fn url(build: &Build<'_>, address: &str) -> String {
    format!("{}{address}", build.context.base_url)
}

fn term_set_value(build: &Build<'_>) -> Value {
    let url = url(build, TERMS);
    json!({"@type": "DefinedTermSet", "@id": url, "name": build.context.title, "url": url})
}

fn website_value(build: &Build<'_>) -> Value {
    let url = &build.context.base_url;
    json!({"@type": "WebSite", "@id": url, "name": build.context.title, "url": url})
}

fn with_context(value: Value) -> Value {
    let mut fields = Map::new();
    fields.insert("@context".to_owned(), Value::from(CONTEXT));
    if let Value::Object(inner) = value {
        fields.extend(inner);
    }
    Value::Object(fields)
}

fn put(value: &mut Value, key: &str, text: &str) {
    if let (Some(fields), false) = (value.as_object_mut(), text.is_empty()) {
        fields.insert(key.to_owned(), Value::from(text));
    }
}

/// JSON in which no character can end a script or begin a comment.
fn script(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).unwrap_or_default();
    // The two separators begin with the same byte, which hardly any text has.
    let is_special = |byte| matches!(byte, b'<' | b'>' | b'&' | 0xe2);
    if !json.bytes().any(is_special) {
        return json;
    }
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_texts_stay_inside_and_parse_back() {
        let title = "</script><script>alert(1)</script> & <!--\u{2028}";
        let json = script(&json!({"name": title}));
        assert!(!json.contains(['<', '>', '&', '\u{2028}']));
        let back: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(back["name"], title);
    }
}
