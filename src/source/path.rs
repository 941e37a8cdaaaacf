//! Paths of a site: forward slashes, relative to its folder.

/// Joins a folder and a path as seen from it; `None` if the result would lie above the site.
pub fn join(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// What stands after the last dot of a path; empty without one.
pub fn ending(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, ending)| ending)
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn nothing_climbs_above_the_site() {
        assert_eq!(
            join("content/terms", "../lessons/a.md").as_deref(),
            Some("content/lessons/a.md")
        );
        assert_eq!(join("a/b", "./c//d/").as_deref(), Some("a/b/c/d"));
        assert_eq!(join("a", "..").as_deref(), Some(""));
        assert_eq!(join("a", "../.."), None);
    }
}
