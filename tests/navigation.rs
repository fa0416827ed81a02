//! Every vector of `navigation.json`, on every runtime; and the runtimes' answers, compared with one another.

use std::collections::BTreeMap;

use median_edge::{Endpoint, Keys, MedianKey};
use median_edge_local::{LogFormat, Server};
use median_edge_tests::{
    InProcess, Lambda, MOUNT, NavigationFile, NavigationVector, Report, Served, Transport, Workerd, call,
    local_key, now_ms, read, signed_at, site,
};
use serde_json::Value;

fn endpoint() -> Endpoint<()> {
    Endpoint::builder().plugin(site()).build().unwrap()
}

fn runtimes() -> Vec<(&'static str, Box<dyn Transport>)> {
    let keys = Keys::new(MedianKey::local());
    let server = Server::new(endpoint(), ()).keys(keys.clone()).log(LogFormat::Off);
    let mut runtimes: Vec<(&str, Box<dyn Transport>)> = vec![
        ("in-process", Box::new(InProcess::serve(endpoint(), keys, now_ms()))),
        ("local server", Box::new(Served::start(server))),
    ];
    match Workerd::of_the_tests() {
        Some(workerd) => runtimes.push(("workerd", Box::new(workerd.run(&local_key()).unwrap()))),
        None => println!("workerd is left out: `cargo xtask test --only worker` runs it"),
    }
    match Lambda::of_the_tests() {
        Some(lambda) => runtimes.push(("Lambda", Box::new(lambda.run(&local_key()).unwrap()))),
        None => println!("Lambda is left out: `cargo xtask test --only lambda` runs it"),
    }
    runtimes
}

#[test]
fn pages_are_answered_as_the_vectors_say() {
    let file: NavigationFile = read("navigation.json");
    let mut report = Report::default();
    let mut first: BTreeMap<&str, Value> = BTreeMap::new();
    for (name, transport) in runtimes() {
        for vector in &file.vectors {
            let what = format!("{} on {name}", vector.id);
            match transport.send(&signed_at(now_ms(), "POST", MOUNT, call("goToPage", &vector.input))) {
                Ok(answer) => {
                    let json = answer.json();
                    report.check(&what, check(vector, &json));
                    let expected = first.entry(&vector.id).or_insert_with(|| json.clone());
                    report.equal(&what, &json, expected);
                }
                Err(error) => report.check(&what, Err(error)),
            }
        }
    }
    report.finish();
}

fn check(vector: &NavigationVector, answer: &Value) -> Result<(), String> {
    let (expect, result) = (&vector.expect, &answer["result"]);
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let refused = result["ok"] == false;
    let came = [
        ("navigate_to", text(&result["medianNavigateTo"]), &expect.navigate_to),
        ("highlight", text(&result["medianHighlight"]), &expect.highlight),
        ("reason", text(&result["reason"]).filter(|_| refused), &expect.reason),
        ("code", text(&answer["error"]["code"]), &expect.code),
    ];
    match came.iter().find(|(_, came, expected)| came != *expected) {
        Some((name, _, expected)) => Err(format!("has not the {name} {expected:?}: {answer}")),
        None => Ok(()),
    }
}
