//! A Worker that says hello, as `worker`'s own template does.

use worker::{Context, Env, Request, Response, Result, event};

#[event(fetch)]
async fn fetch(_request: Request, _env: Env, _context: Context) -> Result<Response> {
    Response::ok("Hello, world!")
}
