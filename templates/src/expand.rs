//! Fills in a template: as much of Liquid as the templates keep to, with the very same result.
//!
//! - `{{name}}`
//! - `{% if name == "text" %}`, `{% elsif … %}`, `{% else %}`, `{% endif %}`, within each other too
//! - `{% if name %}`, of what is `true` or `false`
//! - `{% raw %}…{% endraw %}`, where nothing is filled in
//! - a `-` inside of the braces takes the white space on its side away

use std::collections::BTreeMap;

/// What the variables stand for.
pub type Values = BTreeMap<&'static str, String>;

const RAW: &str = "raw";
const END_OF_RAW: &str = "{% endraw %}";

/// An `if` that is open.
struct Branch {
    /// Whether what is around it is kept.
    around: bool,
    /// Whether one of its parts was kept already.
    taken: bool,
    /// Whether the part that is being read is kept.
    kept: bool,
}

/// Fills a text in.
///
/// # Errors
///
/// What of the template is not understood.
pub(crate) fn expand(template: &str, values: &Values) -> Result<String, String> {
    let mut text = String::with_capacity(template.len());
    let mut branches: Vec<Branch> = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.find("{{").into_iter().chain(rest.find("{%")).min() {
        let (before, tag) = rest.split_at(at);
        let close = if tag.starts_with("{{") { "}}" } else { "%}" };
        let (inner, after) =
            tag[2..].split_once(close).ok_or_else(|| format!("`{}` does not end", first_line(tag)))?;
        let (inner, before) = match inner.strip_prefix('-') {
            Some(inner) => (inner, before.trim_end()),
            None => (inner, before),
        };
        let (inner, after) = match inner.strip_suffix('-') {
            Some(inner) => (inner, after.trim_start()),
            None => (inner, after),
        };
        if is_kept(&branches) {
            text.push_str(before);
        }
        if close == "%}" && inner.trim() == RAW {
            let (raw, after) = after.split_once(END_OF_RAW).ok_or("a `raw` does not end")?;
            if is_kept(&branches) {
                text.push_str(raw);
            }
            rest = after;
            continue;
        }
        if close == "}}" {
            let value = value(inner.trim(), values)?;
            if is_kept(&branches) {
                text.push_str(value);
            }
        } else {
            step(inner.trim(), values, &mut branches)?;
        }
        rest = after;
    }
    if !branches.is_empty() {
        return Err("an `if` does not end".to_owned());
    }
    text.push_str(rest);
    Ok(text)
}

fn is_kept(branches: &[Branch]) -> bool {
    branches.last().is_none_or(|branch| branch.kept)
}

/// Opens, continues or closes an `if`.
fn step(tag: &str, values: &Values, branches: &mut Vec<Branch>) -> Result<(), String> {
    if let Some(condition) = tag.strip_prefix("if ") {
        let around = is_kept(branches);
        let kept = around && holds(condition, values)?;
        branches.push(Branch { around, taken: kept, kept });
        return Ok(());
    }
    let branch = branches.last_mut().ok_or_else(|| format!("`{tag}` stands alone"))?;
    match (tag, tag.strip_prefix("elsif ")) {
        (_, Some(condition)) => {
            branch.kept = branch.around && !branch.taken && holds(condition, values)?;
            branch.taken |= branch.kept;
        }
        ("else", None) => branch.kept = branch.around && !branch.taken,
        ("endif", None) => drop(branches.pop()),
        _ => return Err(format!("`{tag}` is not known")),
    }
    Ok(())
}

fn holds(condition: &str, values: &Values) -> Result<bool, String> {
    let Some((name, text)) = condition.split_once("==") else {
        return match value(condition.trim(), values)? {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(format!("`{condition}` is neither true nor false")),
        };
    };
    let text = text.trim().strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let text = text.ok_or_else(|| format!("`{condition}` compares with no text"))?;
    Ok(value(name.trim(), values)? == text)
}

fn value<'a>(name: &str, values: &'a Values) -> Result<&'a str, String> {
    values.get(name).map(String::as_str).ok_or_else(|| format!("`{name}` is not known"))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(template: &str) -> Result<String, String> {
        let values = [("name", "my-shop"), ("source", "git"), ("yes", "true"), ("no", "false")];
        expand(template, &values.map(|(name, value)| (name, value.to_owned())).into())
    }

    #[test]
    fn a_variable_is_filled_in() {
        assert_eq!(expanded("a {{name}} {{ name }}b\n").unwrap(), "a my-shop my-shopb\n");
    }

    #[test]
    fn one_part_of_an_if_is_kept() {
        let of = |source: &str| {
            format!(
                "{{% if source == \"{source}\" %}}a{{% elsif source == \"git\" %}}b{{% else %}}c{{% endif %}}"
            )
        };
        assert_eq!(expanded(&of("git")).unwrap(), "a");
        assert_eq!(expanded(&of("path")).unwrap(), "b");
        assert_eq!(expanded("{% if name == \"x\" %}a{% else %}c{% endif %}").unwrap(), "c");
        let nested = "{% if name == \"x\" %}{% if source == \"git\" %}a{% else %}b{% endif %}{% endif %}c";
        assert_eq!(expanded(nested).unwrap(), "c");
    }

    #[test]
    fn what_is_true_is_kept_and_what_is_false_is_not() {
        assert_eq!(expanded("{% if yes %}a{% endif %}{% if no %}b{% else %}c{% endif %}").unwrap(), "ac");
        assert_eq!(expanded("{% if no %}a{% elsif yes %}b{% endif %}").unwrap(), "b");
    }

    #[test]
    fn nothing_is_filled_in_where_it_says_so() {
        assert_eq!(
            expanded("{% raw %}{{name}} {% if %}{% endraw %} {{name}}").unwrap(),
            "{{name}} {% if %} my-shop"
        );
        assert_eq!(expanded("{% if no %}{% raw %}{{{% endraw %}{% endif %}").unwrap(), "");
    }

    #[test]
    fn a_line_of_its_own_leaves_none_behind() {
        let template = "a\n{%- if source == \"git\" %}\nb\n{%- endif %}\nc\n";
        assert_eq!(expanded(template).unwrap(), "a\nb\nc\n");
        assert_eq!(expanded(&template.replace("git", "x")).unwrap(), "a\nc\n");
        assert_eq!(expanded("a {{- name -}} b").unwrap(), "amy-shopb");
    }

    #[test]
    fn what_is_filled_in_is_not_looked_at_again() {
        let values = [("name", "{{name}}".to_owned())].into();
        assert_eq!(expand("{{name}}", &values).unwrap(), "{{name}}");
    }

    #[test]
    fn what_the_templates_do_not_use_is_refused() {
        for template in [
            "{{other}}",
            "{{name",
            "{% if name %}{% endif %}",
            "{% raw %}",
            "{% endraw %}",
            "{% if name == x %}{% endif %}",
            "{% if name == \"x\" %}",
            "{% endif %}",
            "{% for a in b %}{% endfor %}",
            "{% if name == \"x\" %}{% for a in b %}{% endif %}",
            "{{ name | upcase }}",
        ] {
            assert!(expanded(template).is_err(), "{template}");
        }
    }
}
