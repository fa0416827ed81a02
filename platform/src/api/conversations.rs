//! `/v1/conversations`

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::{Body, Params, Path};
use super::problem::ErrorBody;
use crate::domain::{
    Channel, Conversation, ConversationState, Entry, Holder, NewConversation, Page, Paged, Picture, Problem,
};
use crate::engine::{Platform, SignedIdentity};

/// A conversation as it is shown.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Shown {
    /// The conversation.
    conversation: Conversation,
    /// Whether the agent should take a turn now.
    agent_is_due: bool,
}

impl From<Conversation> for Json<Shown> {
    fn from(conversation: Conversation) -> Self {
        let agent_is_due = conversation.agent_is_due();
        Json(Shown { conversation, agent_is_due })
    }
}

/// Conversations, the newest first.
#[utoipa::path(get, path = "/v1/conversations", tag = "conversations", params(Page),
    responses((status = 200, body = Paged<Conversation>)))]
pub(super) async fn list(
    State(platform): State<Platform>,
    Params(page): Params<Page>,
) -> Result<Json<Paged<Conversation>>, Problem> {
    platform.run(move |desk| desk.conversations(page)).await.map(Json)
}

/// A conversation to begin.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Begin {
    /// Where; the widget unless said otherwise.
    #[serde(default)]
    channel: Channel,
    /// As the page or the customer says.
    email: Option<String>,
    /// As the page or the customer says.
    name: Option<String>,
    /// What the page says about itself.
    #[serde(default)]
    page: BTreeMap<String, String>,
    /// What earlier conversations taught about the customer.
    #[serde(default)]
    learned: Vec<String>,
    /// What the application's identity route answers. A bad signature leaves the visitor unverified.
    identity: Option<SignedIdentity>,
}

/// Begins a conversation.
#[utoipa::path(post, path = "/v1/conversations", tag = "conversations", request_body = Begin,
    responses((status = 201, body = Shown), (status = 400, body = ErrorBody)))]
pub(super) async fn begin(
    State(platform): State<Platform>,
    Body(begin): Body<Begin>,
) -> Result<(StatusCode, Json<Shown>), Problem> {
    let Begin { channel, email, name, page, learned, identity } = begin;
    let new = NewConversation { channel, email, name, page, learned };
    let verified = verified(&platform, identity).await?;
    let conversation = platform.run(move |desk| desk.begin(new, verified)).await?;
    Ok((StatusCode::CREATED, conversation.into()))
}

async fn verified(platform: &Platform, identity: Option<SignedIdentity>) -> Result<Option<String>, Problem> {
    match identity {
        Some(identity) => platform.verify_identity(&identity).await,
        None => Ok(None),
    }
}

/// One conversation.
#[utoipa::path(get, path = "/v1/conversations/{id}", tag = "conversations", params(("id" = String, Path)),
    responses((status = 200, body = Shown), (status = 404, body = ErrorBody)))]
pub(super) async fn one(
    State(platform): State<Platform>,
    Path(id): Path<String>,
) -> Result<Json<Shown>, Problem> {
    platform.run(move |desk| desk.conversation(&id)).await.map(Json::from)
}

/// The thread, the newest first, with lines and cards for the team.
#[utoipa::path(get, path = "/v1/conversations/{id}/entries", tag = "conversations", params(("id" = String, Path), Page),
    responses((status = 200, body = Paged<Entry>), (status = 404, body = ErrorBody)))]
pub(super) async fn thread(
    State(platform): State<Platform>,
    Path(id): Path<String>,
    Params(page): Params<Page>,
) -> Result<Json<Paged<Entry>>, Problem> {
    platform.run(move |desk| desk.thread(&id, page)).await.map(Json)
}

/// Something that is said.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Write {
    /// Who says it.
    from: Speaker,
    /// What.
    text: String,
    /// Pictures of the customer's, by reference.
    #[serde(default)]
    pictures: Vec<Picture>,
}

#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Speaker {
    Customer,
    Teammate,
}

