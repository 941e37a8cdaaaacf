//! Days of the calendar. No time, no zone: a date means the same everywhere.

use std::fmt;

/// A day of the Gregorian calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date(jiff::civil::Date);

impl Date {
    /// Reads `YYYY-MM-DD`, with exactly these digits; `None` for anything else or a day that
    /// the calendar does not have.
    pub fn parse(text: &str) -> Option<Self> {
        let shape = text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
        if text.len() != 10 || !shape {
            return None;
        }
        text.parse().ok().map(Self)
    }

    /// The day that is `seconds` after the start of 1970 in UTC, as `SOURCE_DATE_EPOCH` counts.
    pub fn from_epoch_seconds(seconds: i64) -> Option<Self> {
        let at = jiff::Timestamp::from_second(seconds).ok()?;
        Some(Self(jiff::tz::Offset::UTC.to_datetime(at).date()))
    }

    /// Whole days from `earlier` to this day; negative if this day comes first.
    pub fn days_since(self, earlier: Self) -> i64 {
        self.0
            .since(earlier.0)
            .map_or(0, |span| i64::from(span.get_days()))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_real_days_in_one_form() {
        assert!(Date::parse("2026-09-01").is_some());
        for bad in [
            "2026-9-1",
            "2026-02-30",
            "20260901",
            "2026-09-01T00:00",
            "",
            "+026-09-01",
        ] {
            assert!(Date::parse(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn days_are_counted() {
        let day = |text| Date::parse(text).unwrap();
        assert_eq!(day("2026-03-01").days_since(day("2025-03-01")), 365);
        assert_eq!(day("2025-03-01").days_since(day("2026-03-01")), -365);
        assert_eq!(
            Date::from_epoch_seconds(0).unwrap().to_string(),
            "1970-01-01"
        );
    }
}
