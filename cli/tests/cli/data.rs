//! What `dev` keeps in a file.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::process::Stdio;

use crate::dev::{DEMO_TOOLS, LOCAL_KEY, names, synced};
use crate::running::Dev;
use crate::server::Server;
use crate::{median_edge, output, shown};

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
fn an_endpoint_with_the_tools_of_one_that_was_kept_says_which_one_to_remove() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("data.sqlite");
    let file = file.to_str().unwrap();
    let mut dev = Dev::start(&["dev", "--port", "0", "--json", "--data", file], &[]);
    let greeting = dev.json();
    synced(&greeting, LOCAL_KEY);
    let kept = greeting["url"].as_str().unwrap();
    drop(dev);
    let server = Server::endpoint(200, "{}");
    let url = server.url();
    let mut command = median_edge(&["dev", "--platform-port", "0", "--data", file, "--endpoint", &url]);
    let mut dev = Dev::spawn(command.stdout(Stdio::null()).stderr(Stdio::piped()));
    let notes = BufReader::new(dev.child.stderr.take().unwrap());
    let note = notes.lines().map(Result::unwrap).find(|line| line.contains("can't be synced")).unwrap();
    let says = format!("Remove the other endpoint: `median-edge tools endpoint remove {kept} --api ");
    assert!(note.contains(&says) && note.contains(&format!("tools sync {url} --api ")), "{note}");
    assert!(!note.contains("doctor") && !note.contains("in place of the demo"), "{note}");
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
