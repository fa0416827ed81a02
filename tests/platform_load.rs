//! Calls through the stand-in, some at once: nothing is lost of what it acknowledged, not by a kill either.

use std::env;
use std::time::Duration;

use median_edge_tests::{Kind, Traffic};

/// How long the load lasts unless `LOAD_SECONDS` says otherwise.
const SECONDS: u64 = 3;

#[test]
fn what_the_stand_in_acknowledged_is_there_after_it_was_killed() {
    let seconds = env::var("LOAD_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(SECONDS);
    let traffic = Traffic { rate: 60, duration: Duration::from_secs(seconds), callers: 8 };
    let folder = tempfile::tempdir().unwrap();
    let seen = traffic.run(&folder.path().join("stand-in.sqlite")).unwrap();
    println!("{seen}");
    assert_eq!(seen.made(), 60 * seconds);
    for kind in Kind::ALL {
        assert!(seen.of(kind) > 0, "{kind:?} was called");
    }
    seen.check().unwrap();
}
