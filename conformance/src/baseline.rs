//! A baseline: the checks that are known to fail. One that passes is out of date, and says so.

use crate::report::{Report, Verdict};

/// Ids of checks that are expected to fail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline(Vec<String>);

/// How a report compares with a baseline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Expected to fail, and it does.
    pub expected: Vec<String>,
    /// Expected to fail, and it passes: take it out of the baseline.
    pub stale: Vec<String>,
}

impl Baseline {
    /// Reads one id a line; blank lines and what follows a `#` do not count.
    ///
    /// # Errors
    ///
    /// Names the line that holds no id of a requirement.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut ids = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let id = line.split('#').next().unwrap_or_default().trim();
            if id.is_empty() {
                continue;
            }
            if !crate::requirements().iter().any(|requirement| requirement.id == id) {
                return Err(format!("line {}: no requirement has the id {id}", index + 1));
            }
            ids.push(id.to_owned());
        }
        Ok(Self(ids))
    }

    /// Whether a check is expected to fail.
    pub fn expects(&self, id: &str) -> bool {
        self.0.iter().any(|expected| expected == id)
    }

    /// Compares. What was skipped says nothing.
    pub fn compare(&self, report: &Report) -> Compared {
        let mut compared = Compared::default();
        for outcome in report.outcomes.iter().filter(|outcome| self.expects(outcome.requirement.id)) {
            let id = outcome.requirement.id.to_owned();
            match outcome.verdict {
                Verdict::Failed(_) => compared.expected.push(id),
                Verdict::Passed => compared.stale.push(id),
                Verdict::Skipped(_) => {}
            }
        }
        compared
    }
}

#[cfg(test)]
mod tests {
    use super::Baseline;

    #[test]
    fn a_baseline_is_a_list_of_ids_with_notes() {
        let baseline = Baseline::parse("# known\n\nget-manifest # one day\n").unwrap();
        assert!(baseline.expects("get-manifest") && !baseline.expects("post-signed"));
        assert_eq!(Baseline::parse("\nnone").unwrap_err(), "line 2: no requirement has the id none");
    }
}
