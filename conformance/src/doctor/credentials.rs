//! The key on this machine: looked at as it was given, before anything is trimmed, and never shown.

use median_edge::MedianKey;
use median_edge::key::{KEY_VARIABLE, PREVIOUS_KEY_VARIABLE, TOOL_SECRET_VARIABLE, ToolSecret};
use zeroize::Zeroizing;

use super::finding::{Finding, Kind, Level};

const PREFIX: &str = "median_key_";
const PUBLIC_PREFIX: &str = "median_pk_";

/// What there is to sign with, and what was found about it.
#[derive(Clone, Debug, Default)]
pub struct Credentials {
    /// What signs.
    pub(super) signer: Option<ToolSecret>,
    /// The key as it was given, and trimmed of what does not belong to it.
    pub(super) key: Option<(Hidden, MedianKey)>,
    /// The key on its way out.
    pub(super) previous: Option<MedianKey>,
    /// The tool signing secret as it was given.
    pub(super) secret: Option<Hidden>,
    findings: Vec<Finding>,
}

/// A text that is not shown, and wiped when it is dropped.
#[derive(Clone)]
pub(super) struct Hidden(Zeroizing<String>);

impl std::fmt::Debug for Hidden {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Hidden(…)")
    }
}

impl Hidden {
    fn new(text: &str) -> Self {
        Self(Zeroizing::new(text.to_owned()))
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }
}

impl Credentials {
    /// Reads `MEDIAN_KEY`, `MEDIAN_TOOL_SECRET` and `MEDIAN_KEY_PREVIOUS` through a look-up by name, which gives them
    /// exactly as they are set. With none of them it is the public key of local development.
    pub fn from_lookup(lookup: impl Fn(&str) -> Option<String>) -> Self {
        let given =
            |name: &str| lookup(name).map(Zeroizing::new).filter(|text| !text.trim_ascii().is_empty());
        let mut this = Self::default();
        if let Some(text) = given(PREVIOUS_KEY_VARIABLE) {
            match MedianKey::parse(&text) {
                Ok(key) => this.previous = Some(key),
                Err(error) => {
                    let said = error.to_string();
                    let rest = said.strip_prefix(error.variable()).unwrap_or(&said);
                    this.findings.push(Finding::warning(
                        Kind::KeyForm,
                        format!("{PREVIOUS_KEY_VARIABLE}{rest}"),
                        "Set it to the key before this one, or unset it; an endpoint that has it like this answers 500.",
                    ));
                }
            }
        }
        let key = given(KEY_VARIABLE);
        if let Some(text) = &key {
            this.take_key(KEY_VARIABLE, text);
        }
        let secret = given(TOOL_SECRET_VARIABLE);
        if let Some(text) = &secret {
            this.take_secret(TOOL_SECRET_VARIABLE, text);
        }
        if key.is_none() && secret.is_none() {
            this.take_key(KEY_VARIABLE, median_edge::key::LOCAL_KEY);
            this.findings.retain(|finding| finding.level != Level::Good);
            this.findings.push(Finding::warning(
                Kind::KeyAbsent,
                "MEDIAN_KEY is not set here, so the public key of local development signs.",
                "Set MEDIAN_KEY to the endpoint's key, exactly as the endpoint has it.",
            ));
        }
        this
    }

    /// A key, or a tool signing secret, from one place.
    pub fn named(place: &str, text: &str) -> Self {
        let mut this = Self::default();
        let trimmed = text.trim_ascii();
        if trimmed.is_empty() {
            this.findings = vec![Finding::problem(
                Kind::KeyAbsent,
                format!("{place} is empty."),
                "Put the endpoint's key there, and nothing else.",
            )];
        } else if is_secret(trimmed) {
            this.take_secret(place, text);
        } else {
            this.take_key(place, text);
        }
        this
    }

    /// What was found.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// What was found of a key that nobody set here: the public one signs, which may be the endpoint's too.
    pub(super) fn unset(&self) -> Option<&Finding> {
        self.findings
            .iter()
            .find(|finding| finding.kind == Kind::KeyAbsent && finding.level == Level::Warning)
    }

    /// Whether it is the public key of local development that signs.
    pub fn is_public(&self) -> bool {
        let public = MedianKey::local().tool_secret().sign(1, b"");
        self.signer.as_ref().is_some_and(|signer| signer.sign(1, b"") == public)
    }

