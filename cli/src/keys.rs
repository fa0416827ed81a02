//! The key that signs: where it comes from, and never what it is.

use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use median_edge::key::{KEY_VARIABLE, LOCAL_KEY, TOOL_SECRET_VARIABLE};
use median_edge::{Keys, MedianKey};
use median_edge_conformance::doctor::Credentials;
use zeroize::Zeroizing;

use crate::args::KeyOptions;
use crate::failure::Failure;
use crate::{curl, terminal};

/// A key has under 300 bytes; a file of more is another file.
const LARGEST_FILE: u64 = 16 * 1024;

/// The keys in use, and where they came from.
#[derive(Clone, Debug)]
pub(crate) struct Signing {
    pub(crate) keys: Keys,
    pub(crate) source: Source,
}

/// Where the secret that signs comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// Nobody set one: the public key of local development.
    Default,
    /// An environment variable.
    Variable(String, Holds),
    /// A file.
    File(PathBuf, Holds),
}

/// What is kept there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// The Median key, which the secret is derived from.
    Key,
    /// The tool signing secret itself.
    ToolSecret,
}

impl Signing {
    /// Finds the key where the options or the environment say.
    pub(crate) fn find(options: &KeyOptions) -> Result<Self, Failure> {
        let environment = |name: &str| Some(std::env::var_os(name)?.to_string_lossy().into_owned());
        let signing = Self::find_in(options, environment)?;
        if signing.source == Source::Default {
            terminal::note("MEDIAN_KEY is not set: using the public key of local development.");
        }
        Ok(signing)
    }

    fn find_in(options: &KeyOptions, environment: impl Fn(&str) -> Option<String>) -> Result<Self, Failure> {
        if let Some(name) = &options.key_env {
            let text = named_variable(name, environment)?;
            return Self::named(&text, name, |holds| Source::Variable(name.clone(), holds));
        }
        if let Some(path) = &options.key_file {
            let text = read_key_file(path)?;
            return Self::named(&text, &path.display().to_string(), |holds| {
                Source::File(path.clone(), holds)
            });
        }
        let is_set = |name| environment(name).is_some_and(|text| !text.trim_ascii().is_empty());
        let source = if is_set(TOOL_SECRET_VARIABLE) {
            Source::Variable(TOOL_SECRET_VARIABLE.to_owned(), Holds::ToolSecret)
        } else if is_set(KEY_VARIABLE) {
            Source::Variable(KEY_VARIABLE.to_owned(), Holds::Key)
        } else {
            return Ok(Self { keys: Keys::new(MedianKey::local()), source: Source::Default });
        };
        let keys = Keys::from_lookup(environment);
        match keys.check() {
            Ok(()) => Ok(Self { keys, source }),
            Err(error) => Err(Failure::not_run("bad_key", error.to_string())),
        }
    }

    /// A key, or a tool signing secret, that was named on the command line: nothing else of the environment counts.
    fn named(text: &str, place: &str, source: impl Fn(Holds) -> Source) -> Result<Self, Failure> {
        let trimmed = text.trim_ascii();
        let is_secret = trimmed.len() == 64 && trimmed.bytes().all(|byte| byte.is_ascii_hexdigit());
        let (variable, holds) =
            if is_secret { (TOOL_SECRET_VARIABLE, Holds::ToolSecret) } else { (KEY_VARIABLE, Holds::Key) };
        let keys = Keys::from_lookup(|name| (name == variable).then(|| text.to_owned()));
        keys.check().map_err(|error| {
            if trimmed.is_empty() {
                return Failure::not_run(
                    "bad_key",
                    format!("{place} is empty; it should hold the endpoint's key."),
                );
            }
            // The message begins with the variable, which here is another place.
            let message = error.to_string();
            let rest = message.strip_prefix(error.variable()).unwrap_or(&message);
            Failure::not_run("bad_key", format!("{place}{rest}"))
        })?;
        Ok(Self { keys, source: source(holds) })
    }

    /// The `median-signature` value for a body.
    pub(crate) fn sign(&self, at_ms: u64, body: &[u8]) -> Result<String, Failure> {
        let signer =
            self.keys.signer().ok_or_else(|| Failure::not_run("bad_key", "There is no key to sign with."))?;
        Ok(signer.sign(at_ms, body))
    }

    /// Whether it is the public key that signs.
    pub(crate) fn is_public(&self) -> bool {
        match &self.source {
            Source::Default => true,
            Source::Variable(_, holds) | Source::File(_, holds) => {
                *holds == Holds::Key && self.keys.is_local()
            }
        }
    }
}

