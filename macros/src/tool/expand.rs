//! What becomes of a function: itself, a type of the same name, and that type's `IntoTool`.
//!
//! The type of an argument is written as what a function of one reference returns. That is how the compiler itself puts
//! the call's lifetime wherever the signature leaves one out, be it `'_`, a plain `&` or the hidden one of `State<Shop>`.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Attribute;

use super::parse::Function;
use super::validate::{Argument, Checks, Name, Tool};
use crate::lifetimes::renamed;
use crate::options::Number;
use crate::spans::Place;

pub(super) fn expand(function: &Function, tool: &Tool) -> TokenStream {
    let ident = &function.signature.ident;
    let arguments: Vec<Expansion<'_>> =
        tool.arguments.iter().zip(0..).map(|(argument, at)| Expansion::new(argument, at)).collect();
    let items = arguments.iter().map(|argument| argument.items(tool));
    let assertions = assertions(tool, &arguments, ident);
    let bounds = arguments.iter().map(Expansion::bound);
    let declarations = declaration(tool, &arguments);
    let start = start(function, tool, &arguments);
    let cfgs = cfgs(&function.attributes);
    let companion = companion(function);
    quote! {
        #function
        #companion
        #(#cfgs)*
        #[allow(deprecated)]
        const _: () = {
            use ::median_edge::__private as __p;
            #(#items)*
            #assertions
            impl<__State> __p::IntoTool<__State> for #ident
            where
                __State: __p::MaybeSync + 'static,
                #(#bounds)*
            {
                fn tool() -> __p::Tool<__State> {
                    #declarations
                }
                #start
            }
        };
    }
}

/// The type that stands for the function where types are: in `tools!`.
pub(super) fn companion(function: &Function) -> TokenStream {
    let ident = &function.signature.ident;
    let cfgs = cfgs(&function.attributes);
    // What the compiler has to say about the function's visibility, it says once.
    let visibility: TokenStream = respanned(&function.visibility);
    quote! {
        #(#cfgs)*
        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_debug_implementations, missing_copy_implementations)]
        #visibility enum #ident {}
    }
}

/// The conditions under which the function is there.
pub(super) fn cfgs(attributes: &[Attribute]) -> Vec<&Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).collect()
}

fn respanned(tokens: impl ToTokens) -> TokenStream {
    let respan = |mut token: proc_macro2::TokenTree| {
        token.set_span(token.span().resolved_at(Span::call_site()));
        token
    };
    tokens.into_token_stream().into_iter().map(respan).collect()
}

/// An argument with the names that it has in the expansion.
struct Expansion<'a> {
    argument: &'a Argument,
    at: usize,
    /// The type, with the call's lifetime as its parameter.
    ty: Ident,
    is_field: Ident,
    place: Ident,
    checks: Ident,
    local: Ident,
}

