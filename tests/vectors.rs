//! Every vector of `tests/vectors`, on every runtime; and the runtimes' answers, compared with one another.

use std::collections::BTreeMap;

use median_edge::MedianKey;
use median_edge::key::ToolSecret;
use median_edge_tests::{
    Answer, Ask, Environment, KeyVector, KeysFile, MacFile, NOW_MS, Report, RequestVector, RequestsFile,
    SigningVector, hex, hmac_sha256, read, runtimes,
};
use serde_json::{Value, json};

#[test]
fn signatures_are_judged_as_the_vectors_say() {
    requests("signature.json");
}

#[test]
fn calls_are_answered_as_the_vectors_say() {
    requests("calls.json");
}

#[test]
fn who_asks_to_be_connected_is_answered_as_the_vectors_say() {
    requests("connect.json");
}

/// Runs a file of requests on every runtime.
fn requests(name: &str) {
    let file: RequestsFile = read(name);
    let mut groups: BTreeMap<(&Environment, u64), Vec<&RequestVector>> = BTreeMap::new();
    for vector in &file.vectors {
        groups
            .entry((vector.keys.as_ref().unwrap_or(&file.default_keys), vector.now))
            .or_default()
            .push(vector);
    }
    let mut report = Report::default();
    let mut first: BTreeMap<&str, Answer> = BTreeMap::new();
    for runtime in runtimes() {
        for ((environment, now_ms), vectors) in &groups {
            let transport = match runtime.start(environment, *now_ms) {
                Ok(transport) => transport,
                Err(error) => {
                    let ids: Vec<&str> = vectors.iter().map(|vector| vector.id.as_str()).collect();
                    report.check(format!("{ids:?} on {}", runtime.name()), Err(error));
                    continue;
                }
            };
            for vector in vectors {
                let what = format!("{} on {}", vector.id, runtime.name());
                let ask = vector.ask();
                if runtime.keeps(&ask).is_some() {
                    continue;
                }
                match transport.send(&ask) {
                    Ok(answer) => {
                        report.check(&what, check(vector, &ask, environment, &answer));
                        let expected = first.entry(&vector.id).or_insert_with(|| answer.clone());
                        let says_more = runtime.says_more(&ask).is_some();
                        report.check(&what, answer.check_same(&ask, expected, says_more));
                    }
                    Err(error) => report.check(&what, Err(error)),
                }
            }
        }
    }
    report.finish();
}

fn check(
    vector: &RequestVector,
    ask: &Ask,
    environment: &Environment,
    answer: &Answer,
) -> Result<(), String> {
    let expect = &vector.expect;
    if answer.status != expect.status {
        return Err(format!("has the status {}, not {}: {:?}", answer.status, expect.status, answer.json()));
    }
    answer.check_headers()?;
    for (name, value) in &expect.headers {
        if answer.header(&name.to_ascii_lowercase()) != Some(value) {
            return Err(format!("lacks the header {name}: {value}"));
        }
    }
    if ask.method == "HEAD" {
        return Ok(());
    }
    let json = answer.json();
    match &expect.code {
        Some(code) => check_error(&json, code, &expect.mentions)?,
        None if ask.method == "GET" => check_manifest(&json)?,
        None => {
            let expected = expect.result.clone().unwrap_or_default();
            if json.as_object().map(serde_json::Map::len) != Some(1) || !equal(&json["result"], &expected) {
                return Err(format!("answers {json}, not the result {expected}"));
            }
        }
    }
    check_secrecy(&answer.message(), ask, environment)
}

fn check_error(json: &Value, code: &str, mentions: &[String]) -> Result<(), String> {
    let message = json["error"]["message"].as_str().unwrap_or_default();
    if *json != json!({"error": {"code": code, "message": message}}) || message.is_empty() {
        return Err(format!("answers {json}, not the error {code}"));
    }
    let lower = message.to_lowercase();
    match mentions.iter().find(|text| !lower.contains(&text.to_lowercase())) {
        Some(text) => Err(format!("does not mention {text:?}: {message}")),
        None => Ok(()),
    }
}

fn check_manifest(json: &Value) -> Result<(), String> {
    let names: Vec<&Value> =
        json["tools"].as_array().into_iter().flatten().map(|tool| &tool["name"]).collect();
    if json["version"] == 1 && names == ["orderStatus", "setQuantity", "ping"] {
        Ok(())
    } else {
        Err(format!("answers {json}, not the manifest"))
    }
}

/// No message holds a key, a secret, the signature that would have been right, or the body.
fn check_secrecy(message: &str, ask: &Ask, environment: &Environment) -> Result<(), String> {
    let body = ask.body.as_deref().unwrap_or_default();
    let mut secrets = vec![String::from_utf8_lossy(body).into_owned()];
    for value in environment.values() {
        let trimmed = value.trim_ascii();
        let derived = hmac_sha256(trimmed.as_bytes(), b"median-edge/tool-signing/v1");
        let signed =
            MedianKey::parse(value).map(|key| key.tool_secret()).or_else(|_| ToolSecret::from_hex(value));
        if let Ok(secret) = signed {
            // The time that was sent, and the one that it is.
            for t in times(ask).chain([NOW_MS]) {
                secrets.push(v1(&secret.sign(t, body)).to_owned());
            }
        }
        secrets.extend([trimmed.to_owned(), hex(&derived)]);
    }
    let lower = message.to_lowercase();
    let told = secrets.iter().find(|text| text.len() >= 32 && lower.contains(&text.to_lowercase()));
    told.map_or(Ok(()), |text| Err(format!("gives {text:?} away: {message}")))
}

