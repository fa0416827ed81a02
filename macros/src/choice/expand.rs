//! The texts of an enum, as a field of an input.

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use super::validate::Variant;
use crate::errors::Errors;

pub(super) fn expand(input: &DeriveInput, variants: &[Variant<'_>]) -> TokenStream {
    let ident = &input.ident;
    let texts: Vec<&str> = variants.iter().map(|variant| variant.text.as_str()).collect();
    let variants: Vec<_> = variants.iter().map(|variant| variant.ident).collect();
    let places = 0..variants.len();
    quote! {
        const _: () = {
            use ::median_edge::__private as __p;
            #[automatically_derived]
            impl __p::Choice for #ident {
                const TEXTS: &'static [&'static str] = &[#(#texts),*];
                fn at(place: usize) -> __p::Option<Self> {
                    match place {
                        #(#places => __p::Option::Some(Self::#variants),)*
                        _ => __p::Option::None,
                    }
                }
                fn text(&self) -> &'static str {
                    match self {
                        #(Self::#variants => #texts,)*
                    }
                }
            }
            #[automatically_derived]
            impl __p::Argument for #ident {
                const IS_FIELD: bool = true;
            }
            #[automatically_derived]
            impl __p::Field for #ident {
                const KIND: __p::Kind = __p::Kind::Choice;
                const CHOICES: &'static [&'static str] = <Self as __p::Choice>::TEXTS;
                fn parse(raw: __p::Raw<'_>) -> __p::Result<Self, __p::Mismatch> {
                    __p::parse_choice(raw)
                }
            }
        };
    }
}

/// What stands in for a choice with errors, so that the places which use it have none of their own.
pub(super) fn fallback(input: &DeriveInput, errors: &Errors) -> TokenStream {
    let ident = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    let errors = errors.to_compile_errors();
    quote! {
        #errors
        const _: () = {
            use ::median_edge::__private as __p;
            impl #generics __p::Choice for #ident #arguments #bounds {
                const TEXTS: &'static [&'static str] = &[];
                fn at(_: usize) -> __p::Option<Self> {
                    __p::Option::None
                }
                fn text(&self) -> &'static str {
                    ""
                }
            }
            impl #generics __p::Argument for #ident #arguments #bounds {
                const IS_FIELD: bool = true;
            }
            impl #generics __p::Field for #ident #arguments #bounds {
                const KIND: __p::Kind = __p::Kind::Choice;
                fn parse(_: __p::Raw<'_>) -> __p::Result<Self, __p::Mismatch> {
                    ::core::unreachable!()
                }
            }
        };
    }
}
