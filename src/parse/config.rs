//! `site.toml` into [`Config`].
//!
//! Reading is total: a faulty value is reported and its default stands in, so that the entries
//! can still be checked. Nothing is built while a fault stands.

use super::fields::{Fields, wrong};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity, nearest, rule};
use crate::model::config::{Assurance, Config, RawHtml};
use crate::model::tree::{Kind, Node};
use crate::source::{FileId, Sources, Span, Spanned};
use std::collections::BTreeMap;

/// The configuration where the file says nothing.
fn defaults(file: FileId) -> Config {
    Config {
        file,
        title: String::new(),
        base_url: "https://example.org/".to_owned(),
        own_url: "https://example.org/".to_owned(),
        base_url_span: Span::file(file),
        language: "en".to_owned(),
        description: String::new(),
        out: "public".to_owned(),
        out_span: Span::file(file),
        assurance: Assurance::Named,
        source_max_age_days: 0,
        severities: BTreeMap::new(),
        raw_html: RawHtml::Sanitize,
    }
}

/// Reads the configuration. `file` is the record of `site.toml`.
pub fn read(sources: &Sources, file: FileId, out: &mut Diagnostics) -> Config {
    let mut config = defaults(file);
    let Some(text) = sources.file(file).readable() else {
        return config;
    };
    let Some(node) = super::toml::parse(text, file, rule::BAD_CONFIG, out) else {
        return config;
    };
    let Some(mut fields) = Fields::open(&node, "the site", rule::BAD_CONFIG, out) else {
        return config;
    };
    if let Some(title) = fields.required("title", out) {
        config.title = title.value;
    }
    if let Some(url) = fields.required("base_url", out) {
        config.base_url_span = url.span;
        match base_url(&url.value) {
            Ok(url) => {
                config.own_url.clone_from(&url);
                config.base_url = url;
            }
            Err(why) => out.push(
                Diagnostic::new(
                    rule::BAD_CONFIG,
                    url.span,
                    "`base_url` is no address of a site",
                )
                .label(why)
                .help(if url.value.is_ascii() {
                    "Write it in full: `https://example.org/course/`."
                } else {
                    "Write it in ASCII, as browsers send it: a host such as `glossär.example` as `xn--glossr-fua.example`."
                }),
            ),
        }
    }
    if let Some(language) = fields.text("language", out) {
        read_language(&language, &mut config, out);
    }
    if let Some(description) = fields.text("description", out) {
        config.description = description.value;
    }
    read_build(fields.take("build"), &mut config, out);
    read_gate(fields.take("gate"), &mut config, out);
    read_rules(fields.take("rules"), &mut config, out);
    read_html(fields.take("html"), &mut config, out);
    fields.finish(out);
    config
}

/// Normalises a base URL: `http` or `https`, a host, a path that ends in `/`.
///
/// # Errors
/// Says in a few words what is wrong with it.
pub fn base_url(text: &str) -> Result<String, String> {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"))
        .ok_or("it does not begin with `https://` or `http://`")?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host_sound = !host.is_empty()
        && host
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']'));
    if !host_sound {
        return Err("its host is missing or holds characters that a host cannot".to_owned());
    }
    let path_sound = path
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '~' | '/'));
    if !path_sound || path.split('/').any(|part| matches!(part, "." | "..")) || path.contains("//")
    {
        return Err("its path holds more than letters, digits and single slashes".to_owned());
    }
    let scheme = &text[..text.len() - rest.len()];
    let slash = if path.is_empty() || path.ends_with('/') {
        ""
    } else {
        "/"
    };
    Ok(format!(
        "{scheme}{}/{path}{slash}",
        host.to_ascii_lowercase()
    ))
}

