//! What stands in the parentheses of `#[tool(…)]`.

use proc_macro2::{Span, TokenStream};
use syn::{Expr, Ident, LitStr};

use super::Name;
use crate::errors::Errors;
use crate::options::{self, Entry};

#[derive(Default)]
pub(super) struct Options {
    pub(super) risk: Option<Ident>,
    pub(super) effect: Option<Ident>,
    pub(super) timeout: Option<u32>,
    pub(super) name: Option<Name>,
    pub(super) scopes: Vec<LitStr>,
    pub(super) idempotent: bool,
    pub(super) enqueues_job: Option<LitStr>,
    pub(super) input: Option<Expr>,
    pub(super) output: Option<Expr>,
}

const KNOWN: [&str; 9] =
    ["risk", "effect", "timeout", "name", "scopes", "idempotent", "enqueues_job", "input", "output"];

const RISKS: &str = "`\"low\"` (runs when called), `\"medium\"` (the agent is told to ask the customer first), `\"reviewed\"` (waits for an automated reviewer) or `\"high\"` (waits for a teammate)";

impl Options {
    pub(super) fn read(tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut options = Self::default();
        let mut has_risk = false;
        for entry in options::entries(tokens, &KNOWN, errors) {
            match entry.key.to_string().as_str() {
                "risk" => {
                    has_risk = true;
                    options.risk = entry.text("low", errors).and_then(|text| {
                        let known = [
                            ("low", "Low"),
                            ("medium", "Medium"),
                            ("reviewed", "Reviewed"),
                            ("high", "High"),
                        ];
                        let problem = || format!("a risk is {RISKS}");
                        one_of(&text, &known, problem, errors)
                    });
                }
                "effect" => {
                    options.effect = entry.text("read", errors).and_then(|text| {
                        let known = [("read", "Read"), ("write", "Write")];
                        let problem = || {
                            "an effect is `\"read\"` (changes nothing) or `\"write\"` (may change something; the default)"
                                .to_owned()
                        };
                        one_of(&text, &known, problem, errors)
                    });
                }
                "timeout" => {
                    options.timeout = entry.whole(20, errors);
                    if options.timeout == Some(0) {
                        errors.on(&entry, "a timeout is at least 1 second");
                    }
                }
                "scopes" => options.scopes = scopes(&entry, errors),
                "idempotent" => {
                    options.idempotent = true;
                    entry.flag(errors);
                }
                "enqueues_job" => options.enqueues_job = entry.text("send_receipt", errors),
                "input" => options.input = entry.expression(SCHEMA, errors),
                "output" => options.output = entry.expression(SCHEMA, errors),
                _ => options.name = entry.text("orderStatus", errors).map(|text| Name::given(&text)),
            }
        }
        if !has_risk {
            errors.at(Span::call_site(), format!("a tool needs a risk: `risk = …`, which is {RISKS}"));
        }
        options
    }
}

const SCHEMA: &str = r##"r#"{"type":"string"}"#"##;

/// What OAuth takes for scopes (RFC 6749, 3.3), each once.
fn scopes(entry: &Entry, errors: &mut Errors) -> Vec<LitStr> {
    let scopes = entry.texts("orders:read", errors).unwrap_or_default();
    for (at, scope) in scopes.iter().enumerate() {
        let text = scope.value();
        let is_visible = text.bytes().all(|b| b.is_ascii_graphic() && b != b'"' && b != b'\\');
        if text.is_empty() || text.len() > 128 || !is_visible {
            errors.on(
                scope,
                "a scope is 1 to 128 visible ASCII characters, without a quotation mark or a backslash, like `orders:read`",
            );
        } else if scopes[..at].iter().any(|other| other.value() == text) {
            errors.on(scope, "this scope is here twice");
        }
    }
    scopes
}

fn one_of(
    text: &LitStr,
    known: &[(&str, &str)],
    problem: impl Fn() -> String,
    errors: &mut Errors,
) -> Option<Ident> {
    let variant = known.iter().find(|(name, _)| *name == text.value());
    if variant.is_none() {
        errors.on(text, problem());
    }
    variant.map(|(_, variant)| Ident::new(variant, Span::call_site()))
}
