//! A project: held to the lines of its workflow and of its README, and asked on each of its servers.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::lines::{self, Line};
use super::rows::{Platform, Row};
use super::server::{self, Server};
use super::shell::Shell;
use super::unusable;
use crate::command::Command;
use crate::session::{Session, Stop};
use crate::{python, tools};

/// What takes the longest of a release, left out.
const QUICKLY: &str = "CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16";

const WORKFLOW: &str = ".github/workflows/test-and-deploy.yml";

/// What pages write for the endpoint.
const ADDRESS: &str = "http://127.0.0.1:8787";

/// What every project does, wherever it runs and whatever it keeps things in: a call counts once, however often it comes,
/// and is somebody's.
const CALLS: &str = "\
median-edge call http://127.0.0.1:8787/api/median refundOrder orderNumber=ORD-1042 cents=4000 --id once
median-edge call http://127.0.0.1:8787/api/median refundOrder orderNumber=ORD-1042 cents=4000 --id once
! median-edge call http://127.0.0.1:8787/api/median refundOrder orderNumber=ORD-1042 cents=4000 --id twice
! median-edge call http://127.0.0.1:8787/api/median orderStatus orderNumber=ORD-1042 --visitor user_2
! median-edge call http://127.0.0.1:8787/api/median orderStatus orderNumber=ORD-1 --visitor user_1
median-edge check --strict --call-low http://127.0.0.1:8787/api/median";

/// Ends well when a file is YAML.
const IS_YAML: &str = "import sys, yaml; yaml.safe_load(open(sys.argv[1]))";

/// Does all that a project says of itself.
pub(super) fn prove(session: &mut Session, shell: &Shell, row: &Row, project: &Path) -> Result<(), Stop> {
    // The versions that all else here is tested with.
    let lock = project.join("Cargo.lock");
    fs::copy(session.root().join("Cargo.lock"), &lock).map_err(|error| unusable(&lock, &error))?;
    let read = |file: &str| {
        let path = project.join(file);
        fs::read_to_string(&path).map_err(|error| unusable(&path, &error))
    };
    let title = format!("templates: {} {}: {WORKFLOW}", row.platform.word(), row.name);
    let yaml = python::program("python").arg("-c").arg(IS_YAML).arg(WORKFLOW).at(project);
    session.run(&title, &yaml)?;
    let workflow = lines::of_workflow(&read(WORKFLOW)?);
    let readme = lines::of_readme(&read("README.md")?);
    let mut proof = Proof { session, shell, row, project, asked: asked(&readme), done: BTreeSet::new() };
    // The workflow first: it builds what the README serves.
    for line in workflow.iter().chain(&readme) {
        match line {
            Line::Run(line) => proof.run(line)?,
            Line::Serve(line) => proof.serve(line, &shell.line(project, line))?,
            Line::Ask(_) | Line::Not(_) => {}
        }
    }
    match row.platform {
        Platform::Workers => Ok(()),
        Platform::Lambda => proof.function(),
    }
}

/// What the README asks a server, as one script.
fn asked(readme: &[Line]) -> String {
    let asking = readme.iter().filter_map(|line| match line {
        Line::Ask(line) => Some(line.as_str()),
        _ => None,
    });
    asking.chain([CALLS]).collect::<Vec<_>>().join("\n")
}

struct Proof<'a> {
    session: &'a mut Session,
    shell: &'a Shell,
    row: &'a Row,
    project: &'a Path,
    asked: String,
    /// Lines that the README and the workflow share are run once.
    done: BTreeSet<String>,
}

impl Proof<'_> {
    fn title(&self, what: &str) -> String {
        format!("templates: {} {}: {what}", self.row.platform.word(), self.row.name)
    }

    fn run(&mut self, line: &str) -> Result<(), Stop> {
        if !self.done.insert(line.to_owned()) {
            return Ok(());
        }
        // For this machine's processor, so that it can be run here; and without what only makes it smaller, which takes minutes
        // with AWS's SDK in it. The profile as it is builds the demo, in the part for Lambda.
        let here = if cfg!(target_arch = "aarch64") { "arm64" } else { "x86_64" };
        let command = match line {
            "sam build" => format!("{QUICKLY} sam build --parameter-overrides Architecture={here}"),
            line => line.to_owned(),
        };
        self.session.run(&self.title(line), &self.shell.line(self.project, &command))
    }

    /// Starts a server, and asks it.
    fn serve(&mut self, name: &str, server: &Command) -> Result<(), Stop> {
        let server = Server::start(self.session, server)?;
        let script = self.asked.replace(ADDRESS, &server.address());
        // `!` ends no shell by itself, so each line says so.
        let script = script.lines().map(|line| match line.strip_prefix("! ") {
            Some(refused) => format!("if {refused}; then exit 1; fi"),
            None => line.to_owned(),
        });
        let script = script.collect::<Vec<_>>().join("\n");
        self.session.run(&self.title(&format!("asked, {name}")), &self.shell.line(self.project, &script))
    }

    /// What SAM built, in AWS's emulator; and what it is deployed by.
    fn function(&mut self) -> Result<(), Stop> {
        let template = self.project.join("template.yaml");
        let python = |script: &str| python::program("python").arg(script).arg(template.display().to_string());
        let lint = python::program("cfn-lint").arg(template.display().to_string());
        self.session.run(&self.title("lint template.yaml"), &lint)?;
        self.session.run(&self.title("expand template.yaml"), &python("tests/template.py"))?;

        let function = self.shell.function(self.project, ".aws-sam/build/Endpoint/bootstrap");
        if self.row.storage != "dynamodb" {
            return self.serve("the function in AWS's emulator", &function);
        }
        let tables = Server::start(self.session, &tools::dynamodb(server::free_port()?))?;
        let order = self.project.join("demo-order.json").display().to_string();
        let filled = python("xtask/python/table.py").arg(order).arg(tables.address());
        self.session.run(&self.title("a table of DynamoDB"), &filled)?;
        let function = function.env("AWS_ENDPOINT_URL", tables.address()).env("ORDERS_TABLE", "orders");
        let function = function.env("AWS_ACCESS_KEY_ID", "example").env("AWS_SECRET_ACCESS_KEY", "example");
        self.serve("the function in AWS's emulator, with a table", &function)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_asked_what_the_readme_asks_and_what_all_of_them_can() {
        let readme = [Line::Run("cargo test".to_owned()), Line::Ask("median-edge manifest U".to_owned())];
        assert_eq!(asked(&readme), format!("median-edge manifest U\n{CALLS}"));
    }
}
