//! The macros of `median-edge`, which re-exports them: use them from there.

mod case;
mod choice;
mod docs;
mod errors;
mod lifetimes;
mod object;
mod options;
mod spans;
mod tool;
mod tools;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes a tool of a function.
#[proc_macro_attribute]
pub fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    tool::tool(options.into(), item.into()).into()
}

/// Lists tools: an array of what each function is as a tool.
#[proc_macro]
pub fn tools(input: TokenStream) -> TokenStream {
    tools::tools(input.into()).into()
}

/// Makes a closed set of texts of an enum, for a field of a tool's input.
#[proc_macro_derive(Choice, attributes(choice))]
pub fn choice(input: TokenStream) -> TokenStream {
    choice::choice(&parse_macro_input!(input as DeriveInput)).into()
}

/// Says that a struct is a JSON object, so that a page or a highlight fits beside its members.
#[proc_macro_derive(Object)]
pub fn object(input: TokenStream) -> TokenStream {
    object::object(&parse_macro_input!(input as DeriveInput)).into()
}
