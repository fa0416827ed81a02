//! A route: a path of the site, with a `:name` for each segment that varies.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::path::{self, Bad, encode_into};
use crate::limits::MAX_NAVIGATE_CHARACTERS;
use crate::text::{Quoted, fits, is_blank};

/// A path of the site, with a name for each segment that varies.
#[derive(Clone, Debug)]
pub(super) struct Route {
    /// As the application wrote it.
    pub(super) text: Cow<'static, str>,
    segments: Vec<Segment>,
}

/// What is between two slashes of a route.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    /// This text, decoded; and as it is answered.
    Fixed { text: String, encoded: String },
    /// Any segment that is not blank. The name is with its colon.
    Parameter(String),
}

impl Route {
    /// # Errors
    ///
    /// Says what is wrong with it, after its name.
    pub(super) fn parse(text: Cow<'static, str>) -> Result<Self, Cow<'static, str>> {
        if text.contains(['*', '{', '}', '[', ']', '<', '>']) {
            return Err("must have a segment that varies as :name, like /orders/:id".into());
        }
        let found = path::segments(&text).map_err(|bad| match bad {
            Bad::Query => Cow::Borrowed(
                "must be a path without ? and #: a segment that may be left out makes two routes, and a query is not part of one",
            ),
            bad => Cow::Owned(bad.to_string()),
        })?;
        let segments = found.iter().map(Segment::parse).collect::<Result<_, _>>()?;
        Ok(Self { text, segments })
    }

    /// Whether a path is this one, filled. Letters count in their own case.
    pub(super) fn matches(&self, path: &[path::Segment<'_>]) -> bool {
        self.segments.len() == path.len()
            && self.segments.iter().zip(path).all(|(segment, came)| match segment {
                Segment::Fixed { text, .. } => *text == came.text,
                Segment::Parameter(_) => !is_blank(&came.text),
            })
    }

    /// The same text for routes that stand for the same paths, whatever their segments are named.
    pub(super) fn shape(&self) -> String {
        let mut shape = String::new();
        for segment in &self.segments {
            shape.push('/');
            // No segment has a control character, or a slash.
            shape.push_str(if let Segment::Fixed { text, .. } = segment { text } else { "\0" });
        }
        shape
    }

    /// Which segments vary, for comparing: of two routes that both match, the smaller says more of the path.
    pub(super) fn varying(&self) -> impl Iterator<Item = bool> {
        self.segments.iter().map(|segment| matches!(segment, Segment::Parameter(_)))
    }

    /// The segments as the application wrote them.
    pub(super) fn parts(&self) -> impl Iterator<Item = &str> {
        self.text.split('/').filter(|part| !part.is_empty())
    }

    /// Whether it stands for one path only.
    pub(super) fn is_fixed(&self) -> bool {
        !self.varying().any(|varies| varies)
    }

    /// The first segment whose name came in the place of a value.
    pub(super) fn left_unfilled(&self, path: &[path::Segment<'_>]) -> Option<&str> {
        self.segments.iter().zip(path).find_map(|(segment, came)| match segment {
            Segment::Parameter(name) if *name == came.text => Some(name.as_str()),
            _ => None,
        })
    }

    /// The path, as a browser's address would have it: the route's own spelling, and a value for each name.
    ///
    /// # Errors
    ///
    /// When it is too long for a page.
    pub(super) fn fill(&self, path: &[path::Segment<'_>]) -> Result<String, Bad> {
        let mut filled = String::new();
        for (segment, came) in self.segments.iter().zip(path) {
            filled.push('/');
            match segment {
                Segment::Fixed { encoded, .. } => filled.push_str(encoded),
                Segment::Parameter(_) => encode_into(&mut filled, came.raw),
            }
        }
        if self.text.ends_with('/') {
            filled.push('/');
        }
        if fits(&filled, MAX_NAVIGATE_CHARACTERS) { Ok(filled) } else { Err(Bad::TooLong) }
    }
}

impl Segment {
    fn parse(segment: &path::Segment<'_>) -> Result<Self, Cow<'static, str>> {
        if is_blank(&segment.text) {
            return Err("has an empty segment: two slashes, or only white space between them".into());
        }
        let Some(name) = segment.raw.strip_prefix(':') else {
            let mut encoded = String::new();
            encode_into(&mut encoded, segment.raw);
            return Ok(Self::Fixed { text: segment.text.to_string(), encoded });
        };
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            let why =
                "must have a name of ASCII letters, digits and underscores after a colon, as a whole segment";
            return Err(format!("{why}, not {}", Quoted(segment.raw)).into());
        }
        Ok(Self::Parameter(segment.raw.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::Route;
    use crate::navigation::path::segments;
    use alloc::string::String;

    fn route(text: &'static str) -> Route {
        Route::parse(text.into()).unwrap()
    }

    fn filled(text: &'static str, path: &str) -> Option<String> {
        let (route, path) = (route(text), segments(path).unwrap());
        route.matches(&path).then(|| route.fill(&path).unwrap())
    }

    #[test]
    fn a_route_is_filled_segment_by_segment() {
        assert_eq!(filled("/orders/:id", "/orders/ORD-1042").as_deref(), Some("/orders/ORD-1042"));
        assert_eq!(filled("/:a/x/:b", "/1/x/2").as_deref(), Some("/1/x/2"));
        for path in ["/orders", "/orders/1/2", "/orders//", "/orders/%20", "/Orders/1", "/"] {
            assert_eq!(filled("/orders/:id", path), None, "{path}");
        }
        assert_eq!(filled("/", "/").as_deref(), Some("/"));
    }

    #[test]
    fn what_is_answered_is_spelled_as_the_route_is_and_as_a_browser_would() {
        assert_eq!(filled("/help/", "/help").as_deref(), Some("/help/"));
        assert_eq!(filled("/help", "/help/").as_deref(), Some("/help"));
        assert_eq!(filled("/café/:x", "/caf%C3%A9/a b").as_deref(), Some("/caf%C3%A9/a%20b"));
        assert_eq!(filled("/caf%C3%A9/:x", "/café/a%20b").as_deref(), Some("/caf%C3%A9/a%20b"));
    }

    #[test]
    fn a_value_that_grows_too_long_when_it_is_encoded_is_refused() {
        let path = String::from("/") + &"é".repeat(1_000);
        let path = segments(&path).unwrap();
        assert!(route("/:x").matches(&path) && route("/:x").fill(&path).is_err());
    }

    #[test]
    fn routes_that_stand_for_the_same_paths_are_the_same() {
        for (one, other) in [("/a/:x", "/a/:y"), ("/a", "/a/"), ("/a%20b", "/a b")] {
            assert_eq!(route(one).shape(), route(other).shape());
        }
        for (one, other) in [("/a/:x", "/a/x"), ("/a", "/A"), ("/a/b", "/a"), ("/", "/:a")] {
            assert_ne!(route(one).shape(), route(other).shape());
        }
    }

    #[test]
    fn a_route_that_is_none_says_why() {
        for (text, why) in [
            ("orders", "begin with one /"),
            ("//x", "begin with one /"),
            ("https://shop.example/x", "begin with one /"),
            ("/a?b", "must be a path without ? and #"),
            ("/a/:id?", "a segment that may be left out makes two routes"),
            ("/a#b", "without ? and #"),
            ("/a/../b", "no . and no .."),
            ("/a%2fb", "%2F"),
            ("/100%", "%25"),
            ("/a\\b", "backslash"),
            ("/a\tb", "control"),
            ("/a//b", "empty segment"),
            ("/a/ /b", "empty segment"),
            ("/a/[id]", "as :name"),
            ("/a/{id}", "as :name"),
            ("/a/*", "as :name"),
            ("/a/:", "a whole segment"),
            ("/a/:id.json", "a whole segment"),
        ] {
            let message = Route::parse(text.into()).unwrap_err();
            assert!(message.contains(why), "{text}: {message}");
        }
    }
}
