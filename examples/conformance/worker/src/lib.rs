//! The conformance application on Cloudflare Workers.

use conformance_app::{endpoint, stopped_clock};
use median_edge_worker::App;
use median_edge_worker::worker::Env;

thread_local! {
    static CONFORMANCE: App<()> = App::new(build, |_| Ok(()));
}

fn build(env: &Env) -> Result<median_edge_worker::Endpoint<()>, String> {
    let now_ms = stopped_clock(|name| Some(env.var(name).ok()?.to_string()))?;
    endpoint(now_ms).map_err(|error| error.to_string())
}

median_edge_worker::fetch!(CONFORMANCE);
