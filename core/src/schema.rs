//! JSON Schemas as an application gives them, for its application manifest.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use core::fmt;

/// A JSON Schema: its text, or the type that it is derived from. It is read when the endpoint is built, where what is
/// wrong with it is a problem that names its owner.
///
/// ```
/// use median_edge::SchemaJson;
///
/// let by_hand = SchemaJson::from(r#"{"type":"object","properties":{"id":{"type":"string"}}}"#);
/// # assert_eq!(format!("{by_hand:?}"), "SchemaJson(…)");
/// ```
#[derive(Clone)]
pub struct SchemaJson(#[cfg_attr(not(feature = "application-manifest"), allow(dead_code))] Source);

#[derive(Clone)]
enum Source {
    #[cfg_attr(not(feature = "application-manifest"), allow(dead_code))]
    Text(Cow<'static, str>),
    #[cfg(feature = "application-manifest")]
    Type(fn() -> serde_json::Value),
}

impl From<&'static str> for SchemaJson {
    fn from(text: &'static str) -> Self {
        Self(Source::Text(Cow::Borrowed(text)))
    }
}

impl From<String> for SchemaJson {
    fn from(text: String) -> Self {
        Self(Source::Text(Cow::Owned(text)))
    }
}

impl From<serde_json::Value> for SchemaJson {
    fn from(value: serde_json::Value) -> Self {
        Self::from(value.to_string())
    }
}

impl fmt::Debug for SchemaJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SchemaJson(…)")
    }
}

#[cfg(feature = "application-manifest")]
mod read {
    use alloc::format;
    use alloc::string::String;

    use schemars::JsonSchema;
    use schemars::generate::SchemaSettings;
    use serde_json::Value;

    use super::{SchemaJson, Source};

    #[cfg_attr(docsrs, doc(cfg(feature = "application-manifest")))]
    impl SchemaJson {
        /// The schema of what a type is written as.
        pub fn written<T: JsonSchema>() -> Self {
            Self(Source::Type(|| of_type::<T>(SchemaSettings::draft2020_12().for_serialize())))
        }

        /// The schema of what a type is read from.
        pub fn read<T: JsonSchema>() -> Self {
            Self(Source::Type(|| of_type::<T>(SchemaSettings::draft2020_12())))
        }

        /// The schema as a value; the error is for a sentence that begins with whose it is.
        pub(crate) fn value(&self) -> Result<Value, String> {
            let value = match &self.0 {
                Source::Type(derive) => derive(),
                Source::Text(text) => {
                    serde_json::from_str(text).map_err(|error| format!("is not JSON: {error}"))?
                }
            };
            let kind = match &value {
                Value::Object(_) | Value::Bool(_) => return Ok(value),
                Value::Null => "null",
                Value::Number(_) => "a number",
                Value::String(_) => "a string",
                Value::Array(_) => "an array",
            };
            Err(format!("is {kind}; a JSON Schema is an object, true or false"))
        }
    }

    /// Without `$schema` and `title`, and with everything in its place: a reader of the manifest does not take it apart
    /// to follow references. What refers to itself keeps them.
    fn of_type<T: JsonSchema>(settings: SchemaSettings) -> Value {
        let settings = settings.with(|settings| {
            settings.meta_schema = None;
            settings.inline_subschemas = true;
        });
        let mut schema = settings.into_generator().into_root_schema_for::<T>();
        schema.remove("title");
        schema.to_value()
    }
}
