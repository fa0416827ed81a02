//! What stands in for a tool with errors, so that the places which use it have none of their own.

use proc_macro2::TokenStream;
use quote::quote;

use super::expand::{cfgs, companion};
use super::parse::Function;
use crate::errors::Errors;

pub(super) fn fallback(function: &Function, errors: &Errors) -> TokenStream {
    let ident = &function.signature.ident;
    let cfgs = cfgs(&function.attributes);
    let companion = companion(function);
    let errors = errors.to_compile_errors();
    quote! {
        #errors
        #function
        #companion
        #(#cfgs)*
        const _: () = {
            use ::median_edge::__private as __p;
            impl<__State> __p::IntoTool<__State> for #ident {
                fn tool() -> __p::Tool<__State> {
                    ::core::unreachable!()
                }
                fn start(_: __p::Unopened<'_, __State>) -> __p::Started<'_> {
                    ::core::unreachable!()
                }
            }
        };
    }
}
