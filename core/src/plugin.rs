//! A named bundle of tools.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use crate::tool::Tool;

/// A named bundle of tools: a part of an application, or a library's.
///
/// ```
/// use median_edge::prelude::*;
///
/// struct Shop;
///
/// fn account() -> Plugin<Shop> {
///     let tool = Tool::builder("signOut", "Sign the customer out everywhere.")
///         .risk(Risk::Medium)
///         .run(async |_: Context<'_, Shop>| ToolResult::Ok(()));
///     Plugin::new("account").tools([tool])
/// }
///
/// let endpoint = Endpoint::builder().plugin(account()).build().unwrap();
/// # let _: Endpoint<Shop> = endpoint;
/// ```
pub struct Plugin<S> {
    pub(crate) name: Cow<'static, str>,
    pub(crate) tools: Vec<Tool<S>>,
    pub(crate) problems: Vec<Cow<'static, str>>,
}

impl<S> fmt::Debug for Plugin<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plugin")
            .field("name", &self.name)
            .field("tools", &self.tools)
            .field("problems", &self.problems)
            .finish()
    }
}

impl<S> Plugin<S> {
    /// A plugin without tools. Its name stands in the messages of build errors.
    pub fn new(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), tools: Vec::new(), problems: Vec::new() }
    }

    /// Adds tools.
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool<S>>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// Says that something is wrong with what the plugin was given: the endpoint is then not built, and its error has
    /// this beside all else, with the plugin's name before it.
    #[must_use]
    pub fn problem(mut self, message: impl Into<Cow<'static, str>>) -> Self {
        self.problems.push(message.into());
        self
    }
}
