//! The templates: every project is made by the real cargo-generate and by `median-edge new`, which have to agree byte for
//! byte; then it is held to its own workflow and its own README, and asked on each server that they know.

mod lines;
mod made;
mod project;
mod rows;
mod server;
mod shell;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::command::Command;
use crate::lambda;
use crate::needs::Need;
use crate::serve::build;
use crate::session::{Session, Stop};

use self::rows::ROWS;
use self::shell::Shell;

pub(crate) const NEEDS: &[Need] = &[
    Need::Linux,
    Need::CCompiler,
    Need::Component("rustfmt", "fmt"),
    Need::Component("clippy", "clippy"),
    Need::Npm,
    Need::Python,
    Need::PythonInstaller,
    Need::Target(crate::needs::WASM),
    Need::NodePackages,
    Need::WorkerBuild,
    Need::WasmBindgen,
    Need::CargoGenerate,
    Need::PythonPackages,
];

/// Makes every project, and proves it.
pub(crate) fn test(session: &mut Session) -> Result<(), Stop> {
    let folder = own_folder(session.root())?;
    let program =
        build(session, &Command::cargo().words("build --package median-edge-cli --bin median-edge"))?;
    let bridge = build(session, &Command::cargo().words("build --package").arg(lambda::BRIDGE))?;
    // Every file has to be in what is published: the packed sources are built by themselves.
    let package = Command::cargo().words("package --allow-dirty --package median-edge-templates");
    session.run("templates: as they are published", &package)?;
    link(session.root(), &folder.join("median-edge"))?;
    let shell = Shell::new(session, &folder, &program, bridge)?;
    for row in &ROWS {
        let project = made::by_both(session, &folder, &program, row)?;
        project::prove(session, &shell, row, &project)?;
    }
    Ok(())
}

/// An empty folder, the same one for each run of a clone, so that what was built of its projects is not built again.
///
/// It is outside of the workspace: cargo and cargo-generate would make a project within it a member. What is in it is run, so
/// nobody else may have made it.
fn own_folder(root: &Path) -> Result<PathBuf, Stop> {
    let mut hasher = DefaultHasher::new();
    root.hash(&mut hasher);
    let folder = env::temp_dir().join(format!("median-edge-templates-{:016x}", hasher.finish()));
    let _ = fs::remove_dir_all(&folder);
    let mut maker = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut maker, 0o700);
    maker.create(&folder).map_err(|error| unusable(&folder, &error))?;
    Ok(folder)
}

fn unusable(path: &Path, error: &std::io::Error) -> Stop {
    Stop::unable(format!("{}: {error}", path.display()))
}

#[cfg(unix)]
fn link(to: &Path, at: &Path) -> Result<(), Stop> {
    std::os::unix::fs::symlink(to, at).map_err(|error| unusable(at, &error))
}

/// The emulator of Lambda needs Linux, and so does all of this.
#[cfg(not(unix))]
fn link(_: &Path, at: &Path) -> Result<(), Stop> {
    Err(Stop::unable(format!("{}: links are made on Linux alone", at.display())))
}

/// Copies a file, or a folder with all that is in it.
fn copied(from: &Path, to: &Path) -> Result<(), Stop> {
    if from.is_dir() {
        for entry in fs::read_dir(from).map_err(|error| unusable(from, &error))? {
            let name = entry.map_err(|error| unusable(from, &error))?.file_name();
            copied(&from.join(&name), &to.join(&name))?;
        }
        return Ok(());
    }
    let parent = to.parent().unwrap_or(to);
    fs::create_dir_all(parent).map_err(|error| unusable(parent, &error))?;
    fs::copy(from, to).map(drop).map_err(|error| unusable(from, &error))
}
