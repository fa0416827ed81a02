//! `#[derive(Choice)]`: parse and validate → expand, and a fallback for what does not pass.

mod expand;
mod validate;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::errors::Errors;

pub(crate) fn choice(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let variants = validate::variants(input, &mut errors);
    if errors.is_empty() { expand::expand(input, &variants) } else { expand::fallback(input, &errors) }
}
