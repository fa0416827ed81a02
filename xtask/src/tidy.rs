//! What no compiler looks at: leftovers, paths of one machine, versions that should agree.

use std::fs;
use std::path::Path;

use crate::cargo::{Package, Workspace};
use crate::command::Command;
use crate::session::{Session, Stop, not_started};

/// A file of more lines is two files.
const LONGEST_SOURCE: usize = 600;

/// Work that was put off. Written in halves, here and in the tests: this file is checked too.
const LEFTOVERS: [&str; 4] =
    [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("to", "do!"), concat!("unimple", "mented!")];

/// A test that does not run.
const IGNORED_TEST: &str = concat!("#[ign", "ore");

/// An example that is not compiled.
const IGNORED_EXAMPLE: &str = concat!("ign", "ore");

/// Where the files of one person or one machine are.
const OF_ONE_MACHINE: [&str; 5] = [
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
    concat!("/Us", "ers/"),
    concat!(r"C:\Us", "ers"),
];

/// Settings that send a package manager elsewhere.
const OTHER_REGISTRY: [&str; 4] = [
    concat!("replace", "-with"),
    concat!("index", "-url"),
    concat!("index", "_url"),
    concat!("npm_config_", "registry"),
];

/// Addresses in lock files, each with the only one that is expected after it.
const SOURCES: [(&str, &str); 3] = [
    (concat!("regis", "try+"), "https://github.com/rust-lang/crates.io-index"),
    (concat!("spar", "se+"), "https://index.crates.io/"),
    (concat!("\"resol", "ved\": \"http"), "s://registry.npmjs.org/"),
];

/// Checks the whole tree as a step.
pub(crate) fn run(session: &mut Session, workspace: &Workspace) -> Result<(), Stop> {
    session.check("tidy", "cargo xtask tidy", |session| tree(session, workspace))
}

fn tree(session: &Session, workspace: &Workspace) -> Result<Vec<String>, Stop> {
    let files = listed(session, "--cached --others --exclude-standard")?;
    let mut found = Vec::new();
    for path in &files {
        // A file that was deleted but not yet committed is still in git's list; a picture is not text.
        let Ok(bytes) = fs::read(session.root().join(path)) else {
            continue;
        };
        if let Ok(text) = String::from_utf8(bytes) {
            found.extend(file(path, &text));
        }
    }
    found.extend(versions(&workspace.packages));
    let changelog = fs::read_to_string(session.root().join("CHANGELOG.md")).ok();
    if let Some(package) = workspace.packages.first() {
        found.extend(change_log(changelog.as_deref(), &package.version));
    }
    if listed(session, "--cached")?.iter().all(|path| path != "Cargo.lock") {
        found.push("Cargo.lock is not committed".to_owned());
    }
    Ok(found)
}

/// The files that git knows, or would add.
fn listed(session: &Session, which: &str) -> Result<Vec<String>, Stop> {
    let command = Command::new("git").words("ls-files -z").words(which);
    let output = command.output_in(session.root()).map_err(|error| not_started(&command, &error))?;
    if !output.status.success() {
        return Err(Stop::unable(format!("`{command}` failed: is this a git checkout?")));
    }
    let names = String::from_utf8_lossy(&output.stdout);
    Ok(names.split_terminator('\0').map(str::to_owned).collect())
}

/// What is wrong with one file.
fn file(path: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let lines = text.lines().count();
    let is_rust = Path::new(path).extension().is_some_and(|extension| extension == "rs");
    if is_rust && lines >= LONGEST_SOURCE {
        found.push(format!("{path}: {lines} lines, and {LONGEST_SOURCE} are too many: split it"));
    }
    for (index, line) in text.lines().enumerate() {
        found.extend(self::line(line).into_iter().map(|what| format!("{path}:{}: {what}", index + 1)));
    }
    found
}

/// What is wrong with one line.
fn line(line: &str) -> Option<String> {
    if let Some(word) = LEFTOVERS.iter().find(|word| has_word(line, word)) {
        return Some(format!("`{word}`: do it, or open an issue"));
    }
    if line.contains(IGNORED_TEST) {
        return Some("a test that does not run".to_owned());
    }
    if is_ignored_example(line) {
        return Some("an example that is not compiled".to_owned());
    }
    if let Some(path) = OF_ONE_MACHINE.iter().find(|path| has_path(line, path)) {
        return Some(format!("`{path}…` is a path of one machine"));
    }
    if let Some(setting) = OTHER_REGISTRY.iter().find(|setting| line.contains(*setting)) {
        return Some(format!("`{setting}` sends a package manager to another registry"));
    }
    SOURCES.iter().find_map(|(source, expected)| {
        let (_, rest) = line.split_once(source)?;
        (!rest.starts_with(expected)).then(|| format!("a source that is not {expected}"))
    })
}

/// Whether the word stands by itself.
fn has_word(line: &str, word: &str) -> bool {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let after = &line[at + word.len()..];
        !line[..at].ends_with(part_of_word) && !after.starts_with(part_of_word)
    })
}

