//! What `tools` and `logs` take, and the help that says so.

use clap::{Args, Subcommand};

pub(crate) const TOOLS_AFTER: &str = "\
They ask the platform's API: on this machine that of the stand-in which `median-edge dev` serves. The API takes the key as a \
bearer: MEDIAN_KEY, or the public key of local development. Each word has its own --help.

Examples:
  median-edge tools endpoint add http://127.0.0.1:8787/api/median
  median-edge tools sync
  median-edge tools list
  median-edge tools test orderStatus orderNumber=ORD-1042 --visitor user_1
  median-edge tools approvals

Exit codes:
  0  done
  1  the stand-in or an endpoint answered, and the answer is no
  2  it could not run: the arguments, the key, no answer";

pub(crate) const LOGS_AFTER: &str = "\
The newest events come last. With --follow it goes on until Ctrl-C, and ends with 0 when the stand-in stops.

With --json it is the API's own page of events, the newest first; with --follow a line for each event, as they happen.

Examples:
  median-edge logs
  median-edge logs --follow
  median-edge logs --type Tools --tool refundOrder --limit 200

Exit codes:
  0  shown
  1  the stand-in refused: a type that there is not, another key
  2  it could not run: the arguments, the key, no answer";

const ENDPOINT_AFTER: &str = "\
Examples:
  median-edge tools endpoint add http://127.0.0.1:8787/api/median
  median-edge tools endpoint list
  median-edge tools endpoint remove http://127.0.0.1:8787/api/median

Exit codes:
  0  done
  1  the sync failed, or the stand-in refused
  2  it could not run: the arguments, the key, no answer";

const ADD_AFTER: &str = "\
An endpoint that is connected already is synced again. When the sync fails it stays connected: mend what the reason names, \
then `median-edge tools sync`.

Examples:
  median-edge tools endpoint add http://127.0.0.1:8787/api/median
  median-edge tools endpoint add https://shop.example/api/median --own-key-env SHOP_MEDIAN_KEY

Exit codes:
  0  connected and synced
  1  the sync failed, or the stand-in refused
  2  it could not run: the arguments, the key, no answer";

const LIST_AFTER: &str = "\
Examples:
  median-edge tools endpoint list
  median-edge tools endpoint list --json

Exit codes:
  0  shown, also when there are none
  1  the stand-in refused
  2  it could not run: the arguments, the key, no answer";

const REMOVE_AFTER: &str = "\
Its tools go with it, and requests that wait on them expire.

Examples:
  median-edge tools endpoint remove http://127.0.0.1:8787/api/median

Exit codes:
  0  removed
  1  there is no such endpoint, or the stand-in refused
  2  it could not run: the arguments, the key, no answer";

const SYNC_AFTER: &str = "\
Each endpoint is asked for its manifest, and the outcome is waited for. When that fails, the last good tools stay. An \
endpoint is synced ten times a minute at most.

Examples:
  median-edge tools sync
  median-edge tools sync http://127.0.0.1:8787/api/median

Exit codes:
  0  synced
  1  a sync failed, or the stand-in refused
  2  it could not run: the arguments, the key, no answer";

const TOOLS_LIST_AFTER: &str = "\
The description is the one that the agent reads, with the platform's own line.

Examples:
  median-edge tools list
  median-edge tools list --json

Exit codes:
  0  shown, also when there are none
  1  the stand-in refused
  2  it could not run: the arguments, the key, no answer";

const SWITCH_AFTER: &str = "\
A tool that is off leaves the agent's next turn, and a request for it fails when it is approved. Tests still run it.

Examples:
  median-edge tools disable refundOrder
  median-edge tools enable refundOrder

Exit codes:
  0  done, also when it was so already
  1  there is no such tool, or the stand-in refused
  2  it could not run: the arguments, the key, no answer";

const TEST_AFTER: &str = "\
A test runs a tool at any risk, approved by \"A test from the CLI\". Its visitor is nobody, unless --visitor or \
--conversation say who. With --as-agent the call is made as the agent makes it: a reviewed or high tool waits for a decision, \
and how to approve it is shown.

Fields:
  orderNumber=1042   of the type that the tool's schema gives the field
  amount:=12.50      JSON, as it is: a number, true, null, a \"text\"

Examples:
  median-edge tools test orderStatus orderNumber=ORD-1042 --visitor user_1
  median-edge tools test orderStatus --input '{\"orderNumber\":\"ORD-1042\"}'
  median-edge tools test refundOrder orderNumber=ORD-1042 --visitor user_1 --as-agent

Exit codes:
  0  a result; with --as-agent also a request that waits for a decision
  1  the tool refused or failed, or the stand-in refused
  2  it could not run: the arguments, the key, no answer";

const APPROVALS_AFTER: &str = "\
Without a word after it, it lists the requests that are open, with the exact input that runs when they are approved.

Examples:
  median-edge tools approvals
  median-edge tools approvals --status all
  median-edge tools approvals approve apr_0123456789abcdef0123456789abcdef --teammate Ana
  median-edge tools approvals deny apr_0123456789abcdef0123456789abcdef

Exit codes:
  0  shown, also when there are none
  1  the stand-in refused
  2  it could not run: the arguments, the key, no answer";

const APPROVE_AFTER: &str = "\
The call runs with the exact input that was recorded, and how it ends is waited for.

Examples:
  median-edge tools approvals approve apr_0123456789abcdef0123456789abcdef --teammate Ana

Exit codes:
  0  it ran, with a result
  1  the tool refused or failed, or the request cannot be approved any more
  2  it could not run: the arguments, the key, no answer";

const DENY_AFTER: &str = "\
Examples:
  median-edge tools approvals deny apr_0123456789abcdef0123456789abcdef --teammate Ana

