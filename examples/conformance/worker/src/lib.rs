//! The conformance application on Cloudflare Workers.

use conformance_app::{endpoint, stopped_clock};
use median_edge_worker::{App, Endpoint, Env, variable};

thread_local! {
    static CONFORMANCE: App<()> = App::new(build, |_| Ok(()));
}

fn build(env: &Env) -> Result<Endpoint<()>, String> {
    let now_ms = stopped_clock(|name| variable(env, name))?;
    endpoint(now_ms).map_err(|error| error.to_string())
}

median_edge_worker::fetch!(CONFORMANCE);
