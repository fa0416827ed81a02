//! The rules of a closed set of texts.

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::{Attribute, Data, DeriveInput, Fields, Ident, Meta};

use crate::case::Case;
use crate::errors::Errors;
use crate::options::{self, Entry, listed};

/// A variant and its text.
pub(super) struct Variant<'a> {
    pub(super) ident: &'a Ident,
    pub(super) text: String,
}

pub(super) fn variants<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Vec<Variant<'a>> {
    let data = match &input.data {
        Data::Enum(data) => data,
        Data::Struct(data) => {
            errors.on(data.struct_token, "a choice is an enum: each variant is one of its texts");
            return Vec::new();
        }
        Data::Union(data) => {
            errors.on(data.union_token, "a choice is an enum: each variant is one of its texts");
            return Vec::new();
        }
    };
    if !input.generics.params.is_empty() {
        errors.on(&input.generics, "a choice can't be generic: its texts are known when it is written");
    }
    if data.variants.is_empty() {
        errors.on(&input.ident, "a choice has at least one variant");
    }
    let case = case(&input.attrs, errors);
    let mut variants: Vec<Variant<'_>> = Vec::new();
    for variant in &data.variants {
        let ident = &variant.ident;
        if !matches!(variant.fields, Fields::Unit) {
            errors.on(
                &variant.fields,
                "a variant of a choice has no data: inputs are flat, and this one is a text",
            );
        }
        let renamed = rename(&variant.attrs, errors);
        let text = match &renamed {
            Some((_, text)) => text.clone(),
            None => case.write(&ident.unraw().to_string()),
        };
        if let Some(other) = variants.iter().find(|other| other.text == text) {
            let message = format!("the text `{text}` is that of `{}` already", other.ident);
            match &renamed {
                Some((tokens, _)) => errors.on(tokens, message),
                None => errors.on(ident, message),
            }
        }
        variants.push(Variant { ident, text });
    }
    variants
}

fn case(attributes: &[Attribute], errors: &mut Errors) -> Case {
    let mut case = Case::Camel;
    for entry in entries(attributes, "rename_all", errors) {
        let Some(text) = entry.text("snake_case", errors) else { continue };
        if let Some(named) = Case::named(&text.value()) {
            case = named;
        } else {
            let names = Case::ALL.map(|(name, _)| name);
            errors.on(text, format!("this case is not known; what is known: {}", listed(&names)));
        }
    }
    case
}

fn rename(attributes: &[Attribute], errors: &mut Errors) -> Option<(TokenStream, String)> {
    let mut renamed = None;
    for entry in entries(attributes, "rename", errors) {
        let Some(text) = entry.text("nextDay", errors) else { continue };
        if text.value().trim().is_empty() {
            errors.on(&text, "the text of a choice is not blank");
        }
        renamed = Some((quote::quote!(#text), text.value()));
    }
    renamed
}

/// The entries of every `#[choice(…)]` here.
fn entries(attributes: &[Attribute], known: &str, errors: &mut Errors) -> Vec<Entry> {
    let mut tokens = TokenStream::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("choice")) {
        match &attribute.meta {
            Meta::List(list) => {
                let more = &list.tokens;
                tokens.extend(quote::quote!(#more,));
            }
            other => errors.on(other, format!("write `#[choice({known} = \"…\")]`")),
        }
    }
    options::entries(tokens, &[known], errors)
}
