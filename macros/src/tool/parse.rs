//! A function, as far as the macro needs to understand it: its body is taken as it is.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, FnArg, LitStr, Signature, Token, Visibility};

use crate::docs;

pub(super) struct Function {
    pub(super) attributes: Vec<Attribute>,
    pub(super) visibility: Visibility,
    /// As it was written, with the docs and attributes of its arguments.
    pub(super) signature: Signature,
    /// In its braces, or the `;` that is in its place.
    body: TokenTree,
}

impl Function {
    pub(super) fn has_body(&self) -> bool {
        matches!(self.body, TokenTree::Group(_))
    }
}

/// Whether it is an attribute that is ours to read.
pub(super) fn is_field(attribute: &Attribute) -> bool {
    attribute.path().is_ident("field")
}

/// Reads a function, or gives back what is none.
pub(super) fn function(item: TokenStream) -> Result<Function, (syn::Error, TokenStream)> {
    parse.parse2(item.clone()).map_err(|error| (error, item))
}

fn parse(input: ParseStream<'_>) -> syn::Result<Function> {
    let attributes = input.call(Attribute::parse_outer)?;
    let visibility = input.parse()?;
    if !begins_function(input) {
        let rest: TokenStream = input.parse()?;
        let first = rest.into_iter().next();
        return Err(syn::Error::new_spanned(
            first,
            "a tool is a function: put `#[tool(risk = \"…\")]` on an `fn` or `async fn`",
        ));
    }
    let signature = input.parse()?;
    let body = input.parse()?;
    Ok(Function { attributes, visibility, signature, body })
}

fn begins_function(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    let modified = |ahead: ParseStream<'_>| {
        let modifiers = [ahead.peek(Token![async]), ahead.peek(Token![unsafe]), ahead.peek(Token![const])];
        // What is between `extern` and `fn` is the name of a calling convention.
        modifiers.contains(&true) || ahead.peek(Token![extern]) || ahead.peek(LitStr)
    };
    while modified(&ahead) {
        if ahead.parse::<TokenTree>().is_err() {
            return false;
        }
    }
    ahead.peek(Token![fn])
}

/// The function as it was written, without what the compiler does not take on arguments.
impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { attributes, visibility, body, .. } = self;
        let mut signature = self.signature.clone();
        // It is refused, and the compiler would refuse it again.
        signature.variadic = None;
        for input in &mut signature.inputs {
            let attributes = match input {
                FnArg::Typed(argument) => &mut argument.attrs,
                FnArg::Receiver(receiver) => &mut receiver.attrs,
            };
            attributes.retain(|attribute| !docs::is_doc(attribute) && !is_field(attribute));
        }
        tokens.extend(quote!(#(#attributes)* #visibility #signature #body));
    }
}
