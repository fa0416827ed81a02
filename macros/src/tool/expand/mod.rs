//! What becomes of a function: itself, a type of the same name, and that type's `IntoTool`.

mod argument;
mod assertions;

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Attribute;

use self::argument::Expansion;
use self::assertions::assertions;
use super::parse::Function;
use super::validate::{Name, Tool};
use crate::spans::{Place, respanned};
use crate::types::{hides, renamed};

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
        // What a tool takes and returns is the call's matter, not the function's.
        #[allow(
            clippy::missing_errors_doc,
            clippy::needless_pass_by_value,
            clippy::too_many_arguments,
            clippy::unnecessary_wraps,
            clippy::unused_async
        )]
        #function
        #companion
        #(#cfgs)*
        #[allow(deprecated)]
        const _: () = {
            use ::median_edge::__private as __p;
            #[allow(unused_imports)]
            use __p::{NoSchema as _, SchemaOfReturned as _};
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
    let visibility = respanned(&function.visibility, |span| span.resolved_at(Span::call_site()));
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

fn declaration(tool: &Tool, arguments: &[Expansion<'_>]) -> TokenStream {
    let Tool { name: Name { text: name, .. }, description, risk, .. } = tool;
    let effect = tool.effect.as_ref().map(|effect| quote!(.effect(__p::Effect::#effect)));
    let timeout = tool.timeout.map(|seconds| quote!(.timeout(#seconds)));
    let scopes = &tool.scopes;
    let scopes = (!scopes.is_empty()).then(|| quote!(.scopes([#(#scopes),*])));
    let idempotent = tool.idempotent.then(|| quote!(.idempotent()));
    let job = tool.enqueues_job.as_ref().map(|job| quote!(.enqueues_job(#job)));
    let input = tool.input_schema.as_ref().map(|schema| quote!(.input_schema(#schema)));
    let output = output_schema(tool);
    let builder = quote! {
        __p::Tool::<__State>::builder(#name, #description)
            .risk(__p::Risk::#risk) #effect #timeout #scopes #idempotent #job #input #output
    };
    let start = quote!(.run_started(<Self as __p::IntoTool<__State>>::start));
    if arguments.is_empty() {
        return quote!(#builder #start);
    }
    let declares = arguments.iter().map(Expansion::declare);
    quote! {
        let mut declared = __p::Declared::new();
        #(#declares)*
        #builder.declared(declared) #start
    }
}

/// The schema of what is returned: by hand; or by its type, where that has one and the application manifest is built in.
/// Which of the two traits answers is the type's own matter.
fn output_schema(tool: &Tool) -> Option<TokenStream> {
    if let Some(schema) = &tool.output_schema {
        return Some(quote!(.output_schema(#schema)));
    }
    let output = renamed(&tool.output, &tool.lifetimes, "_");
    if hides(output.clone()) {
        return None;
    }
    let site = Span::mixed_site();
    let returned = quote_spanned!(site=> (&__p::Returned::<#output>::TYPE).schema());
    Some(quote!(.returned(#returned)))
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
    let future = Place::of(ident).call(quote!(__p::Boxed::pin), answer);
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
