//! An argument of the function, which is a field or an extractor: its own type picks the way, and the code is the same.
//!
//! The type is written as what a function of one reference returns. That is how the compiler itself puts the call's lifetime
//! wherever the signature leaves one out, be it `'_`, a plain `&` or the hidden one of `State<Shop>`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use crate::options::Number;
use crate::spans::Place;
use crate::tool::validate::{Argument, Checks, Tool};
use crate::types::renamed;

/// An argument with the names that it has in the expansion.
pub(super) struct Expansion<'a> {
    pub(super) argument: &'a Argument,
    at: usize,
    /// The type, with the call's lifetime as its parameter.
    ty: Ident,
    pub(super) is_field: Ident,
    pub(super) place: Ident,
    pub(super) checks: Ident,
    pub(super) local: Ident,
}

impl<'a> Expansion<'a> {
    pub(super) fn new(argument: &'a Argument, at: usize) -> Self {
        // A local, so that it is not taken for a function of that name; and the argument's own place, for errors.
        let local = Span::mixed_site().located_at(argument.name.place.begin());
        Self {
            argument,
            at,
            ty: format_ident!("__Argument{at}"),
            is_field: format_ident!("__IS_FIELD_{at}"),
            place: format_ident!("__PLACE_{at}"),
            checks: format_ident!("__CHECKS_{at}"),
            local: format_ident!("argument_{at}", span = local),
        }
    }

    pub(super) fn items(&self, tool: &Tool) -> TokenStream {
        let Self { argument, ty, is_field, place, checks, at, .. } = self;
        let call = renamed(&argument.ty, &tool.lifetimes, "__call");
        let inferred = renamed(&argument.ty, &tool.lifetimes, "_");
        // How many of the arguments before it are fields.
        let place_value = at.checked_sub(1).map(|before| {
            let (place, is_field) = (format_ident!("__PLACE_{before}"), format_ident!("__IS_FIELD_{before}"));
            quote!(+ #place + #is_field as usize)
        });
        let checks_value = checks_value(argument.checks.as_ref());
        let kind = self.kind();
        quote! {
            type #ty<'__call> = <fn(&'__call ()) -> #call as __p::Returns>::Type;
            const #is_field: bool = <#inferred as __p::Argument>::IS_FIELD;
            const #place: usize = 0 #place_value;
            const #checks: __p::Checks = #checks_value;
            const _: __p::Option<__p::Kind> = #kind;
        }
    }

    /// The way that the argument's own type picks.
    fn way(&self, span: Span) -> TokenStream {
        let is_field = &self.is_field;
        quote_spanned!(span=> __p::Select<#is_field>)
    }

    /// The kind of field that it is, if it is one.
    pub(super) fn kind(&self) -> TokenStream {
        let Self { ty, .. } = self;
        let span = self.begin();
        let way = self.way(span);
        quote_spanned!(span=> <#way as __p::Declare<#ty<'static>>>::KIND)
    }

    pub(super) fn bound(&self) -> TokenStream {
        let Self { ty, .. } = self;
        let span = self.begin();
        let way = self.way(span);
        quote_spanned! {span=>
            for<'__call> #way: __p::Declare<#ty<'__call>> + __p::Take<'__call, __State, #ty<'__call>>,
        }
    }

    pub(super) fn declare(&self) -> TokenStream {
        let Self { ty, checks, .. } = self;
        let way = self.way(Span::call_site());
        let name = &self.argument.name.text;
        let description = self.argument.description.as_deref().unwrap_or_default();
        quote!(<#way as __p::Declare<#ty<'static>>>::declare(&mut declared, #name, #description, #checks);)
    }

    pub(super) fn read(&self) -> TokenStream {
        let Self { ty, place, local, .. } = self;
        let site = Span::mixed_site();
        let way = self.way(site);
        quote_spanned! {site=>
            let #local = <#way as __p::Take<'__call, __State, #ty<'__call>>>::read(&fields, #place)?;
        }
    }

    pub(super) fn take(&self) -> TokenStream {
        let Self { ty, local, .. } = self;
        let site = Span::mixed_site();
        let way = self.way(site);
        quote_spanned! {site=>
            let #local = <#way as __p::Take<'__call, __State, #ty<'__call>>>::take(#local, context)?;
        }
    }

    /// Where its type begins.
    fn begin(&self) -> Span {
        Place::of(&self.argument.ty).begin()
    }
}

fn checks_value(checks: Option<&Checks>) -> TokenStream {
    let Some(checks) = checks else {
        return quote!(__p::Checks::NONE);
    };
    let (min, max) = (bound(checks.min), bound(checks.max));
    let (min_length, max_length) = (option(checks.min_length), option(checks.max_length));
    let not_blank = checks.not_blank;
    quote!(__p::checks(#min, #max, #min_length, #max_length, #not_blank))
}

fn bound(number: Option<Number>) -> TokenStream {
    option(number.map(|number| match number {
        Number::Whole(number) => quote!(__p::Bound::Integer(#number)),
        Number::Fraction(number) => quote!(__p::Bound::Number(#number)),
    }))
}

fn option(value: Option<impl ToTokens>) -> TokenStream {
    value.map_or_else(|| quote!(__p::Option::None), |value| quote!(__p::Option::Some(#value)))
}
