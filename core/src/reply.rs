//! A value with a page to open or an element to highlight beside it.

use alloc::collections::BTreeMap;
use alloc::string::String;
use core::fmt;

use serde::Serialize;

use crate::limits::{MAX_HIGHLIGHT_CHARACTERS, MAX_NAVIGATE_CHARACTERS};
use crate::outcome::{IntoOutcome, Outcome, ToolError};
use crate::text::characters;

/// A value that is a JSON object, so that a page or a highlight fits beside its members.
///
/// Derive it on a struct with named fields that derives `Serialize`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot carry a page or a highlight",
    label = "not known to be a JSON object",
    note = "the page and the highlight are members of the result: derive `Object` on a struct with named fields"
)]
pub trait Object: Serialize {}

impl<V: Serialize> Object for BTreeMap<String, V> {}
impl Object for serde_json::Map<String, serde_json::Value> {}
impl<T: Object> Object for &T {}

/// A value, and what the widget shows with it: a button to a page of the site, a highlight on an element.
///
/// The platform takes both out before the agent reads the value. It ignores them on a refusal, where there is no way
/// to set them.
///
/// ```
/// # #[cfg(feature = "macros")] {
/// use median_edge::prelude::*;
/// use serde::Serialize;
///
/// #[derive(Serialize, Object)]
/// struct Invoice {
///     total: u32,
/// }
///
/// fn invoice() -> ToolResult<Reply<Invoice>> {
///     Ok(Reply::new(Invoice { total: 1999 }).navigate_to("/billing")?.highlight("#invoice-7")?)
/// }
/// # assert!(invoice().is_ok());
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Reply<T> {
    value: T,
    navigate_to: Option<String>,
    highlight: Option<String>,
}

impl<T: Object> Reply<T> {
    /// A value with nothing beside it yet.
    pub fn new(value: T) -> Self {
        Self { value, navigate_to: None, highlight: None }
    }

    /// Offers a page of the site: a path, with its query and fragment if it has any.
    ///
    /// # Errors
    ///
    /// When it is no path on the site (it must begin with one `/`, and hold no backslash, control character or `.` and
    /// `..` segments), or is over 2,048 characters.
    pub fn navigate_to(mut self, path: impl Into<String>) -> Result<Self, DirectiveError> {
        let path = path.into();
        if characters(&path) > MAX_NAVIGATE_CHARACTERS {
            return Err(DirectiveError::PathTooLong);
        }
        // A browser takes a backslash for a slash and drops tabs and line breaks, so any of them could leave the site.
        let on_site = path.starts_with('/') && !path.starts_with("//");
        if !on_site || path.contains(|c: char| c == '\\' || c.is_control()) || has_dot_segment(&path) {
            return Err(DirectiveError::NotOnSite);
        }
        self.navigate_to = Some(path);
        Ok(self)
    }

    /// Highlights the element that a CSS selector finds.
    ///
    /// # Errors
    ///
    /// When the selector is blank or over 256 characters.
    pub fn highlight(mut self, selector: impl Into<String>) -> Result<Self, DirectiveError> {
        let selector = selector.into();
        check_selector(&selector)?;
        self.highlight = Some(selector);
        Ok(self)
    }
}

/// Whether a selector may be highlighted.
///
/// # Errors
///
/// When it is blank or too long.
pub(crate) fn check_selector(selector: &str) -> Result<(), DirectiveError> {
    if selector.trim().is_empty() {
        return Err(DirectiveError::BlankSelector);
    }
    if characters(selector) > MAX_HIGHLIGHT_CHARACTERS {
        return Err(DirectiveError::SelectorTooLong);
    }
    Ok(())
}

/// Whether a browser would take a segment of the path for `.` or `..`: what is left of `/.//x` is another site's address.
fn has_dot_segment(path: &str) -> bool {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    path.split('/').any(|segment| {
        let mut rest = segment;
        let mut dots = 0;
        while let Some(after) =
            rest.strip_prefix('.').or_else(|| rest.strip_prefix("%2e")).or_else(|| rest.strip_prefix("%2E"))
        {
            rest = after;
            dots += 1;
        }
        rest.is_empty() && (1..=2).contains(&dots)
    })
}

