use super::world::{INPUT, World, good, http, manifest, words};
use crate::domain::{AgentCall, CallAnswerKind, CallState, Channel, NewConversation, Outcome, Sent};

#[test]
fn a_low_or_medium_call_goes_out_at_once_and_once() {
    let mut world = World::new();
    let conversation = world.conversation();
    for (tool, risk) in [("look", "low"), ("write", "medium")] {
        let answer = world.call(&conversation, tool).unwrap();
        assert_eq!(answer.kind, CallAnswerKind::Sent);
        let call = answer.call.unwrap();
        let digits = call.id.strip_prefix("call_").unwrap();
        assert!(
            digits.len() == 32 && digits.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
        );
        let expected = format!(
            r#"{{"tool":"{tool}","toolCallId":"{}","input":{INPUT},"context":{{"conversationId":"{conversation}","risk":"{risk}","visitor":{{"verified":true,"externalId":"user_1"}}}}}}"#,
            call.id
        );
        assert_eq!(world.bodies(&call.id), [expected]);
        world.answer(&Sent::Call(call.id.clone()), &good());
        world.answer(&Sent::Call(call.id.clone()), &http(500, ""));
        let call = world.act(|desk| desk.call_of(&call.id)).unwrap();
        assert_eq!(
            (call.state, call.agent_reads.as_deref()),
            (CallState::Finished, Some(r#"{"done":true}"#))
        );
        assert_eq!(world.bodies(&call.id).len(), 1);
    }
}

#[test]
fn the_agent_is_held_to_the_schema_unless_it_is_sent_anyway() {
    let mut world = World::new();
    let conversation = world.conversation();
    world.turn(&conversation);
    let mut call = AgentCall { tool: "look".to_owned(), input: "{}".to_owned(), send_anyway: false };
    let problem = words(world.act(|desk| desk.call(&conversation, &call)));
    assert_eq!(problem, "orderNumber is needed to run this.");
    call.send_anyway = true;
    let sent = world.act(|desk| desk.call(&conversation, &call)).unwrap().call.unwrap();
    assert!(world.bodies(&sent.id)[0].contains(r#""input":{}"#));
}

#[test]
fn a_turn_has_ten_calls_at_most() {
    let mut world = World::new();
    let conversation = world.conversation();
    for _ in 0..10 {
        world.call(&conversation, "look").unwrap();
    }
    let problem = words(world.call(&conversation, "look"));
    assert_eq!(problem, "The agent has made 10 calls in this turn, and that is the most.");
    world.act(|desk| desk.reply(&conversation, "So.".to_owned())).unwrap();
    assert!(world.call(&conversation, "look").is_ok());
}

#[test]
fn a_tool_that_is_switched_off_leaves_the_next_turn() {
    let mut world = World::new();
    let conversation = world.conversation();
    world.turn(&conversation);
    world.act(|desk| desk.switch("look", false)).unwrap();
    assert_eq!(world.call(&conversation, "look").unwrap().kind, CallAnswerKind::Sent);
    world.act(|desk| desk.reply(&conversation, "So.".to_owned())).unwrap();
    assert!(world.call(&conversation, "look").is_err());
    world.act(|desk| desk.reply(&conversation, "So.".to_owned())).unwrap();
    world.act(|desk| desk.switch("look", true)).unwrap();
    assert!(world.call(&conversation, "look").is_ok());
}

#[test]
fn a_tool_whose_endpoint_is_gone_is_no_longer_available() {
    let mut world = World::new();
    let conversation = world.conversation();
    world.turn(&conversation);
    let endpoint = world.endpoint();
    world.act(|desk| desk.remove(&endpoint)).unwrap();
    let answer = world.call(&conversation, "look").unwrap();
    assert_eq!(answer.kind, CallAnswerKind::Unavailable);
    assert_eq!(answer.agent_reads.as_deref(), Some("The tool is no longer available."));
}

#[test]
fn a_risk_that_was_raised_after_the_turn_began_is_the_one_that_counts() {
    let mut world = World::new();
    let conversation = world.conversation();
    world.turn(&conversation);
    let endpoint = world.endpoint();
    world.act(|desk| desk.sync(&endpoint)).unwrap();
    world.answer_sync(&endpoint, &manifest(&[("look", "high")]));
    assert_eq!(world.call(&conversation, "look").unwrap().kind, CallAnswerKind::Requested);
}

#[test]
fn the_button_shows_in_the_widget_only() {
    let page = http(200, r#"{"result":{"medianNavigateTo":"/orders","a":1}}"#);
    for (channel, shown) in [(Channel::Widget, true), (Channel::Email, false), (Channel::Discord, false)] {
        let mut world = World::new();
        let new = NewConversation { channel, ..NewConversation::default() };
        let conversation = world.act(|desk| desk.begin(new, None)).unwrap().id;
        let call = world.call(&conversation, "look").unwrap().call.unwrap();
        world.answer(&Sent::Call(call.id.clone()), &page);
        let call = world.act(|desk| desk.call_of(&call.id)).unwrap();
        let Some(Outcome::Data { text, navigate_to, .. }) = call.outcome else { panic!() };
        assert_eq!((text.as_str(), navigate_to.is_some()), (r#"{"a":1}"#, shown));
    }
}

#[test]
fn a_test_is_its_own_conversation_when_none_is_named() {
    let mut world = World::new();
    let test = world.test("refund", None).unwrap();
    let uuid = test.id.strip_prefix("test_").unwrap();
    assert_eq!(uuid.split('-').map(str::len).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);
    let expected = format!(
        r#"{{"tool":"refund","toolCallId":"{id}","input":{INPUT},"context":{{"conversationId":"{id}","risk":"high","visitor":{{"verified":false}},"approvedBy":"A test from the CLI"}}}}"#,
        id = test.id
    );
    assert_eq!(world.bodies(&test.id), [expected]);
    let conversation = world.conversation();
    let test = world.test("refund", Some(&conversation)).unwrap();
    assert!(world.bodies(&test.id)[0].contains(&format!(r#""conversationId":"{conversation}""#)));
}

#[test]
fn a_second_request_or_run_has_an_id_of_its_own() {
    let mut world = World::new();
    let conversation = world.conversation();
    let first = world.request(&conversation, "refund");
    world.act(|desk| desk.deny(&first.id, None)).unwrap();
    let second = world.request(&conversation, "refund");
    assert_ne!(first.id, second.id);
}

#[test]
fn a_call_of_the_agents_that_was_out_at_a_restart_is_not_answered_any_more() {
    let mut world = World::new();
    let conversation = world.conversation();
    let call = world.call(&conversation, "look").unwrap().call.unwrap();
    world.act(|desk| desk.resume()).unwrap();
    let call = world.act(|desk| desk.call_of(&call.id)).unwrap();
    assert_eq!(call.agent_reads.as_deref(), Some("The tool is not answering."));
    assert_eq!(world.bodies(&call.id).len(), 1);
}
