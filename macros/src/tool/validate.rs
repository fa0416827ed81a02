//! The rules that can be seen in the function's own text. What hangs on types is asserted by the expansion.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, FnArg, GenericParam, Ident, LitStr, Pat, PatType, ReturnType, Safety, Signature, Type,
    TypeTuple, token,
};

use super::parse::{Function, is_field};
use crate::case::Case;
use crate::docs;
use crate::errors::Errors;
use crate::options::{self, Number, listed};
use crate::spans::Place;

/// A tool, as its function declares it.
pub(super) struct Tool {
    pub(super) name: Name,
    pub(super) description: String,
    pub(super) risk: Ident,
    pub(super) effect: Option<Ident>,
    pub(super) timeout: Option<u32>,
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

pub(super) struct Argument {
    pub(super) name: Name,
    pub(super) description: Option<String>,
    pub(super) ty: Type,
    pub(super) checks: Option<Checks>,
}

/// What `#[field]` says.
pub(super) struct Checks {
    pub(super) place: Place,
    pub(super) min: Option<Number>,
    pub(super) max: Option<Number>,
    pub(super) min_length: Option<usize>,
    pub(super) max_length: Option<usize>,
    pub(super) not_blank: bool,
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
    let arguments: Vec<_> = signature.inputs.iter().map(|input| argument(input, errors)).collect();
    let output = output(signature, errors);
    Some(Tool {
        name: options.name.unwrap_or_else(|| Name::of(&signature.ident)),
        description: description??,
        risk: options.risk?,
        effect: options.effect,
        timeout: options.timeout,
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

/// What stands in the parentheses of `#[tool(…)]`.
#[derive(Default)]
struct Options {
    risk: Option<Ident>,
    effect: Option<Ident>,
    timeout: Option<u32>,
    name: Option<Name>,
}

const RISKS: &str = "`\"low\"` (runs when called), `\"medium\"` (the agent is told to ask the customer first), `\"reviewed\"` (waits for an automated reviewer) or `\"high\"` (waits for a teammate)";

impl Options {
    fn read(tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut options = Self::default();
        let mut has_risk = false;
        for entry in options::entries(tokens, &["risk", "effect", "timeout", "name"], errors) {
            match entry.key.to_string().as_str() {
                "risk" => {
                    has_risk = true;
                    options.risk = entry.text("low", errors).and_then(|text| {
                        let known = [
                            ("low", "Low"),
                            ("medium", "Medium"),
                            ("reviewed", "Reviewed"),
                            ("high", "High"),
                        ];
                        let problem = || format!("a risk is {RISKS}");
                        one_of(&text, &known, problem, errors)
                    });
                }
                "effect" => {
                    options.effect = entry.text("read", errors).and_then(|text| {
                        let known = [("read", "Read"), ("write", "Write")];
                        let problem = || {
                            "an effect is `\"read\"` (changes nothing) or `\"write\"` (may change something; the default)"
                                .to_owned()
                        };
                        one_of(&text, &known, problem, errors)
                    });
                }
                "timeout" => {
                    options.timeout = entry.whole(20, errors);
                    if options.timeout == Some(0) {
                        errors.on(&entry, "a timeout is at least 1 second");
                    }
                }
                _ => options.name = entry.text("orderStatus", errors).map(|text| Name::given(&text)),
            }
        }
        if !has_risk {
            errors.at(Span::call_site(), format!("a tool needs a risk: `risk = …`, which is {RISKS}"));
        }
        options
    }
}

fn one_of(
    text: &LitStr,
    known: &[(&str, &str)],
    problem: impl Fn() -> String,
    errors: &mut Errors,
) -> Option<Ident> {
    let variant = known.iter().find(|(name, _)| *name == text.value());
    if variant.is_none() {
        errors.on(text, problem());
    }
    variant.map(|(_, variant)| Ident::new(variant, Span::call_site()))
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

fn argument(input: &FnArg, errors: &mut Errors) -> Option<Argument> {
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
    if let Type::ImplTrait(ty) = &*argument.ty {
        errors.on(
            ty,
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
