//! Reads the entry of a test's site, as far as the gate looks at one.

use countersign::diagnostic::{Diagnostics, rule};
use countersign::model::byline::{Byline, DateField};
use countersign::model::citation::Source;
use countersign::model::date::Date;
use countersign::model::document::{Document, Image, Placement};
use countersign::model::entry::{Detail, Entry, Lesson};
use countersign::model::figure::Diagram;
use countersign::model::name::is_placeholder;
use countersign::model::slug::Slug;
use countersign::model::tree::Node;
use countersign::parse::capture::{CaptureContext, captures};
use countersign::parse::{front_matter, yaml};
use countersign::source::{Digest, FileId, Sources, Span, Spanned};

pub(crate) fn read(sources: &Sources, file: FileId) -> Entry {
    let mut out = Diagnostics::new();
    let source = sources.file(file);
    let split = front_matter::split(&source.text, file, &mut out).expect("front matter");
    let place = yaml::Place {
        file,
        offset: split.yaml.start,
        line: 2,
        rule: rule::BAD_FRONT_MATTER,
    };
    let root = yaml::parse(&source.text[split.yaml.clone()], place, &mut out).expect("YAML");
    let stem = source
        .path
        .rsplit('/')
        .next()
        .and_then(|name| name.strip_suffix(".md"));
    let cx = CaptureContext {
        sources,
        entry: file,
    };
    let front = Span::new(file, split.yaml);
    Entry {
        id: Slug::new(stem.expect("an entry")).expect("an id"),
        file,
        title: text(&root, "title").expect("a title"),
        short: None,
        hold: text(&root, "hold"),
        detail: Detail::Lesson(Lesson {
            day: None,
            arc: None,
            prerequisites: Vec::new(),
            teaches: Vec::new(),
        }),
        measured: captures(pairs(&root, "measured"), &cx, &mut out),
        diagrams: pairs(&root, "diagrams").iter().map(diagram).collect(),
        models: Vec::new(),
        matrices: Vec::new(),
        sources: items(&root, "sources").iter().map(cited).collect(),
        byline: byline(root.get("byline"), front),
        front,
        body: Document {
            images: image(file, &source.text).into_iter().collect(),
            ..Document::default()
        },
        digest: Digest::of(source.text.as_bytes()),
    }
}

fn text(node: &Node, key: &str) -> Option<Spanned<String>> {
    let value = node.get(key)?;
    Some(Spanned::new(value.text()?.to_owned(), value.span))
}

fn pairs<'a>(node: &'a Node, key: &str) -> &'a [(Spanned<String>, Node)] {
    node.get(key).and_then(Node::map).unwrap_or(&[])
}

fn items<'a>(node: &'a Node, key: &str) -> &'a [Node] {
    node.get(key).and_then(Node::list).unwrap_or(&[])
}

fn date(node: &Node, key: &str) -> DateField {
    let Some(text) = text(node, key) else {
        return DateField::Absent;
    };
    match Date::parse(&text.value) {
        Some(date) => DateField::On(Spanned::new(date, text.span)),
        None if is_placeholder(&text.value) => DateField::Pending(text.span),
        None => DateField::Faulty(text.span),
    }
}

fn diagram((name, node): &(Spanned<String>, Node)) -> Diagram {
    Diagram {
        name: Spanned::new(Slug::new(&name.value).expect("a name"), name.span),
        span: node.span,
        preset: text(node, "preset"),
        alt: None,
        caption: None,
        rows: Vec::new(),
    }
}

fn cited(node: &Node) -> Source {
    Source {
        span: node.span,
        id: text(node, "id").expect("an id"),
        title: text(node, "title").expect("a title"),
        sections: Vec::new(),
        supports: text(node, "supports"),
        url: text(node, "url"),
        checked: date(node, "checked"),
    }
}

fn byline(node: Option<&Node>, front: Span) -> Byline {
    let name = |key| node.and_then(|node| text(node, key));
    let day = |key| node.map_or(DateField::Absent, |node| date(node, key));
    Byline {
        span: node.map_or(front, |node| node.span),
        written_by: name("written_by"),
        reviewed_by: name("reviewed_by"),
        written_on: day("written_on"),
        last_checked_on: day("last_checked_on"),
    }
}

fn image(file: FileId, text: &str) -> Option<Image> {
    let start = text.find("](lanes.svg)")? + 2;
    let span = Span::new(file, start..start + "lanes.svg".len());
    Some(Image {
        span,
        target: Spanned::new("lanes.svg".to_owned(), span),
        alt: String::new(),
        title: String::new(),
        placement: Placement::Block,
    })
}
