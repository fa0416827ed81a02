//! The console in a real browser: each test starts a stand-in with its console, and one scenario of `scenarios.mjs` uses it
//! as a person does. The browser is left out where `cargo xtask test --only console` has not said where it is; what can be
//! seen without one is checked everywhere.

mod door;
mod scene;

use std::time::Duration;

use median_edge::MedianKey;
use median_edge_platform::reviewer::ScriptedReviewer;
use serde_json::json;

use scene::{Scene, Stub, demo, options};

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_is_connected_with_the_keyboard_and_its_tools_are_shown_as_the_agent_sees_them() {
    Scene::start(options()).await.endpoint("DEMO", demo().await).play("connect").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sync_that_fails_is_shown_with_every_reason() {
    let broken = Stub::unacceptable().serve().await;
    Scene::start(options()).await.endpoint("BROKEN", broken).play("syncFailure").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_low_call_shows_what_the_agent_reads() {
    let scene = Scene::start(options()).await.connected("DEMO", demo().await).await;
    scene.play("lowCall").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_and_an_input_that_does_not_fit_are_shown_in_their_own_words() {
    let scene = Scene::start(options()).await.connected("DEMO", demo().await).await;
    scene.play("refusal").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_result_is_marked_where_the_agent_stops_reading() {
    let scene = Scene::start(options()).await.connected("LONG", Stub::long().serve().await).await;
    scene.play("longResult").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_button_shows_where_it_leads_and_goes_nowhere() {
    let scene = Scene::start(options()).await.connected("DEMO", demo().await).await;
    scene.play("pageButton").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_high_call_is_approved_and_another_is_denied() {
    let scene = Scene::start(options()).await.connected("DEMO", demo().await).await;
    scene.play("approvals").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reviewed_call_that_the_reviewer_escalates_waits_with_the_verdict() {
    let options = options().reviewer(ScriptedReviewer::Escalate);
    let scene = Scene::start(options).await.connected("DEMO", demo().await).await;
    scene.play("escalation").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_expires_when_the_person_moves_the_clock() {
    let scene = Scene::start(options()).await.connected("DEMO", demo().await).await;
    scene.play("expiry").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fourth_run_and_a_run_in_the_archive_are_refused() {
    let options = options().call_limit(Duration::from_mins(5));
    let scene = Scene::start(options).await.connected("SLOW", Stub::hanging().serve().await).await;
    scene.play("runs").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_filed_with_what_the_endpoint_says_of_itself() {
    let scene = Scene::start(options()).await.connected("DEMO", demo().await).await;
    scene.play("report").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_is_live_and_is_filtered() {
    let scene = Scene::start(options()).await.connected("DEMO", demo().await).await;
    scene.play("log").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_words_of_an_endpoint_run_nothing_and_overflow_nothing() {
    let scene = Scene::start(options()).await.connected("HOSTILE", Stub::hostile().serve().await).await;
    scene.play("hostile").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn live_updates_keep_the_focus_and_what_is_typed() {
    let scene = Scene::start(options()).await.connected("DEMO", demo().await).await;
    scene.play("focus").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_key_of_ones_own_the_console_opens_by_its_link_or_the_key_only() {
    Scene::with_own_key().await.play("ownKey").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signed_identity_that_is_pasted_verifies_the_visitor_and_a_forged_one_does_not() {
    let signed = |signature: String| {
        let public = MedianKey::local().public_half();
        json!({ "visitor": { "id": "user_1" }, "publicKey": public, "signature": signature }).to_string()
    };
    let scene = Scene::start(options()).await.connected("DEMO", demo().await).await;
    let scene = scene.tell("IDENTITY", signed(MedianKey::local().identity_secret().sign("user_1")));
    scene.tell("FORGED", signed("0".repeat(64))).play("pastedIdentity").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_teammate_takes_a_conversation_over_and_hands_it_back() {
    Scene::start(options()).await.connected("DEMO", demo().await).await.play("handOver").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_note_is_written_and_shown_as_text() {
    Scene::start(options()).await.connected("DEMO", demo().await).await.play("notes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_is_removed_when_that_is_said_twice() {
    Scene::start(options()).await.connected("DEMO", demo().await).await.play("removal").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approved_call_that_fails_is_shown_with_the_error() {
    let failing = Stub::failing().serve().await;
    Scene::start(options()).await.connected("FAILING", failing).await.play("failedCall").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_comes_in_moves_none_that_is_about_to_be_decided() {
    Scene::start(options()).await.connected("DEMO", demo().await).await.play("inbox").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_are_decided_with_the_keyboard_alone() {
    Scene::start(options()).await.connected("DEMO", demo().await).await.play("keyboard").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_view_fits_a_phone_in_the_dark() {
    Scene::start(options()).await.connected("DEMO", demo().await).await.play("phone").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_is_no_encoding_opens_the_page_all_the_same() {
    Scene::start(options()).await.connected("DEMO", demo().await).await.play("address").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_is_picked_shows_its_form_without_asking_the_api() {
    Scene::start(options()).await.connected("DEMO", demo().await).await.play("picking").await;
}
