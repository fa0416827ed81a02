//! An argument: its name, its description, and what `#[field(…)]` says of it.

use quote::ToTokens;
use syn::{Attribute, FnArg, Ident, Pat, PatType, Type};

use super::Name;
use crate::docs;
use crate::errors::Errors;
use crate::options::{self, Number, listed};
use crate::spans::Place;
use crate::tool::parse::is_field;
use crate::types::hides;

pub(crate) struct Argument {
    pub(crate) name: Name,
    pub(crate) description: Option<String>,
    pub(crate) ty: Type,
    pub(crate) checks: Option<Checks>,
}

/// What `#[field]` says.
pub(crate) struct Checks {
    pub(crate) place: Place,
    pub(crate) min: Option<Number>,
    pub(crate) max: Option<Number>,
    pub(crate) min_length: Option<usize>,
    pub(crate) max_length: Option<usize>,
    pub(crate) not_blank: bool,
}

pub(super) fn argument(input: &FnArg, errors: &mut Errors) -> Option<Argument> {
    // What has `self` has not come this far.
    let FnArg::Typed(argument) = input else { return None };
    let ident = ident(argument, errors);
    let conditional =
        |attribute: &&Attribute| attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr");
    for attribute in argument.attrs.iter().filter(conditional) {
        errors.on(
            attribute,
            "the macro can't see whether this holds: put `#[cfg]` on the function, and write it once for each case",
        );
    }
    if hides(argument.ty.to_token_stream()) {
        errors.on(
            &argument.ty,
            "a tool can't take `impl Trait`: its schema is made before it is called. Write the type itself",
        );
    }
    let description = errors.keep(docs::description(&argument.attrs)).flatten();
    let mut name = ident.map(Name::of);
    let checks = checks(&argument.attrs, &mut name, errors);
    // An argument without a type is the compiler's own error.
    let has_type = !matches!(*argument.ty, Type::Infer(_));
    has_type.then_some(Argument { name: name?, description, ty: (*argument.ty).clone(), checks })
}

/// The name of an argument that has a plain one.
fn ident<'a>(argument: &'a PatType, errors: &mut Errors) -> Option<&'a Ident> {
    match &*argument.pat {
        Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => Some(&pattern.ident),
        Pat::Wild(_) => {
            errors.on(&argument.pat, "give the argument a name; one that begins with `_` may go unused");
            None
        }
        pattern => {
            errors.on(pattern, "an argument of a tool is a plain name: take it apart in the body");
            None
        }
    }
}

fn checks(attributes: &[Attribute], name: &mut Option<Name>, errors: &mut Errors) -> Option<Checks> {
    let mut attributes = attributes.iter().filter(|attribute| is_field(attribute));
    let attribute = attributes.next()?;
    for other in attributes {
        errors.on(other, "`#[field]` is here twice: put everything into one");
    }
    let mut checks = Checks {
        place: Place::of(attribute),
        min: None,
        max: None,
        min_length: None,
        max_length: None,
        not_blank: false,
    };
    let known = ["name", "min", "max", "min_length", "max_length", "not_blank"];
    let Ok(list) = attribute.meta.require_list() else {
        let known = listed(&known);
        errors.on(attribute, format!("write `#[field(…)]`; what can be said there: {known}"));
        return None;
    };
    for entry in options::entries(list.tokens.clone(), &known, errors) {
        match entry.key.to_string().as_str() {
            "name" => {
                if let Some(text) = entry.text("orderNumber", errors) {
                    *name = Some(Name::given(&text));
                }
            }
            "min" => checks.min = entry.number(errors),
            "max" => checks.max = entry.number(errors),
            "min_length" => checks.min_length = entry.whole(1, errors),
            "max_length" => checks.max_length = entry.whole(80, errors),
            _ => {
                checks.not_blank = true;
                entry.flag(errors);
            }
        }
    }
    Some(checks)
}
