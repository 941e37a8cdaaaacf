//! Counts of tests, read from the closing lines that test runners print.

/// Tests that ran.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Held.
    pub(crate) passed: u64,
    /// Did not hold.
    pub(crate) failed: u64,
    /// Left out.
    pub(crate) ignored: u64,
}

impl Totals {
    /// Adds what a line says, if it is a closing line such as
    /// `test result: ok. 3 passed; 0 failed; 0 ignored; …`.
    pub(crate) fn add_line(&mut self, line: &str) {
        let Some(result) = line.trim().strip_prefix("test result: ") else {
            return;
        };
        let counts = result.split_once(". ").map_or("", |(_, counts)| counts);
        for count in counts.split(';') {
            let Some((number, word)) = count.trim().split_once(' ') else {
                continue;
            };
            let Ok(number) = number.parse::<u64>() else {
                continue;
            };
            match word {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.ignored += number,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_summed() {
        let mut totals = Totals::default();
        totals.add_line("test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s");
        totals.add_line(
            "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",
        );
        totals.add_line("test parse::reads ... ok");
        assert_eq!(
            totals,
            Totals {
                passed: 5,
                failed: 1,
                ignored: 1
            }
        );
    }
}
