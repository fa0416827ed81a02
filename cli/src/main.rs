//! The `median-edge` command.
//!
//! One file or folder for each command (`dev`, `sign`, `call`, `manifest`, `check`, `doctor`, `new`), and one for the words of
//! the platform's own command line (`platform`: `tools`, `logs`); what they share is beside them: where the key comes from
//! (`keys`), one request (`http`), text from outside made safe (`text`, `json`), and how a command ends (`failure`).

mod application;
mod args;
mod call;
mod check;
mod clock;
mod curl;
mod dev;
mod doctor;
mod failure;
mod hints;
mod http;
mod json;
mod keys;
mod manifest;
mod new;
mod platform;
mod sign;
mod table;
mod terminal;
mod text;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser as _;
use clap::error::ErrorKind;

use self::args::{Cli, Command};
use self::failure::{Exit, Failure};
use self::keys::Signing;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let wants_json = arguments.iter().any(|argument| argument == "--json");
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return not_understood(&error, wants_json).into(),
    };
    let as_json = cli.common.json;
    let exit = run(cli).unwrap_or_else(|failure| ended(&failure, as_json));
    exit.into()
}

/// Says why there is nothing to show, in the form that was asked for.
fn ended(failure: &Failure, as_json: bool) -> Exit {
    let document = || format!("{}\n", json::safe(&failure.to_json()));
    if !as_json || terminal::print(&document()).is_err() {
        terminal::complain(failure);
    }
    failure.exit
}

fn run(cli: Cli) -> Result<Exit, Failure> {
    let Cli { command, dev: before, common } = cli;
    let command = match command {
        None => Command::Dev(before),
        Some(Command::Dev(options)) => Command::Dev(options.or(before)),
        Some(command) if before == dev::Options::default() => command,
        Some(_) => {
            return Err(Failure::usage("The options before the command are for `dev`.")
                .hint("Leave them out, or name them after the command if it has them."));
        }
    };
    let signing = || Signing::find(&common.key);
    match &command {
        Command::Dev(options) => dev::run(options, &signing()?, common.json),
        Command::Sign(options) => sign::run(options, &signing()?, common.json),
        Command::Call(options) => call::run(options, &signing()?, common.json),
        Command::Check(options) => check::run(options, &signing()?, common.json),
        Command::Manifest(options) => manifest::run(options, &signing()?, common.json),
        // It looks at the key itself, however bad it is.
        Command::Doctor(options) => doctor::run(options, &common.key, common.json),
        // It has nothing to sign.
        Command::New(options) => new::run(options, common.json),
        // They ask the platform, which takes the key itself.
        Command::Tools(options) => platform::tools(options, &common.key, common.json),
        Command::Logs(options) => platform::logs(options, &common.key, common.json),
    }
}

/// `--help` and `--version` are no errors; the rest is, in the form that was asked for.
fn not_understood(error: &clap::Error, wants_json: bool) -> Exit {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // A reader that has gone away has seen enough.
        let _ = error.print();
        return Exit::Good;
    }
    if !wants_json {
        let _ = error.print();
        return Exit::NotRun;
    }
    let text = error.to_string();
    let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
    let hint = format!("See `{} --help`, or --help after a command.", curl::program());
    ended(&Failure::usage(message).hint(hint), true)
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;
    use clap::error::ErrorKind;
    use median_edge_book::commands::lines_of;
    use median_edge_book::for_everyone;

    use crate::args::Cli;

    #[test]
    fn every_command_line_of_the_documents_is_understood() {
        let mut count = 0;
        for page in for_everyone() {
            for program in ["median-edge", "cargo run --"] {
                for line in lines_of(&page, program) {
                    let words = std::iter::once("median-edge".to_owned()).chain(line.words);
                    if let Err(error) = Cli::try_parse_from(words) {
                        let is_fine = match error.kind() {
                            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => true,
                            // `doctor` by its name, and `tools` by its.
                            ErrorKind::MissingRequiredArgument
                            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => !line.in_block,
                            _ => false,
                        };
                        assert!(is_fine, "{}:{}: {error}", page.path, line.line);
                    }
                    count += 1;
                }
            }
        }
        assert!(count > 20, "only {count} command lines were found");
    }
}
