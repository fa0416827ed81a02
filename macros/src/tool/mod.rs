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
    let function = match parse::function(item) {
        Ok(function) => function,
        Err((error, item)) => {
            let error = error.to_compile_error();
            return quote!(#error #item);
        }
    };
    if let Some(receiver) = function.signature.receiver() {
        errors.on(
            receiver,
            "a tool is a function on its own, without `self`: take what it works on as `State<'_, T>`",
        );
        // It stands among associated items, where there is no place for ours.
        let errors = errors.to_compile_errors();
        return quote!(#function #errors);
    }
    match validate::validate(options, &function, &mut errors) {
        // A function without a body is the compiler's own error.
        Some(tool) if errors.is_empty() && function.has_body() => expand::expand(&function, &tool),
        _ => fallback::fallback(&function, &errors),
    }
}
