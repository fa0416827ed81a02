//! The macros of [`median-edge`](https://docs.rs/median-edge), which re-exports them: use them from there.
//!
//! `#[tool]` makes a tool of a function, `tools!` lists tools, `#[derive(Choice)]` makes a field's closed set of texts of an
//! enum, and `#[derive(Object)]` lets a struct carry a page or a highlight.
//!
//! A macro sees text and no types, so it decides nothing by the name of a type. What hangs on types is left to the compiler,
//! by traits and const assertions that are placed on the user's own tokens: one mistake is one error, where it was made.

mod case;
mod choice;
mod docs;
mod errors;
mod object;
mod options;
mod spans;
mod tool;
mod tools;
mod types;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes a tool of a function: its signature and doc comments are what the agent reads.
///
/// ```
/// use median_edge::prelude::*;
///
/// struct Shop {
///     open: bool,
/// }
///
/// /// Look up the status of one of the shop's orders.
/// #[tool(risk = "low", effect = "read", timeout = 10)]
/// async fn order_status(
///     /// The order number, like ORD-1042.
///     #[field(not_blank, max_length = 16)]
///     order_number: String,
///     /// How many of its latest events to list.
///     #[field(name = "events", min = 1, max = 20)]
///     count: Option<u8>,
///     shop: State<'_, Shop>,
/// ) -> ToolResult<String> {
///     let count = count.unwrap_or(5);
///     Ok(format!("{order_number} is shipped; {count} events; open: {}", shop.open))
/// }
///
/// let endpoint: Endpoint<Shop> = Endpoint::builder().tools(tools![order_status]).build()?;
/// assert_eq!(endpoint.tools()[0].name(), "orderStatus");
/// # Ok::<(), ConfigError>(())
/// ```
///
/// The function may be `async` or not, and stays as it is: a test calls it directly. Beside it stands a type of the same
/// name, which is what `tools!` takes.
///
/// # In the parentheses
///
/// - `risk`, which must be there: `"low"` runs when called; for `"medium"` the agent is told to ask the customer first;
///   `"reviewed"` waits for an automated reviewer and `"high"` for a teammate.
/// - `effect`: `"read"` changes nothing, `"write"`, the default, may change something. It decides what a call that ran out of
///   time is told to be.
/// - `timeout`: cuts a call off after so many whole seconds.
/// - `name`: the tool's name, in the place of the function's own.
/// - `scopes`: what whoever it works for must be allowed, like `["orders:read"]`. The endpoint enforces none of them; they
///   reach the tool through `Call` and the observer through the event.
/// - `idempotent`: says that the same call twice does what it does once.
/// - `enqueues_job`: the name of the job that it enqueues by means of its own. A tool that takes an `Enqueue<'_, J>` need not
///   say it.
/// - `output` and `input`: JSON Schemas for the application manifest, as a text, a `String` or a `serde_json::Value`. Left
///   out, the one is derived from the type that is returned, where that implements `schemars::JsonSchema`, and the other from
///   the arguments. They change nothing else.
///
/// # Names
///
/// The agent reads `order_status` as `orderStatus`: the words of an identifier in camel case, without `r#`, and without
/// underscores at its ends, so that `_customer` and `type_` are `customer` and `type`. A name is a letter and up to 63 letters,
/// digits and underscores; a tool's must not be one of the agent's own.
///
/// # Descriptions
///
/// The function's doc comment is its description and must be there; an argument's is that of a field. All of its lines count,
/// wherever other attributes stand. The lines of a paragraph become one; paragraphs, items of a list and lines of code stay
/// apart.
///
/// # Arguments
///
/// Types decide, by their traits. A type that implements `Field` is a field of the input: a `String`, `f64`, an integer of up to
/// 64 bits, `bool`, an enum that derives `Choice`, or an `Option` of these, for a field that may be absent. Everything else that a
/// tool takes implements `Extract`: `VerifiedVisitor`, `Visitor`, `Call`, `State<'_, T>`, `Clock<'_>`, `Deadline<'_>`, `Enqueue<'_, J>` for a job, or a type of yours. Where the
/// function names lifetimes, each stands for the time of the call. A tool has no other generics.
///
/// `#[field(…)]` on a field names it otherwise (`name = "…"`) and checks it, without the agent reading of that: `min` and `max` for
/// numbers, `min_length` and `max_length` in characters, and `not_blank`, for strings.
///
/// Every field is read and checked first, then the risk is, then come the extractors, each in the order of the arguments.
///
/// # What it returns
///
/// `ToolResult<T>` where `T: Serialize`, `ToolResult<Reply<T>>` where `T: Object`, or nothing.
///
/// ```
/// use median_edge::prelude::*;
/// use serde::Serialize;
///
/// #[derive(Serialize, Object)]
/// struct Cart {
///     items: u32,
/// }
///
/// /// Show the customer's cart.
/// #[tool(risk = "low", effect = "read")]
/// fn show_cart(customer: VerifiedVisitor) -> ToolResult<Reply<Cart>> {
///     if customer.id().is_empty() {
///         return Err(Refusal::new("no_cart").into());
///     }
///     Ok(Reply::new(Cart { items: 2 }).navigate_to("/cart")?)
/// }
///
/// /// Empty the customer's cart.
/// #[tool(risk = "medium")]
/// async fn empty_cart(customer: VerifiedVisitor, call: Call) {
///     println!("{} empties the cart in call {}", customer.id(), call.id());
/// }
/// ```
///
/// # Limits
///
/// - A tool is a function on its own, not one of an `impl` or a `trait`: what it works on is its state.
/// - A module, type or trait of the function's own name in the same place clashes with the type that the macro adds.
/// - `#[cfg]` on an argument can't be seen in time. Put it on the function.
/// - The crate must be known as `median_edge`.
#[proc_macro_attribute]
pub fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    tool::tool(options.into(), item.into()).into()
}

