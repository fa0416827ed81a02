//! What an application says of a page.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// A page of the site: its route, and what the agent should know of it.
///
/// A text is a page, and so is a pair of a text and a title. The long form has all there is:
///
/// ```
/// use median_edge::navigation::Page;
///
/// let page = Page::new("/orders/:id")
///     .title("One order")
///     .highlight("#refund", "The button that asks for a refund.");
/// # let _ = page;
/// ```
#[derive(Clone, Debug)]
pub struct Page {
    pub(super) route: Cow<'static, str>,
    pub(super) title: Option<Cow<'static, str>>,
    pub(super) highlights: Vec<Highlight>,
    /// Where it stands in a list, counted from 1.
    pub(super) line: Option<usize>,
}

/// An element of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Highlight {
    pub(super) selector: Cow<'static, str>,
    pub(super) shows: Cow<'static, str>,
}

impl Page {
    /// A page by its route: a path, in which a segment `:name` stands for any one segment that is not empty.
    ///
    /// What is wrong with a route is told when the endpoint is built.
    pub fn new(route: impl Into<Cow<'static, str>>) -> Self {
        Self { route: route.into(), title: None, highlights: Vec::new(), line: None }
    }

    /// What the page is called, for the agent to choose by. Of a long one, the agent reads the beginning.
    #[must_use]
    pub fn title(mut self, title: impl Into<Cow<'static, str>>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Lets the agent highlight an element of the page: a CSS selector of at most 256 characters, and what it finds.
    #[must_use]
    pub fn highlight(
        mut self,
        selector: impl Into<Cow<'static, str>>,
        shows: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.highlights.push(Highlight { selector: selector.into(), shows: shows.into() });
        self
    }
}

impl From<&'static str> for Page {
    fn from(route: &'static str) -> Self {
        Self::new(route)
    }
}

impl From<&&'static str> for Page {
    fn from(route: &&'static str) -> Self {
        Self::new(*route)
    }
}

impl From<String> for Page {
    fn from(route: String) -> Self {
        Self::new(route)
    }
}

impl<R: Into<Cow<'static, str>>, T: Into<Cow<'static, str>>> From<(R, T)> for Page {
    fn from((route, title): (R, T)) -> Self {
        Self::new(route).title(title)
    }
}

impl From<&(&'static str, &'static str)> for Page {
    fn from((route, title): &(&'static str, &'static str)) -> Self {
        Self::new(*route).title(*title)
    }
}

/// Reads pages from a text: a route a line, and its title after white space if it has one. Blank lines, and lines that
/// begin with `#`, say nothing. What is wrong is told when the endpoint is built, with its line.
///
/// It is for a list that a build makes: `navigation::pages(include_str!("pages.txt"))`.
///
/// ```
/// use median_edge::prelude::*;
///
/// const PAGES: &str = "
/// ## What customers may see.
/// /orders      Your orders
/// /orders/:id  One order
/// /billing
/// ";
///
/// let endpoint: Result<Endpoint<()>, _> = Endpoint::builder().plugin(navigation(navigation::pages(PAGES))).build();
/// assert!(endpoint.is_ok());
/// ```
pub fn pages(text: &'static str) -> impl Iterator<Item = Page> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().map(str::trim).zip(1..);
    lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#')).map(|(line, number)| {
        let (route, title) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let title = title.trim_start();
        let mut page = Page::new(route);
        page.title = (!title.is_empty()).then_some(Cow::Borrowed(title));
        page.line = Some(number);
        page
    })
}

#[cfg(test)]
mod tests {
    use super::{Page, pages};
    use alloc::string::ToString;
    use alloc::vec::Vec;

    #[test]
    fn a_list_has_a_route_a_line_and_titles_after_white_space() {
        let text = "\u{feff}# The shop\r\n/orders\tYour  orders\r\n\r\n  /billing   \n/a # no comment\n";
        let read: Vec<_> = pages(text)
            .map(|page| (page.line, page.route.to_string(), page.title.map(|title| title.to_string())))
            .collect();
        let page = |line, route: &str, title: Option<&str>| {
            (Some(line), route.to_string(), title.map(str::to_string))
        };
        assert_eq!(
            read,
            [
                page(2, "/orders", Some("Your  orders")),
                page(4, "/billing", None),
                page(5, "/a", Some("# no comment"))
            ]
        );
    }

    #[test]
    fn constants_are_pages() {
        const ROUTES: &[&str] = &["/a"];
        const TITLED: &[(&str, &str)] = &[("/a", "A")];
        let routes: Vec<Page> = ROUTES.iter().map(Into::into).collect();
        let titled: Vec<Page> = TITLED.iter().map(Into::into).collect();
        assert_eq!((routes[0].route.as_ref(), titled[0].title.as_deref()), ("/a", Some("A")));
    }
}
