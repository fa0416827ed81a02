//! `#[tool]`: parse → validate → expand, and a fallback for what does not pass.

mod expand;
mod fallback;
mod parse;
mod validate;

use proc_macro2::TokenStream;
use quote::quote;

use crate::errors::Errors;

pub(crate) fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let function = match parse::function(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let error = error.to_compile_error();
            return quote!(#error #item);
        }
    };
    match validate::validate(options, &function, &mut errors) {
        Some(tool) if errors.is_empty() => expand::expand(&function, &tool),
        _ => fallback::fallback(&function, &errors),
    }
}
