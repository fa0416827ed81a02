//! The rules that can be seen in the function's own text. What hangs on types is asserted by the expansion.

mod argument;
mod options;

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{Expr, GenericParam, Ident, LitStr, ReturnType, Safety, Signature, Type, TypeTuple, token};

pub(super) use self::argument::{Argument, Checks};
use self::options::Options;
use super::parse::Function;
use crate::case::Case;
use crate::docs;
use crate::errors::Errors;
use crate::spans::Place;

/// A tool, as its function declares it.
pub(super) struct Tool {
    pub(super) name: Name,
    pub(super) description: String,
    pub(super) risk: Ident,
    pub(super) effect: Option<Ident>,
    pub(super) timeout: Option<u32>,
    pub(super) scopes: Vec<LitStr>,
    pub(super) idempotent: bool,
    pub(super) enqueues_job: Option<LitStr>,
    /// The schemas that stand in the application manifest, where they are given by hand.
    pub(super) input_schema: Option<Expr>,
    pub(super) output_schema: Option<Expr>,
    pub(super) arguments: Vec<Argument>,
    /// The lifetimes that the function names.
    pub(super) lifetimes: BTreeSet<String>,
    pub(super) output: Type,
}

/// A name as the agent reads it, and where it comes from.
pub(super) struct Name {
    pub(super) text: String,
    pub(super) place: Place,
}

pub(super) fn validate(options: TokenStream, function: &Function, errors: &mut Errors) -> Option<Tool> {
    let signature = &function.signature;
    let options = Options::read(options, errors);
    let description = errors.keep(docs::description(&function.attributes));
    if description == Some(None) {
        errors.on(
            &signature.ident,
            "a tool needs a description: the agent decides by it when to call the tool. Write it as a doc comment (`///`) on the function",
        );
    }
    refuse_modifiers(signature, errors);
    let lifetimes = lifetimes(signature, errors);
    let arguments: Vec<_> = signature.inputs.iter().map(|input| argument::argument(input, errors)).collect();
    let output = output(signature, errors);
    Some(Tool {
        name: options.name.unwrap_or_else(|| Name::of(&signature.ident)),
        description: description??,
        risk: options.risk?,
        effect: options.effect,
        timeout: options.timeout,
        scopes: options.scopes,
        idempotent: options.idempotent,
        enqueues_job: options.enqueues_job,
        input_schema: options.input,
        output_schema: options.output,
        arguments: arguments.into_iter().collect::<Option<_>>()?,
        lifetimes,
        output: output?,
    })
}

impl Name {
    fn of(ident: &Ident) -> Self {
        Self { text: Case::Camel.write(&ident.unraw().to_string()), place: Place::of(ident) }
    }

    fn given(text: &LitStr) -> Self {
        Self { text: text.value(), place: Place::of(text) }
    }
}

fn refuse_modifiers(signature: &Signature, errors: &mut Errors) {
    if let Some(constness) = &signature.constness {
        errors.on(constness, "a tool can't be `const`");
    }
    if let Safety::Unsafe(token) = &signature.safety {
        errors.on(token, "a tool can't be `unsafe`: the agent calls it with whatever it likes");
    }
    if let Some(abi) = &signature.abi {
        errors.on(abi, "a tool can't be `extern`");
    }
    if let Some(variadic) = &signature.variadic {
        errors.on(variadic, "a tool can't take `...`: its schema lists every argument");
    }
}

/// The lifetimes that the function names. Each stands for the time of the call; there can be no other generics.
fn lifetimes(signature: &Signature, errors: &mut Errors) -> BTreeSet<String> {
    let mut lifetimes = BTreeSet::new();
    for parameter in &signature.generics.params {
        match parameter {
            GenericParam::Lifetime(parameter) => {
                lifetimes.insert(parameter.lifetime.ident.to_string());
            }
            GenericParam::Type(_) | GenericParam::Const(_) => errors.on(
                parameter,
                "a tool can't be generic: its schema is made before it is called. Write the type itself",
            ),
        }
    }
    lifetimes
}

fn output(signature: &Signature, errors: &mut Errors) -> Option<Type> {
    match &signature.output {
        ReturnType::Default => {
            let nothing = TypeTuple {
                attrs: Vec::new(),
                paren_token: token::Paren::default(),
                elems: Punctuated::new(),
            };
            Some(Type::Tuple(nothing))
        }
        ReturnType::Type(_, ty) => {
            if let Type::Never(never) = &**ty {
                errors.on(never, "a tool has to return: `ToolResult<T>`, or nothing");
                return None;
            }
            Some((**ty).clone())
        }
    }
}
