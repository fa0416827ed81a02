//! The application manifest: `GET /agent/manifest`, which describes the application for whatever agent comes by.
//!
//! It is made from the same tools as the endpoint's own manifest, when the endpoint is built, and it is off unless the
//! endpoint declares an [`Application`]. Public unless the application asks for the signature.
//!
//! ```
//! use median_edge::application_manifest::{Application, ListedEndpoint, StorageMode};
//! use median_edge::prelude::*;
//! use median_edge::schemars::JsonSchema;
//! use serde::Serialize;
//!
//! #[derive(Serialize, JsonSchema)]
//! # #[schemars(crate = "median_edge::schemars")]
//! struct OrderStatus {
//!     /// Where the order is.
//!     status: String,
//! }
//!
//! let tool: Tool<()> = Tool::builder("orderStatus", "Look up the status of an order.")
//!     .risk(Risk::Low)
//!     .effect(Effect::Read)
//!     .scopes(["orders:read"])
//!     .idempotent()
//!     .output::<OrderStatus>()
//!     .run(async |_: Context<'_, ()>| ToolResult::Ok(OrderStatus { status: "shipped".into() }));
//!
//! let endpoint = Endpoint::builder()
//!     .tools([tool])
//!     .application(
//!         Application::new("order_service", "1.0.0", "Orders and what became of them.")
//!             .storage_mode(StorageMode::Persistent)
//!             .endpoint(ListedEndpoint::new("GET", "/health", "Whether the service is up.")),
//!     )
//!     .build()?;
//! # assert!(endpoint.application_manifest().is_some());
//! # Ok::<(), ConfigError>(())
//! ```

mod application;
mod check;
mod document;
mod fields;
mod name;

pub use application::{Application, ListedEndpoint, StorageMode};
pub use name::snake_case;

pub(crate) use check::{Own, describe};