/// Lists tools, by the names of their functions or paths to them, as an array.
///
/// ```
/// use median_edge::prelude::*;
///
/// mod orders {
///     use median_edge::prelude::*;
///
///     /// List the customer's orders.
///     #[tool(risk = "low", effect = "read")]
///     pub async fn list_orders(customer: VerifiedVisitor) -> ToolResult<Vec<String>> {
///         Ok(vec![format!("the first of {}", customer.id())])
///     }
/// }
///
/// /// Answer, to see that tools work.
/// #[tool(risk = "low", effect = "read")]
/// async fn ping() {}
///
/// let endpoint: Endpoint<()> = Endpoint::builder().tools(tools![ping, orders::list_orders]).build()?;
/// assert_eq!(endpoint.tools().len(), 2);
/// # Ok::<(), ConfigError>(())
/// ```
///
/// The state that they work on follows from where the array goes. A plugin's tools may ask for a part of it: a function that
/// takes `State<'_, Orders>` works on any state that `Has<Orders>`.
#[proc_macro]
pub fn tools(input: TokenStream) -> TokenStream {
    tools::tools(input.into()).into()
}

/// Makes a closed set of texts of an enum without data, for a field of a tool's input.
///
/// ```
/// use median_edge::field::Choice as _;
/// use median_edge::prelude::*;
///
/// #[derive(Choice, Debug)]
/// enum Speed {
///     Standard,
///     NextDay,
///     #[choice(rename = "drone (city only)")]
///     Drone,
/// }
///
/// assert_eq!(Speed::TEXTS, ["standard", "nextDay", "drone (city only)"]);
///
/// /// Say what a delivery costs.
/// #[tool(risk = "low", effect = "read")]
/// fn delivery_price(
///     /// How fast it should be there.
///     speed: Speed,
/// ) -> ToolResult<u32> {
///     Ok(match speed {
///         Speed::Standard => 0,
///         Speed::NextDay => 990,
///         Speed::Drone => 2_500,
///     })
/// }
/// ```
///
/// A variant's text is its name in camel case. `#[choice(rename_all = "…")]` on the enum writes all of them otherwise
/// (`camelCase`, `snake_case`, `kebab-case`, `lowercase` or `SCREAMING_SNAKE_CASE`), `#[choice(rename = "…")]` one. What serde's
/// attributes say is not looked at.
///
/// It implements `median_edge::field::Choice`, whose trait has the list of texts, and `Argument` and `Field`.
#[proc_macro_derive(Choice, attributes(choice))]
pub fn choice(input: TokenStream) -> TokenStream {
    choice::choice(&parse_macro_input!(input as DeriveInput)).into()
}

/// Says that a struct is a JSON object, so that a `Reply` can put a page or a highlight beside its members.
///
/// ```
/// use median_edge::{Object, Reply};
/// use serde::Serialize;
///
/// #[derive(Serialize, Object)]
/// #[serde(rename_all = "camelCase")]
/// struct Page<T> {
///     total_items: u32,
///     items: Vec<T>,
/// }
///
/// let page = Page { total_items: 1, items: vec!["ORD-1042"] };
/// let reply = Reply::new(page).navigate_to("/orders")?.highlight("#ORD-1042")?;
/// # drop(reply);
/// # Ok::<(), median_edge::DirectiveError>(())
/// ```
///
/// It is for structs with named fields that derive `Serialize`. It refuses what serde is told to write as something else
/// (`transparent`, `into`, `remote`), and members by the names of the directives, `medianNavigateTo` and `medianHighlight`. What
/// `#[serde(flatten)]` adds can't be seen.
#[proc_macro_derive(Object)]
pub fn object(input: TokenStream) -> TokenStream {
    object::object(&parse_macro_input!(input as DeriveInput)).into()
}
