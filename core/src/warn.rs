//! Reading a result by the platform's own rules, to warn where it reads something else than was meant.

use alloc::vec::Vec;

use crate::event::Warning;
use crate::json::{self, Type};
use crate::limits::{DIAGNOSTICS_KEPT_CHARACTERS, RESULT_READ_CHARACTERS};
use crate::outcome::BEFORE_RESULT;
use crate::text::{characters, fits};

/// The result's own text in a body that we wrote.
pub(crate) fn result_of(body: &[u8]) -> &str {
    let result = body.strip_prefix(BEFORE_RESULT).and_then(|rest| rest.strip_suffix(b"}"));
    result.and_then(|bytes| core::str::from_utf8(bytes).ok()).unwrap_or_default()
}

/// What to say of a tool's value. `directives`: its author set a page or a highlight on purpose.
pub(crate) fn of_result(result: &str, directives: bool) -> Vec<Warning> {
    let read = reads_as(result);
    let mut warnings = Vec::new();
    if !fits(result, RESULT_READ_CHARACTERS + read.directive_characters) {
        let characters = characters(result) - read.directive_characters;
        warnings.push(Warning::ResultTooLong { characters });
    }
    if read.refusal {
        warnings.push(Warning::ReadsAsRefusal);
    }
    if read.directives > 0 && !directives {
        warnings.push(Warning::ReadsAsDirective);
    }
    warnings
}

pub(crate) fn of_diagnostics(result: &str) -> Vec<Warning> {
    if fits(result, DIAGNOSTICS_KEPT_CHARACTERS) {
        return Vec::new();
    }
    [Warning::DiagnosticsTooLong { characters: characters(result) }].into()
}

/// What the platform finds in a result besides data.
#[derive(Default)]
pub(crate) struct ReadsAs {
    /// It reads the whole of it as a refusal.
    pub(crate) refusal: bool,
    /// How many members are a page or a highlight.
    pub(crate) directives: usize,
    /// How many characters it takes out, for a page and a highlight, before the agent reads the rest.
    pub(crate) directive_characters: usize,
}

pub(crate) fn reads_as(result: &str) -> ReadsAs {
    let mut read = ReadsAs::default();
    if Type::of(result) != Type::Object {
        return read;
    }
    // The result is JSON that we wrote, so the walk comes to its end.
    let _ = json::walk(result, |name, value| match name {
        b"ok" | b"known" | b"allowed" => read.refusal |= value == "false",
        b"outcome" => read.refusal |= matches!(value, r#""blocked""# | r#""unknown""#),
        b"medianNavigateTo" | b"medianHighlight" => {
            read.directives += 1;
            // Two quotes, a colon and a comma.
            read.directive_characters += name.len() + 4 + characters(value);
        }
        _ => {}
    });
    read
}

#[cfg(test)]
mod tests {
    use super::{of_result, reads_as, result_of};
    use crate::event::Warning;
    use alloc::format;

    #[test]
    fn the_platforms_rules_for_a_refusal_are_ours() {
        for refusal in [
            r#"{"ok":false}"#,
            r#"{"a":1,"known":false}"#,
            r#"{"allowed":false}"#,
            r#"{"outcome":"blocked"}"#,
            r#"{"outcome":"unknown"}"#,
        ] {
            assert!(reads_as(refusal).refusal, "{refusal}");
        }
        for data in [
            r#"{"found":false}"#,
            r#"{"ok":true}"#,
            r#"{"ok":null}"#,
            r#"{"outcome":"shipped"}"#,
            r#"{"a":{"ok":false}}"#,
            "{}",
        ] {
            assert!(!reads_as(data).refusal, "{data}");
        }
    }

    #[test]
    fn a_directive_is_warned_of_when_it_came_as_data() {
        let result = r#"{"medianNavigateTo":"/x"}"#;
        assert_eq!(of_result(result, false), [Warning::ReadsAsDirective]);
        assert!(of_result(result, true).is_empty());
    }

    #[test]
    fn length_is_counted_in_characters() {
        let result = |n: usize| format!("\"{}\"", "😀".repeat(n));
        assert!(of_result(&result(1_999), false).is_empty());
        assert_eq!(of_result(&result(2_000), false), [Warning::ResultTooLong { characters: 4_002 }]);
    }

    #[test]
    fn a_result_is_found_in_its_body() {
        assert_eq!(result_of(br#"{"result":[1]}"#), "[1]");
        assert_eq!(result_of(b"x"), "");
    }
}
