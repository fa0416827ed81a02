//! Starting, and ending: what a server refuses to start with, what it says, and how it ends.

use std::net::{Ipv4Addr, TcpListener};

use median_edge::{Keys, MedianKey};
use median_edge_local::{LogFormat, Server, StartError};
use median_edge_tests::{
    Child, Environment, NOW_MS, Transport, Workshop, block_on, local_key, signed, workshop,
};

const OTHER_KEY: &str = "median_key_other_1111111111111111111111111111";

fn with(pairs: &[(&str, &str)]) -> Environment {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn other_key() -> Keys {
    Keys::new(MedianKey::parse(OTHER_KEY).unwrap())
}

fn bind(server: Server<Workshop>, address: &str) -> Result<String, StartError> {
    block_on(async { server.bind(address).await.map(|bound| bound.url()) })
}

#[test]
fn the_program_ends_with_a_message_when_a_key_is_missing_or_malformed() {
    let long = "0".repeat(63);
    for (environment, variable) in [
        (with(&[]), "MEDIAN_KEY"),
        (with(&[("MEDIAN_KEY", " ")]), "MEDIAN_KEY"),
        (with(&[("MEDIAN_KEY", "median_pk_f8f2f752b9e37308ffc36d8228b6e925")]), "MEDIAN_KEY"),
        (with(&[("MEDIAN_TOOL_SECRET", &long)]), "MEDIAN_TOOL_SECRET"),
        (with(&[("MEDIAN_KEY", OTHER_KEY), ("MEDIAN_KEY_PREVIOUS", "x")]), "MEDIAN_KEY_PREVIOUS"),
        (with(&[("MEDIAN_KEY", OTHER_KEY), ("CONFORMANCE_NOW_MS", "noon")]), "CONFORMANCE_NOW_MS"),
    ] {
        let refused = Child::start(&environment).expect_err(variable);
        assert_eq!(refused.status.code(), Some(1), "{refused:?}");
        assert!(refused.message.starts_with("error: ") && refused.message.contains(variable), "{refused:?}");
        assert!(!refused.message.contains("panicked"), "{refused:?}");
    }
}

#[test]
#[cfg(unix)]
fn a_key_that_is_not_unicode_is_malformed_and_not_missing() {
    use std::os::unix::ffi::OsStringExt;
    use std::process::Command;

    // A server that could start does not end: this one has another reason not to.
    let program = Child::program();
    let key = std::ffi::OsString::from_vec(b"median_key_\xff0000000000000000".to_vec());
    let output =
        Command::new(program).args(["--port", "0"]).env_clear().env("MEDIAN_KEY", key).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("a character that no key has"), "{message}");
}

#[test]
fn the_public_key_is_refused_on_an_address_that_others_can_reach() {
    let state = Workshop::default();
    for address in ["0.0.0.0:0", "[::]:0"] {
        match bind(state.server(), address) {
            Err(error @ StartError::PublicKey(_)) => {
                let text = error.to_string();
                assert!(text.contains("public example key") && text.contains("127.0.0.1"), "{text}");
            }
            // A machine without IPv6.
            Err(StartError::Bind { .. }) if address.starts_with('[') => {}
            other => panic!("{address}: {other:?}"),
        }
        let rotating = state.server().keys(other_key().accepting(&MedianKey::local()));
        assert!(!matches!(bind(rotating, address), Ok(_) | Err(StartError::Key(_))), "{address}");
        let own = bind(state.server().keys(other_key()), address);
        assert!(own.is_ok() || address.starts_with('['), "{address}: {own:?}");
    }
    for address in ["127.0.0.1:0", "127.9.9.9:0", "localhost:0", "[::ffff:127.0.0.1]:0"] {
        let bound = bind(state.server(), address);
        assert!(bound.is_ok() || address.starts_with('['), "{address}: {bound:?}");
    }
}

