//! Whatever an event is, it is answered in the shape that its front reads, or it is a clear error.
#![allow(missing_docs)]

mod support;

use median_edge_lambda::{Function, http};
use proptest::prelude::*;
use serde_json::{Map, Value};
use support::{answer, app, builder, events};

/// What AWS makes a response of: nothing else is in it, and nothing is missing.
fn is_response(answer: &str) -> bool {
    let Ok(Value::Object(members)) = serde_json::from_str(answer) else { return false };
    let known = [
        "statusCode",
        "statusDescription",
        "headers",
        "multiValueHeaders",
        "cookies",
        "isBase64Encoded",
        "body",
    ];
    let status = members["statusCode"].as_u64().is_some_and(|status| (200..=599).contains(&status));
    let headers = members.contains_key("headers") != members.contains_key("multiValueHeaders");
    let body = members["body"].is_string() && members["isBase64Encoded"].is_boolean();
    status && headers && body && members.keys().all(|name| known.contains(&name.as_str()))
}

fn check(event: &[u8]) -> Result<(), TestCaseError> {
    thread_local! {
        static RUNTIME: tokio::runtime::Runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        static PLAIN: Function<()> = RUNTIME.with(|runtime| runtime.block_on(support::function(builder())));
        static WITH_ROUTES: Function<()> = RUNTIME.with(|runtime| {
            let own = async |request: http::Request<Vec<u8>>, _| http::Response::new(request.into_body());
            runtime.block_on(app(builder()).fallback(own).start())
        });
    }
    for function in [&PLAIN, &WITH_ROUTES] {
        let answer =
            function.with(|function| RUNTIME.with(|runtime| runtime.block_on(answer(function, event))));
        match answer {
            Ok(answer) => prop_assert!(is_response(&answer), "{}", answer),
            Err(error) => {
                prop_assert!(error.starts_with("The event is no HTTP request") && error.len() < 400);
            }
        }
    }
    Ok(())
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        prop_oneof!["/api/median", "POST", "GET", "prod", "e30=", "t=1,v1=00"].prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        let name = prop_oneof![
            Just("requestContext"),
            Just("http"),
            Just("elb"),
            Just("method"),
            Just("httpMethod"),
            Just("path"),
            Just("rawPath"),
            Just("rawQueryString"),
            Just("headers"),
            Just("multiValueHeaders"),
            Just("cookies"),
            Just("queryStringParameters"),
            Just("multiValueQueryStringParameters"),
            Just("body"),
            Just("stage"),
            Just("isBase64Encoded"),
            Just("median-signature"),
            Just("content-encoding"),
        ];
        let members = proptest::collection::vec((name.prop_map(str::to_owned), inner.clone()), 0..8);
        prop_oneof![
            proptest::collection::vec(inner, 0..4).prop_map(Value::from),
            members.prop_map(|members| Value::Object(Map::from_iter(members))),
        ]
    })
}

/// Puts a value in the place of one that is somewhere in an event.
fn replace(event: &mut Value, at: &[usize], with: Value) {
    let Some((first, rest)) = at.split_first() else {
        *event = with;
        return;
    };
    match event {
        Value::Object(members) if !members.is_empty() => {
            let at = first % members.len();
            if let Some(member) = members.values_mut().nth(at) {
                replace(member, rest, with);
            }
        }
        Value::Array(list) if !list.is_empty() => {
            let at = first % list.len();
            replace(&mut list[at], rest, with);
        }
        leaf => *leaf = with,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(event in proptest::collection::vec(any::<u8>(), 0..300)) {
        check(&event)?;
    }

    #[test]
    fn any_json(event in json()) {
        check(&serde_json::to_vec(&event).unwrap())?;
    }

    #[test]
    fn any_member_of_an_event_replaced(
        which: prop::sample::Index,
        hostile: bool,
        at in proptest::collection::vec(any::<usize>(), 1..4),
        with in json(),
    ) {
        // Half of a surrogate pair is nothing that a value can hold.
        let events = events(if hostile { "hostile" } else { "valid" }).into_iter();
        let events: Vec<Value> = events.filter_map(|(_, event)| serde_json::from_slice(&event).ok()).collect();
        let mut event = events[which.index(events.len())].clone();
        replace(&mut event, &at, with);
        check(&serde_json::to_vec(&event).unwrap())?;
    }

    #[test]
    fn any_byte_of_an_event_replaced(which: prop::sample::Index, at: prop::sample::Index, with: u8) {
        let events = events("valid");
        let (_, event) = &events[which.index(events.len())];
        let mut event = event.clone();
        let at = at.index(event.len());
        event[at] = with;
        check(&event)?;
    }
}

#[test]
fn every_event_beside_this_is_answered_or_a_clear_error() {
    for (_, event) in events("valid").into_iter().chain(events("hostile")) {
        check(&event).unwrap();
    }
}