Exit codes:
  0  denied
  1  the request cannot be denied any more, or the stand-in refused
  2  it could not run: the arguments, the key, no answer";

/// Where the API is.
#[derive(Args, Debug, Default)]
pub(crate) struct ApiOptions {
    /// The address of the platform's API; `MEDIAN_API_URL` unless said, and else the stand-in's on port 7421.
    #[arg(long, global = true, value_name = "URL")]
    pub(super) api: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct ToolsOptions {
    #[command(subcommand)]
    pub(super) word: Word,
    #[command(flatten)]
    pub(super) api: ApiOptions,
}

/// What to do with tools.
#[derive(Debug, Subcommand)]
pub(super) enum Word {
    /// Connect, list and remove endpoints.
    #[command(subcommand, after_help = ENDPOINT_AFTER)]
    Endpoint(EndpointWord),
    /// Ask endpoints for their tools, and wait for how that ends.
    #[command(after_help = SYNC_AFTER)]
    Sync {
        /// Its address or its id; every endpoint when none is named.
        endpoint: Option<String>,
    },
    /// Show every tool, switched on or off.
    #[command(after_help = TOOLS_LIST_AFTER)]
    List,
    /// Switch a tool on.
    #[command(after_help = SWITCH_AFTER)]
    Enable {
        /// The tool's name.
        name: String,
    },
    /// Switch a tool off.
    #[command(after_help = SWITCH_AFTER)]
    Disable {
        /// The tool's name.
        name: String,
    },
    /// Have the stand-in call a tool, and show what the agent would read.
    #[command(after_help = TEST_AFTER)]
    Test(TestOptions),
    /// List the requests that wait for a decision, and decide them.
    #[command(after_help = APPROVALS_AFTER, args_conflicts_with_subcommands = true)]
    Approvals(ApprovalsOptions),
}

#[derive(Debug, Subcommand)]
pub(super) enum EndpointWord {
    /// Connect an endpoint, in any language, and sync its tools.
    #[command(after_help = ADD_AFTER)]
    Add {
        /// The endpoint's address.
        url: String,
        /// The endpoint has a key of its own, in this environment variable.
        #[arg(long, value_name = "NAME")]
        own_key_env: Option<String>,
    },
    /// Show every endpoint, with how its last sync went.
    #[command(after_help = LIST_AFTER)]
    List,
    /// Remove an endpoint with its tools.
    #[command(after_help = REMOVE_AFTER)]
    Remove {
        /// Its address or its id.
        #[arg(value_name = "URL|ID")]
        endpoint: String,
    },
}

#[derive(Args, Debug)]
pub(super) struct TestOptions {
    /// The tool's name.
    pub(super) name: String,
    /// The input's fields: `name=value`, or `name:=JSON`.
    #[arg(value_name = "FIELD=VALUE")]
    pub(super) fields: Vec<String>,
    /// The whole input: JSON, `@FILE`, or `@-` for standard input.
    #[arg(long, value_name = "JSON", conflicts_with = "fields")]
    pub(super) input: Option<String>,
    /// On this conversation, with its visitor.
    #[arg(long, value_name = "ID")]
    pub(super) conversation: Option<String>,
    /// On a new conversation, whose visitor is proven to be this customer.
    #[arg(long, value_name = "ID", conflicts_with = "conversation")]
    pub(super) visitor: Option<String>,
    /// As the agent calls it in its turn; on a new conversation when none is named.
    #[arg(long)]
    pub(super) as_agent: bool,
    /// Send an input that does not fit the schema, to see what the endpoint says.
    #[arg(long, requires = "as_agent")]
    pub(super) send_anyway: bool,
}

#[derive(Args, Debug)]
pub(super) struct ApprovalsOptions {
    #[command(subcommand)]
    pub(super) word: Option<ApprovalsWord>,
    /// Which: `open`, `all`, `reviewing`, `pending`, `executing`, `completed`, `failed`, `denied` or `expired`.
    #[arg(long, value_name = "STATUS", default_value = "open")]
    pub(super) status: String,
    /// Of this conversation.
    #[arg(long, value_name = "ID")]
    pub(super) conversation: Option<String>,
    /// How many at most, 1 to 200, the newest first.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=200))]
    pub(super) limit: u64,
}

#[derive(Debug, Subcommand)]
pub(super) enum ApprovalsWord {
    /// Let a request run, and wait for how it ends.
    #[command(after_help = APPROVE_AFTER)]
    Approve(Decision),
    /// Turn a request down.
    #[command(after_help = DENY_AFTER)]
    Deny(Decision),
}

#[derive(Args, Debug)]
pub(super) struct Decision {
    /// The request's id.
    pub(super) id: String,
    /// Who decides, as the endpoint reads it; "A teammate" unless said.
    #[arg(long, value_name = "NAME")]
    pub(super) teammate: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct LogsOptions {
    /// Go on with what happens.
    #[arg(long, short)]
    pub(super) follow: bool,
    /// Of this type, in any case: `Tools`, `Conversations`, `Reports`, `Alerts` or `System`.
    #[arg(long = "type", value_name = "TYPE")]
    pub(super) kind: Option<String>,
    /// About this endpoint, by its address or its id.
    #[arg(long, value_name = "URL|ID")]
    pub(super) endpoint: Option<String>,
    /// About this tool.
    #[arg(long, value_name = "NAME")]
    pub(super) tool: Option<String>,
    /// About this conversation.
    #[arg(long, value_name = "ID")]
    pub(super) conversation: Option<String>,
    /// How many at most, 1 to 200: the newest.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=200))]
    pub(super) limit: u64,
    #[command(flatten)]
    pub(super) api: ApiOptions,
}
