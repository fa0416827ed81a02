//! Tools of your own behind an AI support agent, in Rust, on any runtime.
//!
//! A support-agent platform (Median) calls an HTTP endpoint that you host: a signed `GET` answers the list of
//! tools, a signed `POST` runs one. This crate is that endpoint without the server: it takes a [`Request`],
//! verifies it, decodes it, runs your function and returns a [`Response`]. It has no clock, no I/O and no
//! standard library; an adapter lends those through [`Host`].
//!
#![cfg_attr(
    feature = "macros",
    doc = r#"
```
use median_edge::prelude::*;

/// What the tools work on.
pub struct Shop {
    orders: Vec<(&'static str, &'static str)>,
}

/// Look up the status of one of the shop's orders.
#[tool(risk = "low", effect = "read")]
async fn order_status(
    /// The order number, like ORD-1042.
    order_number: String,
    shop: State<'_, Shop>,
) -> ToolResult<String> {
    match shop.orders.iter().find(|(number, _)| *number == order_number) {
        Some((_, status)) => Ok((*status).to_owned()),
        None => Err(Refusal::new("no_such_order").detail("No order has that number.").into()),
    }
}

pub fn endpoint() -> Result<Endpoint<Shop>, ConfigError> {
    Endpoint::builder().tools(tools![order_status]).build()
}
# assert!(endpoint().is_ok());
```
"#
)]
//!
//! # Words
//!
//! An *endpoint* is your HTTP route. A *tool* is a function of yours that the agent may call. A *visitor* is the
//! customer in the conversation. A *teammate* is a person on your team who uses the platform's inbox.
//!
//! # The order of trust
//!
//! Nothing of a request is interpreted before its signature holds: the body can only be decoded from a
//! [`Verified`](signature::Verified) value, a visitor's id can only be had as a [`VerifiedVisitor`], a tool is only
//! reached through the gate that checks its risk, and every answer is built in one place, with its headers.
//!
//! # Features
//!
//! - `macros` (default): `#[tool]`, `tools!`, and the `Choice` and `Object` derives.
//! - `connect`: an endpoint that its owner connects to the platform with one request. The adapters have it on by default,
//!   since it takes an HTTP client from them.
//! - `std`: `host::contain_unwind`, so that a host with unwinding survives a tool that panics.
//! - `testing`: a client that signs and calls an endpoint in-process, and a clock that tests move.
//! - `application-manifest`: `GET /agent/manifest`, the application described for other agents, with schemas by schemars.
//! - `http`: conversions to and from the `http` crate's types, for adapters.
//!
//! # What it does not do
//!
//! The signature covers the time and the body, nothing else: neither the URL nor the method is signed, and a request
//! that is captured can be sent again while its time is fresh. Use the call's id as an idempotency key.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod admit;
mod answer;
#[cfg(feature = "application-manifest")]
#[cfg_attr(docsrs, doc(cfg(feature = "application-manifest")))]
pub mod application_manifest;
mod call;
mod config;
#[cfg(feature = "connect")]
mod connect;
pub mod context;
mod described;
mod endpoint;
mod envelope;
pub mod error;
pub mod event;
#[cfg(feature = "connect")]
#[cfg_attr(docsrs, doc(cfg(feature = "connect")))]
pub mod fetch;
pub mod field;
pub mod host;
pub mod http;
mod identity;
pub mod input;
pub mod job;
mod json;
pub mod key;
pub mod limits;
pub mod loopback;
mod manifest;
pub mod navigation;
mod on_the_way;
pub mod outcome;
mod platform;
mod plugin;
mod reply;
mod risk;
mod route;
mod run;
mod schema;
mod sendable;
pub mod signature;
#[cfg(feature = "testing")]
#[cfg_attr(docsrs, doc(cfg(feature = "testing")))]
pub mod testing;
pub mod text;
pub mod tool;
mod warn;

#[doc(hidden)]
pub mod __private;

pub use crate::http::{Method, Request, Response};
pub use config::{ConfigError, EndpointBuilder, Problem};
#[cfg(feature = "connect")]
#[cfg_attr(docsrs, doc(cfg(feature = "connect")))]
pub use connect::ConnectSettings;
pub use context::{Call, Clock, Context, Deadline, Extract, Has, State, VerifiedVisitor, Visitor};
pub use endpoint::Endpoint;
pub use error::{Code, Fault};
pub use event::{Event, Observer};
pub use host::Host;
pub use identity::{IdentityRequest, IdentityUser, Resolver};
pub use key::{Keys, MedianKey};
pub use navigation::navigation;
pub use outcome::{Outcome, Refusal, RefusalOutcome, ToolError, ToolResult};
pub use platform::Platform;
pub use plugin::Plugin;
pub use reply::{DirectiveError, Object, Reply};
pub use risk::{Effect, Risk};
pub use route::{APPLICATION_MANIFEST_PATH, HEALTH_PATH, Route};
pub use schema::SchemaJson;
/// The crate that derives the schemas of the application manifest, in the version that this one takes.
#[cfg(feature = "application-manifest")]
#[cfg_attr(docsrs, doc(cfg(feature = "application-manifest")))]
pub use schemars;
pub use sendable::{BoxFuture, MaybeSend, MaybeSync};
pub use tool::{IntoTool, Tool};

#[cfg(feature = "macros")]
#[cfg_attr(docsrs, doc(cfg(feature = "macros")))]
pub use median_edge_macros::{Choice, Object, tool, tools};

/// What a file of tools needs, in one `use`.
pub mod prelude {
    pub use crate::context::{Call, Clock, Context, Deadline, Extract, Has, State, VerifiedVisitor, Visitor};
    pub use crate::field::Choice;
    pub use crate::identity::{IdentityRequest, IdentityUser};
    pub use crate::navigation;
    pub use crate::outcome::{Refusal, RefusalOutcome, ToolError, ToolResult};
    pub use crate::{ConfigError, Effect, Endpoint, EndpointBuilder, Object, Plugin, Reply, Risk, Tool};

    #[cfg(feature = "macros")]
    pub use median_edge_macros::{Choice, tool, tools};
}
