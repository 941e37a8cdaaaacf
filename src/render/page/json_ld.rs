//! Structured data for search engines.
//!
//! Invariant: what is returned can stand inside a `script` element whatever authors wrote, and
//! parses back to the very texts.

use crate::model::entry::{Entry, Kind};
use crate::render::address::TERMS;
use crate::render::build::Build;
use crate::render::context::{EntryContext, PageContext, PersonContext};
use serde_json::{Map, Value, json};

/// A term (`DefinedTerm`) or lesson (`LearningResource`), and the page about it with its byline.
pub(super) fn entry(
    build: &Build<'_>,
    entry: &Entry,
    context: &EntryContext,
    page: &PageContext,
) -> String {
    let url = url(build, &page.href);
    let about = format!("{url}#about");
    let mut thing = match entry.kind() {
        Kind::Term => json!({
            "@type": "DefinedTerm",
            "@id": about,
            "name": context.name,
            "termCode": context.id,
            "url": url,
            "inDefinedTermSet": term_set_value(build),
        }),
        Kind::Lesson => json!({
            "@type": "LearningResource",
            "@id": about,
            "name": context.title,
            "url": url,
            "learningResourceType": "lesson",
            "inLanguage": build.context.language,
        }),
    };
    put(&mut thing, "description", &context.short);
    let terms = context.lesson.iter().flat_map(|lesson| &lesson.teaches);
    list(&mut thing, "alternateName", context.aliases.iter().cloned());
    list(&mut thing, "teaches", terms.map(|link| link.text.clone()));
    let byline = &context.byline;
    let mut about_page = json!({
        "@type": "WebPage",
        "@id": url,
        "name": context.title,
        "description": page.description,
        "inLanguage": build.context.language,
        "isPartOf": website_value(build),
        "mainEntity": {"@id": about},
    });
    for part in [&mut about_page, &mut thing] {
        let of_page = part["@type"] == "WebPage";
        if !of_page && entry.kind() == Kind::Term {
            continue;
        }
        person(part, "author", byline.written_by.as_ref());
        if let Some(day) = &byline.written_on {
            put(part, "datePublished", day);
        }
        if let Some(day) = &byline.last_checked_on {
            put(part, "dateModified", day);
        }
    }
    person(&mut about_page, "reviewedBy", byline.reviewed_by.as_ref());
    if let Some(day) = &byline.last_checked_on {
        put(&mut about_page, "lastReviewed", day);
    }
    let sources = context.sources.iter().map(|source| {
        let mut work = json!({"@type": "CreativeWork", "name": source.title});
        if let Some(url) = &source.url {
            put(&mut work, "url", url);
        }
        work
    });
    let sources: Vec<_> = sources.collect();
    if let (Some(fields), false) = (about_page.as_object_mut(), sources.is_empty()) {
        fields.insert("citation".to_owned(), Value::Array(sources));
    }
    script(&json!({"@context": "https://schema.org", "@graph": [about_page, thing]}))
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
    fields.insert("@context".to_owned(), Value::from("https://schema.org"));
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

fn list(value: &mut Value, key: &str, texts: impl Iterator<Item = String>) {
    let texts: Vec<_> = texts.map(Value::from).collect();
    if let (Some(fields), false) = (value.as_object_mut(), texts.is_empty()) {
        fields.insert(key.to_owned(), Value::Array(texts));
    }
}

fn person(value: &mut Value, key: &str, person: Option<&PersonContext>) {
    let (Some(fields), Some(person)) = (value.as_object_mut(), person) else {
        return;
    };
    let mut who = json!({"@type": "Person", "name": person.name});
    if let Some(url) = &person.url {
        put(&mut who, "url", url);
    }
    fields.insert(key.to_owned(), who);
}

/// JSON in which no character can end a script or begin a comment.
fn script(value: &Value) -> String {
    let json = value.to_string();
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
