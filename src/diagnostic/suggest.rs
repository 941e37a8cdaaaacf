//! Nearest-name suggestions.

/// Longer names are not compared: the comparison takes time and memory by both lengths.
const MAX_LEN: usize = 200;

/// The candidate that a reader most likely meant, if one is near enough: at most a third of the
/// characters differ (Damerau–Levenshtein), case aside. Ties go to the first in order.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > MAX_LEN {
        return None;
    }
    let wanted = fold(name);
    let limit = (wanted.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= MAX_LEN)
        .map(|candidate| {
            (
                strsim::damerau_levenshtein(&wanted, &fold(candidate)),
                candidate,
            )
        })
        .filter(|(distance, _)| *distance <= limit)
        .min_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.cmp(b.1)))
        .map(|(_, candidate)| candidate)
}

/// Lower case, with hyphens, underscores and spaces taken as one character.
fn fold(name: &str) -> String {
    name.chars()
        .flat_map(char::to_lowercase)
        .map(|c| if matches!(c, '_' | ' ') { '-' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let keys = ["title", "base_url", "language"];
        assert_eq!(nearest("base-url", keys), Some("base_url"));
        assert_eq!(nearest("titel", keys), Some("title"));
        assert_eq!(nearest("owner", keys), None);
    }
}
