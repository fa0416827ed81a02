//! `#[derive(Object)]`: parse and validate → expand. An impl that stands in for one with errors is the same impl.

mod serde;
mod validate;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, GenericParam};

use crate::errors::Errors;

pub(crate) fn object(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    validate::validate(input, &mut errors);
    let errors = errors.to_compile_errors();
    if let Data::Union(_) = input.data {
        // It does not serialize either, which would be a second error.
        return errors;
    }
    let ident = &input.ident;
    let (generics, arguments, _) = input.generics.split_for_impl();
    let mut bounded = input.generics.clone();
    // Whether one with type parameters serializes hangs on them. For any other, its lack is an error here.
    if input.generics.params.iter().any(|parameter| !matches!(parameter, GenericParam::Lifetime(_))) {
        bounded.make_where_clause().predicates.push(syn::parse_quote! {
            #ident #arguments: ::median_edge::__private::Serialize
        });
    }
    let bounds = &bounded.where_clause;
    quote! {
        #errors
        #[automatically_derived]
        impl #generics ::median_edge::Object for #ident #arguments #bounds {}
    }
}