#[test]
fn the_keys_of_the_endpoint_come_before_those_of_the_server() {
    let state = Workshop::default();
    let endpoint = workshop(&state).keys(Keys::new(MedianKey::local())).build().unwrap();
    let server = Server::new(endpoint, state).keys(Keys::missing()).log(LogFormat::Off);
    assert!(matches!(bind(server, "0.0.0.0:0"), Err(StartError::PublicKey(_))));
}

#[test]
fn a_missing_key_is_told_by_its_variable() {
    let error = bind(Workshop::default().server().keys(Keys::missing()), "127.0.0.1:0").unwrap_err();
    assert!(matches!(&error, StartError::Key(error) if error.variable() == "MEDIAN_KEY"), "{error:?}");
    assert!(error.to_string().contains("MEDIAN_KEY is not set"), "{error}");
}

#[test]
fn a_port_that_is_taken_is_named_with_what_to_do() {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = taken.local_addr().unwrap();
    let error = bind(Workshop::default().server(), &address.to_string()).unwrap_err();
    assert!(matches!(error, StartError::PortInUse(at) if at == address), "{error:?}");
    let text = error.to_string();
    assert!(text.contains(&format!("port {} is in use", address.port())), "{text}");
    assert!(text.contains("choose another port"), "{text}");
}

#[test]
fn an_address_that_is_none_or_not_this_machines_is_told() {
    // The second is set aside for documentation: no machine has it.
    for address in ["nowhere.invalid:80", "192.0.2.1:0", "127.0.0.1"] {
        let error = bind(Workshop::default().server(), address).unwrap_err();
        assert!(matches!(error, StartError::Bind { .. }), "{address}: {error:?}");
        assert!(error.to_string().contains("can't be listened at"), "{address}: {error}");
    }
}

#[test]
fn the_url_is_one_that_this_machine_can_open() {
    let url = bind(Workshop::default().server().keys(other_key()), "0.0.0.0:0").unwrap();
    assert!(url.starts_with("http://127.0.0.1:") && url.ends_with("/api/median"), "{url}");
}

#[test]
#[cfg(unix)]
fn a_signal_ends_the_program_with_success() {
    for signal in ["TERM", "INT"] {
        let mut child = Child::start(&local_key()).unwrap();
        child.signal(signal);
        assert_eq!(child.wait().code(), Some(0), "{signal}");
        assert!(child.log().iter().any(|line| line.contains("stopping")), "{signal}: {:?}", child.log());
    }
}

#[test]
fn the_log_is_one_json_object_a_line_where_nobody_reads_it() {
    let mut environment = local_key();
    environment.insert("CONFORMANCE_NOW_MS".to_owned(), NOW_MS.to_string());
    let child = Child::start(&environment).unwrap();
    let call = median_edge_tests::call("ping", &serde_json::json!({}));
    child.send(&signed("POST", "/", call)).unwrap();
    child.send(&signed("POST", "/", "x")).unwrap();
    child.send(&signed("GET", "/healthz", "")).unwrap();
    child.wait_for_log("invalid_body");

    let lines: Vec<serde_json::Value> =
        child.log().iter().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert_eq!(lines.len(), 3, "one when it starts, one for each request, none for health: {lines:?}");
    assert!(lines.iter().all(|line| line["timestamp"].as_str().is_some_and(|time| time.ends_with('Z'))));
    let levels: Vec<&str> = lines.iter().filter_map(|line| line["level"].as_str()).collect();
    assert_eq!(levels, ["info", "info", "warn"]);
    assert_eq!((&lines[1]["tool"], &lines[1]["status"]), (&"ping".into(), &200.into()));
    assert_eq!(lines[1]["tool_call_id"], "call_00000000000000000000000000000001");
    assert!(lines[1].get("input").is_none() && lines[1].get("result").is_none());
}

#[test]
fn a_log_that_nobody_takes_any_more_does_not_end_the_server() {
    let child = Child::start_deaf(&local_key());
    for _ in 0..3 {
        assert_eq!(child.send(&median_edge_tests::Ask::new("GET", "/")).unwrap().status, 401);
    }
}
