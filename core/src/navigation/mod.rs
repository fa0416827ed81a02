//! Pages of your site that the agent may offer to a customer: a plugin with one tool, `goToPage`.
//!
//! ```
//! use median_edge::navigation::Page;
//! use median_edge::prelude::*;
//!
//! # struct Shop;
//! let pages = navigation([
//!     Page::new("/orders").title("Your orders"),
//!     Page::new("/orders/:id").title("One order").highlight("#refund", "Where a refund is asked for."),
//!     Page::new("/admin/users"),
//! ]);
//! let endpoint = Endpoint::builder().plugin(pages.exclude(["/admin/**"])).build();
//! # let _: Endpoint<Shop> = endpoint.unwrap();
//! ```
//!
//! Routes alone do too: `navigation(["/orders", "/orders/:id"])`, and so do pairs with titles,
//! `navigation([("/orders", "Your orders")])`. [`pages`] reads them from a text that a build makes.
//!
//! # What is answered
//!
//! The tool answers with a path of one of the routes, spelled as a browser spells it, and with nothing else: PAGE-3 to
//! PAGE-6 of `docs/protocol.md` have what is refused, as `unknown_page`. Two things are decided here that sites see differently:
//!
//! - Letters count in their own case in a route, and in either case in an `exclude`.
//! - A slash at the end makes no difference to what matches; the answer has one where the route has one.

mod describe;
mod glob;
mod listing;
mod near;
mod page;
mod path;
mod route;
mod site;
mod tool;

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::plugin::Plugin;
use crate::sendable::MaybeSync;
pub use page::{Page, pages};
use site::Site;

/// The pages that the agent may offer, on their way to being a plugin.
#[derive(Clone, Debug)]
#[must_use = "an endpoint takes it with `plugin`"]
pub struct Navigation {
    pages: Vec<Page>,
    exclude: Vec<Cow<'static, str>>,
}

/// Lets the agent offer these pages. What is wrong with them is told by
/// [`build`](crate::EndpointBuilder::build), with each route's name.
pub fn navigation<P: Into<Page>>(pages: impl IntoIterator<Item = P>) -> Navigation {
    Navigation { pages: pages.into_iter().map(Into::into).collect(), exclude: Vec::new() }
}

impl Navigation {
    /// Leaves out the paths that match a pattern: `*` is anything within a segment, `**` anything at all, and
    /// `/admin/**` is also `/admin`. Letters count in either case.
    ///
    /// It counts for routes and for what becomes of them: of `/:a/:b` with `/admin/**` left out, `/admin/users` is not
    /// to be had.
    pub fn exclude<P: Into<Cow<'static, str>>>(mut self, patterns: impl IntoIterator<Item = P>) -> Self {
        self.exclude.extend(patterns.into_iter().map(Into::into));
        self
    }
}

impl<S: MaybeSync + 'static> From<Navigation> for Plugin<S> {
    fn from(navigation: Navigation) -> Self {
        let (site, problems) = Site::check(navigation.pages, &navigation.exclude);
        let plugin = Self::new("navigation").tools([tool::tool(site)]);
        problems.into_iter().fold(plugin, Self::problem)
    }
}