/// The customer writes, or the teammate who holds the conversation. The agent replies through its turn.
#[utoipa::path(post, path = "/v1/conversations/{id}/messages", tag = "conversations", params(("id" = String, Path)),
    request_body = Write, responses((status = 201, body = Entry), (status = 409, body = ErrorBody)))]
pub(super) async fn write(
    State(platform): State<Platform>,
    Path(id): Path<String>,
    Body(Write { from, text, pictures }): Body<Write>,
) -> Result<(StatusCode, Json<Entry>), Problem> {
    let write = platform.run(move |desk| match from {
        Speaker::Customer => desk.customer_writes(&id, text, pictures),
        Speaker::Teammate => desk.teammate_writes(&id, text),
    });
    Ok((StatusCode::CREATED, Json(write.await?)))
}

/// A note of the team's.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewNote {
    /// What.
    text: String,
    /// Whose.
    teammate: Option<String>,
}

/// Adds a note of the team's.
#[utoipa::path(post, path = "/v1/conversations/{id}/notes", tag = "conversations", params(("id" = String, Path)),
    request_body = NewNote, responses((status = 200, body = Shown), (status = 404, body = ErrorBody)))]
pub(super) async fn note(
    State(platform): State<Platform>,
    Path(id): Path<String>,
    Body(NewNote { text, teammate }): Body<NewNote>,
) -> Result<Json<Shown>, Problem> {
    platform.run(move |desk| desk.note(&id, text, teammate)).await.map(Json::from)
}

/// Who the visitor is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Identify {
    /// What the application's identity route answers; nothing signs the visitor out.
    identity: Option<SignedIdentity>,
}

/// The visitor says who they are. A bad signature leaves them unverified.
#[utoipa::path(post, path = "/v1/conversations/{id}/identity", tag = "conversations", params(("id" = String, Path)),
    request_body = Identify, responses((status = 200, body = Shown), (status = 404, body = ErrorBody)))]
pub(super) async fn identify(
    State(platform): State<Platform>,
    Path(id): Path<String>,
    Body(Identify { identity }): Body<Identify>,
) -> Result<Json<Shown>, Problem> {
    let verified = verified(&platform, identity).await?;
    platform.run(move |desk| desk.identify(&id, verified)).await.map(Json::from)
}

/// What a conversation is to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SetState {
    /// Which state.
    state: ConversationState,
}

/// Opens, resolves, closes or archives a conversation. What ends it expires its open requests.
#[utoipa::path(post, path = "/v1/conversations/{id}/state", tag = "conversations", params(("id" = String, Path)),
    request_body = SetState, responses((status = 200, body = Shown), (status = 404, body = ErrorBody)))]
pub(super) async fn set_state(
    State(platform): State<Platform>,
    Path(id): Path<String>,
    Body(SetState { state }): Body<SetState>,
) -> Result<Json<Shown>, Problem> {
    platform.run(move |desk| desk.set_state(&id, state)).await.map(Json::from)
}

/// Hands a conversation to a teammate, or back to the agent.
#[utoipa::path(post, path = "/v1/conversations/{id}/holder", tag = "conversations", params(("id" = String, Path)),
    request_body = Holder, responses((status = 200, body = Shown), (status = 409, body = ErrorBody)))]
pub(super) async fn hand_over(
    State(platform): State<Platform>,
    Path(id): Path<String>,
    Body(to): Body<Holder>,
) -> Result<Json<Shown>, Problem> {
    platform.run(move |desk| desk.hand_over(&id, to)).await.map(Json::from)
}

/// Somebody on the team has read it.
#[utoipa::path(post, path = "/v1/conversations/{id}/read", tag = "conversations", params(("id" = String, Path)),
    responses((status = 200, body = Shown), (status = 404, body = ErrorBody)))]
pub(super) async fn read(
    State(platform): State<Platform>,
    Path(id): Path<String>,
) -> Result<Json<Shown>, Problem> {
    platform.run(move |desk| desk.read(&id)).await.map(Json::from)
}
