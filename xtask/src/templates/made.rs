//! Makes each project both ways, by the real cargo-generate and by `median-edge new`, which have to agree byte for byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::rows::Row;
use super::{copied, unusable};
use crate::command::Command;
use crate::session::{Session, Stop};
use crate::tools;

/// The clone as the projects see it. The same for all of them, so that its crates are built once.
const CLONE: &str = "../../../../../median-edge";

/// Where the crates come from: the name of the case, and what each of the two programs is told.
const SOURCES: [(&str, &[&str], &[&str]); 4] = [
    ("unless said", &[], &[]),
    (
        "git",
        &["source=git", "git=https://git.example/median-edge"],
        &["--git", "https://git.example/median-edge"],
    ),
    ("registry", &["source=registry"], &["--registry"]),
    ("path", &["source=path", "path=../../../../../median-edge"], &["--path", CLONE]),
];

/// Makes the projects of a row, one for each source of the crates, and gives the one that can be built: by a path.
pub(super) fn by_both(
    session: &mut Session,
    folder: &Path,
    program: &Path,
    row: &Row,
) -> Result<PathBuf, Stop> {
    let templates = folder.join("templates");
    if !templates.exists() {
        for (platform, file) in [("cloudflare-worker", ""), ("aws-lambda", ""), ("", "cargo-generate.toml")] {
            let path = if file.is_empty() { format!("templates/{platform}") } else { file.to_owned() };
            copied(&session.root().join(&path), &templates.join(&path))?;
        }
    }
    let folder = folder.join(row.platform.word()).join(row.name);
    let mut made = PathBuf::new();
    for (case, defined, options) in SOURCES {
        let (theirs, ours) = (folder.join(case).join("cargo-generate"), folder.join(case).join("new"));
        for parent in [&theirs, &ours] {
            fs::create_dir_all(parent).map_err(|error| unusable(parent, &error))?;
        }
        let template = format!("templates/{}", row.platform.template());
        let generate = tools::cargo_generate(&templates, &template, row.name);
        let pairs = defined.iter().map(|pair| (*pair).to_owned()).chain(row.defined());
        let generate = pairs.fold(generate, |command, pair| command.arg("--define").arg(pair));
        let title = format!("templates: {} {}, crates by {case}", row.platform.word(), row.name);
        session.run(&format!("{title}: cargo-generate"), &generate.at(&theirs))?;
        let new = Command::new(program.display().to_string()).words("new").arg(row.name);
        let new = new.words("--platform").arg(row.platform.word()).args(row.options());
        let new = new.args(options.iter().map(|option| (*option).to_owned()));
        session.run(&format!("{title}: median-edge new"), &new.at(&ours))?;
        let (theirs, ours) = (theirs.join(row.name), ours.join(row.name));
        session.check(
            &format!("{title}: the same, and whole"),
            "cargo xtask test --only templates",
            |_| {
                let theirs = contents(&theirs)?;
                let mut found = differences(&theirs, &contents(&ours)?);
                found.extend(left(&theirs));
                Ok(found)
            },
        )?;
        made = theirs;
    }
    Ok(made)
}

/// Every file under a folder.
type Contents = BTreeMap<PathBuf, Vec<u8>>;

fn contents(folder: &Path) -> Result<Contents, Stop> {
    let mut found = Contents::new();
    collect(folder, folder, &mut found).map_err(|error| unusable(folder, &error))?;
    Ok(found)
}

fn collect(folder: &Path, root: &Path, found: &mut Contents) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, root, found)?;
        } else {
            let name = path.strip_prefix(root).unwrap_or(&path).to_owned();
            found.insert(name, fs::read(&path)?);
        }
    }
    Ok(())
}

/// What one of them has otherwise than the other.
fn differences(theirs: &Contents, ours: &Contents) -> Vec<String> {
    let mut told = Vec::new();
    if theirs.is_empty() {
        told.push("cargo-generate made nothing".to_owned());
    }
    for (path, text) in theirs {
        match ours.get(path) {
            None => told.push(format!("{}: only cargo-generate makes it", path.display())),
            Some(other) if other != text => told.push(format!("{}: they differ", path.display())),
            Some(_) => {}
        }
    }
    let only_ours = ours.keys().filter(|path| !theirs.contains_key(*path));
    told.extend(only_ours.map(|path| format!("{}: only `new` makes it", path.display())));
    told
}

/// What a project has of its template's own.
fn left(project: &Contents) -> Vec<String> {
    const MARKS: [&str; 7] =
        ["{{", "{%", "project-name", "crate_name", "liquid", "cargo-generate", "cloudflare-worker"];
    let mut told = Vec::new();
    for (path, text) in project {
        // GitHub and CloudFormation have braces of their own.
        let text = String::from_utf8_lossy(text).replace("${{ ", "").replace("\"{{resolve:ssm:", "");
        let path = path.display().to_string();
        let marks = MARKS.iter().filter(|mark| text.contains(*mark) || path.contains(*mark));
        told.extend(marks.map(|mark| format!("{path}: `{mark}` is the template's")));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)]) -> Contents {
        files.iter().map(|(path, text)| (PathBuf::from(path), text.as_bytes().to_vec())).collect()
    }

    #[test]
    fn what_is_the_same_has_no_differences() {
        let files = of(&[("a", "1"), ("b", "2")]);
        assert!(differences(&files, &files).is_empty());
    }

    #[test]
    fn a_file_too_many_too_few_or_of_another_text_is_told() {
        let theirs = of(&[("a", "1"), ("b", "2")]);
        assert_eq!(differences(&theirs, &of(&[("a", "1")])), ["b: only cargo-generate makes it"]);
        assert_eq!(
            differences(&theirs, &of(&[("a", "1"), ("b", "2"), ("c", "")])),
            ["c: only `new` makes it"]
        );
        assert_eq!(differences(&theirs, &of(&[("a", "1"), ("b", "3")])), ["b: they differ"]);
        assert_eq!(differences(&of(&[]), &of(&[])).len(), 1);
    }

    #[test]
    fn what_a_template_leaves_behind_is_told() {
        let clean = of(&[("a.yml", "token: ${{ secrets.X }}"), ("b.yaml", "\"{{resolve:ssm:/x}}\"")]);
        assert!(left(&clean).is_empty());
        let project = of(&[("a", "{% endif %}"), ("b.liquid", ""), ("c", "name = \"{{project-name}}\"")]);
        assert_eq!(left(&project).len(), 4);
    }
}
