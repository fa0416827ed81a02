//! A shell in a project, in which its commands are those that setup brought.

use std::fs;
use std::path::{Path, PathBuf};

use super::unusable;
use crate::command::Command;
use crate::serve::EXAMPLE_KEY;
use crate::session::{Session, Stop};
use crate::{python, tools};

/// What runs the lines of the projects.
pub(super) struct Shell {
    /// A script: it sets what the commands find, and runs the line that it is given.
    script: PathBuf,
    /// What answers for a function URL.
    bridge: PathBuf,
}

impl Shell {
    pub(super) fn new(
        session: &Session,
        folder: &Path,
        program: &Path,
        bridge: PathBuf,
    ) -> Result<Self, Stop> {
        let bin = folder.join("bin");
        fs::create_dir_all(&bin).map_err(|error| unusable(&bin, &error))?;
        // A server of a test takes a port that is free.
        let (node, wrangler) = tools::wrangler();
        let wrangler = format!("exec '{}' '{}' \"$@\"", node.display(), wrangler.display());
        let port = "--ip 127.0.0.1 --port 0 --inspector-port 0";
        script(&bin, "wrangler", &wrangler)?;
        script(&bin, "npx", &format!("shift\n[ \"$1\" = dev ] && set -- \"$@\" {port}\n{wrangler}"))?;
        script(&bin, "median-edge", &format!("exec '{}' \"$@\"", program.display()))?;
        let home = |name: &str| folder.join(name).display().to_string();
        let path = [&bin, &tools::cargo_programs()].map(|folder| folder.display().to_string()).join(":");
        let mut environment = tools::worker_build_helpers().to_vec();
        environment.extend([
            ("PATH", format!("{path}:{}", python::path())),
            // One for all of them, so that what they stand on is built once.
            ("CARGO_TARGET_DIR", session.root().join("target/templates").display().to_string()),
            ("CARGO_PROFILE_DEV_DEBUG", "0".to_owned()),
            // `cargo install` of what setup installed finds it there.
            ("CARGO_INSTALL_ROOT", tools::cargo_root().display().to_string()),
            ("MEDIAN_KEY", EXAMPLE_KEY.to_owned()),
            ("PORT", "0".to_owned()),
            // They ask nobody, tell nobody, and keep nothing in a home.
            ("CI", "true".to_owned()),
            ("WRANGLER_SEND_METRICS", "false".to_owned()),
            ("XDG_CONFIG_HOME", home("wrangler")),
            ("SAM_CLI_TELEMETRY", "0".to_owned()),
            ("__SAM_CLI_APP_DIR", home("sam")),
            ("AWS_EC2_METADATA_DISABLED", "true".to_owned()),
            ("AWS_REGION", "eu-central-1".to_owned()),
            ("AWS_DEFAULT_REGION", "eu-central-1".to_owned()),
        ]);
        let exports = environment.iter().map(|(name, value)| format!("export {name}='{value}'\n"));
        let text = format!("{}exec sh -euc \"$1\"", exports.collect::<String>());
        Ok(Self { script: script(&bin, "in-project", &text)?, bridge })
    }

    /// A line of a shell, in a project.
    pub(super) fn line(&self, project: &Path, line: &str) -> Command {
        Command::new(self.script.display().to_string()).arg(line).at(project)
    }

    /// A function under AWS's emulator, behind HTTP. One environment, so that what it keeps in memory is there again.
    pub(super) fn function(&self, project: &Path, program: &str) -> Command {
        let (bridge, emulator) = (self.bridge.display(), python::emulator());
        let options = format!("--emulator '{emulator}' --program {program} --port 0 --concurrency 1");
        self.line(project, &format!("exec '{bridge}' {options}"))
    }
}

#[cfg(unix)]
fn script(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Stop> {
    use std::os::unix::fs::PermissionsExt as _;

    let path = folder.join(name);
    let written = fs::write(&path, format!("#!/bin/sh\n{text}\n"));
    let made = written.and_then(|()| fs::set_permissions(&path, fs::Permissions::from_mode(0o755)));
    made.map_err(|error| unusable(&path, &error))?;
    Ok(path)
}

#[cfg(not(unix))]
fn script(folder: &Path, name: &str, _: &str) -> Result<PathBuf, Stop> {
    Err(Stop::unable(format!("{}: there is no shell here", folder.join(name).display())))
}
