//! What cargo knows about the workspace.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

use crate::command::Command;
use crate::session::{Stop, not_started};

/// The workspace, as `cargo metadata` describes it.
#[derive(Debug, Deserialize)]
pub(crate) struct Workspace {
    #[serde(rename = "workspace_root")]
    pub(crate) root: PathBuf,
    /// Where cargo puts what it builds.
    pub(crate) target_directory: PathBuf,
    pub(crate) packages: Vec<Package>,
}

/// One of its packages.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) rust_version: Option<String>,
    /// The registries it may go to: nothing said means any, an empty list none.
    publish: Option<Vec<String>>,
    /// Its features, with those that an optional dependency is by itself.
    pub(crate) features: BTreeMap<String, Vec<String>>,
    pub(crate) targets: Vec<Target>,
}

/// Something of a package that cargo can build.
#[derive(Debug, Deserialize)]
pub(crate) struct Target {
    pub(crate) name: String,
    kind: Vec<String>,
}

impl Workspace {
    pub(crate) fn load() -> Result<Self, Stop> {
        let command = Command::cargo().words("metadata --format-version 1 --no-deps");
        let output = command.output_in(".".as_ref()).map_err(|error| not_started(&command, &error))?;
        if !output.status.success() {
            return Err(Stop::unable(format!("`{command}` failed")));
        }
        Self::read(&output.stdout)
    }

    fn read(json: &[u8]) -> Result<Self, Stop> {
        serde_json::from_slice(json)
            .map_err(|error| Stop::unable(format!("`cargo metadata` printed something else: {error}")))
    }

    pub(crate) fn package(&self, name: &str) -> Result<&Package, Stop> {
        let found = self.packages.iter().find(|package| package.name == name);
        found.ok_or_else(|| Stop::unable(format!("the workspace has no package {name}")))
    }

    /// The packages that are meant for crates.io.
    pub(crate) fn publishable(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| package.publish.as_ref().is_none_or(|to| !to.is_empty()))
    }
}

impl Package {
    /// Every set of features with at most one feature in it.
    pub(crate) fn features_alone(&self) -> impl Iterator<Item = Option<&str>> {
        let named = self.features.keys().map(String::as_str).filter(|name| *name != "default");
        std::iter::once(None).chain(named.map(Some))
    }

    /// The names of its targets of a kind (`bench`, `bin`, …).
    pub(crate) fn targets_of(&self, kind: &str) -> impl Iterator<Item = &str> {
        let is_one = move |target: &&Target| target.kind.iter().any(|own| own == kind);
        self.targets.iter().filter(is_one).map(|target| target.name.as_str())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A workspace of one crate for crates.io and one that stays here.
    pub(crate) fn sample() -> Workspace {
        let json = br#"{
            "workspace_root": "here", "target_directory": "there", "packages": [
                {"name": "core", "version": "0.1.0", "rust_version": "1.95", "publish": null,
                 "features": {"default": ["macros"], "macros": [], "std": []}, "targets": []},
                {"name": "benches", "version": "0.1.0", "rust_version": "1.95", "publish": [], "features": {},
                 "targets": [{"name": "call", "kind": ["bench"]}, {"name": "lib", "kind": ["lib"]}]}
            ]}"#;
        Workspace::read(json).unwrap()
    }

    #[test]
    fn only_what_may_be_published_counts_as_publishable() {
        let names: Vec<_> = sample().publishable().map(|package| package.name.clone()).collect();
        assert_eq!(names, ["core"]);
    }

    #[test]
    fn each_feature_stands_alone_once_and_none_comes_first() {
        let workspace = sample();
        let sets: Vec<_> = workspace.package("core").unwrap().features_alone().collect();
        assert_eq!(sets, [None, Some("macros"), Some("std")]);
    }

    #[test]
    fn targets_are_told_apart_by_kind() {
        let workspace = sample();
        let benches: Vec<_> = workspace.package("benches").unwrap().targets_of("bench").collect();
        assert_eq!(benches, ["call"]);
    }
}
