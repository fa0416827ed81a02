//! Where a project goes, and where its crates come from.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use median_edge_templates::Values;

use crate::failure::Failure;
use crate::text::clean;

/// The most bytes of somebody's manifest that are read.
const LARGEST_MANIFEST: u64 = 1024 * 1024;

/// Cargo takes no package inside a workspace that is not a member of it, so a project there could not be built.
pub(super) fn check(folder: &Path, name: &str) -> Result<(), Failure> {
    let Some(workspace) = workspace_around(folder) else { return Ok(()) };
    let message = format!(
        "{} is inside the workspace of {}, and cargo builds no project there that is not a member.",
        clean(&folder.display().to_string()),
        clean(&workspace.display().to_string())
    );
    Err(Failure::usage(message).hint(format!("Name a folder beside the workspace, like ../{name}.")))
}

/// The workspace that a folder which is still to be made would be in.
fn workspace_around(folder: &Path) -> Option<PathBuf> {
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // One that is not there is said when the folder is made.
    let parent = fs::canonicalize(parent).ok()?;
    parent.ancestors().find(|above| is_workspace(&above.join("Cargo.toml"))).map(Path::to_owned)
}

fn is_workspace(manifest: &Path) -> bool {
    let mut text = String::new();
    let read = File::open(manifest).and_then(|file| file.take(LARGEST_MANIFEST).read_to_string(&mut text));
    let begins = |line: &str| line.starts_with("[workspace]") || line.starts_with("[workspace.");
    read.is_ok() && text.lines().any(|line| begins(line.trim_start()))
}

/// What a project needs that is not there yet: it is made all the same.
pub(super) fn note(folder: &Path, values: &Values) -> Option<String> {
    let value = |name| values.get(name).map_or("", String::as_str);
    match value("source") {
        "path" if !folder.join(value("path")).join("core/Cargo.toml").is_file() => {
            let path = clean(value("path"));
            Some(format!(
                "It takes the crates of median-edge from a clone at {path}, seen from its folder, and none is there yet."
            ))
        }
        "registry" => {
            Some("It takes the crates of median-edge from crates.io, where they are not yet.".to_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_workspace, workspace_around};
    use std::fs;

    #[test]
    fn a_workspace_is_found_however_far_up() {
        let top = tempfile::tempdir().unwrap();
        fs::create_dir_all(top.path().join("a/b")).unwrap();
        let folder = top.path().join("a/b/my-shop");
        assert_eq!(workspace_around(&folder), None);
        fs::write(top.path().join("a/Cargo.toml"), "[package]\nname = \"x\" # [workspace]\n").unwrap();
        assert_eq!(workspace_around(&folder), None);
        fs::write(top.path().join("Cargo.toml"), "[package]\n\n [workspace]\n").unwrap();
        assert_eq!(workspace_around(&folder), Some(fs::canonicalize(top.path()).unwrap()));
        assert_eq!(workspace_around(&top.path().join("not/there/my-shop")), None);
    }

    #[test]
    fn a_manifest_that_cannot_be_read_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = folder.path().join("Cargo.toml");
        assert!(!is_workspace(&manifest));
        fs::write(&manifest, [0xFF, b'\n']).unwrap();
        assert!(!is_workspace(&manifest));
    }
}
