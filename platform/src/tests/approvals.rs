use super::world::{HOUR, INPUT, MINUTE, START, World, good, http, manifest, words};
use crate::domain::{ApprovalState, CallAnswerKind, ConversationState, DueWhy, Holder, Outcome, Sent};

const DAY: u64 = 24 * HOUR;

fn teammate() -> Holder {
    Holder::Teammate { name: "Ana".to_owned() }
}

#[test]
fn a_high_call_is_recorded_with_its_exact_input_and_reaches_no_endpoint() {
    let mut world = World::new();
    let conversation = world.conversation();
    let answer = world.call(&conversation, "refund").unwrap();
    let request = answer.approval.unwrap();
    assert_eq!((answer.kind, request.state), (CallAnswerKind::Requested, ApprovalState::Pending));
    assert_eq!(request.input, INPUT);
    assert!(answer.agent_reads.unwrap().contains("sign-off"));
    assert!(world.bodies(&request.id).is_empty());
    assert_eq!(world.alerts(), 1);
}

#[test]
fn what_is_approved_is_what_is_sent() {
    let mut world = World::new();
    let conversation = world.conversation();
    let request = world.request(&conversation, "refund");
    world.act(|desk| desk.approve(&request.id, Some("Ana".to_owned()))).unwrap();
    let expected = format!(
        r#"{{"tool":"refund","toolCallId":"{}","input":{INPUT},"context":{{"conversationId":"{conversation}","risk":"high","visitor":{{"verified":true,"externalId":"user_1"}},"approvedBy":"Ana"}}}}"#,
        request.id
    );
    assert_eq!(world.bodies(&request.id), [expected]);
    assert_eq!(world.state(&request.id), ApprovalState::Executing);
}

