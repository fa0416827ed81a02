use super::world::{HOUR, INPUT, World, good, words};
use crate::domain::{ConversationState, DueWhy, Outcome, Problem, Run, RunState, Sent};

fn run(world: &mut World, conversation: &str, tool: &str) -> Result<Run, Problem> {
    world.act(|desk| desk.run(conversation, tool, INPUT, Some("Ana".to_owned())))
}

#[test]
fn a_teammate_runs_any_tool_with_no_sign_off() {
    let mut world = World::new();
    let conversation = world.conversation();
    let started = run(&mut world, &conversation, "refund").unwrap();
    let body = &world.bodies(&started.id)[0];
    assert!(
        body.contains(r#""approvedBy":"Ana""#) && body.contains(r#""risk":"high""#) && body.contains(INPUT)
    );
    let started = run(&mut world, &conversation, "look").unwrap();
    assert!(world.bodies(&started.id)[0].contains(r#""approvedBy":"Ana""#), "at any risk");
}

#[test]
fn the_agent_is_not_told_of_a_run_and_gets_no_turn() {
    let mut world = World::new();
    let conversation = world.conversation();
    let wakes = world.wakes(&conversation);
    let started = run(&mut world, &conversation, "refund").unwrap();
    world.answer(&Sent::Run(started.id.clone()), &good());
    assert_eq!(world.wakes(&conversation), wakes);
    assert!(world.look(&conversation).due.is_empty());
    let finished = world.act(|desk| desk.run_of(&started.id)).unwrap();
    assert_eq!(finished.state, RunState::Completed);
    assert!(matches!(finished.outcome, Some(Outcome::Data { .. })));
    assert!(
        world.thread(&conversation).iter().any(|entry| entry.about.as_deref() == Some(started.id.as_str()))
    );
}

#[test]
fn an_input_that_does_not_fit_names_its_field() {
    let mut world = World::new();
    let conversation = world.conversation();
    let problem = words(world.act(|desk| desk.run(&conversation, "refund", "{}", None)));
    assert_eq!(problem, "orderNumber is needed to run this.");
}

#[test]
fn three_runs_are_in_flight_at_most_apart_from_the_requests() {
    let mut world = World::new();
    let conversation = world.conversation();
    for tool in ["refund", "close", "check"] {
        world.request(&conversation, tool);
    }
    let first = run(&mut world, &conversation, "refund").unwrap();
    for _ in 0..2 {
        run(&mut world, &conversation, "refund").unwrap();
    }
    let problem = words(run(&mut world, &conversation, "look"));
    assert_eq!(problem, "Three tools are already running in this conversation. Wait for one to finish.");
    world.answer(&Sent::Run(first.id), &good());
    assert!(run(&mut world, &conversation, "look").is_ok());
}

#[test]
fn an_archived_conversation_runs_nothing_and_others_do() {
    let mut world = World::new();
    let conversation = world.conversation();
    world.end(&conversation, ConversationState::Archived);
    let problem = words(run(&mut world, &conversation, "look"));
    assert_eq!(problem, "Move this conversation out of the archive before running a tool.");
    for state in [ConversationState::Resolved, ConversationState::Closed] {
        world.end(&conversation, state);
        assert!(run(&mut world, &conversation, "look").is_ok());
    }
}

#[test]
fn a_tool_that_is_switched_off_leaves_the_run_lists() {
    let mut world = World::new();
    let conversation = world.conversation();
    world.act(|desk| desk.switch("look", false)).unwrap();
    assert_eq!(words(run(&mut world, &conversation, "look")), "The tool is no longer available.");
}

#[test]
fn a_run_that_never_reports_back_is_failed_by_the_hourly_check() {
    let mut world = World::new();
    let conversation = world.conversation();
    let started = run(&mut world, &conversation, "refund").unwrap();
    let wakes = world.wakes(&conversation);
    world.pass(HOUR - 1);
    assert_eq!(world.act(|desk| desk.run_of(&started.id)).unwrap().state, RunState::Running);
    world.pass(1);
    assert_eq!(world.act(|desk| desk.run_of(&started.id)).unwrap().state, RunState::Failed);
    assert!(world.has_line(&conversation, "refund did not run: the call never reported back"));
    let looked = world.look(&conversation);
    assert!(looked.unread && looked.due[0].why == DueWhy::RunNeverReported);
    assert_eq!(world.wakes(&conversation), wakes + 1);
}
