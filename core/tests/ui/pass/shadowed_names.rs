// Whatever is named here like something that the expansions use, they use their own.
#![no_implicit_prelude]
#![allow(dead_code)]

mod core {}
mod std {}
mod alloc {}
mod serde {}

struct Option;
struct Result;
struct Ok;
struct Some;
struct Box;
struct Vec;
struct Tool;
struct S;
struct Argument0;

trait Argument {}
trait Field {}
trait IntoTool {
    fn tool() {}
    fn start() {}
}

impl<T> IntoTool for T {}

type Text = ::std::string::String;
type Answer = ::median_edge::ToolResult<Text>;

#[derive(::median_edge::Choice)]
enum Speed {
    Some,
    Ok,
    Self_,
}

impl Speed {
    fn text(&self) {}
    fn at(_: usize) {}
}

#[derive(::serde::Serialize, ::median_edge::Object)]
struct Order {
    number: u8,
}

/// A function whose name is that of a local in the expansion.
#[::median_edge::tool(risk = "low")]
async fn call(
    /// One.
    call: Text,
    /// Two.
    fields: f64,
    /// Three.
    context: ::std::option::Option<Speed>,
) -> Answer {
    let _ = (fields, context);
    ::std::result::Result::Ok(call)
}

/// And so is this one.
#[::median_edge::tool(risk = "low")]
async fn fields(
    /// One.
    argument_1: Text,
    /// Two.
    argument_0: Text,
) -> Answer {
    let _ = argument_0;
    ::std::result::Result::Ok(argument_1)
}

/// And this.
#[::median_edge::tool(risk = "low")]
fn context(visitor: ::median_edge::Visitor) -> Answer {
    let _ = visitor;
    context_of()
}

/// And this.
#[::median_edge::tool(risk = "low")]
async fn argument_0(visitor: ::median_edge::Visitor) {
    let _ = visitor;
}

/// And this.
#[::median_edge::tool(risk = "low")]
async fn builder(
    /// One.
    field: bool,
) {
    let _ = field;
}

/// And this.
#[::median_edge::tool(risk = "low")]
async fn tool() {}

/// And this.
#[::median_edge::tool(risk = "low")]
async fn start() {}

/// And this.
#[::median_edge::tool(risk = "low")]
async fn r#type(
    /// A raw name.
    r#type: Text,
) -> Answer {
    ::std::result::Result::Ok(r#type)
}

fn context_of() -> Answer {
    ::std::result::Result::Ok(::std::string::String::new())
}

fn main() {
    let tools: [::median_edge::Tool<()>; 8] =
        ::median_edge::tools![call, fields, context, argument_0, builder, tool, start, r#type];
    ::std::assert_eq!(tools[7].name(), "type");
    ::std::assert_eq!(<Speed as ::median_edge::field::Choice>::TEXTS, ["some", "ok", "self"]);
}