/// The key's own text, for the platform's API, which takes it as a bearer. It is wiped from memory when it is dropped.
pub(crate) struct Bearer(Zeroizing<String>);

impl Bearer {
    /// Finds the key where the options or the environment say.
    pub(crate) fn find(options: &KeyOptions) -> Result<Self, Failure> {
        let signing = Signing::find(options)?;
        let environment = |name: &str| Some(std::env::var_os(name)?.to_string_lossy().into_owned());
        Self::find_in(options, &signing.source, environment)
    }

    fn find_in(
        options: &KeyOptions,
        source: &Source,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, Failure> {
        let text = match source {
            Source::Default => Some(LOCAL_KEY.to_owned()),
            Source::Variable(name, Holds::Key) => environment(name),
            Source::File(path, Holds::Key) => Some(read_key_file(path)?),
            // The environment may have the key beside the secret; what was named stands alone.
            Source::Variable(..) if options.key_env.is_none() => environment(KEY_VARIABLE),
            Source::Variable(..) | Source::File(..) => None,
        };
        let text = Zeroizing::new(text.unwrap_or_default());
        match text.trim_ascii() {
            "" => Err(Failure::not_run(
                "no_key",
                "There is a tool signing secret and no key, and the platform's API takes the key.",
            )
            .hint(format!(
                "Start `{} dev` with MEDIAN_KEY beside MEDIAN_TOOL_SECRET, and set the same MEDIAN_KEY here. Without one, the \
                 stand-in has a key that nobody knows, and its console is the only way in.",
                curl::program()
            ))),
            text => Ok(Self(Zeroizing::new(text.to_owned()))),
        }
    }

    /// For the header that carries it.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// Whether it is the public key of local development.
    pub(crate) fn is_public(&self) -> bool {
        self.expose() == LOCAL_KEY
    }
}

impl fmt::Debug for Bearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bearer(…)")
    }
}

/// What the options or the environment give as a key, as it is: nothing is trimmed, and nothing refused for its form.
pub(crate) fn credentials(options: &KeyOptions) -> Result<Credentials, Failure> {
    let environment = |name: &str| Some(std::env::var_os(name)?.to_string_lossy().into_owned());
    match (&options.key_env, &options.key_file) {
        (Some(name), _) => Ok(Credentials::named(name, &named_variable(name, environment)?)),
        (None, Some(path)) => {
            let text = read_key_file(path)?;
            // A file ends with a line break, and that is no mistake.
            let line = text.strip_suffix('\n').unwrap_or(&text);
            Ok(Credentials::named(&path.display().to_string(), line))
        }
        (None, None) => Ok(Credentials::from_lookup(environment)),
    }
}

/// The value of a variable that was named on the command line.
fn named_variable(name: &str, environment: impl Fn(&str) -> Option<String>) -> Result<String, Failure> {
    // The printed shell line names the variable too.
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(is_name) {
        return Err(Failure::usage("What follows --key-env is not the name of a variable.")
            .hint("Name an environment variable that holds the key, like --key-env SHOP_MEDIAN_KEY."));
    }
    environment(name).ok_or_else(|| {
        Failure::not_run("bad_key", format!("The environment variable {name} is not set."))
            .hint("Set it to the endpoint's key, or leave --key-env out to use MEDIAN_KEY.")
    })
}

