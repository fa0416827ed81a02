//! A request that goes out, by the platform's own client.

use js_sys::futures::JsFuture;
use js_sys::{Array, Object, Promise, Reflect, Uint8Array};
use median_edge::fetch::{FetchError, FetchRequest, FetchResponse};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/fetch.js")]
extern "C" {
    pub(crate) fn url(request: &JsValue) -> String;

    #[wasm_bindgen(catch)]
    fn send(
        method: &str,
        url: &str,
        headers: &JsValue,
        body: &[u8],
        limit_ms: f64,
        answer_bytes: f64,
    ) -> Result<Promise, JsValue>;
}

/// Sends a request and reads its answer.
pub(crate) async fn fetch(request: FetchRequest) -> Result<FetchResponse, FetchError> {
    let headers = Object::new();
    for (name, value) in request.headers() {
        // A plain object takes any member.
        let _ = Reflect::set(&headers, &JsValue::from_str(name), &JsValue::from_str(value));
    }
    #[allow(clippy::cast_precision_loss)] // JavaScript has no other numbers, and neither is that large.
    let (limit_ms, answer_bytes) = (request.limit_ms() as f64, request.answer_bytes() as f64);
    let (method, url, body) = (request.method(), request.url(), request.body());
    let threw = |_| FetchError::Failed("the platform's client threw".to_owned());
    let sent = send(method, url, &headers, body, limit_ms, answer_bytes).map_err(threw)?;
    let answer = JsFuture::from(sent).await.map_err(threw)?;
    read(&Array::from(&answer))
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // A status has three digits, and `as` saturates.
fn read(answer: &Array) -> Result<FetchResponse, FetchError> {
    match answer.get(0).as_f64() {
        Some(status) => Ok(FetchResponse::new(status as u16, Uint8Array::new(&answer.get(1)).to_vec())),
        None if answer.get(2).is_truthy() => Err(FetchError::TimedOut),
        // Which of the ways to fail it was, only its words say.
        None => Err(FetchError::Unreachable(answer.get(1).as_string().unwrap_or_default())),
    }
}