fn times(ask: &Ask) -> impl Iterator<Item = u64> {
    let values = ask.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("median-signature"));
    let texts = values.map(|(_, value)| String::from_utf8_lossy(value).into_owned());
    let elements = texts.flat_map(|text| text.split(',').map(str::to_owned).collect::<Vec<_>>());
    elements.filter_map(|element| element.trim().strip_prefix("t=")?.parse().ok())
}

fn v1(header: &str) -> &str {
    header.split_once("v1=").map_or("", |(_, hex)| hex)
}

/// Equal as values: `2` is `2.0`.
fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| equal(a, b)))
        }
        (a, b) => a == b,
    }
}

#[test]
fn keys_are_read_and_derived_from_as_the_vectors_say() {
    let file: KeysFile = read("keys.json");
    let mut report = Report::default();
    for vector in &file.keys {
        match (MedianKey::parse(&vector.value), &vector.code) {
            (Ok(key), None) => {
                report.equal(&vector.id, &Some(key.public_half()), &vector.public);
                let secret = |label: &str| {
                    let trimmed = vector.trimmed.as_deref().unwrap_or_default();
                    hmac_sha256(trimmed.as_bytes(), file.labels[label].as_bytes())
                };
                report.equal(&vector.id, &Some(hex(&secret("tool_secret"))), &vector.tool_secret);
                report.equal(&vector.id, &Some(hex(&secret("identity_secret"))), &vector.identity_secret);
                let signature = hex(&hmac_sha256(&secret("tool_secret"), b"1790000000000.x"));
                report.equal(&vector.id, &v1(&key.tool_secret().sign(NOW_MS, b"x")), &signature.as_str());
                let signature = hex(&hmac_sha256(&secret("identity_secret"), b"user_123"));
                report.equal(&vector.id, &key.identity_secret().sign("user_123"), &signature);
            }
            (Err(_), Some(_)) => report.check(&vector.id, Ok(())),
            (found, code) => report.check(&vector.id, Err(format!("reads as {found:?}, not {code:?}"))),
        }
    }
    for vector in &file.tool_secrets {
        match (ToolSecret::from_hex(&vector.value), &vector.tool_secret) {
            (Ok(secret), Some(hex)) => {
                let same = ToolSecret::from_hex(hex).map(|expected| expected.sign(1, b""));
                report.equal(&vector.id, &Ok(secret.sign(1, b"")), &same);
            }
            (Err(_), None) => report.check(&vector.id, Ok(())),
            (found, _) => report.check(&vector.id, Err(format!("reads as {found:?}"))),
        }
    }
    report.finish();
}

#[test]
fn an_endpoint_with_each_key_answers_as_the_vectors_say() {
    let file: KeysFile = read("keys.json");
    let mut report = Report::default();
    let variables = [("MEDIAN_KEY", &file.keys), ("MEDIAN_TOOL_SECRET", &file.tool_secrets)];
    for runtime in runtimes() {
        for (variable, vectors) in variables {
            for vector in vectors {
                let environment = [(variable.to_owned(), vector.value.clone())].into();
                let what = format!("{} on {}", vector.id, runtime.name());
                let transport = runtime.start(&environment, NOW_MS);
                let answer = transport.and_then(|transport| transport.send(&manifest(vector)));
                report.check(
                    what,
                    answer.and_then(|answer| match &vector.code {
                        None => check_manifest(&answer.json()),
                        Some(code) if answer.status == 500 => check_error(&answer.json(), code, &[]),
                        Some(code) => Err(format!("answers {answer:?}, not {code}")),
                    }),
                );
            }
        }
    }
    report.finish();
}

/// A request for the manifest, signed with the secret that the vector says.
fn manifest(vector: &KeyVector) -> Ask {
    let secret = vector.tool_secret.as_deref().map(ToolSecret::from_hex);
    let signature = match secret {
        Some(Ok(secret)) => secret.sign(NOW_MS, b""),
        _ => format!("t={NOW_MS},v1={}", "0".repeat(64)),
    };
    Ask::new("GET", "/").header("median-signature", signature)
}

#[test]
fn bodies_are_signed_as_the_vectors_say() {
    let file: KeysFile = read("keys.json");
    let mut report = Report::default();
    for SigningVector { id, key, t, v1: expected, header, body } in &file.signing {
        let key = MedianKey::parse(key).unwrap_or_else(|error| panic!("{id}: {error}"));
        let signed = key.tool_secret().sign(*t, &body.bytes().unwrap_or_default());
        report.equal(id, &signed, header);
        report.equal(id, &v1(&signed), &expected.as_str());
    }
    report.finish();
}

#[test]
fn the_primitive_is_the_one_of_the_rfc() {
    let file: MacFile = read("hmac_rfc4231.json");
    let mut report = Report::default();
    for vector in &file.vectors {
        let mac = hmac_sha256(&unhex(&vector.key_hex), &unhex(&vector.data_hex));
        report.equal(&vector.id, &hex(&mac[..vector.mac_bytes]), &vector.mac_hex);
    }
    report.finish();
}

fn unhex(text: &str) -> Vec<u8> {
    let pair =
        |at| u8::from_str_radix(&text[at..at + 2], 16).unwrap_or_else(|error| panic!("{text}: {error}"));
    (0..text.len()).step_by(2).map(pair).collect()
}
