// Every way to leave the lifetime of an argument to the compiler, or to name it.
use median_edge::field::Argument;
use median_edge::prelude::*;

type Greeter = Box<dyn Fn(&str) -> String + Send + Sync>;

struct Shop {
    name: String,
    greet: Greeter,
}

impl Has<Greeter> for Shop {
    fn part(&self) -> &Greeter {
        &self.greet
    }
}

/// The shop's name, borrowed.
struct Name<'c>(&'c str);

impl Argument for Name<'_> {}

impl<'c> Extract<'c, Shop> for Name<'c> {
    fn extract(context: Context<'c, Shop>) -> ToolResult<Self> {
        Ok(Self(&context.state().name))
    }
}

impl Argument for &Shop {}

impl<'c> Extract<'c, Shop> for &'c Shop {
    fn extract(context: Context<'c, Shop>) -> ToolResult<Self> {
        Ok(context.state())
    }
}

type Alias<'a> = State<'a, Shop>;

macro_rules! state {
    ($ty:ty) => { State<'_, $ty> };
}

/// Anonymous.
#[tool(risk = "low")]
async fn anonymous(shop: State<'_, Shop>, name: Name<'_>, clock: Clock<'_>) -> ToolResult<String> {
    let _ = (shop, clock);
    Ok(name.0.to_owned())
}

/// Hidden, where functions may hide them.
#[tool(risk = "low")]
fn hidden(shop: State<Shop>, name: Name, alias: Alias) {
    let _ = (shop, name.0, alias);
}

/// A reference.
#[tool(risk = "low")]
async fn reference(shop: &Shop) -> ToolResult<&str> {
    Ok(&shop.name)
}

/// Named.
#[tool(risk = "low")]
async fn named<'a, 'b: 'a>(
    shop: State<'a, Shop>,
    name: Name<'b>,
    /// Another field.
    other: String,
) -> ToolResult<&'a str>
where
    'b: 'a,
{
    let _ = (shop, other);
    Ok(name.0)
}

/// Lifetimes that are those of a function type.
#[tool(risk = "low")]
async fn inside_a_function_type(
    greet: State<'_, Box<dyn Fn(&str) -> String + Send + Sync>>,
) -> ToolResult<String> {
    Ok(greet("you"))
}

/// A type that a macro writes.
#[tool(risk = "low")]
async fn by_macro(shop: state!(Shop)) {
    let _ = shop;
}

/// A type that the function hides.
#[tool(risk = "low")]
async fn impl_trait(shop: State<'_, Shop>) -> ToolResult<impl serde::Serialize> {
    Ok(shop.name.clone())
}

/// Its error converts.
#[tool(risk = "low")]
async fn own_error() -> Result<u8, Refusal> {
    Err(Refusal::new("no"))
}

fn main() {
    let endpoint: Result<Endpoint<Shop>, _> = Endpoint::builder()
        .tools(tools![
            anonymous,
            hidden,
            reference,
            named,
            inside_a_function_type,
            by_macro,
            impl_trait,
            own_error,
        ])
        .build();
    assert!(endpoint.is_ok());
}