fn read_key_file(path: &Path) -> Result<String, Failure> {
    let fail = |why: String| {
        Failure::not_run("bad_key", format!("{} can't be read: {why}.", path.display()))
            .hint("Name the file that holds the endpoint's key, and nothing else.")
    };
    let mut text = String::new();
    let file = File::open(path).map_err(|error| fail(error.to_string()))?;
    let length =
        file.take(LARGEST_FILE + 1).read_to_string(&mut text).map_err(|error| fail(error.to_string()))?;
    if length as u64 > LARGEST_FILE {
        return Err(fail("it is too large to be a key".to_owned()));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::{Bearer, Holds, Signing, Source};
    use crate::args::KeyOptions;
    use median_edge::key::LOCAL_KEY;

    const OTHER: &str = "median_key_other_00000000000000000000";
    const SECRET: &str = "1111111111111111111111111111111111111111111111111111111111111111";

    fn find(options: &KeyOptions, pairs: &[(&str, &str)]) -> Result<Signing, String> {
        let get = |name: &str| pairs.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned());
        Signing::find_in(options, get).map_err(|failure| failure.message)
    }

    fn variable(name: &str) -> KeyOptions {
        KeyOptions { key_env: Some(name.to_owned()), key_file: None }
    }

    #[test]
    fn without_a_key_it_is_the_public_one() {
        let signing = find(&KeyOptions::default(), &[("MEDIAN_KEY", " ")]).unwrap();
        assert_eq!(signing.source, Source::Default);
        assert!(signing.is_public() && signing.keys.is_local());
    }

    #[test]
    fn the_environment_says_which_secret_signs() {
        let source = |pairs: &[(&str, &str)]| find(&KeyOptions::default(), pairs).unwrap().source;
        let of = |name: &str, holds| Source::Variable(name.to_owned(), holds);
        assert_eq!(source(&[("MEDIAN_KEY", OTHER)]), of("MEDIAN_KEY", Holds::Key));
        let both = [("MEDIAN_KEY", OTHER), ("MEDIAN_TOOL_SECRET", SECRET)];
        assert_eq!(source(&both), of("MEDIAN_TOOL_SECRET", Holds::ToolSecret));
    }

    #[test]
    fn only_the_local_key_itself_is_public() {
        let public = |pairs: &[(&str, &str)]| find(&KeyOptions::default(), pairs).unwrap().is_public();
        assert!(public(&[("MEDIAN_KEY", LOCAL_KEY)]));
        assert!(!public(&[("MEDIAN_KEY", OTHER)]));
        assert!(!public(&[("MEDIAN_KEY", LOCAL_KEY), ("MEDIAN_TOOL_SECRET", SECRET)]));
    }

    #[test]
    fn a_named_key_stands_alone() {
        let environment = [("K", OTHER), ("MEDIAN_TOOL_SECRET", SECRET)];
        let signing = find(&variable("K"), &environment).unwrap();
        let alone = find(&KeyOptions::default(), &[("MEDIAN_KEY", OTHER)]).unwrap();
        assert_eq!(signing.sign(1, b"").unwrap(), alone.sign(1, b"").unwrap());
        let secret = find(&variable("K"), &[("K", SECRET)]).unwrap();
        assert_eq!(secret.source, Source::Variable("K".to_owned(), Holds::ToolSecret));
    }

    #[test]
    fn the_key_itself_is_what_opens_the_api_and_nothing_shows_it() {
        let bearer = |options: &KeyOptions, pairs: &[(&str, &str)]| {
            let get = |name: &str| pairs.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned());
            let source = find(options, pairs).unwrap().source;
            Bearer::find_in(options, &source, get)
        };
        let opened = |options: &KeyOptions, pairs: &[(&str, &str)]| {
            bearer(options, pairs).unwrap().expose().to_owned()
        };
        let usual = KeyOptions::default();
        assert_eq!(opened(&usual, &[]), LOCAL_KEY);
        assert_eq!(opened(&usual, &[("MEDIAN_KEY", "median_key_other_00000000000000000000\n")]), OTHER);
        assert_eq!(opened(&usual, &[("MEDIAN_KEY", OTHER), ("MEDIAN_TOOL_SECRET", SECRET)]), OTHER);
        assert_eq!(opened(&variable("K"), &[("K", OTHER), ("MEDIAN_KEY", LOCAL_KEY)]), OTHER);
        for (options, pairs) in [
            (usual, &[("MEDIAN_TOOL_SECRET", SECRET)][..]),
            (variable("K"), &[("K", SECRET), ("MEDIAN_KEY", OTHER)]),
        ] {
            let failure = bearer(&options, pairs).unwrap_err();
            assert!(failure.hint.unwrap().contains("MEDIAN_KEY beside MEDIAN_TOOL_SECRET"));
        }
        let shown = format!("{:?}", bearer(&variable("K"), &[("K", OTHER)]).unwrap());
        assert_eq!(shown, "Bearer(…)");
    }

    #[test]
    fn a_bad_key_names_its_place_and_not_itself() {
        let message = find(&variable("K"), &[("K", "sk_SECRET")]).unwrap_err();
        assert_eq!(message, "K does not begin with median_key_. Copy the whole key, and nothing else.");
        assert_eq!(find(&variable("K"), &[]).unwrap_err(), "The environment variable K is not set.");
        assert!(find(&variable("K"), &[("K", " \n")]).unwrap_err().starts_with("K is empty"));
        let message = find(&KeyOptions::default(), &[("MEDIAN_KEY", "median_pk_1")]).unwrap_err();
        assert!(message.starts_with("MEDIAN_KEY holds the public half"), "{message}");
    }
}
