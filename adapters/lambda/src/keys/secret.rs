//! Which secret or parameter holds the key, and what its text says.

use std::fmt;

use median_edge::key::{
    KEY_VARIABLE, PREVIOUS_KEY_VARIABLE, PREVIOUS_TOOL_SECRET_VARIABLE, TOOL_SECRET_VARIABLE,
};
use serde::Deserialize;
use serde_json::Value;
use zeroize::Zeroizing;

use crate::percent;

/// The environment variable that names a secret of Secrets Manager.
pub(crate) const SECRET_VARIABLE: &str = "MEDIAN_KEY_SECRET_ARN";
/// The environment variable that names a parameter of the Parameter Store.
pub(crate) const PARAMETER_VARIABLE: &str = "MEDIAN_KEY_PARAMETER";

const VARIABLES: [&str; 4] =
    [KEY_VARIABLE, PREVIOUS_KEY_VARIABLE, TOOL_SECRET_VARIABLE, PREVIOUS_TOOL_SECRET_VARIABLE];

/// What holds the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reference {
    /// A secret, by its ARN or its name.
    Secret(String),
    /// A parameter, by its name or its ARN.
    Parameter(String),
}

impl Reference {
    /// Reads the environment; blank is absent.
    pub(crate) fn read(lookup: &dyn Fn(&str) -> Option<String>) -> Result<Option<Self>, String> {
        let named =
            |variable| lookup(variable).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        match (named(SECRET_VARIABLE), named(PARAMETER_VARIABLE)) {
            (None, None) => Ok(None),
            (Some(secret), None) => Ok(Some(Self::Secret(secret))),
            (None, Some(parameter)) => Ok(Some(Self::Parameter(parameter))),
            (Some(_), Some(_)) => Err(format!(
                "{SECRET_VARIABLE} and {PARAMETER_VARIABLE} are both set: set the one that holds the key."
            )),
        }
    }

    /// Where the extension gives it.
    pub(crate) fn path(&self) -> String {
        match self {
            Self::Secret(id) => format!("/secretsmanager/get?secretId={}", percent::encode(id)),
            Self::Parameter(name) => {
                format!("/systemsmanager/parameters/get?name={}&withDecryption=true", percent::encode(name))
            }
        }
    }

    /// The secret's own text, out of what the extension answers.
    pub(crate) fn text_in(&self, answer: &[u8]) -> Result<Zeroizing<String>, String> {
        let text = match self {
            Self::Secret(_) => serde_json::from_slice::<Secret>(answer).map(|secret| secret.secret_string),
            Self::Parameter(_) => {
                serde_json::from_slice::<Parameter>(answer).map(|parameter| Some(parameter.parameter.value))
            }
        };
        match text {
            Ok(Some(text)) => Ok(Zeroizing::new(text)),
            Ok(None) => Err("the secret is binary: store it as text".to_owned()),
            // Its message may show a part of what it stumbled over.
            Err(_) => Err("what the extension answered is not in the form that it documents".to_owned()),
        }
    }
}

/// Names nothing: an ARN holds an account's number.
impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Secret(_) => "the secret that MEDIAN_KEY_SECRET_ARN names",
            Self::Parameter(_) => "the parameter that MEDIAN_KEY_PARAMETER names",
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Secret {
    secret_string: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Parameter {
    parameter: Held,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Held {
    value: String,
}

/// The variables that a secret's text stands for: `MEDIAN_KEY` when it is a key, and those that it names when it is a JSON
/// object, as Secrets Manager's own pages make it.
pub(crate) fn variables(text: &str) -> Result<Vec<(&'static str, Zeroizing<String>)>, &'static str> {
    if !text.trim_start().starts_with('{') {
        return Ok(vec![(KEY_VARIABLE, Zeroizing::new(text.to_owned()))]);
    }
    let Ok(Value::Object(members)) = serde_json::from_str(text) else {
        return Err("it begins like a JSON object, and is none");
    };
    let mut variables = Vec::new();
    for (name, value) in members {
        let Some(known) = VARIABLES.into_iter().find(|known| *known == name) else { continue };
        let Value::String(value) = value else { return Err("a member of it that holds a key is no text") };
        variables.push((known, Zeroizing::new(value)));
    }
    if variables.is_empty() {
        return Err("it is a JSON object without a member MEDIAN_KEY or MEDIAN_TOOL_SECRET");
    }
    Ok(variables)
}

#[cfg(test)]
mod tests {
    use super::{Reference, variables};

    fn read(set: &[(&str, &str)]) -> Result<Option<Reference>, String> {
        Reference::read(&|name| set.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn a_name_goes_into_the_address_whole() {
        let secret = read(&[("MEDIAN_KEY_SECRET_ARN", " arn:aws:secretsmanager:eu-west-1:1:secret:k&x=1 ")]);
        let path = secret.unwrap().unwrap().path();
        assert_eq!(
            path,
            "/secretsmanager/get?secretId=arn%3Aaws%3Asecretsmanager%3Aeu-west-1%3A1%3Asecret%3Ak%26x%3D1"
        );
        let parameter = read(&[("MEDIAN_KEY_PARAMETER", "/shop/median key"), ("MEDIAN_KEY_SECRET_ARN", " ")]);
        let path = parameter.unwrap().unwrap().path();
        assert_eq!(path, "/systemsmanager/parameters/get?name=%2Fshop%2Fmedian%20key&withDecryption=true");
    }

    #[test]
    fn two_names_are_one_too_many() {
        let both = read(&[("MEDIAN_KEY_SECRET_ARN", "a"), ("MEDIAN_KEY_PARAMETER", "b")]);
        assert!(both.unwrap_err().contains("both set"));
        assert_eq!(read(&[]), Ok(None));
    }

    #[test]
    fn a_secret_is_a_key_or_an_object_with_variables() {
        let names =
            |text| variables(text).map(|found| found.into_iter().map(|(name, _)| name).collect::<Vec<_>>());
        assert_eq!(names("median_key_x\n"), Ok(vec!["MEDIAN_KEY"]));
        let both = r#" {"MEDIAN_KEY":"a","owner":1,"MEDIAN_KEY_PREVIOUS":"b"}"#;
        assert_eq!(names(both), Ok(vec!["MEDIAN_KEY", "MEDIAN_KEY_PREVIOUS"]));
        for wrong in ["{", r#"{"key":"a"}"#, "{}", r#"{"MEDIAN_KEY":1}"#] {
            assert!(names(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_answer_in_another_form_shows_nothing_of_itself() {
        let secret = Reference::Secret(String::new());
        for answer in [r#"{"SecretString":42}"#, "median_key_x", "", r#"{"SecretBinary":"AAAA"}"#] {
            let error = secret.text_in(answer.as_bytes()).unwrap_err();
            assert!(!error.contains("42") && !error.contains("median_key_x"), "{error}");
        }
    }
}