fn read_language(language: &Spanned<String>, config: &mut Config, out: &mut Diagnostics) {
    let tag = &language.value;
    let sound = tag.len() <= 35
        && tag.split('-').enumerate().all(|(at, part)| {
            let shape = if at == 0 { 2..=3 } else { 1..=8 };
            shape.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
    if sound {
        config.language.clone_from(tag);
    } else {
        out.push(
            Diagnostic::new(
                rule::BAD_CONFIG,
                language.span,
                "`language` is no language tag",
            )
            .label(format!("this is `{tag}`"))
            .help("Write a tag such as `en`, `de` or `pt-BR`."),
        );
    }
}

fn read_build(node: Option<&Node>, config: &mut Config, out: &mut Diagnostics) {
    let Some(mut fields) = node.and_then(|n| Fields::open(n, "[build]", rule::BAD_CONFIG, out))
    else {
        return;
    };
    if let Some(folder) = fields.text("out", out) {
        config.out_span = folder.span;
        config.out = folder.value;
    }
    fields.finish(out);
}

fn read_gate(node: Option<&Node>, config: &mut Config, out: &mut Diagnostics) {
    let Some(mut fields) = node.and_then(|n| Fields::open(n, "[gate]", rule::BAD_CONFIG, out))
    else {
        return;
    };
    let words = [
        ("named", Assurance::Named),
        ("attested", Assurance::Attested),
        ("signed", Assurance::Signed),
    ];
    if let Some(value) = one_of(&mut fields, "assurance", &words, out) {
        config.assurance = value;
    }
    if let Some(days) = fields.whole("source_max_age_days", 36_500, out) {
        config.source_max_age_days = days.value;
    }
    fields.finish(out);
}

fn read_html(node: Option<&Node>, config: &mut Config, out: &mut Diagnostics) {
    let Some(mut fields) = node.and_then(|n| Fields::open(n, "[html]", rule::BAD_CONFIG, out))
    else {
        return;
    };
    let words = [
        ("sanitize", RawHtml::Sanitize),
        ("deny", RawHtml::Deny),
        ("allow", RawHtml::Allow),
    ];
    if let Some(value) = one_of(&mut fields, "raw", &words, out) {
        config.raw_html = value;
    }
    fields.finish(out);
}

/// Takes a value that is one of a few words.
fn one_of<T: Copy>(
    fields: &mut Fields<'_>,
    key: &'static str,
    words: &[(&str, T)],
    out: &mut Diagnostics,
) -> Option<T> {
    let text = fields.text(key, out)?;
    if let Some((_, value)) = words.iter().find(|(word, _)| *word == text.value) {
        return Some(*value);
    }
    let known: Vec<_> = words.iter().map(|(word, _)| *word).collect();
    let help = match nearest(&text.value, known.iter().copied()) {
        Some(near) => format!("Did you mean `{near}`?"),
        None => format!("Write one of: {}.", known.join(", ")),
    };
    out.push(
        Diagnostic::new(
            rule::BAD_CONFIG,
            text.span,
            format!("`{key}` cannot be `{}`", text.value),
        )
        .label("unknown value")
        .help(help),
    );
    None
}

fn read_rules(node: Option<&Node>, config: &mut Config, out: &mut Diagnostics) {
    let Some(node) = node else { return };
    let Kind::Map(pairs) = &node.kind else {
        out.push(wrong(
            node,
            rule::BAD_CONFIG,
            "[rules]",
            "rule names with severities",
        ));
        return;
    };
    for (name, value) in pairs {
        read_severity(name, value, config, out);
    }
}

fn read_severity(name: &Spanned<String>, value: &Node, config: &mut Config, out: &mut Diagnostics) {
    let Some(found) = rule::ALL.iter().find(|rule| rule.name == name.value) else {
        let near = nearest(&name.value, rule::ALL.iter().map(|rule| rule.name));
        out.push(
            Diagnostic::new(
                rule::UNKNOWN_KEY,
                name.span,
                format!("there is no rule `{}`", name.value),
            )
            .label("unknown rule")
            .help(near.map_or_else(
                || "`countersign explain` lists every rule.".to_owned(),
                |near| format!("Did you mean `{near}`?"),
            )),
        );
        return;
    };
    let severity = match value.text() {
        Some("off") => Severity::Off,
        Some("warn") => Severity::Warning,
        Some("error") => Severity::Error,
        _ => {
            let what = format!("`{}`", name.value);
            let wanted = "`off`, `warn` or `error`";
            out.push(wrong(value, rule::BAD_CONFIG, &what, wanted));
            return;
        }
    };
    if found.is_fixed() && severity < found.severity {
        out.push(
            Diagnostic::new(
                rule::BAD_CONFIG,
                value.span,
                format!("the rule `{}` cannot be turned down", found.name),
            )
            .label(format!("it is always {}", found.severity.word()))
            .note("What decides whether a page may be published is not a matter of settings.")
            .help("Remove this line."),
        );
        return;
    }
    config.severities.insert(found.name, severity);
}
