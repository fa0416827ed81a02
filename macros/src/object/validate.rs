//! What serializes as an object with room for a page and a highlight.

use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Field, Fields};

use super::serde::{self, Entry};
use crate::case::Case;
use crate::errors::Errors;

/// The members that the page and the highlight are.
const TAKEN: [&str; 2] = ["medianNavigateTo", "medianHighlight"];

pub(super) fn validate(input: &DeriveInput, errors: &mut Errors) {
    let fields = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => &fields.named,
            other => {
                let message = "`Object` is for a struct with named fields: this one is no JSON object, so a page or a highlight has no place in it";
                match other {
                    Fields::Unit => errors.on(&input.ident, message),
                    other => errors.on(other, message),
                }
                return;
            }
        },
        Data::Enum(data) => {
            errors.on(
                data.enum_token,
                "`Object` is for a struct with named fields: put the enum into a field of one",
            );
            return;
        }
        Data::Union(data) => {
            errors.on(data.union_token, "`Object` is for a struct with named fields");
            return;
        }
    };
    let entries = serde::entries(&input.attrs);
    for entry in &entries {
        check_container(entry, errors);
    }
    let case = value(&entries, &["rename_all", "rename_all/serialize"]).map(|(_, text)| text);
    for field in fields {
        check_field(field, case.as_deref(), errors);
    }
}

fn check_container(entry: &Entry, errors: &mut Errors) {
    let why = match entry.path.as_str() {
        "transparent" => "with `transparent` the struct is written as its field, which may be no object",
        "into" => "with `into` another type is written, which may be no object: derive `Object` on that one",
        "remote" => {
            "with `remote` this describes another type: `Object` is for a struct that is `Serialize` itself"
        }
        "tag" if entry.value.as_ref().is_some_and(|tag| TAKEN.contains(&tag.value().as_str())) => {
            "this member is the platform's own: `Reply` sets it"
        }
        _ => return,
    };
    errors.on(&entry.tokens, why);
}

fn check_field(field: &Field, case: Option<&str>, errors: &mut Errors) {
    let entries = serde::entries(&field.attrs);
    if entries.iter().any(|entry| matches!(entry.path.as_str(), "skip" | "skip_serializing" | "flatten")) {
        return;
    }
    let Some(ident) = &field.ident else { return };
    let (tokens, name) = value(&entries, &["rename", "rename/serialize"]).unwrap_or_else(|| {
        let name = ident.unraw().to_string();
        let name = if case == Some("camelCase") { Case::Camel.write(&name) } else { name };
        (quote::quote!(#ident), name)
    });
    if TAKEN.contains(&name.as_str()) {
        let set = if name == TAKEN[0] { "navigate_to" } else { "highlight" };
        errors.on(tokens, format!("`{name}` is the platform's own member: set it with `Reply::{set}`"));
    }
}

fn value(entries: &[Entry], paths: &[&str]) -> Option<(proc_macro2::TokenStream, String)> {
    let entry = entries.iter().find(|entry| paths.contains(&entry.path.as_str()) && entry.value.is_some())?;
    let text = entry.value.as_ref()?;
    Some((quote::quote!(#text), text.value()))
}
