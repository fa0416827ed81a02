//! The command line: what there is to say, and the help that says so.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::{dev, new, platform};

/// The largest time that a `median-signature` header can carry: 16 digits.
const LATEST_MS: u64 = 9_999_999_999_999_999;

const AFTER: &str = "\
Without a command it is `dev`: the demo endpoint, at http://127.0.0.1:7420/api/median, and a local stand-in for the \
platform that calls it, with a console for the browser at http://127.0.0.1:7421/.

Examples:
  median-edge
  U=http://127.0.0.1:7420/api/median
  median-edge manifest $U
  median-edge call $U orderStatus orderNumber=ORD-1042
  median-edge tools test orderStatus orderNumber=ORD-1042 --visitor user_1
  median-edge logs --follow

The key comes from MEDIAN_KEY. MEDIAN_TOOL_SECRET, when it is set, is the tool signing secret itself. With neither of \
them set it is the public key of local development. An endpoint is never sent the key, only signatures; `tools` and `logs` \
send it to the platform's API, which on this machine is the stand-in's.

With --json, standard output holds one JSON document. A command that has nothing to show prints \
{\"error\":{\"code\":…,\"message\":…}} there. Notes go to standard error.

Exit codes of every command:
  0  it did what it was asked
  1  the endpoint or the stand-in answered, and the answer is no: the tool
     refused or failed, a sync failed, or the request was turned away
  2  it could not run: the arguments, the key, a port that is in use, an endpoint
     that does not answer";

const SIGN_AFTER: &str = "\
The bytes are signed as they are, so send them with --data-binary: curl's -d drops line breaks. A signature is good \
for five minutes either way.

Examples:
  U=http://127.0.0.1:7420/api/median
  curl -H \"$(median-edge sign --get --header)\" $U
  curl -H \"$(median-edge sign body.json --header)\" --data-binary @body.json $U
  printf '%s' '{\"op\":\"diagnostics\"}' | median-edge sign

Exit codes:
  0  signed
  2  it could not run: the arguments, the key, a file that cannot be read";

const MANIFEST_AFTER: &str = "\
With --json, standard output holds the manifest's bytes as they came.

Examples:
  median-edge manifest http://127.0.0.1:7420/api/median
  median-edge manifest https://shop.example/api/median --json > manifest.json
  median-edge manifest --application https://shop.example/api/median

Exit codes:
  0  shown
  1  the endpoint answered, but not with a manifest
  2  it could not run: the arguments, the key, no answer";

const CALL_AFTER: &str = "\
The call is what the platform would send: the risk is the tool's own, the visitor is user_1 and verified, and it is \
approved by \"A test from the CLI\", so that reviewed and high tools run. What comes back is read as the platform \
reads it, and what the agent would be told is said beside it.

Fields:
  orderNumber=1042   of the type that the endpoint's manifest gives the field
  amount:=12.50      JSON, as it is: a number, true, null, a \"text\"

Examples:
  U=http://127.0.0.1:7420/api/median
  median-edge call $U orderStatus orderNumber=ORD-1042
  median-edge call $U orderStatus orderNumber=ORD-1042 --unverified
  median-edge call $U refundOrder --input @refund.json --no-approval
  median-edge call $U orderStatus orderNumber=ORD-1042 --curl

Exit codes:
  0  a result
  1  the tool refused or failed, or the endpoint answered an error
  2  it could not run: the arguments, the key, no answer";

const CHECK_AFTER: &str = "\
No tool runs unless --call or --call-low allows it: without them, only requests are sent that an endpoint must refuse \
before a tool runs. Inputs that must be refused go to tools of low and medium risk. Diagnostics are asked for.

A must is what the platform's public documents say; a should is a choice of this implementation where they are silent. \
A should that fails is reported, and counts with --strict. A baseline is a file of ids, one a line, that are expected \
to fail; one that passes counts as a failure, so that the file stays true.

With --json, standard output holds the whole report.

Examples:
  U=http://127.0.0.1:7420/api/median
  median-edge check $U
  median-edge check $U --call-low --call 'refundOrder={\"orderNumber\":\"ORD-1042\",\"cents\":1}'
  median-edge check $U --only signature --only input --strict
  median-edge check $U --key-env SHOP_MEDIAN_KEY --junit report.xml --baseline known.txt
  median-edge check --list

Exit codes:
  0  nothing failed that counts
  1  something failed, or a baseline is out of date
  2  it could not run, or not to the end: the arguments, the key, no answer";

const DOCTOR_AFTER: &str = "\
It looks at the address, redirects, the key as it is set, the clocks, the signature and its header, bodies that proxies \
change, the manifest and its limits, and the time that answers take. Each finding says what was seen, why it matters \
and what to do.

It never runs a tool: it asks for the manifest, and sends calls to a tool that nobody has. Diagnostics are asked for \
with --diagnostics only. The key is never sent or shown.

How the tool signing secret is derived from MEDIAN_KEY is this implementation's own choice. Where the platform derives \
it otherwise, MEDIAN_TOOL_SECRET gives the secret itself.

With --json, standard output holds the whole report.

Examples:
  median-edge doctor http://127.0.0.1:7420/api/median
  median-edge doctor https://shop.example/api/median --key-file key.txt
  median-edge doctor https://shop.example/api/median --diagnostics --json

Exit codes:
  0  no problem was found; there may be warnings
  1  something is wrong, an endpoint that cannot be reached among it
  2  it could not run: the arguments, a key file that cannot be read";

/// Tools of your own behind an AI support agent: run the demo and a stand-in for the platform, sign, call, check.
#[derive(Debug, Parser)]
#[command(name = "median-edge", version, after_help = AFTER, max_term_width = 100)]
pub(crate) struct Cli {
    /// What to do; `dev` when nothing is named.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten, next_help_heading = "Options of `dev`, when no command is named")]
    pub(crate) dev: dev::Options,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What every command takes.
#[derive(Args, Debug)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Common {
    /// Print JSON for programs, errors too.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) key: KeyOptions,
}

/// Where the key is. There is no option for the key itself: a command line is seen by other users of the machine and
/// kept in the shell's history.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct KeyOptions {
    /// Take the key, or the tool signing secret, from this environment variable.
    #[arg(long, global = true, value_name = "NAME", conflicts_with = "key_file")]
    pub(crate) key_env: Option<String>,
    /// Take the key, or the tool signing secret, from this file.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the demo endpoint and a stand-in for the platform on this machine.
    #[command(after_help = dev::AFTER)]
    Dev(dev::Options),
    /// Print the `median-signature` value for a body.
    #[command(after_help = SIGN_AFTER)]
    Sign(SignOptions),
    /// Call a tool and show what the agent would read.
    #[command(after_help = CALL_AFTER)]
    Call(Box<CallOptions>),
    /// Prove an endpoint, in any language, against the protocol.
    #[command(after_help = CHECK_AFTER)]
    Check(Box<CheckOptions>),
    /// Find out why an endpoint does not answer as it should.
    #[command(after_help = DOCTOR_AFTER)]
    Doctor(DoctorOptions),
    /// Make a project of your own to start from.
    #[command(after_help = new::AFTER)]
    New(new::Options),
    /// Show an endpoint's tools.
    #[command(after_help = MANIFEST_AFTER)]
    Manifest(ManifestOptions),
    /// Connect, sync, switch, test and approve tools at the platform's stand-in.
    #[command(after_help = platform::TOOLS_AFTER)]
    Tools(platform::ToolsOptions),
    /// Show what happened at the platform's stand-in.
    #[command(after_help = platform::LOGS_AFTER)]
    Logs(platform::LogsOptions),
}

