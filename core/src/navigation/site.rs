//! The pages of a site, checked, and finding one by a path.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::glob::{Glob, Subject};
use super::page::{Highlight, Page};
use super::path::{self, Bad};
use super::route::Route;
use crate::reply::check_selector;
use crate::text::{LINE_ENDS, Quoted, is_blank};

/// A page whose route is one.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) route: Route,
    pub(super) title: Option<Cow<'static, str>>,
    pub(super) highlights: Vec<Highlight>,
}

/// The pages that the agent may send customers to.
#[derive(Debug)]
pub(super) struct Site {
    /// In the order of their declaration.
    pub(super) pages: Vec<Known>,
    exclude: Vec<Glob>,
}

/// Why a path is no page.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Missing<'a> {
    /// It is no path of any site.
    Bad(Bad),
    /// A name stands where a value belongs.
    Unfilled(&'a str),
    /// There is no such page, or it is left out: the two are not told apart.
    Unknown,
}

impl Site {
    /// Takes what is good of the pages, and says what is wrong with the others.
    pub(super) fn check(pages: Vec<Page>, exclude: &[Cow<'static, str>]) -> (Self, Vec<String>) {
        let mut problems = Vec::new();
        let mut site = Self { pages: Vec::new(), exclude: Vec::new() };
        for pattern in exclude {
            match Glob::parse(pattern) {
                Ok(glob) => site.exclude.push(glob),
                Err(why) => problems.push(format!("exclude {}: it {why}", Quoted(pattern))),
            }
        }
        if pages.is_empty() {
            problems.push("there are no routes, so the agent could go nowhere".into());
        }
        let mut shapes: BTreeMap<String, Cow<'static, str>> = BTreeMap::new();
        let mut excluded = 0;
        for page in pages {
            let name = Name { route: page.route.clone(), line: page.line };
            let mut wrong = Vec::new();
            let route = match Route::parse(page.route) {
                Ok(route) => Some(route),
                Err(why) => {
                    wrong.push(format!("it {why}"));
                    None
                }
            };
            if let Some(route) = &route {
                let shape = route.shape();
                if let Some(first) = shapes.get(&shape) {
                    let first = Quoted(first);
                    wrong.push(format!("it stands for the same paths as {first}, which is listed before it"));
                } else {
                    shapes.insert(shape, route.text.clone());
                }
            }
            check_title(page.title.as_deref(), &mut wrong);
            check_highlights(&page.highlights, &mut wrong);
            match route {
                Some(route) if wrong.is_empty() => {
                    if site.is_excluded(&path::segments(&route.text).unwrap_or_default()) {
                        excluded += 1;
                    } else {
                        site.pages.push(Known { route, title: page.title, highlights: page.highlights });
                    }
                }
                _ => problems.extend(wrong.into_iter().map(|why| format!("{name}: {why}"))),
            }
        }
        if site.pages.is_empty() && excluded > 0 && problems.is_empty() {
            problems.push("every route is excluded, so the agent could go nowhere".into());
        }
        (site, problems)
    }

    /// The page that a path is, and the path as it is answered. Where two routes match, it is the one that says more of
    /// the path, from its beginning.
    pub(super) fn find(&self, path: &str) -> Result<(&Known, String), Missing<'_>> {
        let segments = path::segments(path).map_err(Missing::Bad)?;
        let matching = self.pages.iter().filter(|page| page.route.matches(&segments));
        let page = matching.min_by(|one, other| one.route.varying().cmp(other.route.varying()));
        let page = page.ok_or(Missing::Unknown)?;
        if let Some(name) = page.route.left_unfilled(&segments) {
            return Err(Missing::Unfilled(name));
        }
        if self.is_excluded(&segments) {
            return Err(Missing::Unknown);
        }
        let path = page.route.fill(&segments).map_err(Missing::Bad)?;
        Ok((page, path))
    }

    fn is_excluded(&self, segments: &[path::Segment<'_>]) -> bool {
        let subject = Subject::new(segments);
        self.exclude.iter().any(|glob| glob.matches(&subject))
    }
}

/// A route, as problems name it.
struct Name {
    route: Cow<'static, str>,
    line: Option<usize>,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "route {}", Quoted(&self.route))?;
        self.line.map_or(Ok(()), |line| write!(f, " (line {line})"))
    }
}

fn check_title(title: Option<&str>, wrong: &mut Vec<String>) {
    let Some(title) = title else { return };
    if is_blank(title) {
        wrong.push("its title is blank: leave it out, or say something".into());
    } else if title.contains(|c: char| c.is_control() || LINE_ENDS.contains(&c)) {
        wrong.push("its title must be one line".into());
    }
}

fn check_highlights(highlights: &[Highlight], wrong: &mut Vec<String>) {
    for (at, Highlight { selector, shows }) in highlights.iter().enumerate() {
        let quoted = Quoted(selector);
        if let Err(error) = check_selector(selector) {
            wrong.push(format!("highlight {quoted}: {error}"));
        }
        if is_blank(shows) {
            wrong.push(format!("highlight {quoted}: say what it shows, for the agent to choose by"));
        }
        if highlights[..at].iter().any(|before| before.selector == *selector) {
            wrong.push(format!("highlight {quoted}: it is there more than once"));
        }
    }
}
