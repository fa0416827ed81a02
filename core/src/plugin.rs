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
}

impl<S> fmt::Debug for Plugin<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plugin").field("name", &self.name).field("tools", &self.tools).finish()
    }
}

impl<S> Plugin<S> {
    /// A plugin without tools. Its name stands in the messages of build errors.
    pub fn new(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), tools: Vec::new() }
    }

    /// Adds tools.
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool<S>>) -> Self {
        self.tools.extend(tools);
        self
    }
}