#[derive(Args, Debug)]
pub(crate) struct SignOptions {
    /// The file that holds the body; `-`, or nothing, is standard input.
    pub(crate) file: Option<PathBuf>,
    /// Sign a GET, whose body counts as empty.
    #[arg(long, conflicts_with = "file")]
    pub(crate) get: bool,
    /// Sign for this time, in Unix milliseconds, in place of now.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(..=LATEST_MS))]
    pub(crate) at: Option<u64>,
    /// Print the whole header line, name and value.
    #[arg(long)]
    pub(crate) header: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ManifestOptions {
    /// The endpoint's address.
    pub(crate) url: String,
    /// Show the application manifest of its site, /agent/manifest, in place of the endpoint's own.
    #[arg(long)]
    pub(crate) application: bool,
    #[command(flatten)]
    pub(crate) wait: Wait,
}

#[derive(Args, Debug)]
#[allow(clippy::struct_excessive_bools)] // A switch each.
pub(crate) struct CheckOptions {
    /// The endpoint's address.
    pub(crate) url: Option<String>,
    /// Check this area only; may be given several times.
    #[arg(long, value_name = "AREA")]
    pub(crate) only: Vec<String>,
    /// Let this tool run, with this input or with one that is made from its schema; may be given several times.
    #[arg(long, value_name = "TOOL[=JSON]")]
    pub(crate) call: Vec<String>,
    /// Let every tool of low risk run.
    #[arg(long)]
    pub(crate) call_low: bool,
    /// Write the report as junit.xml too, for CI.
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Let a should that fails count.
    #[arg(long)]
    pub(crate) strict: bool,
    /// The ids that are expected to fail, one a line.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Send nothing; print the requirements.
    #[arg(long)]
    pub(crate) list: bool,
    /// Where the identity is, behind the endpoint's address. It is looked for at /identity.
    #[arg(long, value_name = "PATH", value_parser = identity_path)]
    pub(crate) identity: Option<String>,
    /// Measure whether the time of a refusal tells where a signature differs: 400 requests more.
    #[arg(long)]
    pub(crate) timing: bool,
    /// Wait so many seconds for each answer.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600))]
    pub(crate) timeout: u64,
}

#[derive(Args, Debug)]
pub(crate) struct DoctorOptions {
    /// The endpoint's address.
    pub(crate) url: String,
    /// Ask for diagnostics too: a function of the endpoint's application runs.
    #[arg(long)]
    pub(crate) diagnostics: bool,
    #[command(flatten)]
    pub(crate) wait: Wait,
}

/// How long to wait.
#[derive(Args, Debug)]
pub(crate) struct Wait {
    /// Wait so many seconds for each answer.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) timeout: u64,
}

#[derive(Args, Debug)]
pub(crate) struct CallOptions {
    /// The endpoint's address.
    pub(crate) url: String,
    /// The tool's name, as the manifest has it.
    pub(crate) tool: String,
    /// The input's fields: `name=value`, or `name:=JSON`.
    #[arg(value_name = "FIELD=VALUE")]
    pub(crate) fields: Vec<String>,
    /// The whole input: JSON, `@FILE`, or `@-` for standard input.
    #[arg(long, value_name = "JSON", conflicts_with = "fields")]
    pub(crate) input: Option<String>,
    /// The id of a visitor whose identity is proven.
    #[arg(long, value_name = "ID", default_value = "user_1", conflicts_with = "unverified")]
    pub(crate) visitor: String,
    /// A visitor whose identity is not proven.
    #[arg(long)]
    pub(crate) unverified: bool,
    /// The visitor's address, as the page says.
    #[arg(long)]
    pub(crate) email: Option<String>,
    /// The visitor's name, as the page says.
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Who let the call run.
    #[arg(long, value_name = "NAME", default_value = "A test from the CLI", conflicts_with = "no_approval")]
    pub(crate) approved_by: String,
    /// Nobody let the call run: to see the gate of reviewed and high tools.
    #[arg(long)]
    pub(crate) no_approval: bool,
    /// The conversation's id; the call's own when none is named.
    #[arg(long, value_name = "ID")]
    pub(crate) conversation: Option<String>,
    /// The call's id, its idempotency key; a new one, `test_` and a UUID, when none is named.
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
    /// Send nothing; print a shell line that makes this call with curl, signed anew each time.
    #[arg(long)]
    pub(crate) curl: bool,
    #[command(flatten)]
    pub(crate) wait: Wait,
}

fn identity_path(text: &str) -> Result<String, String> {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"?#".contains(&byte);
    if text.len() > 1 && text.starts_with('/') && text.bytes().all(is_plain) {
        Ok(text.trim_end_matches('/').to_owned())
    } else {
        Err("it begins with / and has no blanks, ? or #, like /identity".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
