//! As much of serde's attributes as says what a struct looks like as JSON. What is wrong in them is serde's to say.

use proc_macro2::TokenStream;
use syn::parse::ParseStream;
use syn::{Attribute, LitStr, Token, token};

/// One entry of a `#[serde(…)]`.
pub(super) struct Entry {
    /// `rename`, or `rename/serialize` for `rename(serialize = "…")`.
    pub(super) path: String,
    pub(super) value: Option<LitStr>,
    pub(super) tokens: TokenStream,
}

pub(super) fn entries(attributes: &[Attribute]) -> Vec<Entry> {
    let mut entries = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        // What can't be read here can't be read by serde either, and it says so.
        let _ = attribute.parse_args_with(|input: ParseStream<'_>| list(input, "", &mut entries));
    }
    entries
}

fn list(input: ParseStream<'_>, prefix: &str, entries: &mut Vec<Entry>) -> syn::Result<()> {
    while !input.is_empty() {
        let key: syn::Ident = input.call(syn::ext::IdentExt::parse_any)?;
        let path = format!("{prefix}{key}");
        let mut entry = Entry { path, value: None, tokens: quote::quote!(#key) };
        if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            if let Ok(value) = input.fork().parse::<LitStr>() {
                input.parse::<LitStr>()?;
                entry.tokens = quote::quote!(#key = #value);
                entry.value = Some(value);
            } else {
                input.parse::<syn::Expr>()?;
            }
        } else if input.peek(token::Paren) {
            let inner;
            syn::parenthesized!(inner in input);
            list(&inner, &format!("{}/", entry.path), entries)?;
        }
        entries.push(entry);
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(())
}
