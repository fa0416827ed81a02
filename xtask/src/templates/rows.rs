//! Which projects are made: few, and yet any two choices meet in one of them.

/// What a project runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Platform {
    Workers,
    Lambda,
}

impl Platform {
    /// As `median-edge new` names it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Workers => "workers",
            Self::Lambda => "lambda",
        }
    }

    /// The folder of its template.
    pub(super) fn template(self) -> &'static str {
        match self {
            Self::Workers => "cloudflare-worker",
            Self::Lambda => "aws-lambda",
        }
    }
}

/// A project, by what is chosen for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) platform: Platform,
    /// What it is called. Each has a name of its own, so that none is written into a template.
    pub(super) name: &'static str,
    pub(super) storage: &'static str,
    pub(super) navigation: bool,
    pub(super) application_manifest: bool,
}

const fn row(
    platform: Platform,
    name: &'static str,
    storage: &'static str,
    navigation: bool,
    application_manifest: bool,
) -> Row {
    Row { platform, name, storage, navigation, application_manifest }
}

/// Every project. Where its crates come from is not among the choices: each is made once for each source.
pub(super) const ROWS: [Row; 10] = [
    row(Platform::Workers, "my-shop", "none", false, false),
    row(Platform::Workers, "kiosk", "none", true, true),
    row(Platform::Workers, "a-book-store", "kv", false, true),
    row(Platform::Workers, "store2", "kv", true, false),
    row(Platform::Workers, "tea-and-more", "d1", false, false),
    row(Platform::Workers, "bakery", "d1", true, true),
    row(Platform::Lambda, "my-shop", "none", false, false),
    row(Platform::Lambda, "florist", "none", true, true),
    row(Platform::Lambda, "wine-cellar", "dynamodb", false, true),
    row(Platform::Lambda, "b-side-records", "dynamodb", true, false),
];

impl Row {
    /// What `median-edge new` is told.
    pub(super) fn options(&self) -> Vec<String> {
        let mut options = vec!["--storage".to_owned(), self.storage.to_owned()];
        if self.navigation {
            options.push("--navigation".to_owned());
        }
        if self.application_manifest {
            options.push("--application-manifest".to_owned());
        }
        options
    }

    /// What cargo-generate is told.
    pub(super) fn defined(&self) -> [String; 3] {
        [
            format!("storage={}", self.storage),
            format!("navigation={}", self.navigation),
            format!("application_manifest={}", self.application_manifest),
        ]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// All that can be chosen for a platform.
    fn choices(platform: Platform) -> [Vec<String>; 3] {
        let storage: &[&str] = match platform {
            Platform::Workers => &["none", "kv", "d1"],
            Platform::Lambda => &["none", "dynamodb"],
        };
        let of = |name: &str, values: &[&str]| values.iter().map(|value| format!("{name}={value}")).collect();
        let switch = ["false", "true"];
        [of("storage", storage), of("navigation", &switch), of("application_manifest", &switch)]
    }

    #[test]
    fn any_two_choices_meet_in_a_project() {
        for platform in [Platform::Workers, Platform::Lambda] {
            let rows: Vec<_> = ROWS.iter().filter(|row| row.platform == platform).map(Row::defined).collect();
            let choices = choices(platform);
            let mut pairs = 0;
            for (first, second) in [(0, 1), (0, 2), (1, 2)] {
                for a in &choices[first] {
                    for b in &choices[second] {
                        let meet = |row: &[String; 3]| row[first] == *a && row[second] == *b;
                        assert!(rows.iter().any(meet), "{platform:?}: {a} and {b}");
                        pairs += 1;
                    }
                }
            }
            assert!(pairs >= 12, "{platform:?}");
        }
    }

    #[test]
    fn the_choices_here_are_those_that_cargo_generate_asks_for() {
        for platform in [Platform::Workers, Platform::Lambda] {
            let path = crate::tools::root().join("templates").join(platform.template());
            let questions = std::fs::read_to_string(path.join("cargo-generate.toml")).unwrap();
            let [storage, ..] = choices(platform);
            let values: Vec<_> = storage.iter().map(|choice| choice.trim_start_matches("storage=")).collect();
            assert!(questions.contains(&format!("choices = {values:?}\n")), "{values:?}");
            let asked = questions.lines().filter_map(|line| line.strip_prefix("[placeholders."));
            let asked: BTreeSet<_> = asked.map(|name| name.trim_end_matches(']')).collect();
            let known = ["application_manifest", "navigation", "source", "storage"];
            assert_eq!(asked, known.into());
        }
    }
}
