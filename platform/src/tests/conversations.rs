use super::world::{World, http, words};
use crate::domain::{Code, ConversationState, DiagnosisState, DueWhy, Effect, Holder, NewReport};

#[test]
fn the_agent_is_due_a_turn_when_the_customer_writes() {
    let mut world = World::new();
    let conversation = world.conversation();
    world.act(|desk| desk.customer_writes(&conversation, "Hi.".to_owned(), Vec::new())).unwrap();
    assert_eq!(world.look(&conversation).due[0].why, DueWhy::CustomerWrote);
    assert_eq!(world.turn(&conversation).due.len(), 1);
    assert!(world.look(&conversation).due.is_empty());
}

#[test]
fn the_agent_takes_no_turn_while_a_teammate_holds_the_conversation() {
    let mut world = World::new();
    let conversation = world.conversation();
    world.act(|desk| desk.hand_over(&conversation, Holder::Teammate { name: "Ana".to_owned() })).unwrap();
    let problem = world.act(|desk| desk.begin_turn(&conversation)).unwrap_err();
    assert_eq!(problem.code(), Code::NotHolding);
    world.act(|desk| desk.customer_writes(&conversation, "Hi.".to_owned(), Vec::new())).unwrap();
    assert!(world.look(&conversation).unread);
    assert!(world.act(|desk| desk.teammate_writes(&conversation, "Hello.".to_owned())).is_ok());
}

#[test]
fn what_the_agent_had_not_passed_on_when_it_was_cut_off_it_is_told_again() {
    let mut world = World::new();
    let conversation = world.conversation();
    world.act(|desk| desk.customer_writes(&conversation, "Hi.".to_owned(), Vec::new())).unwrap();
    world.turn(&conversation);
    world.act(|desk| desk.hand_over(&conversation, Holder::Teammate { name: "Ana".to_owned() })).unwrap();
    world.act(|desk| desk.hand_over(&conversation, Holder::Agent)).unwrap();
    assert_eq!(world.turn(&conversation).due.len(), 1);
}

#[test]
fn nothing_is_said_in_a_conversation_that_ended() {
    let mut world = World::new();
    let conversation = world.conversation();
    world.end(&conversation, ConversationState::Resolved);
    let problem = words(world.act(|desk| desk.customer_writes(&conversation, "Hi.".to_owned(), Vec::new())));
    assert_eq!(problem, "This conversation is resolved. Open it again first.");
    world.end(&conversation, ConversationState::Open);
    assert!(world.act(|desk| desk.customer_writes(&conversation, "Hi.".to_owned(), Vec::new())).is_ok());
}

#[test]
fn a_report_is_filed_whatever_the_endpoints_say() {
    let mut world = World::new();
    let endpoint = world.endpoint();
    let new = |text: &str| NewReport {
        text: text.to_owned(),
        conversation: None,
        page: [("url".to_owned(), "/".to_owned())].into(),
    };
    let good = world.act(|desk| desk.report(new("It is broken."))).unwrap();
    assert!(
        world
            .effects
            .iter()
            .any(|effect| matches!(effect, Effect::Diagnose { report, .. } if *report == good.id))
    );
    let answer = http(200, r#"{"result":{"version":"1"}}"#);
    world.act(|desk| desk.diagnosed(&good.id, &endpoint, &answer)).unwrap();
    let report = world.act(|desk| desk.report_of(&good.id)).unwrap();
    assert_eq!(
        (report.diagnostics[0].state, report.diagnostics[0].text.as_str()),
        (DiagnosisState::Answered, r#"{"version":"1"}"#)
    );
    let bad = world.act(|desk| desk.report(new("Again."))).unwrap();
    world.act(|desk| desk.diagnosed(&bad.id, &endpoint, &http(500, ""))).unwrap();
    let report = world.act(|desk| desk.report_of(&bad.id)).unwrap();
    assert_eq!(report.diagnostics[0].state, DiagnosisState::Failed);
    assert_eq!(report.page["url"], "/");
}

#[test]
fn an_endpoint_without_diagnostics_is_not_asked() {
    let mut world = World::new();
    let endpoint = world.endpoint();
    world.act(|desk| desk.sync(&endpoint)).unwrap();
    world.answer_sync(&endpoint, &http(200, r#"{"version":1,"tools":[]}"#));
    let new = NewReport {
        text: "It is broken.".to_owned(),
        conversation: None,
        page: std::collections::BTreeMap::new(),
    };
    let report = world.act(|desk| desk.report(new)).unwrap();
    assert!(report.diagnostics.is_empty());
}

#[test]
fn the_log_keeps_the_newest_events() {
    use crate::domain::LogFilter;
    use crate::domain::limits::{LOG_EVENTS, LOG_PRUNED_EVERY};

    let mut world = World::new();
    // One event each, in one command: the savepoints would cost more than the events.
    let more = LOG_EVENTS + 3 * LOG_PRUNED_EVERY;
    world.act(|desk| (0..more).try_for_each(|_| desk.move_clock(0).map(|_| ()))).unwrap();
    let kept = world.logged();
    assert!((LOG_EVENTS..LOG_EVENTS + LOG_PRUNED_EVERY).contains(&kept), "{kept}");
    let oldest = LogFilter { after: Some(0), limit: Some(1), ..LogFilter::default() };
    let oldest = world.act(|desk| desk.logs(&oldest)).unwrap().items.remove(0);
    assert_eq!(oldest.event, "clock.moved", "what was logged before is gone");
    assert!(!world.act(|desk| desk.endpoints()).unwrap().is_empty(), "and nothing else is");
}