/// Whether the path begins there: the middle of a longer path or of an address is something else.
fn has_path(line: &str, path: &str) -> bool {
    let part_of_path = |c: char| c.is_alphanumeric() || "_-./~}$".contains(c);
    line.match_indices(path).any(|(at, _)| !line[..at].ends_with(part_of_path))
}

/// The opening of a fenced example that rustdoc passes over.
fn is_ignored_example(line: &str) -> bool {
    let text = line.trim_start().trim_start_matches(['/', '!']).trim_start();
    let Some(tags) = text.strip_prefix("```") else {
        return false;
    };
    tags.split([',', ' ']).any(|tag| tag == IGNORED_EXAMPLE || tag.starts_with(concat!("ign", "ore-")))
}

/// The packages that do not have the version of the first.
fn versions(packages: &[Package]) -> Vec<String> {
    let Some(first) = packages.first() else {
        return Vec::new();
    };
    let others = packages.iter().filter(|package| package.version != first.version);
    let told = |package: &Package| {
        format!("{} is {}, but {} is {}", package.name, package.version, first.name, first.version)
    };
    others.map(told).collect()
}

/// A change log without a heading for the version.
fn change_log(text: Option<&str>, version: &str) -> Option<String> {
    let Some(text) = text else {
        return Some("CHANGELOG.md is missing".to_owned());
    };
    let names_it = |heading: &str| {
        heading.split_whitespace().any(|word| word.trim_matches(['[', ']', 'v', ':']) == version)
    };
    let has_heading = text.lines().any(|line| line.starts_with('#') && names_it(line));
    (!has_heading).then(|| format!("CHANGELOG.md has no heading for {version}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo::tests::sample;

    #[test]
    fn leftovers_are_found_as_words() {
        for word in LEFTOVERS {
            assert!(line(&format!("    // {word}: later")).is_some(), "{word}");
            assert!(line(&format!("let x{word}y = 1;")).is_none(), "{word}");
        }
        assert!(line("masto-done!").is_none());
    }

    #[test]
    fn a_test_that_does_not_run_is_found() {
        assert!(line(&format!("    {IGNORED_TEST} = \"slow\"]")).is_some());
    }

    #[test]
    fn an_example_that_is_not_compiled_is_found() {
        for prefix in ["", "/// ", "    //! "] {
            for tags in ["", "rust,"] {
                assert!(line(&format!("{prefix}```{tags}{IGNORED_EXAMPLE}")).is_some(), "{prefix}{tags}");
            }
            assert!(line(&format!("{prefix}```no_run")).is_none());
        }
        assert!(line(&format!("they {IGNORED_EXAMPLE} it")).is_none());
    }

    #[test]
    fn a_path_of_one_machine_is_found_where_it_begins() {
        for path in OF_ONE_MACHINE {
            assert!(line(&format!("see \"{path}main\"")).is_some(), "{path}");
        }
        assert!(line(concat!("https://example.com/ho", "me/page")).is_none());
        assert!(line(concat!("docs/wo", "rk/plan.md")).is_none());
    }

    #[test]
    fn a_lock_file_may_only_name_the_usual_registries() {
        for (source, expected) in SOURCES {
            assert!(line(&format!("{source}{expected}")).is_none(), "{source}");
            assert!(line(&format!("{source}s://mirror.example/")).is_some(), "{source}");
        }
    }

    #[test]
    fn a_setting_for_another_registry_is_found() {
        for setting in OTHER_REGISTRY {
            assert!(line(&format!("{setting} = \"mirror\"")).is_some(), "{setting}");
        }
    }

    #[test]
    fn a_finding_names_the_file_and_the_line() {
        let found = file("a.txt", &format!("fine\n{}\n", LEFTOVERS[0]));
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("a.txt:2: "), "{found:?}");
    }

    #[test]
    fn only_a_long_rust_file_is_too_long() {
        let text = "\n".repeat(LONGEST_SOURCE);
        assert_eq!(file("a.rs", &text).len(), 1);
        assert_eq!(file("a.rs", &text[1..]).len(), 0);
        assert_eq!(file("a.md", &text).len(), 0);
    }

    #[test]
    fn a_package_with_another_version_is_found() {
        let mut packages = sample().packages;
        assert!(versions(&packages).is_empty());
        packages[1].version = "0.2.0".to_owned();
        assert_eq!(versions(&packages), ["benches is 0.2.0, but core is 0.1.0"]);
    }

    #[test]
    fn the_change_log_has_a_heading_for_the_version() {
        assert_eq!(change_log(Some("# Changes\n\n## [0.1.0] - 2026-01-01\n"), "0.1.0"), None);
        assert_eq!(change_log(Some("## 0.1.0: the endpoint\n"), "0.1.0"), None);
        assert!(change_log(Some("## 0.1.01\nabout 0.1.0"), "0.1.0").is_some());
        assert!(change_log(None, "0.1.0").is_some());
    }
}
