//! A shell line that makes a signed call with curl and openssl, and signs itself anew each time, so that it never goes
//! stale.
//!
//! It is for shells where this command is not at hand, and uses only what POSIX has beside openssl: `date +%s` has no
//! milliseconds everywhere, and openssl's releases agree on `-mac HMAC -macopt` and on putting the digest last.
//! A key is never in it; only the public one of local development is.

use crate::keys::{Holds, Signing, Source};

/// The tool signing secret of the public key. Everyone can derive it.
const PUBLIC_SECRET: &str = "88c3f9e4dc47d0f24d3d54e9774a286bb6047cf929bde4ad83a7bf11e7dd6a31";

/// What the secret is derived with (`docs/protocol.md`, KEY-3).
const LABEL: &str = "median-edge/tool-signing/v1";

/// The line for a body. `fresh_id` is an id in the body that each run should have a new one for.
pub(crate) fn line(url: &str, body: &str, fresh_id: Option<&str>, signing: &Signing) -> String {
    // An apostrophe can only be inside a string of the body, where JSON has another form of it.
    let mut body = body.replace('\'', "\\u0027");
    if let Some(id) = fresh_id {
        body = body.replace(id, "test_'\"$T\"'");
    }
    let url = quoted(&url.replace('\'', "%27"));
    let (prepare, secret) = prepared(signing);
    format!(
        "(T=$(date +%s)000; B='{body}'; {prepare}\
         S=$(printf %s \"$T.$B\" | openssl dgst -sha256 -mac HMAC -macopt hexkey:{secret} | sed 's/.* //'); \
         curl -sS {url} -H \"median-signature: t=$T,v1=$S\" -H 'content-type: application/json' --data-binary \"$B\")"
    )
}

/// What has to be done first, and the secret as the shell finds it.
pub(crate) fn prepared(signing: &Signing) -> (String, String) {
    let (place, holds) = match &signing.source {
        _ if signing.is_public() => return (String::new(), PUBLIC_SECRET.to_owned()),
        Source::Default => return (String::new(), PUBLIC_SECRET.to_owned()),
        Source::Variable(name, holds) => (format!("\"${name}\""), holds),
        Source::File(path, holds) => (format!("\"$(cat {})\"", quoted(&path.display().to_string())), holds),
    };
    match holds {
        Holds::ToolSecret => (String::new(), place),
        Holds::Key => {
            let derive =
                format!("K=$(printf %s {LABEL} | openssl dgst -sha256 -hmac {place} | sed 's/.* //'); ");
            (derive, "\"$K\"".to_owned())
        }
    }
}

/// A word of the shell that stands for itself.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::{PUBLIC_SECRET, line};
    use crate::keys::{Holds, Signing, Source};
    use median_edge::key::ToolSecret;
    use median_edge::{Keys, MedianKey};

    fn signing(source: Source) -> Signing {
        let key = match source {
            Source::Default => MedianKey::local(),
            _ => MedianKey::parse("median_key_SECRET_SECRET_SECRET_SECRET").unwrap(),
        };
        Signing { keys: Keys::new(key), source }
    }

    #[test]
    fn the_secret_that_is_shown_is_the_public_one() {
        let shown = ToolSecret::from_hex(PUBLIC_SECRET).unwrap().sign(1, b"x");
        assert_eq!(shown, MedianKey::local().tool_secret().sign(1, b"x"));
        assert!(line("http://x/", "{}", None, &signing(Source::Default)).contains(PUBLIC_SECRET));
    }

    #[test]
    fn a_real_key_is_named_and_not_shown() {
        let variable = |holds| Source::Variable("MEDIAN_KEY".to_owned(), holds);
        let file = |holds| Source::File("a'b".into(), holds);
        for (source, part) in [
            (variable(Holds::Key), "-hmac \"$MEDIAN_KEY\""),
            (variable(Holds::ToolSecret), "hexkey:\"$MEDIAN_KEY\""),
            (file(Holds::Key), r#"-hmac "$(cat 'a'\''b')""#),
            (file(Holds::ToolSecret), r#"hexkey:"$(cat 'a'\''b')""#),
        ] {
            let line = line("http://x/", "{}", None, &signing(source));
            assert!(line.contains(part), "{line}");
            assert!(!line.contains("SECRET_SECRET") && !line.contains(PUBLIC_SECRET), "{line}");
        }
    }

    #[test]
    fn a_body_cannot_leave_its_quotation_marks() {
        let line = line(
            "http://x/?'",
            r#"{"id":"ID","a":"O'Brien $(x) `x`"}"#,
            Some("ID"),
            &signing(Source::Default),
        );
        assert!(line.contains(r#"B='{"id":"test_'"$T"'","a":"O\u0027Brien $(x) `x`"}';"#), "{line}");
        assert!(line.contains("curl -sS 'http://x/?%27' "), "{line}");
    }
}
