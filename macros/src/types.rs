//! The types of a function's arguments and of its result, as far as their tokens tell.

use std::collections::BTreeSet;

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;

/// Puts one lifetime in the place of each of these. The compiler does not let a type shadow them, so that they can be
/// told by their names.
pub(crate) fn renamed(ty: impl ToTokens, named: &BTreeSet<String>, to: &str) -> TokenStream {
    let mut after_quote = false;
    let rename = |token: TokenTree| {
        let is_name =
            std::mem::replace(&mut after_quote, matches!(&token, TokenTree::Punct(p) if p.as_char() == '\''));
        match token {
            TokenTree::Ident(name) if is_name && named.contains(&name.to_string()) => {
                TokenTree::Ident(Ident::new(to, name.span()))
            }
            TokenTree::Group(group) => {
                let mut inside = Group::new(group.delimiter(), renamed(group.stream(), named, to));
                inside.set_span(group.span());
                TokenTree::Group(inside)
            }
            token => token,
        }
    };
    ty.into_token_stream().into_iter().map(rename).collect()
}

/// Whether there is an `impl Trait` in it: such a type can only stand in the signature.
pub(crate) fn hides(ty: TokenStream) -> bool {
    ty.into_iter().any(|token| match token {
        TokenTree::Ident(name) => name == "impl",
        TokenTree::Group(group) => hides(group.stream()),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::{hides, renamed};
    use quote::quote;
    use std::collections::BTreeSet;

    #[test]
    fn named_lifetimes_are_renamed_wherever_they_stand() {
        let named = BTreeSet::from(["a".to_owned()]);
        let ty = quote!(State<'a, (&'a mut a, &'static str, &'_ str, fn(&'a a) -> X<'a>)>);
        let expected = quote!(State<'c, (&'c mut a, &'static str, &'_ str, fn(&'c a) -> X<'c>)>);
        assert_eq!(renamed(ty, &named, "c").to_string(), expected.to_string());
    }

    #[test]
    fn a_hidden_type_is_seen_at_any_depth() {
        assert!(hides(quote!(Result<(impl Go, u8), E>)));
        assert!(!hides(quote!(Result<(implicit::r#impl, u8), E>)));
    }
}
