//! What only the compiler can check, since it hangs on types: it shows these messages at the places that they are about.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::argument::Expansion;
use crate::spans::Place;
use crate::tool::validate::{Name, Tool};

pub(super) fn assertions(tool: &Tool, arguments: &[Expansion<'_>], function: &Ident) -> TokenStream {
    let mut assertions = TokenStream::new();
    assertions.extend(tool_name(&tool.name));
    for expansion in arguments {
        assertions.extend(field(expansion));
    }
    for (at, expansion) in arguments.iter().enumerate() {
        let name = &expansion.argument.name;
        let Some(first) = arguments[..at].iter().find(|other| other.argument.name.text == name.text) else {
            continue;
        };
        let (one, two) = (&first.is_field, &expansion.is_field);
        let message =
            format!("two fields are named `{}`: rename one with `#[field(name = \"…\")]`", name.text);
        assertions.extend(name.place.require(&quote!(!(#one && #two)), &message));
    }
    if let Some(Expansion { place, is_field, .. }) = arguments.last() {
        let fields = quote!(#place + #is_field as usize);
        assertions.extend(Place::of(function).assert(quote!(__p::require_few_fields), fields));
    }
    assertions
}

fn tool_name(name: &Name) -> TokenStream {
    let text = &name.text;
    let form = format!(
        "`{text}` can't be a tool's name: a name is a letter, and then up to 63 letters, digits and underscores"
    );
    let reserved =
        format!("`{text}` is the name of one of the agent's own tools: choose another with `name = \"…\"`");
    let form = name.place.require(&quote!(__p::is_name(#text)), &form);
    let reserved = name.place.require(&quote!(!__p::is_reserved(#text)), &reserved);
    quote!(#form #reserved)
}

fn field(expansion: &Expansion<'_>) -> TokenStream {
    let Expansion { argument, is_field, checks, .. } = expansion;
    let Name { text, place } = &argument.name;
    let mut assertions = TokenStream::new();
    if argument.description.is_none() {
        let message = format!(
            "the field `{text}` needs a description for the agent: write it as a doc comment (`///`) on the argument"
        );
        assertions.extend(place.require(&quote!(!#is_field), &message));
    }
    let form = match text.as_str() {
        "" => "a field's name has a letter: give it one with `#[field(name = \"…\")]`".to_owned(),
        text => format!(
            "`{text}` can't be a field's name: a name is a letter, and then up to 63 letters, digits and underscores"
        ),
    };
    assertions.extend(place.require(&quote!(!#is_field || __p::is_name(#text)), &form));
    if let Some(said) = &argument.checks {
        let kind = expansion.kind();
        assertions.extend(said.place.assert(quote!(__p::require_checks), quote!(#checks, #kind)));
    }
    assertions
}
