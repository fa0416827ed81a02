use super::world::{INPUT, World, manifest};
use crate::domain::limits::CASE_RECORD_BYTES;
use crate::domain::{ApprovalState, DueWhy, Effect, ToReview, VerdictKind};

#[test]
fn the_reviewer_lets_a_reviewed_call_run() {
    let mut world = World::new();
    let conversation = world.conversation();
    let request = world.request(&conversation, "check");
    assert_eq!((request.state, world.alerts()), (ApprovalState::Reviewing, 0));
    assert!(world.effects.contains(&Effect::Review { approval: request.id.clone() }));
    world.verdict(&request.id, VerdictKind::Approve);
    assert!(world.bodies(&request.id)[0].contains(r#""approvedBy":"The reviewer""#));
    assert_eq!(world.alerts(), 0);
}

#[test]
fn an_escalation_and_no_verdict_pass_the_request_to_the_team() {
    for kind in [VerdictKind::Escalate, VerdictKind::None] {
        let mut world = World::new();
        let conversation = world.conversation();
        let request = world.request(&conversation, "check");
        let wakes = world.wakes(&conversation);
        world.verdict(&request.id, kind);
        assert_eq!((world.state(&request.id), world.alerts()), (ApprovalState::Pending, 1));
        let looked = world.look(&conversation);
        assert!(looked.unread && looked.due[0].why == DueWhy::NeedsTeammate);
        assert_eq!(world.wakes(&conversation), wakes + 1);
        assert!(!looked.due[0].text.contains("moon"), "the customer never sees the reviewer's reason");
        assert!(world.thread(&conversation).iter().all(|entry| !entry.text.contains("moon")));
        assert_eq!(world.approval(&request.id).review.unwrap().reason, "Because of the moon.");
    }
}

#[test]
fn an_approval_of_the_reviewers_does_not_run_a_tool_that_is_high_by_now() {
    let mut world = World::new();
    let conversation = world.conversation();
    let request = world.request(&conversation, "check");
    let endpoint = world.endpoint();
    world.act(|desk| desk.sync(&endpoint)).unwrap();
    world.answer_sync(&endpoint, &manifest(&[("check", "high")]));
    world.verdict(&request.id, VerdictKind::Approve);
    assert!(world.bodies(&request.id).is_empty(), "nothing ran");
    assert_eq!((world.state(&request.id), world.alerts()), (ApprovalState::Pending, 1));
    let review = world.approval(&request.id).review.unwrap();
    assert_eq!(review.verdict, VerdictKind::Escalate);
    assert_eq!(
        review.reason,
        "The reviewer approved, although the tool is high by now. Because of the moon."
    );
    world.act(|desk| desk.approve(&request.id, Some("Ana".to_owned()))).unwrap();
    let body = &world.bodies(&request.id)[0];
    assert!(body.contains(r#""risk":"high""#) && body.contains(r#""approvedBy":"Ana""#), "{body}");
}

#[test]
fn a_teammates_decision_wins_over_the_reviewers_late_verdict() {
    let mut world = World::new();
    let conversation = world.conversation();
    let request = world.request(&conversation, "check");
    world.act(|desk| desk.deny(&request.id, Some("Ana".to_owned()))).unwrap();
    world.verdict(&request.id, VerdictKind::Approve);
    assert_eq!(world.state(&request.id), ApprovalState::Denied);
    assert!(world.bodies(&request.id).is_empty());
    assert_eq!(world.log("verdict.dropped").len(), 1);
}

#[test]
fn the_reviewer_reads_the_whole_case() {
    let mut world = World::new();
    let conversation = world.conversation();
    world.act(|desk| desk.customer_writes(&conversation, "Yes, do it.".to_owned(), Vec::new())).unwrap();
    world.act(|desk| desk.note(&conversation, "Be careful.".to_owned(), None)).unwrap();
    world.call(&conversation, "look").unwrap();
    world.request(&conversation, "refund");
    let request = world.request(&conversation, "check");
    let found = world.act(|desk| desk.review_case(&request.id)).unwrap();
    let ToReview::Case(case) = found else { panic!("{found:?}") };
    assert_eq!(case.tool.unwrap().description, "Does check.");
    assert_eq!(
        (case.approval.input.as_str(), case.conversation.notes[0].text.as_str()),
        (INPUT, "Be careful.")
    );
    assert!(case.transcript.iter().any(|entry| entry.text == "Yes, do it."));
    let tools: Vec<_> = case.other_calls.iter().map(|call| call.tool.as_str()).collect();
    assert_eq!(tools, ["look", "refund"]);
}

#[test]
fn a_conversation_that_is_larger_than_any_reviewer_reads_is_not_read() {
    let mut world = World::new();
    let conversation = world.conversation();
    let request = world.request(&conversation, "check");
    let text = "x".repeat(20_000);
    for _ in 0..CASE_RECORD_BYTES / 20_000 {
        world.act(|desk| desk.customer_writes(&conversation, text.clone(), Vec::new())).unwrap();
    }
    let found = world.act(|desk| desk.review_case(&request.id)).unwrap();
    assert!(matches!(found, ToReview::TooLarge { bytes } if bytes > CASE_RECORD_BYTES));
    let other = world.conversation();
    let request = world.request(&other, "check");
    let found = world.act(|desk| desk.review_case(&request.id)).unwrap();
    assert!(matches!(found, ToReview::Case(_)), "another conversation is read");
}
