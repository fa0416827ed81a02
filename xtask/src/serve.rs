//! Serves an example application, so that one command line puts any outside suite in front of any runtime.

use std::env;
use std::path::PathBuf;
use std::process::Stdio;

use clap::{Args, ValueEnum};
use serde::Deserialize;

use crate::command::Command;
use crate::session::{Session, Stop, not_started};
use crate::{lambda, python, tools, worker};

pub(crate) const HELP: &str = "\
The server finds its keys where a deployment would: MEDIAN_KEY and MEDIAN_TOOL_SECRET (and each with _PREVIOUS)
are passed through from the environment. With neither of them set, it gets the public example key.

Examples:
  cargo xtask serve local --app support-desk
  MEDIAN_KEY=… cargo xtask serve local --app conformance --port 8787
  cargo xtask serve worker --app conformance --port 8787
  cargo xtask serve lambda --app conformance --port 8787";

/// The key of the documentation and the tests. It is public.
pub(crate) const EXAMPLE_KEY: &str = "median_key_local_0000000000000000000000000000";

/// What `serve` takes.
#[derive(Args)]
pub(crate) struct Options {
    /// What the application runs on.
    runtime: Runtime,
    /// Which application.
    #[arg(long)]
    app: App,
    /// The port on 127.0.0.1.
    #[arg(long, default_value_t = 8787)]
    port: u16,
    /// Build it optimized.
    #[arg(long)]
    release: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Runtime {
    /// A plain HTTP server.
    Local,
    /// Cloudflare Workers: workerd, the runtime itself, on this machine. Always optimized.
    Worker,
    /// AWS Lambda: AWS's own emulator, behind HTTP as behind a function URL. Always optimized.
    Lambda,
}

/// An example application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum App {
    /// Three fixed tools for outside test suites.
    Conformance,
    /// The demo: orders, refunds, addresses, a newsletter.
    SupportDesk,
}

impl App {
    fn package(self) -> &'static str {
        match self {
            Self::Conformance => "conformance-app",
            Self::SupportDesk => "support-desk",
        }
    }

    /// The folder of its Worker, from the root of the workspace.
    pub(crate) fn worker(self) -> &'static str {
        match self {
            Self::Conformance => "examples/conformance/worker",
            Self::SupportDesk => "examples/support-desk/worker",
        }
    }

    /// The package of its Lambda function, which is its program's name too.
    pub(crate) fn function(self) -> &'static str {
        match self {
            Self::Conformance => "conformance-lambda",
            Self::SupportDesk => "support-desk-lambda",
        }
    }
}

/// Builds the server and becomes it.
pub(crate) fn run(session: &mut Session, options: &Options) -> Result<(), Stop> {
    match options.runtime {
        Runtime::Local => {
            let program = build(session, &build_command(options))?;
            let server =
                Command::new(program.display().to_string()).words("--port").arg(options.port.to_string());
            let is_set = |name: &str| env::var_os(name).is_some();
            start(session, &with_key(session, server, is_set))
        }
        Runtime::Worker => {
            worker::build(session, &[options.app.worker()])?;
            let config = format!("{}/workerd.capnp", options.app.worker());
            let server =
                Command::new(tools::workerd().display().to_string()).words("serve --verbose").arg(config);
            let server = server.arg("--socket-addr").arg(format!("http=127.0.0.1:{}", options.port));
            session.note(&format!("listening at http://127.0.0.1:{}", options.port));
            start(session, &with_key(session, server, |name| env::var_os(name).is_some()))
        }
        Runtime::Lambda => {
            let functions = lambda::build(session, &[options.app.function()])?;
            let program = functions.join(options.app.function()).join("bootstrap");
            let bridge = build(session, &Command::cargo().words("build --package").arg(lambda::BRIDGE))?;
            let server = Command::new(bridge.display().to_string()).arg("--emulator").arg(python::emulator());
            let server = server.arg("--program").arg(program.display().to_string());
            let server = server.words("--port").arg(options.port.to_string());
            start(session, &with_key(session, server, |name| env::var_os(name).is_some()))
        }
    }
}

fn build_command(options: &Options) -> Command {
    let package = options.app.package();
    let command =
        Command::cargo().words("build --package").arg(package).arg("--bin").arg(format!("{package}-local"));
    if options.release { command.arg("--release") } else { command }
}

/// Builds one program and asks cargo where it put it: that depends on the user's own configuration.
pub(crate) fn build(session: &mut Session, command: &Command) -> Result<PathBuf, Stop> {
    let asking = command.clone().words("--message-format json-render-diagnostics");
    session.note(&command.to_string());
    let output = asking.in_folder(session.root()).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| not_started(command, &error))?;
    if !output.status.success() {
        return Err(Stop::Failed { step: "building the server".to_owned(), again: command.to_string() });
    }
    executable(&String::from_utf8_lossy(&output.stdout))
        .ok_or_else(|| Stop::unable(format!("`{command}` did not say where the program is")))
}

/// The program in cargo's messages.
fn executable(messages: &str) -> Option<PathBuf> {
    #[derive(Deserialize)]
    struct Message {
        executable: Option<PathBuf>,
    }
    messages.lines().find_map(|line| serde_json::from_str::<Message>(line).ok()?.executable)
}

/// Gives the server the example key when the environment has none.
fn with_key(session: &Session, server: Command, is_set: impl Fn(&str) -> bool) -> Command {
    if is_set("MEDIAN_KEY") || is_set("MEDIAN_TOOL_SECRET") {
        return server;
    }
    session.note("neither MEDIAN_KEY nor MEDIAN_TOOL_SECRET is set: the public example key is used");
    server.env("MEDIAN_KEY", EXAMPLE_KEY)
}

/// We become the server: Ctrl-C, or a signal to the process that was started, reaches it and no one between.
#[cfg(unix)]
fn start(session: &Session, server: &Command) -> Result<(), Stop> {
    use std::os::unix::process::CommandExt;

    Err(not_started(server, &server.in_folder(session.root()).exec()))
}

/// Ctrl-C goes to every process of the console, the server too; we wait for it.
#[cfg(not(unix))]
fn start(session: &Session, server: &Command) -> Result<(), Stop> {
    let status = server.in_folder(session.root()).status().map_err(|error| not_started(server, &error))?;
    if status.success() {
        return Ok(());
    }
    Err(Stop::Failed { step: "the server".to_owned(), again: server.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_application_is_its_package_and_a_program_for_the_runtime() {
        let options = Options { runtime: Runtime::Local, app: App::Conformance, port: 1, release: false };
        let command = build_command(&options).to_string();
        assert_eq!(command, "cargo build --package conformance-app --bin conformance-app-local");
    }

    #[test]
    fn the_program_is_where_cargo_says_it_is() {
        let messages = "{\"reason\":\"compiler-artifact\",\"executable\":null}\n\
                        {\"reason\":\"compiler-artifact\",\"executable\":\"there/app\"}\n\
                        {\"reason\":\"build-finished\",\"success\":true}";
        assert_eq!(executable(messages), Some(PathBuf::from("there/app")));
    }

    #[test]
    fn the_example_key_is_used_only_without_any_other() {
        let server = |set: &[&str]| {
            with_key(&Session::start(), Command::new("app"), |name| set.contains(&name)).to_string()
        };
        assert_eq!(server(&[]), format!("MEDIAN_KEY={EXAMPLE_KEY} app"));
        assert_eq!(server(&["MEDIAN_KEY"]), "app");
        assert_eq!(server(&["MEDIAN_TOOL_SECRET"]), "app");
    }
}
