//! `tools!`: a list of functions into an array of tools.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Path, PathArguments};

use crate::errors::Errors;
use crate::options::split;

pub(crate) fn tools(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let entries: Vec<TokenStream> =
        split(input).into_iter().filter_map(|entry| tool(entry, &mut errors)).collect();
    if errors.is_empty() {
        return quote!([#(#entries),*]);
    }
    let errors = errors.to_compile_errors();
    quote!({ #errors [#(#entries),*] })
}

fn tool(entry: TokenStream, errors: &mut Errors) -> Option<TokenStream> {
    let Ok(path) = syn::parse2::<Path>(entry.clone()) else {
        errors.on(entry, "`tools!` takes the names of functions that have `#[tool]`, or paths to them");
        return None;
    };
    if path.segments.iter().any(|segment| !matches!(segment.arguments, PathArguments::None)) {
        errors.on(path, "a tool has no generics: write its path alone");
        return None;
    }
    // Its place is the path's, for errors, and its names are ours, whatever is imported there.
    let place = Span::call_site().located_at(path.span());
    Some(quote_spanned!(place=> <#path as ::median_edge::IntoTool<_>>::tool()))
}