#[test]
fn a_request_stays_with_the_visitor_who_asked() {
    let mut world = World::new();
    let conversation = world.conversation();
    let request = world.request(&conversation, "refund");
    world.act(|desk| desk.identify(&conversation, Some("user_2".to_owned()))).unwrap();
    world.act(|desk| desk.approve(&request.id, None)).unwrap();
    assert!(world.bodies(&request.id)[0].contains(r#""externalId":"user_1""#));
}

#[test]
fn a_teammate_without_a_name_is_a_teammate() {
    let mut world = World::new();
    let conversation = world.conversation();
    let request = world.request(&conversation, "refund");
    world.act(|desk| desk.approve(&request.id, Some("  ".to_owned()))).unwrap();
    assert!(world.bodies(&request.id)[0].contains(r#""approvedBy":"A teammate""#));
}

#[test]
fn one_tool_has_one_open_request_in_a_conversation() {
    let mut world = World::new();
    let conversation = world.conversation();
    let first = world.request(&conversation, "refund");
    let again = world.call(&conversation, "refund").unwrap();
    assert_eq!(again.kind, CallAnswerKind::StillWaiting);
    assert_eq!(again.approval.unwrap().id, first.id);
    assert!(again.agent_reads.unwrap().contains("still waiting"));
    let other = world.conversation();
    assert_eq!(world.call(&other, "refund").unwrap().kind, CallAnswerKind::Requested);
}

#[test]
fn three_requests_are_open_in_a_conversation_at_most() {
    let mut world = World::new();
    let conversation = world.conversation();
    let requests = ["refund", "close", "check"].map(|tool| world.request(&conversation, tool));
    assert_eq!(world.call(&conversation, "erase").unwrap().kind, CallAnswerKind::TooManyRequests);
    // Executing is open too.
    world.act(|desk| desk.approve(&requests[0].id, None)).unwrap();
    assert_eq!(world.call(&conversation, "erase").unwrap().kind, CallAnswerKind::TooManyRequests);
    world.answer(&Sent::Approval(requests[0].id.clone()), &good());
    let next = world.call(&conversation, "erase").unwrap();
    assert_eq!(next.kind, CallAnswerKind::Requested);
}

#[test]
fn an_unanswered_request_expires_after_24_hours_at_that_moment() {
    let mut world = World::new();
    let conversation = world.conversation();
    let request = world.request(&conversation, "refund");
    world.act(|desk| desk.reply(&conversation, "It waits.".to_owned())).unwrap();
    let wakes = world.wakes(&conversation);
    world.pass(DAY - 1);
    assert_eq!(world.state(&request.id), ApprovalState::Pending);
    world.pass(1);
    assert_eq!(world.state(&request.id), ApprovalState::Expired);
    world.pass(5 * HOUR);
    let request = world.approval(&request.id);
    assert_eq!(request.finished_ms, Some(START + DAY));
    assert_eq!(world.wakes(&conversation), wakes, "an expired request wakes nobody");
    let problem = words(world.act(|desk| desk.approve(&request.id, None)));
    assert_eq!(problem, "This request expired because nobody answered it within 24 hours.");
}

#[test]
fn a_decision_at_the_very_moment_comes_too_late() {
    let mut world = World::new();
    let conversation = world.conversation();
    let request = world.request(&conversation, "refund");
    world.now += DAY;
    assert!(world.act(|desk| desk.approve(&request.id, None)).is_err());
    assert!(world.bodies(&request.id).is_empty());
}

#[test]
fn what_ends_a_conversation_expires_its_open_requests() {
    for state in [ConversationState::Resolved, ConversationState::Closed, ConversationState::Archived] {
        let mut world = World::new();
        let conversation = world.conversation();
        let (pending, reviewing) =
            (world.request(&conversation, "refund"), world.request(&conversation, "check"));
        world.end(&conversation, state);
        for request in [pending, reviewing] {
            assert_eq!(world.state(&request.id), ApprovalState::Expired);
            let ended = "This request expired because the conversation ended.";
            assert_eq!(words(world.act(|desk| desk.approve(&request.id, None))), ended);
            assert_eq!(words(world.act(|desk| desk.deny(&request.id, None))), ended);
        }
    }
}

#[test]
fn the_late_result_of_a_request_that_was_executing_at_the_end_is_only_logged() {
    let mut world = World::new();
    let conversation = world.conversation();
    let request = world.request(&conversation, "refund");
    world.act(|desk| desk.approve(&request.id, None)).unwrap();
    world.end(&conversation, ConversationState::Resolved);
    assert_eq!(world.state(&request.id), ApprovalState::Expired);
    world.answer(&Sent::Approval(request.id.clone()), &good());
    let request = world.approval(&request.id);
    assert_eq!((request.state, request.outcome), (ApprovalState::Expired, None));
    assert_eq!(world.log("result.late").len(), 1);
}

#[test]
fn a_request_is_decided_once() {
    let mut world = World::new();
    let conversation = world.conversation();
    let (denied, approved) = (world.request(&conversation, "refund"), world.request(&conversation, "close"));
    world.act(|desk| desk.deny(&denied.id, None)).unwrap();
    world.act(|desk| desk.approve(&approved.id, None)).unwrap();
    for id in [&denied.id, &approved.id] {
        let again = "This request has already been reviewed.";
        assert_eq!(words(world.act(|desk| desk.approve(id, None))), again);
        assert_eq!(words(world.act(|desk| desk.deny(id, None))), again);
    }
    assert_eq!(world.bodies(&approved.id).len(), 1);
}

#[test]
fn an_approved_call_that_finishes_gives_the_agent_a_turn() {
    let mut world = World::new();
    let conversation = world.conversation();
    let request = world.request(&conversation, "refund");
    world.act(|desk| desk.approve(&request.id, None)).unwrap();
    let wakes = world.wakes(&conversation);
    world.answer(&Sent::Approval(request.id.clone()), &good());
    assert_eq!(world.state(&request.id), ApprovalState::Completed);
    assert_eq!(world.wakes(&conversation), wakes + 1);
    let due = world.look(&conversation).due;
    assert!(due[0].why == DueWhy::CallFinished && due[0].text.ends_with(r#"{"done":true}"#));
}

#[test]
fn an_approved_call_that_fails_leaves_a_line_that_it_did_not_run() {
    let mut world = World::new();
    let conversation = world.conversation();
    let request = world.request(&conversation, "refund");
    world.act(|desk| desk.approve(&request.id, None)).unwrap();
    let failed = http(200, r#"{"error":{"code":"execution_failed","message":"The bank is closed."}}"#);
    world.answer(&Sent::Approval(request.id.clone()), &failed);
    assert_eq!(world.state(&request.id), ApprovalState::Failed);
    assert!(world.has_line(&conversation, "refund did not run: The bank is closed."));
    assert!(world.look(&conversation).due[0].text.contains("Treat the action as not done."));
}

#[test]
fn what_an_endpoint_says_that_is_not_answering_is_for_the_team_only() {
    let mut world = World::new();
    let conversation = world.conversation();
    let request = world.request(&conversation, "refund");
    world.act(|desk| desk.approve(&request.id, None)).unwrap();
    let down = http(500, r#"{"error":{"code":"missing_secret","message":"Set the key."}}"#);
    world.answer(&Sent::Approval(request.id.clone()), &down);
    assert!(world.approval(&request.id).error.unwrap().contains("Set the key."));
    assert!(!world.look(&conversation).due[0].text.contains("Set the key."));
}

#[test]
fn a_refusal_completes_the_request_in_the_tools_own_words() {
    let mut world = World::new();
    let conversation = world.conversation();
    let request = world.request(&conversation, "refund");
    world.act(|desk| desk.approve(&request.id, None)).unwrap();
    world.answer(
        &Sent::Approval(request.id.clone()),
        &http(200, r#"{"result":{"ok":false,"reason":"already_refunded"}}"#),
    );
    let request = world.approval(&request.id);
    assert_eq!(request.state, ApprovalState::Completed);
    assert!(matches!(request.outcome, Some(Outcome::Refusal { .. })));
    assert!(world.has_line(&conversation, "refund said no: already_refunded"));
}

#[test]
fn the_outcome_waits_while_a_teammate_holds_the_conversation() {
    let mut world = World::new();
    let conversation = world.conversation();
    let request = world.request(&conversation, "refund");
    world.act(|desk| desk.hand_over(&conversation, teammate())).unwrap();
    let wakes = world.wakes(&conversation);
    world.act(|desk| desk.deny(&request.id, None)).unwrap();
    assert_eq!(world.wakes(&conversation), wakes);
    world.act(|desk| desk.hand_over(&conversation, Holder::Agent)).unwrap();
    assert_eq!(world.wakes(&conversation), wakes + 1);
    let turn = world.turn(&conversation);
    assert!(turn.due.iter().any(|due| due.why == DueWhy::RequestDenied));
}

#[test]
fn a_call_that_never_reports_back_is_failed_by_the_hourly_check() {
    let mut world = World::new();
    let conversation = world.conversation();
    world.pass(51 * MINUTE);
    let request = world.request(&conversation, "refund");
    world.act(|desk| desk.approve(&request.id, None)).unwrap();
    // The check of the first hour finds it out for 9 minutes only.
    world.pass(9 * MINUTE);
    assert_eq!(world.state(&request.id), ApprovalState::Executing);
    world.pass(HOUR - 1);
    assert_eq!(world.state(&request.id), ApprovalState::Executing);
    world.pass(1);
    let request = world.approval(&request.id);
    assert_eq!((request.state, request.finished_ms), (ApprovalState::Failed, Some(START + 2 * HOUR)));
    let message = "The tool returned no result. Check whether the action completed before retrying.";
    assert_eq!(request.error.as_deref(), Some(message));
    assert!(world.has_line(&conversation, &format!("refund did not run: {message}")));
    assert_eq!(world.bodies(&request.id).len(), 1, "it is not sent again");
    world.answer(&Sent::Approval(request.id.clone()), &good());
    assert_eq!(world.state(&request.id), ApprovalState::Failed);
}

#[test]
fn a_call_that_was_out_at_a_restart_is_not_sent_again() {
    let mut world = World::new();
    let conversation = world.conversation();
    let request = world.request(&conversation, "refund");
    world.act(|desk| desk.approve(&request.id, None)).unwrap();
    world.act(|desk| desk.resume()).unwrap();
    assert_eq!((world.bodies(&request.id).len(), world.state(&request.id)), (1, ApprovalState::Executing));
    world.pass(2 * HOUR);
    assert_eq!((world.bodies(&request.id).len(), world.state(&request.id)), (1, ApprovalState::Failed));
}

#[test]
fn a_tool_that_was_switched_off_fails_when_it_is_approved() {
    let mut world = World::new();
    let conversation = world.conversation();
    let request = world.request(&conversation, "refund");
    world.act(|desk| desk.switch("refund", false)).unwrap();
    let request = world.act(|desk| desk.approve(&request.id, None)).unwrap();
    assert_eq!(request.state, ApprovalState::Failed);
    assert_eq!(request.error.as_deref(), Some("The tool is no longer available."));
    assert!(world.bodies(&request.id).is_empty());
}

#[test]
fn a_tool_that_changed_is_run_with_the_recorded_input_and_its_own_risk() {
    let mut world = World::new();
    let conversation = world.conversation();
    let request = world.request(&conversation, "refund");
    let endpoint = world.endpoint();
    world.act(|desk| desk.sync(&endpoint)).unwrap();
    world.answer_sync(&endpoint, &manifest(&[("refund", "reviewed")]));
    world.act(|desk| desk.approve(&request.id, None)).unwrap();
    let body = &world.bodies(&request.id)[0];
    assert!(body.contains(INPUT) && body.contains(r#""risk":"reviewed""#), "{body}");
}

#[test]
fn removing_an_endpoint_expires_what_waits_on_it_with_a_line_in_each_thread() {
    let mut world = World::new();
    let (one, two) = (world.conversation(), world.conversation());
    let requests = [world.request(&one, "refund"), world.request(&two, "check")];
    let endpoint = world.endpoint();
    world.act(|desk| desk.remove(&endpoint)).unwrap();
    for (request, conversation) in requests.iter().zip([&one, &two]) {
        assert_eq!(world.state(&request.id), ApprovalState::Expired);
        let line =
            format!("{} did not run. This request expired because its endpoint was removed.", request.tool);
        assert!(world.has_line(conversation, &line));
    }
    assert!(world.act(|desk| desk.agent_tools()).unwrap().is_empty());
}

#[test]
fn an_alert_that_may_not_have_gone_out_goes_out_again_after_a_restart() {
    let mut world = World::new();
    let conversation = world.conversation();
    let requests = ["refund", "close", "erase"].map(|tool| world.request(&conversation, tool).id);
    let alerts: Vec<_> = world.delivered();
    assert_eq!(alerts.len(), 3);
    // One was taken, one has nothing to decide any more.
    world.act(|desk| desk.delivered(&alerts[0], None)).unwrap();
    world.act(|desk| desk.deny(&requests[1], None)).unwrap();
    world.effects.clear();
    world.act(|desk| desk.resume()).unwrap();
    assert_eq!(world.delivered(), [alerts[2].clone()], "with its id");
    world.act(|desk| desk.delivered(&alerts[2], Some("It answered 500."))).unwrap();
    world.effects.clear();
    world.act(|desk| desk.resume()).unwrap();
    assert!(world.delivered().is_empty(), "what the webhook did not take is not sent again");
}