/// `Reply` is no `Serialize` itself, so that this and the general case stay apart.
#[diagnostic::do_not_recommend]
impl<T: Object, E: Into<ToolError>> IntoOutcome for Result<Reply<T>, E> {
    fn into_outcome(self) -> Outcome {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Wire<'a, T: Serialize> {
            #[serde(flatten)]
            value: &'a T,
            #[serde(skip_serializing_if = "Option::is_none")]
            median_navigate_to: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            median_highlight: Option<&'a str>,
        }
        match self {
            Ok(reply) => {
                let wire = Wire {
                    value: &reply.value,
                    median_navigate_to: reply.navigate_to.as_deref(),
                    median_highlight: reply.highlight.as_deref(),
                };
                let directives = usize::from(wire.median_navigate_to.is_some())
                    + usize::from(wire.median_highlight.is_some());
                let outcome = Outcome::value(&wire, directives > 0);
                // A value that is no struct of ours may hold such a member itself: nobody checked that one.
                match outcome.count_directives() {
                    found if directives > 0 && found > directives => {
                        ToolError::internal(CLASH).into_outcome()
                    }
                    _ => outcome,
                }
            }
            Err(error) => error.into().into_outcome(),
        }
    }
}

/// The value's own: the platform takes the page and the highlight out before anyone reads it.
#[cfg(feature = "application-manifest")]
#[cfg_attr(docsrs, doc(cfg(feature = "application-manifest")))]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Reply<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> alloc::borrow::Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        T::json_schema(generator)
    }
}

const CLASH: &str =
    "the value of a Reply holds medianNavigateTo or medianHighlight itself, beside the one that was set";

/// Why a page or a highlight was not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DirectiveError {
    /// The page is no path on the site.
    NotOnSite,
    /// The path is over 2,048 characters.
    PathTooLong,
    /// The selector is blank.
    BlankSelector,
    /// The selector is over 256 characters.
    SelectorTooLong,
}

impl fmt::Display for DirectiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotOnSite => "the page is no path on the site: it must begin with one /, without a backslash or control character",
            Self::PathTooLong => "the path of the page is over 2,048 characters",
            Self::BlankSelector => "the selector to highlight is blank",
            Self::SelectorTooLong => "the selector to highlight is over 256 characters",
        })
    }
}

impl core::error::Error for DirectiveError {}

#[cfg(test)]
mod tests {
    use super::{DirectiveError, Reply};
    use crate::outcome::{IntoOutcome, Kind, ToolResult};
    use alloc::collections::BTreeMap;
    use alloc::string::{String, ToString};

    fn reply() -> Reply<BTreeMap<String, u8>> {
        Reply::new(BTreeMap::from([("a".to_string(), 1)]))
    }

    #[test]
    fn directives_are_members_beside_the_value() {
        let answer: ToolResult<_> = Ok(reply().navigate_to("/x?y#z").unwrap().highlight("#h").unwrap());
        let Kind::Result { body, directives } = answer.into_outcome().0 else { panic!("no result") };
        assert_eq!(body, br##"{"result":{"a":1,"medianNavigateTo":"/x?y#z","medianHighlight":"#h"}}"##);
        assert!(directives);
    }

    #[test]
    fn a_page_stays_on_the_site() {
        for bad in [
            "",
            "x",
            "//evil.example",
            "https://evil.example",
            "/\\evil.example",
            "/\t/evil.example",
            "/a\n",
            "javascript:1",
            "/.//evil.example",
            "/a/../x",
            "/%2E%2e/x",
            "/.%2e",
        ] {
            assert_eq!(reply().navigate_to(bad).err(), Some(DirectiveError::NotOnSite), "{bad:?}");
        }
        let long = |n: usize| "/".to_string() + &"a".repeat(n - 1);
        assert!(reply().navigate_to(long(2_048)).is_ok());
        assert_eq!(reply().navigate_to(long(2_049)).err(), Some(DirectiveError::PathTooLong));
    }

    #[test]
    fn a_page_that_the_value_holds_itself_does_not_stand_beside_a_checked_one() {
        let data = BTreeMap::from([("medianNavigateTo".to_string(), "https://evil.example")]);
        let clash: ToolResult<_> = Ok(Reply::new(data.clone()).navigate_to("/x").unwrap());
        assert!(matches!(clash.into_outcome().0, Kind::Failed { .. }));
        let alone: ToolResult<_> = Ok(Reply::new(data));
        assert!(matches!(alone.into_outcome().0, Kind::Result { directives: false, .. }));
        assert!(reply().navigate_to("/a.b/..c/...").is_ok());
    }

    #[test]
    fn a_selector_has_its_limit() {
        assert!(reply().highlight("a".repeat(256)).is_ok());
        assert_eq!(reply().highlight("a".repeat(257)).err(), Some(DirectiveError::SelectorTooLong));
        assert_eq!(reply().highlight(" ").err(), Some(DirectiveError::BlankSelector));
    }
}
