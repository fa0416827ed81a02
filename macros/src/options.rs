//! `key = value` and `key`, as they stand in an attribute.

use std::fmt::Display;
use std::str::FromStr;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Ident, Lit, LitStr, Token};

use crate::errors::Errors;

/// One entry whose key is known and not there twice.
pub(crate) struct Entry {
    pub(crate) key: Ident,
    /// What comes after `=`, if that is there.
    value: Option<TokenStream>,
}

/// A value as it is written.
struct Literal {
    minus: Option<Token![-]>,
    literal: Lit,
}

/// Reads what is in the parentheses of an attribute. Each entry is read on its own, so that a broken one hides no other.
pub(crate) fn entries(tokens: TokenStream, known: &[&str], errors: &mut Errors) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for part in split(tokens) {
        let Some(entry) = errors.keep(entry.parse2(part)) else { continue };
        let key = entry.key.unraw().to_string();
        if !known.contains(&key.as_str()) {
            errors.on(&entry.key, format!("`{key}` is not known here; what is known: {}", listed(known)));
        } else if entries.iter().any(|other| other.key == entry.key) {
            errors.on(&entry.key, format!("`{key}` is here twice"));
        } else {
            entries.push(entry);
        }
    }
    entries
}

/// `` `a`, `b` and `c` ``
pub(crate) fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// What is between the commas.
pub(crate) fn split(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for token in tokens {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => parts.push(TokenStream::new()),
            token => parts.last_mut().into_iter().for_each(|part| part.extend([token.clone()])),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn entry(input: ParseStream<'_>) -> syn::Result<Entry> {
    if !input.peek(Ident::peek_any) {
        let tokens: TokenStream = input.parse()?;
        return Err(syn::Error::new_spanned(tokens, "this is not `key = value`"));
    }
    let key = Ident::parse_any(input)?;
    if input.is_empty() {
        return Ok(Entry { key, value: None });
    }
    if !input.peek(Token![=]) {
        let tokens: TokenStream = input.parse()?;
        return Err(syn::Error::new_spanned(tokens, format!("write `{key} = value`")));
    }
    let equals: Token![=] = input.parse()?;
    if input.is_empty() {
        return Err(syn::Error::new_spanned(equals, format!("the value of `{key}` is missing")));
    }
    Ok(Entry { key, value: Some(input.parse()?) })
}

impl Entry {
    /// The value as a text.
    pub(crate) fn text(&self, example: &str, errors: &mut Errors) -> Option<LitStr> {
        let text = self.literal().and_then(|value| match value {
            Literal { minus: None, literal: Lit::Str(text) } => Some(text),
            _ => None,
        });
        self.expected(text, &format!("a text: `{} = \"{example}\"`", self.key), errors)
    }

    /// The value as a whole number without a sign.
    pub(crate) fn whole<N: FromStr<Err: Display>>(&self, example: u8, errors: &mut Errors) -> Option<N> {
        let number = self.literal().and_then(|value| match value {
            Literal { minus: None, literal: Lit::Int(number) } => number.base10_parse().ok(),
            _ => None,
        });
        self.expected(number, &format!("a whole number: `{} = {example}`", self.key), errors)
    }

    /// The value as a number of any kind.
    pub(crate) fn number(&self, errors: &mut Errors) -> Option<Number> {
        let number = self.literal().and_then(|Literal { minus, literal }| {
            let sign = if minus.is_some() { "-" } else { "" };
            match literal {
                Lit::Int(number) => {
                    format!("{sign}{}", number.base10_digits()).parse().ok().map(Number::Whole)
                }
                Lit::Float(number) => {
                    let number: f64 = format!("{sign}{}", number.base10_digits()).parse().ok()?;
                    number.is_finite().then_some(Number::Fraction(number))
                }
                _ => None,
            }
        });
        self.expected(number, &format!("a number: `{} = 1`", self.key), errors)
    }

    /// The value as a list of texts in brackets.
    pub(crate) fn texts(&self, example: &str, errors: &mut Errors) -> Option<Vec<LitStr>> {
        let list = |input: ParseStream<'_>| {
            let content;
            syn::bracketed!(content in input);
            Ok(content
                .parse_terminated(<LitStr as syn::parse::Parse>::parse, Token![,])?
                .into_iter()
                .collect())
        };
        let texts = self.value.clone().and_then(|value| list.parse2(value).ok());
        self.expected(texts, &format!("a list of texts: `{} = [\"{example}\"]`", self.key), errors)
    }

    /// The value as an expression.
    pub(crate) fn expression(&self, example: &str, errors: &mut Errors) -> Option<Expr> {
        let expression = self.value.clone().and_then(|value| syn::parse2(value).ok());
        self.expected(expression, &format!("a JSON Schema: `{} = {example}`", self.key), errors)
    }

    /// Checks that it has no value.
    pub(crate) fn flag(&self, errors: &mut Errors) {
        if self.value.is_some() {
            errors.on(self, format!("`{}` has no value: it is there or not", self.key));
        }
    }

    fn literal(&self) -> Option<Literal> {
        let literal = |input: ParseStream<'_>| Ok(Literal { minus: input.parse()?, literal: input.parse()? });
        literal.parse2(self.value.clone()?).ok()
    }

    fn expected<T>(&self, value: Option<T>, what: &str, errors: &mut Errors) -> Option<T> {
        if value.is_none() {
            match &self.value {
                Some(value) => errors.on(value, format!("write {what}")),
                None => errors.on(&self.key, format!("write {what}")),
            }
        }
        value
    }
}

/// `key = value`, for errors about the whole.
impl ToTokens for Entry {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.key.to_tokens(tokens);
        self.value.to_tokens(tokens);
    }
}

/// A number as it is written.
#[derive(Clone, Copy)]
pub(crate) enum Number {
    Whole(i128),
    Fraction(f64),
}
