//! Places in the user's code, for the errors that the compiler tells instead of us.

use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

/// Where something begins and ends. The compiler joins the two when generated code begins and ends there.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    begin: Span,
    end: Span,
}

impl Place {
    pub(crate) fn of(tokens: impl ToTokens) -> Self {
        let mut tokens = tokens.into_token_stream().into_iter();
        let begin = tokens.next().map_or_else(Span::call_site, |token| token.span());
        Self { begin, end: tokens.last().map_or(begin, |token| token.span()) }
    }

    pub(crate) fn begin(self) -> Span {
        self.begin
    }

    /// A call of this function, which errors point at as if it were here.
    pub(crate) fn call(self, function: &TokenStream, arguments: TokenStream) -> TokenStream {
        let function: TokenStream = function
            .clone()
            .into_iter()
            .map(|mut token| {
                token.set_span(self.begin);
                token
            })
            .collect();
        let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
        arguments.set_span(self.end);
        quote!(#function #arguments)
    }

    /// An assertion of the compiler's: its message is shown here when the condition does not hold.
    pub(crate) fn require(self, condition: &TokenStream, message: &str) -> TokenStream {
        let require = quote_spanned!(self.begin=> __p::require);
        let call = self.call(&require, quote!(#condition, #message));
        quote!(const _: () = #call;)
    }
}
