//! Places in the user's code, for the errors that the compiler tells instead of us.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

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
    pub(crate) fn call(self, function: TokenStream, arguments: TokenStream) -> TokenStream {
        let function = respanned(function, |_| self.begin);
        let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
        arguments.set_span(self.end);
        quote!(#function #arguments)
    }

    /// An assertion of the compiler's: what this function asserts of its arguments is shown here.
    pub(crate) fn assert(self, function: TokenStream, arguments: TokenStream) -> TokenStream {
        let call = self.call(function, arguments);
        quote!(const _: () = #call;)
    }

    /// An assertion with its message.
    pub(crate) fn require(self, condition: &TokenStream, message: &str) -> TokenStream {
        self.assert(quote!(__p::require), quote!(#condition, #message))
    }
}

/// Tokens with other spans. What is inside of groups keeps its own.
pub(crate) fn respanned(tokens: impl ToTokens, to: impl Fn(Span) -> Span) -> TokenStream {
    let respan = |mut token: TokenTree| {
        token.set_span(to(token.span()));
        token
    };
    tokens.into_token_stream().into_iter().map(respan).collect()
}
