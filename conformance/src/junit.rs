//! A report as `JUnit` XML, which every CI reads.

use std::fmt::Write as _;

use crate::baseline::Baseline;
use crate::report::{Report, Verdict};
use crate::requirement::Severity;

/// Writes a report as `JUnit` XML. What a baseline expects to fail, and a failed *should* unless `strict`, is skipped
/// with its reason; a check of the baseline that passes is a failure.
pub fn write(report: &Report, baseline: &Baseline, strict: bool) -> String {
    let cases: Vec<_> = report.outcomes.iter().map(|outcome| case(outcome, baseline, strict)).collect();
    let count = |mark: &str| cases.iter().filter(|case| case.contains(mark)).count();
    let (failures, skipped) = (count("<failure "), count("<skipped "));
    let mut cases = cases.concat();
    let mut errors = 0;
    if let Some(ended) = &report.ended {
        errors = 1;
        let _ = writeln!(
            cases,
            "    <testcase classname=\"median-edge\" name=\"run\"><error message=\"{}\"/></testcase>",
            escaped(&ended.to_string())
        );
    }
    let (tests, seconds) = (report.outcomes.len() + errors, report.took.as_secs_f64());
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"median-edge check {}\" tests=\"{tests}\" \
         failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"{seconds:.3}\">\n{cases}  </testsuite>\n</testsuites>\n",
        escaped(&report.target)
    )
}

fn case(outcome: &crate::report::Outcome, baseline: &Baseline, strict: bool) -> String {
    let requirement = &outcome.requirement;
    let expected = baseline.expects(requirement.id);
    let skipped = |why: &str| format!("<skipped message=\"{}\"/>", escaped(why));
    let failure = |message: &str, text: &str| {
        format!("<failure message=\"{}\">{}</failure>", escaped(message), escaped(text))
    };
    let inside = match &outcome.verdict {
        Verdict::Passed if expected => failure("it is in the baseline and passes: take it out", ""),
        Verdict::Passed => String::new(),
        Verdict::Skipped(why) => skipped(why),
        Verdict::Failed(_) if expected => skipped("it fails, as the baseline says"),
        Verdict::Failed(_) if requirement.severity == Severity::Should && !strict => {
            skipped("it fails, and is a should: --strict makes it count")
        }
        Verdict::Failed(findings) => {
            let mut text = String::new();
            for finding in findings {
                let _ =
                    writeln!(text, "{}: expected {}, came {}", finding.case, finding.expected, finding.came);
            }
            let _ = write!(text, "Why: {}\nHow to mend: {}", requirement.why, requirement.mend);
            failure(requirement.sentence, &text)
        }
    };
    let (area, id) = (requirement.area, requirement.id);
    format!("    <testcase classname=\"median-edge.{area}\" name=\"{id}\">{inside}</testcase>\n")
}

/// Text inside XML: what XML 1.0 has no character for becomes U+FFFD.
fn escaped(text: &str) -> String {
    let mut xml = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\n' => xml.push_str("&#10;"),
            '\t' => xml.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => xml.push('\u{fffd}'),
            c => xml.push(c),
        }
    }
    xml
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn text_is_no_markup() {
        assert_eq!(escaped("<a b=\"c\">&\u{1b}\n"), "&lt;a b=&quot;c&quot;&gt;&amp;\u{fffd}&#10;");
    }
}
