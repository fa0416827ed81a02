//! `dev`: the demo endpoint and the stand-in for the platform, on this machine.
//!
//! The stand-in is bound first, so that the demo knows where to connect; then the demo; then all that is said of both. What
//! stops them stops the demo first: the calls in flight come from the stand-in, which waits for their answers.

mod browser;
mod demo;
mod greeting;
mod options;
mod signals;
mod stand_in;

use crate::curl;
use crate::failure::{Exit, Failure};
use crate::keys::Signing;
use crate::terminal;

use self::greeting::Greeting;
pub(crate) use self::options::{AFTER, Options};
use self::signals::Signals;
use self::stand_in::StandIn;

/// Where the demo is when nobody says otherwise.
const PORT: u16 = 7420;
/// Where the stand-in is when nobody says otherwise.
pub(crate) const PLATFORM_PORT: u16 = 7421;

pub(crate) fn run(options: &Options, signing: &Signing, as_json: bool) -> Result<Exit, Failure> {
    let has_demo = !options.no_demo && options.endpoint.is_none();
    if options.port.is_some() && !has_demo {
        return Err(Failure::usage("--port is the demo's, and there is no demo.")
            .hint("Leave --port out; the stand-in's port is --platform-port."));
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(
            |error| Failure::not_run("no_runtime", format!("The server can't be started: {error}.")),
        )?;
    let served = serve(options, has_demo, signing, as_json);
    runtime.block_on(served)?;
    Ok(Exit::Good)
}

async fn serve(options: &Options, has_demo: bool, signing: &Signing, as_json: bool) -> Result<(), Failure> {
    let platform_port = options.platform_port.unwrap_or(PLATFORM_PORT);
    let stand_in = StandIn::bind(platform_port, options.data.as_deref(), signing).await?;
    let demo = if has_demo {
        let port = options.port.unwrap_or(PORT);
        Some(demo::bind(port, &stand_in.url(), signing, as_json).await?)
    } else {
        None
    };
    let (bound, demo) = demo.unzip();
    // Its listener is there, so that a sync waits until it is served.
    let connected = match (&demo, &options.endpoint) {
        (Some(demo), _) => Some(stand_in.connect_demo(&demo.url).await?),
        (None, Some(url)) => Some(stand_in.connect(url).await?),
        (None, None) => None,
    };
    // Listened for before anything says that it runs. The demo hears of them by itself.
    let mut signals = if bound.is_none() { Some(Signals::listen()?) } else { None };

    let greeting = Greeting::new(&stand_in, options, demo);
    terminal::print(&greeting.shown(as_json, &signing.source))?;
    if let Some(connected) = connected {
        tokio::spawn(connected.say_how_it_went());
    }
    if options.open {
        browser::open(stand_in.url());
    }
    let stand_in = stand_in.serve();
    match (bound, &mut signals) {
        (Some(bound), _) => {
            bound.serve().await.map_err(|error| Failure::not_run("not_started", error.to_string()))?;
        }
        (None, Some(signals)) => signals.next().await,
        (None, None) => {}
    }
    stand_in.stop().await
}

/// What to say of a port that another program has.
fn port_in_use(port: u16, option: &str, usual: u16) -> Failure {
    let (program, other) = (curl::program(), port.checked_add(1).unwrap_or(usual));
    let message = format!("Port {port} of 127.0.0.1 is in use, maybe by another `dev`.");
    Failure::not_run("port_in_use", message).hint(format!(
        "Stop that program, or take another port: `{program} dev {option} {other}`. Port 0 takes any that is free."
    ))
}
