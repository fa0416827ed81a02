//! Lifetimes of a function's arguments, written out, so that the types can stand outside of its signature.

use std::collections::BTreeSet;

use syn::visit_mut::{self, VisitMut};
use syn::{Lifetime, ParenthesizedGenericArguments, Token, Type, TypeFnPtr, TypeInfer, TypeReference};

/// The type of an argument with one lifetime in the place of those that the function leaves open: `'_`, those of
/// plain `&`, and its own named ones.
///
/// A lifetime that is left out altogether (`State<Shop>`) can't be seen here. The compiler points at it and says how to
/// write it.
pub(crate) fn argument(ty: &Type, named: &BTreeSet<String>, to: &str) -> Type {
    let mut ty = ty.clone();
    Rewrite { named, to, elided: true, output: false }.visit_type_mut(&mut ty);
    ty
}

/// The type that the function returns, for a place where the compiler can infer what is left open.
pub(crate) fn output(ty: &Type, named: &BTreeSet<String>) -> Type {
    let mut ty = ty.clone();
    Rewrite { named, to: "'_", elided: true, output: true }.visit_type_mut(&mut ty);
    ty
}

struct Rewrite<'a> {
    named: &'a BTreeSet<String>,
    to: &'a str,
    /// Whether a lifetime that is left out here is the function's. Inside `fn(&T)` and `Fn(&T)` it is not.
    elided: bool,
    /// Whether `impl Trait` becomes `_`.
    output: bool,
}

impl Rewrite<'_> {
    fn inside_function_type(&mut self, visit: impl FnOnce(&mut Self)) {
        let outside = std::mem::replace(&mut self.elided, false);
        visit(self);
        self.elided = outside;
    }
}

impl VisitMut for Rewrite<'_> {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        let open = self.elided && lifetime.ident == "_";
        if open || self.named.contains(&lifetime.ident.to_string()) {
            *lifetime = Lifetime::new(self.to, lifetime.span());
        }
    }

    fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
        if self.elided && reference.lifetime.is_none() {
            reference.lifetime = Some(Lifetime::new(self.to, reference.and_token.span));
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_type_fn_ptr_mut(&mut self, function: &mut TypeFnPtr) {
        self.inside_function_type(|this| visit_mut::visit_type_fn_ptr_mut(this, function));
    }

    fn visit_parenthesized_generic_arguments_mut(&mut self, arguments: &mut ParenthesizedGenericArguments) {
        self.inside_function_type(|this| {
            visit_mut::visit_parenthesized_generic_arguments_mut(this, arguments);
        });
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        match ty {
            Type::ImplTrait(hidden) if self.output => {
                let underscore_token = Token![_](hidden.impl_token.span);
                *ty = Type::Infer(TypeInfer { attrs: Vec::new(), underscore_token });
            }
            _ => visit_mut::visit_type_mut(self, ty),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{argument, output};
    use quote::ToTokens;
    use std::collections::BTreeSet;
    use syn::{Type, parse_quote};

    fn named() -> BTreeSet<String> {
        BTreeSet::from(["a".to_owned()])
    }

    fn text(ty: &Type) -> String {
        ty.to_token_stream().to_string()
    }

    #[test]
    fn every_open_lifetime_is_written() {
        let ty = parse_quote!(State<'_, (&Shop, &'a mut Shop, &'static str, dyn Go + '_)>);
        let expected: Type = parse_quote!(State<'c, (&'c Shop, &'c mut Shop, &'static str, dyn Go + 'c)>);
        assert_eq!(text(&argument(&ty, &named(), "'c")), text(&expected));
    }

    #[test]
    fn function_types_keep_their_own() {
        let ty = parse_quote!(State<'_, (fn(&str, &'a str) -> &str, Box<dyn Fn(&str) -> X<'_>>, &u8)>);
        let expected: Type =
            parse_quote!(State<'c, (fn(&str, &'c str) -> &str, Box<dyn Fn(&str) -> X<'_>>, &'c u8)>);
        assert_eq!(text(&argument(&ty, &named(), "'c")), text(&expected));
    }

    #[test]
    fn what_a_function_hides_is_inferred() {
        let ty = parse_quote!(ToolResult<(impl Serialize, &'a str, Vec<&str>)>);
        let expected: Type = parse_quote!(ToolResult<(_, &'_ str, Vec<&'_ str>)>);
        assert_eq!(text(&output(&ty, &named())), text(&expected));
    }
}
