//! `goToPage`: the agent gives a path, the customer gets a button.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::Serialize;

use super::describe::{Input, input};
use super::listing::{line, listing};
use super::near::near;
use super::page::Highlight;
use super::path::Bad;
use super::site::{Known, Missing, Site};
use crate::limits::RESULT_READ_CHARACTERS;
use crate::outcome::{Refusal, ToolResult};
use crate::reply::{Object, Reply};
use crate::risk::{Effect, Risk};
use crate::sendable::MaybeSync;
use crate::text::Quoted;
use crate::tool::Tool;

/// The tool's name.
pub(super) const NAME: &str = "goToPage";

const DESCRIPTION: &str = "Offer the customer a page of the site: a button appears beside your answer, and the page \
    opens when they press it. Use it when a page answers the question, or is where they can do what they ask for, and \
    say what they will find there.";

/// What is left of a result for the list of pages, once its names, quotes and note are in it.
const LISTED: usize = RESULT_READ_CHARACTERS - 500;

/// Of a title in a refusal, this many characters are shown.
const TITLE: usize = 60;

/// The most pages that a refusal lists when nothing is near.
const FEW: usize = 12;

struct Desk {
    site: Site,
    /// Whether the agent has been shown every page.
    whole: bool,
}

pub(super) fn tool<S: MaybeSync + 'static>(site: Site) -> Tool<S> {
    let Input { fields, whole } = input(&site.pages);
    let desk = Arc::new(Desk { site, whole });
    let builder = Tool::builder(NAME, DESCRIPTION).risk(Risk::Low).effect(Effect::Read);
    let builder = builder.idempotent().output_schema(ANSWER);
    let has_highlight = fields.len() > 1;
    fields.into_iter().fold(builder, crate::tool::ToolBuilder::field).run_boxed(move |call| {
        let path = call.get::<String>("path");
        let highlight = if has_highlight { call.get("highlight") } else { Ok(None) };
        let answer = path.and_then(|path| desk.go(&path, highlight?));
        Box::pin(core::future::ready(answer))
    })
}

/// [`Answer`] as a JSON Schema, for the application manifest.
const ANSWER: &str = r#"{"anyOf":[{"type":"object","properties":{"page":{"description":"The path of the page that is offered.","type":"string"},"title":{"type":"string"},"highlights":{"description":"What else could be shown there.","type":"array","items":{"type":"object","properties":{"highlight":{"type":"string"},"shows":{"type":"string"}},"required":["highlight","shows"]}}},"required":["page"]},{"type":"object","properties":{"pages":{"description":"The pages that were asked for: none was offered.","type":"array","items":{"type":"string"}},"more":{"description":"How many more there are.","type":"integer","minimum":1},"note":{"type":"string"}},"required":["pages","note"]}]}"#;

/// What the agent reads. [`ANSWER`] says the same.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Page {
        page: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<Cow<'static, str>>,
        /// What else could be shown there: only where nothing was asked to be.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        highlights: Vec<CanShow>,
    },
    Pages {
        pages: Vec<String>,
        #[serde(skip_serializing_if = "is_zero")]
        more: usize,
        note: &'static str,
    },
}

impl Object for Answer {}

#[derive(Serialize)]
struct CanShow {
    highlight: Cow<'static, str>,
    shows: Cow<'static, str>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // What serde calls it with.
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Desk {
    fn go(&self, path: &str, highlight: Option<String>) -> ToolResult<Reply<Answer>> {
        if let Some(answer) = self.list(path) {
            return Ok(Reply::new(answer));
        }
        let (page, path) = self.site.find(path).map_err(|missing| self.refusal(path, &missing))?;
        let highlights = match &highlight {
            Some(selector) if !page.highlights.iter().any(|known| known.selector == *selector) => {
                return Err(unknown_highlight(page, selector).into());
            }
            Some(_) => Vec::new(),
            None => page.highlights.iter().map(CanShow::from).collect(),
        };
        let answer = Answer::Page { page: path.clone(), title: page.title.clone(), highlights };
        let reply = Reply::new(answer).navigate_to(path)?;
        Ok(match highlight {
            Some(selector) => reply.highlight(selector)?,
            None => reply,
        })
    }

    /// The pages that begin in some way, or that are near some words, where the agent could not be shown them all before.
    /// This is data, not a refusal, after which the agent would be told not to try again.
    fn list(&self, asked: &str) -> Option<Answer> {
        if self.whole {
            return None;
        }
        let found: Vec<&Known> = if let Some(start) = asked.strip_suffix("**") {
            let whole = start.strip_suffix('/');
            let begins =
                |page: &&Known| page.route.text.starts_with(start) || Some(&*page.route.text) == whole;
            self.site.pages.iter().filter(begins).collect()
        } else if asked.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '\'')) {
            near(&self.site.pages, asked)
        } else {
            return None;
        };
        if found.is_empty() {
            return None;
        }
        let listed = listing(found, LISTED);
        let note = "No page was offered. Call again with a page's path, or with one that ends in ** to be told more.";
        Some(Answer::Pages { pages: listed.lines, more: listed.more, note })
    }

    /// Says what is wrong with a path, and what the agent may have meant.
    fn refusal(&self, path: &str, missing: &Missing<'_>) -> Refusal {
        let mut detail = match missing {
            Missing::Bad(bad) => format!("The path of a page {bad}."),
            Missing::Unfilled(name) => format!("A value belongs in the place of {name}."),
            Missing::Unknown => format!("No page has the path {}.", Quoted(path)),
        };
        let unfilled = matches!(missing, Missing::Unfilled(_));
        let mut offered = match missing {
            Missing::Bad(Bad::TooLong) | Missing::Unfilled(_) => Vec::new(),
            _ => near(&self.site.pages, path),
        };
        let mut words = "Near it:";
        if offered.is_empty() && !unfilled && self.site.pages.len() <= FEW {
            offered = self.site.pages.iter().collect();
            words = "The pages are:";
        }
        if !offered.is_empty() {
            let lines: Vec<String> = offered.iter().map(|page| line(page, TITLE)).collect();
            detail = format!("{detail} {words} {}.", lines.join("; "));
        } else if !unfilled {
            detail.push_str(if self.whole {
                " The description of path has all of them."
            } else {
                " Call with words of what the page is about, or with /** for the parts of the site."
            });
        }
        Refusal::new("unknown_page").detail(detail)
    }
}

impl From<&Highlight> for CanShow {
    fn from(highlight: &Highlight) -> Self {
        Self { highlight: highlight.selector.clone(), shows: highlight.shows.clone() }
    }
}

fn unknown_highlight(page: &Known, selector: &str) -> Refusal {
    let (route, selector) = (&page.route.text, Quoted(selector));
    let known: Vec<&str> = page.highlights.iter().map(|highlight| &*highlight.selector).collect();
    Refusal::new("unknown_highlight").detail(match known[..] {
        [] => format!("Nothing can be highlighted on {route}. Leave highlight out."),
        _ => format!("{selector} is not on {route}. What can be highlighted there: {}.", known.join("; ")),
    })
}
