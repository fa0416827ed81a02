//! Doc comments, as the agent reads them.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The text of all the doc comments among these attributes, wherever they stand: nothing for none, or for blank ones.
///
/// The lines of a paragraph become one line; paragraphs, the items of a list and the lines of a code block stay apart.
pub(crate) fn description(attributes: &[Attribute]) -> syn::Result<Option<String>> {
    let mut lines = Vec::new();
    for attribute in attributes.iter().filter(|attribute| is_doc(attribute)) {
        // `#[doc(hidden)]` and the like describe nothing.
        let Meta::NameValue(doc) = &attribute.meta else { continue };
        match ungrouped(&doc.value) {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => lines.extend(unindented(&text.value())),
            other => {
                return Err(syn::Error::new_spanned(
                    other,
                    "a description must be written out here: the macro can't read this",
                ));
            }
        }
    }
    let text = joined(&lines);
    Ok((!text.is_empty()).then_some(text))
}

/// What a macro put there is in invisible parentheses.
fn ungrouped(value: &Expr) -> &Expr {
    match value {
        Expr::Group(group) => ungrouped(&group.expr),
        value => value,
    }
}

/// Whether it is a doc comment, which must not stay on an argument.
pub(crate) fn is_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

/// The lines of one comment, without the space after `///`, or the stars of a block.
fn unindented(comment: &str) -> Vec<String> {
    let lines: Vec<&str> = comment.split('\n').collect();
    let has_star = |line: &&str| line.trim_start().starts_with('*') || line.trim().is_empty();
    let stars = lines.len() > 1 && lines.iter().skip(1).all(has_star);
    let line = |(at, line): (usize, &&str)| {
        let line = if lines.len() > 1 { line.trim_start() } else { line };
        let line = if stars && at > 0 { line.strip_prefix('*').unwrap_or(line) } else { line };
        line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()
    };
    lines.iter().enumerate().map(line).collect()
}

fn joined(lines: &[String]) -> String {
    let mut text = String::new();
    let mut in_code = false;
    let mut between = "";
    for line in lines {
        let fence = line.trim_start().starts_with("```");
        if line.is_empty() && !in_code {
            between = "\n\n";
            continue;
        }
        if between != "\n\n" && (in_code || fence || begins_item(line)) {
            between = "\n";
        }
        if !text.is_empty() {
            text.push_str(between);
        }
        text.push_str(if in_code { line } else { line.trim_start() });
        in_code ^= fence;
        between = if in_code || fence { "\n" } else { " " };
    }
    text
}

/// Whether a line begins an item of a list, a heading or a row of a table.
fn begins_item(line: &str) -> bool {
    let line = line.trim_start();
    let after_number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    ["- ", "* ", "+ ", "# ", "## ", "### ", "|"].iter().any(|mark| line.starts_with(mark))
        || after_number.len() < line.len() && after_number.starts_with(". ")
}

#[cfg(test)]
mod tests {
    use super::description;
    use syn::{Attribute, parse_quote};

    fn read(attributes: &[Attribute]) -> Option<String> {
        description(attributes).unwrap()
    }

    #[test]
    fn lines_of_a_paragraph_become_one() {
        let docs: Vec<Attribute> = parse_quote! {
            /// Look up the status
            /// of an order.
        };
        assert_eq!(read(&docs).as_deref(), Some("Look up the status of an order."));
    }

    #[test]
    fn other_attributes_between_lose_nothing() {
        let docs: Vec<Attribute> = parse_quote! {
            /// One.
            #[allow(dead_code)]
            /// Two.
            #[doc(alias = "three")]
            #[doc = " Four."]
        };
        assert_eq!(read(&docs).as_deref(), Some("One. Two. Four."));
    }

    #[test]
    fn paragraphs_stay_apart() {
        let docs: Vec<Attribute> = parse_quote! {
            ///
            /// One.
            ///
            ///
            /// Two,
            /// still two.
            ///
        };
        assert_eq!(read(&docs).as_deref(), Some("One.\n\nTwo, still two."));
    }

    #[test]
    fn items_of_a_list_stay_apart() {
        let docs: Vec<Attribute> = parse_quote! {
            /// It is one of:
            /// - `open`, which
            ///   goes on
            /// - `closed`
            /// 1. first
        };
        assert_eq!(
            read(&docs).as_deref(),
            Some("It is one of:\n- `open`, which goes on\n- `closed`\n1. first")
        );
    }

    #[test]
    fn code_keeps_its_lines() {
        let docs: Vec<Attribute> = parse_quote! {
            /// Like
            /// ```text
            /// a
            ///
            ///   b
            /// ```
            /// so.
        };
        assert_eq!(read(&docs).as_deref(), Some("Like\n```text\na\n\n  b\n```\nso."));
    }

    #[test]
    fn a_block_comment_loses_its_stars() {
        let docs: Vec<Attribute> = vec![parse_quote!(#[doc = "\n * One\n * line.\n *\n * Two.\n "])];
        assert_eq!(read(&docs).as_deref(), Some("One line.\n\nTwo."));
        let docs: Vec<Attribute> = vec![parse_quote!(#[doc = " One\n    line. "])];
        assert_eq!(read(&docs).as_deref(), Some("One line."));
    }

    #[test]
    fn blank_is_nothing() {
        let docs: Vec<Attribute> = parse_quote! {
            ///
            #[doc(hidden)]
            #[doc = "   "]
        };
        assert_eq!(read(&docs), None);
        assert_eq!(read(&[]), None);
    }

    #[test]
    fn what_cannot_be_read_is_an_error() {
        let docs: Vec<Attribute> = vec![parse_quote!(#[doc = include_str!("x.md")])];
        assert!(description(&docs).is_err());
    }
}