    fn take_key(&mut self, place: &str, text: &str) {
        let mut findings = Vec::new();
        let key = look(place, text, &mut findings);
        if let Some(key) = key {
            if findings.is_empty() {
                let half = key.public_half();
                findings.push(Finding::good(
                    Kind::Key,
                    format!("{place} has the form of a key; its public half is {half}."),
                ));
            }
            self.signer = Some(key.tool_secret());
            self.key = Some((Hidden::new(text), key));
        }
        self.findings.extend(findings);
    }

    fn take_secret(&mut self, place: &str, text: &str) {
        let instead = if self.key.is_some() { " It signs, and MEDIAN_KEY does not." } else { "" };
        match ToolSecret::from_hex(text) {
            Ok(secret) => {
                self.findings.push(Finding::good(
                    Kind::Key,
                    format!("{place} holds a tool signing secret of 64 hex digits.{instead}"),
                ));
                self.signer = Some(secret);
                self.secret = Some(Hidden::new(text));
            }
            Err(error) => {
                let said = error.to_string();
                let rest = said.strip_prefix(error.variable()).unwrap_or(&said);
                self.signer = None;
                self.findings.push(Finding::problem(
                    Kind::KeyForm,
                    format!("{place}{rest}"),
                    "Set it to the 64 hex digits of the secret, or unset it so that MEDIAN_KEY is used.",
                ));
            }
        }
    }
}

