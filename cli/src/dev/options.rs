//! What `dev` takes, and the help that says so.

use std::path::PathBuf;

use clap::Args;

pub(crate) const AFTER: &str = "\
It starts a demo endpoint and a local stand-in for the platform, and connects the one to the other: open the console in \
a browser to play the customer, the agent and the team. The stand-in is a development tool. It needs no account, and \
nothing reaches the real platform.

With --endpoint the stand-in calls yours in place of the demo, whatever language it is written in: names of tools are \
unique over all endpoints. It signs with the key from MEDIAN_KEY or the public one of local development.

`median-edge tools` and `median-edge logs`, in another terminal, do from the command line what the console does.

Both serve on 127.0.0.1 only, and stop with Ctrl-C. With a key of your own, the console's link holds a token that does \
all that the key does; --open leaves it out, since other users see command lines, and the console asks for the link.

The curl line that it prints signs itself anew each time, so it never goes stale. With the public key it needs openssl \
beside curl; with any other it has this command sign, so that no secret is on a command line.

With --json: first a line with the console's link, the URL, the tools and the curl line, then a line for each request \
that the demo answers.

Examples:
  median-edge dev
  median-edge dev --open
  median-edge dev --endpoint http://127.0.0.1:8787/api/median
  median-edge dev --port 8080 --platform-port 8081 --data stand-in.sqlite
  median-edge dev --key-file key.txt

Exit codes:
  0  it was stopped
  2  it could not run: the arguments, the key, a port that is in use, a file that
     cannot be opened";

#[derive(Args, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// The demo's port on 127.0.0.1, 7420 unless said; 0 takes any that is free.
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,
    /// The port on 127.0.0.1 of the stand-in and its console, 7421 unless said; 0 takes any that is free.
    #[arg(long, value_name = "PORT")]
    pub(crate) platform_port: Option<u16>,
    /// Open the console in the browser.
    #[arg(long)]
    pub(crate) open: bool,
    /// Start the stand-in without the demo, as --endpoint does by itself.
    #[arg(long)]
    pub(crate) no_demo: bool,
    /// Connect your own running endpoint, in any language, in place of the demo.
    #[arg(long, value_name = "URL")]
    pub(crate) endpoint: Option<String>,
    /// Keep what happens in this file; in memory unless said.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
}

impl Options {
    /// These, and what others say where these are silent.
    pub(crate) fn or(self, others: Self) -> Self {
        Self {
            port: self.port.or(others.port),
            platform_port: self.platform_port.or(others.platform_port),
            open: self.open || others.open,
            no_demo: self.no_demo || others.no_demo,
            endpoint: self.endpoint.or(others.endpoint),
            data: self.data.or(others.data),
        }
    }
}
