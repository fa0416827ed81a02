//! From the names that Rust has to those that the agent reads.

/// How the texts of a choice are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    Lower,
}

impl Case {
    pub(crate) const ALL: [(&'static str, Self); 5] = [
        ("camelCase", Self::Camel),
        ("snake_case", Self::Snake),
        ("kebab-case", Self::Kebab),
        ("lowercase", Self::Lower),
        ("SCREAMING_SNAKE_CASE", Self::ScreamingSnake),
    ];

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(text, _)| *text == name).map(|(_, case)| case)
    }

    /// Writes an identifier, without its `r#`, in this case. Underscores at its ends are dropped.
    pub(crate) fn write(self, identifier: &str) -> String {
        let words = words(identifier);
        match self {
            Self::Camel => {
                let (first, others) = words.split_first().map_or(("", &[][..]), |(f, o)| (f.as_str(), o));
                others.iter().fold(first.to_owned(), |text, word| text + &capitalized(word))
            }
            Self::Snake => words.join("_"),
            Self::ScreamingSnake => words.join("_").to_uppercase(),
            Self::Kebab => words.join("-"),
            Self::Lower => words.concat(),
        }
    }
}

/// The words of an identifier, in lower case: `order_number`, `NextDay`, `HTTPServer` and `v2` have 2, 2, 2 and 1.
fn words(identifier: &str) -> Vec<String> {
    identifier.split('_').flat_map(parts).collect()
}

fn parts(run: &str) -> Vec<String> {
    let characters: Vec<char> = run.chars().collect();
    let mut parts: Vec<String> = Vec::new();
    for (at, &character) in characters.iter().enumerate() {
        let after_lower = at > 0 && !characters[at - 1].is_uppercase();
        let before_lower = characters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let begins = at == 0 || character.is_uppercase() && (after_lower || before_lower);
        if begins {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut() {
            part.extend(character.to_lowercase());
        }
    }
    parts
}

fn capitalized(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Case;

    fn camel(identifier: &str) -> String {
        Case::Camel.write(identifier)
    }

    #[test]
    fn functions_and_arguments_become_camel_case() {
        assert_eq!(camel("order_status"), "orderStatus");
        assert_eq!(camel("order"), "order");
        assert_eq!(camel("line_2_text"), "line2Text");
        assert_eq!(camel("a_b_c"), "aBC");
    }

    #[test]
    fn underscores_at_the_ends_and_doubled_ones_are_dropped() {
        assert_eq!(camel("_order_"), "order");
        assert_eq!(camel("__order__number"), "orderNumber");
        assert_eq!(camel("type_"), "type");
        assert_eq!(camel("___"), "");
    }

    #[test]
    fn what_is_not_snake_case_keeps_its_words() {
        assert_eq!(camel("orderStatus"), "orderStatus");
        assert_eq!(camel("OrderStatus"), "orderStatus");
        assert_eq!(camel("get_URL"), "getUrl");
        assert_eq!(camel("HTTPServer"), "httpServer");
    }

    #[test]
    fn variants_become_camel_case() {
        assert_eq!(camel("NextDay"), "nextDay");
        assert_eq!(camel("USD"), "usd");
        assert_eq!(camel("V2"), "v2");
        assert_eq!(camel("Iso8601Date"), "iso8601Date");
    }

    #[test]
    fn other_cases_join_the_same_words() {
        assert_eq!(Case::Snake.write("NextDay"), "next_day");
        assert_eq!(Case::ScreamingSnake.write("NextDay"), "NEXT_DAY");
        assert_eq!(Case::Kebab.write("NextDay"), "next-day");
        assert_eq!(Case::Lower.write("NextDay"), "nextday");
    }

    #[test]
    fn letters_outside_ascii_stay_letters() {
        assert_eq!(camel("größe_ändern"), "größeÄndern");
    }
}