fn is_secret(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Looks at a text that should be a key, and gives the key that is in it.
fn look(place: &str, text: &str, findings: &mut Vec<Finding>) -> Option<MedianKey> {
    if let Some(seen) = white_space(text) {
        findings.push(Finding::warning(
            Kind::KeyWhiteSpace,
            format!("{place} has {seen}. Here it is dropped."),
            "Set it again without it, here and where the endpoint runs: `printf %s` adds no line break, `echo` does.",
        ));
    }
    let trimmed = text.trim_ascii();
    let is_quote = |c: char| matches!(c, '"' | '\'' | '`' | '“' | '”' | '‘' | '’');
    let bare = trimmed.trim_matches(is_quote).trim_ascii();
    if bare.len() < trimmed.len() {
        findings.push(Finding::problem(
            Kind::KeyQuotes,
            format!("{place} has quotation marks around the key, as part of it. Without them it goes on here."),
            "Set it without quotes. A shell takes them off; env files, dashboards and docker --env-file keep them.",
        ));
    }
    let form = |findings: &mut Vec<Finding>, seen: String, advice: &str| {
        findings.push(Finding::problem(Kind::KeyForm, seen, advice));
    };
    if bare.starts_with(PUBLIC_PREFIX) {
        findings.push(Finding::problem(
            Kind::KeyPublicHalf,
            format!("{place} holds the public half, {PUBLIC_PREFIX}…"),
            format!("Set it to the secret one, which begins with {PREFIX}."),
        ));
        return None;
    }
    if let Some((_, value)) = bare.split_once('=').filter(|(name, _)| name.contains("MEDIAN_")) {
        form(
            findings,
            format!("{place} holds a whole line, its name and = included."),
            "Set it to what stands behind the =, and nothing else.",
        );
        return MedianKey::parse(value.trim_matches(is_quote)).ok();
    }
    if is_secret(bare) {
        form(
            findings,
            format!("{place} holds 64 hex digits: that is a tool signing secret, not a key."),
            "Set MEDIAN_TOOL_SECRET to it, and MEDIAN_KEY to the key.",
        );
        return None;
    }
    if bare.matches(PREFIX).count() > 1 {
        form(
            findings,
            format!("{place} holds more than one key."),
            "Set it to one. The key on its way out belongs in MEDIAN_KEY_PREVIOUS.",
        );
        return None;
    }
    match MedianKey::parse(bare) {
        Ok(key) => Some(key),
        Err(error) => {
            let said = error.to_string();
            let rest = said.strip_prefix(error.variable()).unwrap_or(&said);
            let length = bare.chars().count();
            form(
                findings,
                format!("{place}{rest} It has {length} characters in all."),
                "Copy the key again from where it is shown. What looks right may hold a character that is not seen.",
            );
            None
        }
    }
}

/// The white space around a text, in words.
fn white_space(text: &str) -> Option<String> {
    let start = &text[..text.len() - text.trim_ascii_start().len()];
    let end = &text[text.trim_ascii_end().len()..];
    let named = |part: &str| match part {
        "\r\n" => "a line break of Windows".to_owned(),
        part if part.contains('\n') => "a line break".to_owned(),
        part if part.contains('\r') => "a carriage return".to_owned(),
        part if part.contains('\t') => "a tab".to_owned(),
        _ => "a space".to_owned(),
    };
    match (start.is_empty(), end.is_empty()) {
        (true, true) => None,
        (false, true) => Some(format!("{} before the key", named(start))),
        (true, false) => Some(format!("{} behind the key", named(end))),
        (false, false) => Some(format!("{} before the key and {} behind it", named(start), named(end))),
    }
}

#[cfg(test)]
mod tests {
    use super::{Credentials, Kind};
    use crate::doctor::Level;

    const KEY: &str = "median_key_SECRETSECRETSECRETSECRET";

    fn kinds(text: &str) -> Vec<(Kind, Level)> {
        let credentials = Credentials::named("K", text);
        let shown = format!("{:?} {credentials:?}", credentials.findings());
        assert!(!shown.contains("SECRETSECRET"), "{shown}");
        credentials.findings().iter().map(|finding| (finding.kind, finding.level)).collect()
    }

    #[test]
    fn the_text_is_looked_at_before_it_is_trimmed() {
        assert_eq!(kinds(KEY), [(Kind::Key, Level::Good)]);
        for text in [format!("{KEY}\n"), format!(" {KEY}"), format!("{KEY}\r\n"), format!("\t{KEY} ")] {
            assert_eq!(kinds(&text), [(Kind::KeyWhiteSpace, Level::Warning)], "{text:?}");
        }
        for text in [format!("\"{KEY}\""), format!("'{KEY}'"), format!("“{KEY}”")] {
            assert_eq!(kinds(&text), [(Kind::KeyQuotes, Level::Problem)], "{text:?}");
        }
        assert_eq!(kinds("median_pk_0123"), [(Kind::KeyPublicHalf, Level::Problem)]);
        let bad = [
            "median_key_short".to_owned(),
            "sk_SECRETSECRETSECRET".to_owned(),
            format!("MEDIAN_KEY={KEY}"),
            format!("{KEY}{KEY}"),
            format!("{KEY}\u{200b}"),
            format!("median_key_SECRET SECRET_{}", "x".repeat(20)),
        ];
        for text in bad {
            assert_eq!(kinds(&text), [(Kind::KeyForm, Level::Problem)], "{text:?}");
        }
        assert_eq!(kinds(" \n"), [(Kind::KeyAbsent, Level::Problem)]);
    }

    #[test]
    fn what_can_be_mended_signs() {
        for text in [format!("\"{KEY}\""), format!("MEDIAN_KEY={KEY}"), format!("{KEY}\n")] {
            assert!(Credentials::named("K", &text).signer.is_some(), "{text}");
        }
        assert!(Credentials::named("K", "median_pk_0123").signer.is_none());
    }

    #[test]
    fn the_tool_signing_secret_signs_where_it_is_set() {
        let secret = "11".repeat(32);
        let both = Credentials::from_lookup(|name| match name {
            "MEDIAN_KEY" => Some(KEY.to_owned()),
            "MEDIAN_TOOL_SECRET" => Some(secret.clone()),
            _ => None,
        });
        let alone = Credentials::named("K", &secret);
        let signs = |credentials: &Credentials| credentials.signer.as_ref().unwrap().sign(1, b"");
        assert_eq!(signs(&both), signs(&alone));
        assert!(both.findings()[1].seen.contains("MEDIAN_KEY does not"));
        let hex = Credentials::from_lookup(|name| (name == "MEDIAN_KEY").then(|| secret.clone()));
        assert_eq!(hex.findings()[0].kind, Kind::KeyForm);
        let bad = Credentials::from_lookup(|name| (name == "MEDIAN_TOOL_SECRET").then(|| "12".to_owned()));
        assert!(bad.signer.is_none() && bad.findings()[0].kind == Kind::KeyForm);
        let previous = Credentials::from_lookup(|name| match name {
            "MEDIAN_KEY" => Some(KEY.to_owned()),
            "MEDIAN_KEY_PREVIOUS" => Some("old".to_owned()),
            _ => None,
        });
        let kinds: Vec<_> = previous.findings().iter().map(|finding| (finding.kind, finding.level)).collect();
        assert_eq!(kinds, [(Kind::KeyForm, Level::Warning), (Kind::Key, Level::Good)]);
        let none = Credentials::from_lookup(|_| None);
        assert!(none.is_public() && none.findings()[0].kind == Kind::KeyAbsent);
    }
}
