//! `key = value` and `key`, as they stand in an attribute.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Ident, Lit, LitStr, Token};

use crate::errors::Errors;

/// One entry whose key is known and not there twice.
pub(crate) struct Entry {
    pub(crate) key: Ident,
    value: Option<Value>,
}

/// What comes after `=`.
struct Value {
    minus: Option<Token![-]>,
    literal: Lit,
}

impl ToTokens for Value {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.minus.to_tokens(tokens);
        self.literal.to_tokens(tokens);
    }
}

impl ToTokens for Entry {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.key.to_tokens(tokens);
        self.value.to_tokens(tokens);
    }
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
    let value: TokenStream = input.parse()?;
    let literal = |input: ParseStream<'_>| Ok(Value { minus: input.parse()?, literal: input.parse()? });
    let value = literal
        .parse2(value.clone())
        .map_err(|_| syn::Error::new_spanned(value, format!("the value of `{key}` must be a literal")))?;
    Ok(Entry { key, value: Some(value) })
}

impl Entry {
    /// The value as a text.
    pub(crate) fn text(&self, example: &str, errors: &mut Errors) -> Option<LitStr> {
        match &self.value {
            Some(Value { minus: None, literal: Lit::Str(text) }) => Some(text.clone()),
            _ => {
                errors.on(self, format!("write a text: `{} = \"{example}\"`", self.key));
                None
            }
        }
    }

    /// The value as a whole number without a sign.
    pub(crate) fn whole<N: std::str::FromStr<Err: std::fmt::Display>>(
        &self,
        example: u8,
        errors: &mut Errors,
    ) -> Option<N> {
        let number = match &self.value {
            Some(Value { minus: None, literal: Lit::Int(number) }) => number.base10_digits().parse().ok(),
            _ => None,
        };
        if number.is_none() {
            errors.on(self, format!("write a whole number: `{} = {example}`", self.key));
        }
        number
    }

    /// The value as a number of any kind.
    pub(crate) fn number(&self, errors: &mut Errors) -> Option<Number> {
        let number = self.value.as_ref().and_then(|value| {
            let sign = if value.minus.is_some() { "-" } else { "" };
            match &value.literal {
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
        if number.is_none() {
            errors.on(self, format!("write a number: `{} = 1`", self.key));
        }
        number
    }

    /// Checks that it has no value.
    pub(crate) fn flag(&self, errors: &mut Errors) {
        if self.value.is_some() {
            errors.on(self, format!("`{}` has no value: it is there or not", self.key));
        }
    }
}

/// A number as it is written.
#[derive(Clone, Copy)]
pub(crate) enum Number {
    Whole(i128),
    Fraction(f64),
}
