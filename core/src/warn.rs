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
    let mut warnings = Vec::new();
    if !fits(result, RESULT_READ_CHARACTERS) {
        warnings.push(Warning::ResultTooLong { characters: characters(result) });
    }
    if Type::of(result) == Type::Object {
        let (refusal, directive) = reads_as(result);
        if refusal {
            warnings.push(Warning::ReadsAsRefusal);
        }
        if directive && !directives {
            warnings.push(Warning::ReadsAsDirective);
        }
    }
    warnings
}

pub(crate) fn of_diagnostics(result: &str) -> Vec<Warning> {
    if fits(result, DIAGNOSTICS_KEPT_CHARACTERS) {
        return Vec::new();
    }
    [Warning::DiagnosticsTooLong { characters: characters(result) }].into()
}

/// Whether the platform reads an object as a refusal, and whether it finds a directive in it.
pub(crate) fn reads_as(object: &str) -> (bool, bool) {
    enum Member {
        Flag,
        Outcome,
        Directive,
        Other,
    }
    let (mut refusal, mut directive) = (false, false);
    let name = |name: &[u8]| match name {
        b"ok" | b"known" | b"allowed" => Member::Flag,
        b"outcome" => Member::Outcome,
        b"medianNavigateTo" | b"medianHighlight" => Member::Directive,
        _ => Member::Other,
    };
    // The result is JSON that we wrote, so the walk comes to its end.
    let _ = json::walk(object, name, |member, value| {
        match member {
            Member::Flag => refusal |= value == "false",
            Member::Outcome => refusal |= matches!(value, r#""blocked""# | r#""unknown""#),
            Member::Directive => directive = true,
            Member::Other => {}
        }
        Ok::<(), ()>(())
    });
    (refusal, directive)
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
            assert!(reads_as(refusal).0, "{refusal}");
        }
        for data in [
            r#"{"found":false}"#,
            r#"{"ok":true}"#,
            r#"{"ok":null}"#,
            r#"{"outcome":"shipped"}"#,
            r#"{"a":{"ok":false}}"#,
            "{}",
        ] {
            assert!(!reads_as(data).0, "{data}");
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
