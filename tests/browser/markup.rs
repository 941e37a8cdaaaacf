//! HTML, read strictly: the tree as it is written, for comparison with the tree that a browser makes.
//!
//! A browser mends without a word what is not closed, closed twice or put where it cannot stand. So
//! a page is sound when both trees are one.

/// Elements that hold nothing and have no end tag.
const VOID: [&str; 13] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
];

/// Elements by depth, as in `2 p`, or what is wrong with the text.
pub(crate) fn tree(html: &str) -> Result<Vec<String>, String> {
    let mut rest = html
        .strip_prefix("<!doctype html>")
        .ok_or("it does not begin with <!doctype html>")?;
    let (mut tree, mut open) = (Vec::new(), Vec::<&str>::new());
    while let Some(at) = rest.find('<') {
        check_text(&rest[..at])?;
        rest = &rest[at + 1..];
        if let Some(closed) = rest.strip_prefix('/') {
            let (name, after) = closed.split_once('>').ok_or("an end tag is cut off")?;
            if open.pop() != Some(name) {
                return Err(format!("</{name}> closes nothing that is open"));
            }
            rest = after;
            continue;
        }
        let end = rest
            .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')
            .ok_or("a tag is cut off")?;
        let (name, after) = rest.split_at(end);
        if name.is_empty() {
            return Err(format!(
                "a bare < before {:?}",
                after.get(..20).unwrap_or(after)
            ));
        }
        tree.push(format!("{} {name}", open.len()));
        let (closes_itself, after) = attributes(name, after)?;
        rest = after;
        if matches!(name, "script" | "style") {
            let end = format!("</{name}>");
            let (_, after) = rest.split_once(&end).ok_or(format!("no {end}"))?;
            rest = after;
        } else if closes_itself && !open.contains(&"svg") && name != "svg" {
            return Err(format!("<{name}/> closes itself"));
        } else if !closes_itself && !VOID.contains(&name) {
            open.push(name);
        }
    }
    check_text(rest)?;
    open.is_empty()
        .then_some(tree)
        .ok_or(format!("{open:?} is not closed"))
}

/// Reads attributes up to the tag's end: whether it closes itself, and what follows.
fn attributes<'t>(name: &str, mut rest: &'t str) -> Result<(bool, &'t str), String> {
    let mut seen = Vec::new();
    loop {
        let spaced = rest.trim_start();
        if let Some(after) = spaced.strip_prefix("/>") {
            return Ok((true, after));
        }
        if let Some(after) = spaced.strip_prefix('>') {
            return Ok((false, after));
        }
        if spaced.len() == rest.len() {
            return Err(format!("attributes of <{name}> run into each other"));
        }
        let end = spaced.find(['=', '>', ' ', '\n', '/']);
        let (attribute, after) = spaced.split_at(end.ok_or("a tag is cut off")?);
        if seen.contains(&attribute) {
            return Err(format!("{attribute} stands twice in <{name}>"));
        }
        seen.push(attribute);
        rest = after;
        if let Some(value) = after.strip_prefix('=') {
            let quoted = value.strip_prefix('"');
            let quoted = quoted.ok_or(format!("{attribute} of <{name}> has no quotes"))?;
            let (value, after) = quoted.split_once('"').ok_or("a tag is cut off")?;
            check_text(value)?;
            rest = after;
        }
    }
}

/// Text between tags or quotes: every `&` begins a reference that ends.
fn check_text(text: &str) -> Result<(), String> {
    for part in text.split('&').skip(1) {
        let end = part.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '#');
        if end.is_none_or(|end| end == 0 || !part[end..].starts_with(';')) {
            return Err(format!(
                "a bare & before {:?}",
                part.get(..20).unwrap_or(part)
            ));
        }
    }
    Ok(())
}

/// The same list from a browser's tree.
pub(crate) const TREE: &str = "(() => {
    const tree = [];
    const walk = (element, depth) => {
      tree.push(`${depth} ${element.localName}`);
      for (const child of element.children) walk(child, depth + 1);
    };
    walk(document.documentElement, 0);
    return tree;
  })()";

#[test]
fn what_is_unsound_is_told() {
    let page = |body: &str| tree(&format!("<!doctype html><html><body>{body}</body></html>"));
    let sound = "<p class=\"a\" hidden>1 &lt; 2<br>&#39;</p><svg><path d=\"m0 0\"/></svg>";
    assert_eq!(
        page(sound).unwrap(),
        ["0 html", "1 body", "2 p", "3 br", "2 svg", "3 path"]
    );
    for unsound in [
        "<p>",
        "</p>",
        "<b><i></b></i>",
        "a & b",
        "&lt",
        "1 < 2",
        "<p id=a></p>",
        "<p id=\"a\" id=\"b\"></p>",
        "<p id=\"a\"class=\"b\"></p>",
        "<p/>",
        "<a href=\"?a&b\"></a>",
    ] {
        assert!(page(unsound).is_err(), "{unsound}");
    }
    assert!(tree("<html></html>").is_err());
}
