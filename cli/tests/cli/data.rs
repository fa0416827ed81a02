//! What `dev` keeps in a file.

use std::net::TcpListener;

use crate::dev::{DEMO_TOOLS, LOCAL_KEY, names, synced};
use crate::running::Dev;
use crate::{output, shown};

#[test]
fn a_file_keeps_what_was_connected() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("data.sqlite");
    let file = file.to_str().unwrap();
    let mut dev = Dev::start(&["dev", "--port", "0", "--json", "--data", file], &[]);
    let greeting = dev.json();
    let url = greeting["url"].clone();
    synced(&greeting, LOCAL_KEY);
    drop(dev);
    let mut dev = Dev::start(&["dev", "--no-demo", "--json", "--data", file], &[]);
    assert_eq!(synced(&dev.json(), LOCAL_KEY)["url"], url);
}

#[test]
fn the_demo_at_another_port_takes_the_place_of_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("data.sqlite");
    let file = file.to_str().unwrap();
    let mut dev = Dev::start(&["dev", "--port", "0", "--json", "--data", file], &[]);
    let greeting = dev.json();
    let before = synced(&greeting, LOCAL_KEY);
    drop(dev);
    // Its port is somebody else's now.
    let port = greeting["url"].as_str().unwrap().split([':', '/']).nth(4).unwrap().to_owned();
    let _taken = TcpListener::bind(format!("127.0.0.1:{port}")).unwrap();
    let mut dev = Dev::start(&["dev", "--port", "0", "--json", "--data", file], &[]);
    let greeting = dev.json();
    let endpoint = synced(&greeting, LOCAL_KEY);
    assert_eq!((&endpoint["url"], &endpoint["id"]), (&greeting["url"], &before["id"]));
    assert_eq!(names(&endpoint), DEMO_TOOLS);
    assert_eq!(endpoint["sync"]["state"], "synced");
}

#[test]
fn a_file_that_cannot_be_opened_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let output =
        output(&["dev", "--no-demo", "--platform-port", "0", "--data", folder.path().to_str().unwrap()]);
    let text = shown(&output);
    assert!(text.contains("The database can't be opened") && text.contains("--data"), "{text}");
    assert_eq!(output.status.code(), Some(2));
}
