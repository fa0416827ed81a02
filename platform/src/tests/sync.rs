use std::collections::BTreeMap;

use super::world::{MINUTE, TOOLS, URL, World, http, manifest, words};
use crate::domain::{Answer, Code, Effect, LogEvent, NewConversation, NewReport, SyncState, TurnState};

fn syncs(world: &World) -> usize {
    world.effects.iter().filter(|effect| matches!(effect, Effect::Sync { .. })).count()
}

fn failure(world: &mut World, endpoint: &str) -> (String, String) {
    match world.act(|desk| desk.endpoint(endpoint)).unwrap().sync {
        SyncState::Failed { code, reasons, .. } => (code, reasons.join(" ")),
        other => panic!("{other:?}"),
    }
}

#[test]
fn connecting_syncs_and_connecting_again_syncs_the_same_endpoint() {
    let mut world = World::new();
    let (first, before) = (world.endpoint(), syncs(&world));
    assert_eq!(world.connect(URL), first);
    assert_eq!(syncs(&world), before + 1);
}

#[test]
fn a_bad_manifest_leaves_the_last_good_tools_and_a_reason() {
    let mut world = World::new();
    let endpoint = world.endpoint();
    for (answer, code, reason) in [
        (manifest(&[("requestHandoff", "low")]), "invalid_manifest", "agent's own tools"),
        (http(200, r#"{"version":2,"tools":[]}"#), "unsupported_version", "version is 2"),
        (
            http(401, r#"{"error":{"code":"invalid_signature","message":"Wrong key."}}"#),
            "endpoint_error",
            "Wrong key.",
        ),
        (http(502, "<html>"), "endpoint_error", "502"),
        (
            Answer::None { why: "Nothing listens there.".to_owned() },
            "not_answering",
            "Nothing listens there.",
        ),
    ] {
        world.pass(MINUTE);
        world.act(|desk| desk.sync(&endpoint)).unwrap();
        world.answer_sync(&endpoint, &answer);
        let (found, reasons) = failure(&mut world, &endpoint);
        assert!(found == code && reasons.contains(reason), "{found}: {reasons}");
        assert_eq!(world.act(|desk| desk.agent_tools()).unwrap().len(), TOOLS.len());
    }
}

#[test]
fn a_new_manifest_replaces_the_old_one() {
    let mut world = World::new();
    let endpoint = world.endpoint();
    world.act(|desk| desk.sync(&endpoint)).unwrap();
    world.answer_sync(&endpoint, &manifest(&[("other", "low")]));
    let names: Vec<_> =
        world.act(|desk| desk.agent_tools()).unwrap().into_iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["other"]);
}

#[test]
fn names_are_unique_and_tools_twenty_over_all_endpoints() {
    let mut world = World::new();
    let second = world.connect("http://127.0.0.1:2/api/median");
    world.answer_sync(&second, &manifest(&[("look", "low")]));
    let (code, reasons) = failure(&mut world, &second);
    assert!(code == "tool_clash" && reasons.contains("\"look\" is a tool of"), "{reasons}");
    let names: Vec<_> = (0..15).map(|n| format!("tool{n}")).collect();
    let of = |count: usize| names[..count].iter().map(|name| (name.as_str(), "low")).collect::<Vec<_>>();
    world.act(|desk| desk.sync(&second)).unwrap();
    world.answer_sync(&second, &manifest(&of(15)));
    assert!(failure(&mut world, &second).1.contains("21 tools"));
    world.act(|desk| desk.sync(&second)).unwrap();
    world.answer_sync(&second, &manifest(&of(14)));
    assert_eq!(world.act(|desk| desk.agent_tools()).unwrap().len(), 20);
}

#[test]
fn an_eleventh_sync_within_a_minute_is_refused() {
    let mut world = World::new();
    let endpoint = world.endpoint();
    for _ in 0..9 {
        world.act(|desk| desk.sync(&endpoint)).unwrap();
        world.answer_sync(&endpoint, &manifest(&TOOLS));
    }
    let problem = world.act(|desk| desk.sync(&endpoint)).unwrap_err();
    assert_eq!(problem.code(), Code::RateLimited);
    assert_eq!(problem.message(), "Too many requests. Wait a moment and try again.");
    world.pass(MINUTE);
    assert!(world.act(|desk| desk.sync(&endpoint)).is_ok());
}

#[test]
fn the_first_reply_waits_for_a_sync_and_goes_on_with_the_last_good_set() {
    let mut world = World::new();
    let conversation = world.act(|desk| desk.begin(NewConversation::default(), None)).unwrap().id;
    let turn = world.act(|desk| desk.begin_turn(&conversation)).unwrap();
    assert_eq!((turn.state, turn.waits_for.len()), (TurnState::Waiting, 1));
    let endpoint = world.endpoint();
    world.answer_sync(&endpoint, &Answer::None { why: "It took more than 10 seconds.".to_owned() });
    let turn = world.act(|desk| desk.turn(&turn.id)).unwrap();
    assert_eq!((turn.state, turn.tools.len()), (TurnState::Open, TOOLS.len()));
}

#[test]
fn an_open_conversation_starts_no_sync() {
    let mut world = World::new();
    let conversation = world.conversation();
    let before = syncs(&world);
    let turn = world.act(|desk| desk.begin_turn(&conversation)).unwrap();
    assert_eq!((turn.state, syncs(&world)), (TurnState::Open, before));
}

#[test]
fn a_first_reply_over_the_rate_limit_goes_on_at_once() {
    let mut world = World::new();
    let endpoint = world.endpoint();
    for _ in 0..9 {
        world.act(|desk| desk.sync(&endpoint)).unwrap();
        world.answer_sync(&endpoint, &manifest(&TOOLS));
    }
    let conversation = world.act(|desk| desk.begin(NewConversation::default(), None)).unwrap().id;
    let turn = world.act(|desk| desk.begin_turn(&conversation)).unwrap();
    assert_eq!((turn.state, turn.tools.len()), (TurnState::Open, TOOLS.len()));
    assert!(world.log("sync.failed")[0].text.contains("rate_limited"));
}

#[test]
fn the_agent_reads_a_line_more_for_what_is_not_low() {
    let mut world = World::new();
    let tools = world.act(|desk| desk.agent_tools()).unwrap();
    for tool in tools {
        let own = format!("Does {}.", tool.name);
        assert_eq!(tool.description == own, tool.name == "look");
        assert!(tool.description.starts_with(&own));
    }
}

#[test]
fn an_answer_to_another_sync_is_dropped() {
    let mut world = World::new();
    let endpoint = world.endpoint();
    world.act(|desk| desk.sync_answered(&endpoint, "sync_other", &manifest(&[]))).unwrap();
    assert_eq!(world.act(|desk| desk.agent_tools()).unwrap().len(), TOOLS.len());
}

#[test]
fn a_sync_that_was_under_way_at_a_restart_begins_again() {
    let mut world = World::empty();
    let endpoint = world.connect(URL);
    world.act(|desk| desk.resume()).unwrap();
    assert_eq!(syncs(&world), 2);
    world.answer_sync(&endpoint, &manifest(&TOOLS));
    assert_eq!(world.act(|desk| desk.agent_tools()).unwrap().len(), TOOLS.len());
}

#[test]
fn a_key_of_an_endpoints_own_is_not_in_what_is_shown_of_it() {
    let mut world = World::empty();
    let key = "median_key_of_its_own_0000000000".to_owned();
    let endpoint = world.act(|desk| desk.connect(URL, Some(key))).unwrap();
    let shown = serde_json::to_string(&endpoint).unwrap();
    assert!(endpoint.own_key && !shown.contains("median_key_"), "{shown}");
    assert!(world.effects.iter().all(|effect| !format!("{effect:?}").contains("median_key_")));
}

#[test]
fn what_is_no_address_is_refused() {
    let mut world = World::empty();
    assert!(words(world.act(|desk| desk.connect("shop.example", None))).contains("missing"));
}

#[test]
fn a_demo_at_another_address_is_the_same_endpoint() {
    let (old, new) = (URL, "http://127.0.0.1:2/api/median");
    let mut world = World::empty();
    let demo = world.act(|desk| desk.connect_demo(old)).unwrap();
    world.answer_sync(&demo.id, &manifest(&TOOLS));
    let conversation = world.conversation();
    let request = world.request(&conversation, "refund");
    let moved = world.act(|desk| desk.connect_demo(new)).unwrap();
    assert_eq!((&moved.id, moved.url.as_str(), moved.demo), (&demo.id, new, true));
    world.answer_sync(&demo.id, &manifest(&TOOLS));
    let endpoints = world.act(|desk| desk.endpoints()).unwrap();
    assert_eq!(endpoints.len(), 1);
    assert!(matches!(endpoints[0].sync, SyncState::Synced { .. }), "no tool is there twice: {endpoints:?}");
    world.act(|desk| desk.approve(&request.id, None)).unwrap();
    let sent = world.effects.iter().rev().find_map(|effect| match effect {
        Effect::Send { url, .. } => Some(url.as_str()),
        _ => None,
    });
    assert_eq!(sent, Some(new), "what waited is sent to where it is now");
}

#[test]
fn a_demo_takes_the_place_of_nobody_elses_endpoint() {
    let mut world = World::new();
    world.act(|desk| desk.connect_demo("http://127.0.0.1:2/api/median")).unwrap();
    let urls = |world: &mut World| {
        let endpoints = world.act(|desk| desk.endpoints()).unwrap();
        endpoints.into_iter().map(|endpoint| endpoint.url).collect::<Vec<_>>()
    };
    assert_eq!(urls(&mut world), [URL, "http://127.0.0.1:2/api/median"]);
    // At an address that somebody connected, there is one endpoint still.
    world.act(|desk| desk.connect_demo(URL)).unwrap();
    assert_eq!(urls(&mut world), [URL]);
}

#[test]
fn the_log_shows_no_query_of_an_address() {
    let url = "http://127.0.0.1:1/api/median?token=s3cret";
    let mut world = World::empty();
    let endpoint = world.connect(url);
    world.answer_sync(&endpoint, &manifest(&TOOLS));
    let other = world.connect("http://127.0.0.1:2/api/median?token=s3cret");
    world.answer_sync(&other, &manifest(&TOOLS));
    let new = NewReport { text: "Broken.".to_owned(), conversation: None, page: BTreeMap::new() };
    let report = world.act(|desk| desk.report(new)).unwrap();
    world.act(|desk| desk.diagnosed(&report.id, &endpoint, &http(500, ""))).unwrap();
    world.act(|desk| desk.remove(&other)).unwrap();
    world.act(|desk| desk.remove(&endpoint)).unwrap();
    let events: Vec<_> = world.effects.iter().filter(|effect| matches!(effect, Effect::Event(_))).collect();
    assert!(events.len() > 8, "{events:?}");
    for event in events {
        assert!(!format!("{event:?}").contains("s3cret"), "{event:?}");
    }
}

#[test]
fn one_tool_is_counted_as_one() {
    let mut world = World::empty();
    let endpoint = world.connect(URL);
    let conversation = world.act(|desk| desk.begin(NewConversation::default(), None)).unwrap().id;
    world.act(|desk| desk.begin_turn(&conversation)).unwrap();
    world.answer_sync(&endpoint, &manifest(&[("other", "low")]));
    let texts = |events: Vec<LogEvent>| events.into_iter().map(|event| event.text).collect::<Vec<_>>();
    assert_eq!(texts(world.log("sync.good")), [format!("{URL} has 1 tool.")]);
    assert_eq!(texts(world.log("turn.open")), ["The agent sees 1 tool."]);
}

#[test]
fn a_tool_that_is_not_there_is_spoken_of_by_its_name() {
    let mut world = World::new();
    let refused = world.act(|desk| desk.switch("nope", false));
    assert_eq!(words(refused), r#"There is no tool "nope". Look at the list for its name."#);
    let refused = world.act(|desk| desk.endpoint("nope"));
    assert_eq!(words(refused), r#"There is no endpoint "nope". Look at the list for its id."#);
}
