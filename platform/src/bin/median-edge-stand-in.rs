//! The stand-in on its own, with the public example key: `cargo run -p median-edge-platform -- FILE`.
//!
//! It prints its address, and keeps everything in the file, or in memory when none is named.

use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr};

use median_edge::MedianKey;
use median_edge_platform::{Access, Bound, Options, Place, Platform};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let place = std::env::args_os().nth(1).map_or(Place::Memory, |file| Place::File(file.into()));
    let platform = Platform::start(Options::new(MedianKey::local()).place(place)).await?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let bound = Bound::bind(platform, address, Access::Loopback, axum::Router::new()).await?;
    println!("{}", bound.url());
    bound.serve_until(async { drop(tokio::signal::ctrl_c().await) }).await?;
    Ok(())
}