impl<'a> Expansion<'a> {
    fn new(argument: &'a Argument, at: usize) -> Self {
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

    fn items(&self, tool: &Tool) -> TokenStream {
        let Self { argument, ty, is_field, place, checks, at, .. } = self;
        let call = renamed(&argument.ty, &tool.lifetimes, "__call");
        let inferred = renamed(&argument.ty, &tool.lifetimes, "_");
        let place_value = match at.checked_sub(1) {
            Some(before) => {
                let (place, is_field) =
                    (format_ident!("__PLACE_{before}"), format_ident!("__IS_FIELD_{before}"));
                quote!(#place + #is_field as usize)
            }
            None => quote!(0),
        };
        let checks_value = checks_value(argument.checks.as_ref());
        let kind = self.kind();
        quote! {
            type #ty<'__call> = <fn(&'__call ()) -> #call as __p::Returns>::Type;
            const #is_field: bool = <#inferred as __p::Argument>::IS_FIELD;
            const #place: usize = #place_value;
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
    fn kind(&self) -> TokenStream {
        let Self { ty, .. } = self;
        let span = self.begin();
        let way = self.way(span);
        quote_spanned!(span=> <#way as __p::Declare<#ty<'static>>>::KIND)
    }

    fn bound(&self) -> TokenStream {
        let Self { ty, .. } = self;
        let span = self.begin();
        let way = self.way(span);
        quote_spanned! {span=>
            for<'__call> #way: __p::Declare<#ty<'__call>> + __p::Take<'__call, __State, #ty<'__call>>,
        }
    }

    fn declare(&self) -> TokenStream {
        let Self { ty, checks, .. } = self;
        let way = self.way(Span::call_site());
        let name = &self.argument.name.text;
        let description = self.argument.description.as_deref().unwrap_or_default();
        quote!(<#way as __p::Declare<#ty<'static>>>::declare(&mut fields, #name, #description, #checks);)
    }

    fn read(&self) -> TokenStream {
        let Self { ty, place, local, .. } = self;
        let site = Span::mixed_site();
        let way = self.way(site);
        quote_spanned! {site=>
            let #local = <#way as __p::Take<'__call, __State, #ty<'__call>>>::read(&fields, #place)?;
        }
    }

    fn take(&self) -> TokenStream {
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
    match value {
        Some(value) => quote!(__p::Option::Some(#value)),
        None => quote!(__p::Option::None),
    }
}

/// What only the compiler can check, since it hangs on types: it shows these messages at the places that they are about.
fn assertions(tool: &Tool, arguments: &[Expansion<'_>], function: &Ident) -> TokenStream {
    let mut assertions = TokenStream::new();
    assertions.extend(tool_name(&tool.name));
    for expansion in arguments {
        assertions.extend(field(expansion));
    }
    for (at, expansion) in arguments.iter().enumerate() {
        let name = &expansion.argument.name;
        let Some(first) = arguments[..at].iter().find(|other| other.argument.name.text == name.text) else {
            continue;
        };
        let (one, two) = (&first.is_field, &expansion.is_field);
        let message =
            format!("two fields are named `{}`: rename one with `#[field(name = \"…\")]`", name.text);
        assertions.extend(name.place.require(&quote!(!(#one && #two)), &message));
    }
    if let Some(Expansion { place, is_field, .. }) = arguments.last() {
        let require = quote!(__p::require_few_fields);
        let call = Place::of(function).call(&require, quote!(#place + #is_field as usize));
        assertions.extend(quote!(const _: () = #call;));
    }
    assertions
}

fn tool_name(name: &Name) -> TokenStream {
    let text = &name.text;
    let form = format!(
        "`{text}` can't be a tool's name: a name is a letter, and then up to 63 letters, digits and underscores"
    );
    let reserved =
        format!("`{text}` is the name of one of the agent's own tools: choose another with `name = \"…\"`");
    let form = name.place.require(&quote!(__p::is_name(#text)), &form);
    let reserved = name.place.require(&quote!(!__p::is_reserved(#text)), &reserved);
    quote!(#form #reserved)
}

fn field(expansion: &Expansion<'_>) -> TokenStream {
    let Expansion { argument, is_field, checks, .. } = expansion;
    let Name { text, place } = &argument.name;
    let mut assertions = TokenStream::new();
    if argument.description.is_none() {
        let message = format!(
            "the field `{text}` needs a description for the agent: write it as a doc comment (`///`) on the argument"
        );
        assertions.extend(place.require(&quote!(!#is_field), &message));
    }
    let form = format!(
        "`{text}` can't be a field's name: a name is a letter, and then up to 63 letters, digits and underscores"
    );
    assertions.extend(place.require(&quote!(!#is_field || __p::is_name(#text)), &form));
    if let Some(said) = &argument.checks {
        let kind = expansion.kind();
        let call = said.place.call(&quote!(__p::require_checks), quote!(#checks, #kind));
        assertions.extend(quote!(const _: () = #call;));
    }
    assertions
}

fn declaration(tool: &Tool, arguments: &[Expansion<'_>]) -> TokenStream {
    let Tool { name: Name { text: name, .. }, description, risk, .. } = tool;
    let effect = tool.effect.as_ref().map(|effect| quote!(.effect(__p::Effect::#effect)));
    let timeout = tool.timeout.map(|seconds| quote!(.timeout(#seconds)));
    let builder = quote! {
        __p::Tool::<__State>::builder(#name, #description).risk(__p::Risk::#risk) #effect #timeout
    };
    let start = quote!(.run_started(<Self as __p::IntoTool<__State>>::start));
    if arguments.is_empty() {
        return quote!(#builder #start);
    }
    let declares = arguments.iter().map(Expansion::declare);
    quote! {
        let mut fields = __p::Vec::new();
        #(#declares)*
        let mut builder = #builder;
        for field in fields {
            builder = builder.field(field);
        }
        builder #start
    }
}

fn start(function: &Function, tool: &Tool, arguments: &[Expansion<'_>]) -> TokenStream {
    let ident = &function.signature.ident;
    let reads = arguments.iter().map(Expansion::read);
    let takes = arguments.iter().map(Expansion::take);
    let locals = arguments.iter().map(|expansion| &expansion.local);
    let site = Span::mixed_site();
    let answer = quote_spanned!(site=> #ident(#(#locals),*));
    let wait = function.signature.asyncness.map(|_| quote!(.await));
    let output = output(tool);
    let answer =
        quote_spanned!(site=> async move { <#output as __p::IntoOutcome>::into_outcome(#answer #wait) });
    // Where a future may not leave its thread, the compiler says so of this call: at the function's name.
    let future = Place::of(ident).call(&quote!(__p::Boxed::pin), answer);
    let context = (!arguments.is_empty()).then(|| quote_spanned!(site=> let context =));
    quote_spanned! {site=>
        fn start<'__call>(call: __p::Unopened<'__call, __State>) -> __p::Started<'__call> {
            let fields = call.fields();
            #(#reads)*
            #context call.open(fields.finish()?)?;
            #(#takes)*
            __p::Result::Ok(#future)
        }
    }
}

/// The type that is returned, or for the compiler to infer where it hides one: `impl Serialize` can't be written here.
fn output(tool: &Tool) -> TokenStream {
    let output = renamed(&tool.output, &tool.lifetimes, "_");
    if !hides(output.clone()) {
        return output;
    }
    quote_spanned!(Place::of(&output).begin()=> _)
}

fn hides(ty: TokenStream) -> bool {
    ty.into_iter().any(|token| match token {
        TokenTree::Ident(name) => name == "impl",
        TokenTree::Group(group) => hides(group.stream()),
        _ => false,
    })
}
