//! The members of an event. Those that are null or missing are absent; one of another shape than AWS gives it is an error,
//! never a guess.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The members that some kind of HTTP event has.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Members<'a> {
    #[serde(borrow, default)]
    pub(super) raw_path: Text<'a>,
    #[serde(borrow, default)]
    pub(super) raw_query_string: Text<'a>,
    #[serde(borrow, default)]
    pub(super) path: Text<'a>,
    #[serde(borrow, default)]
    pub(super) http_method: Text<'a>,
    #[serde(borrow, default)]
    pub(super) headers: Named<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) multi_value_headers: Named<Texts<'a>>,
    #[serde(borrow, default)]
    pub(super) query_string_parameters: Named<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) multi_value_query_string_parameters: Named<Texts<'a>>,
    #[serde(borrow, default)]
    pub(super) cookies: Texts<'a>,
    #[serde(borrow)]
    pub(super) body: Option<&'a serde_json::value::RawValue>,
    pub(super) is_base64_encoded: Option<bool>,
    #[serde(borrow)]
    pub(super) request_context: Option<Context<'a>>,
}

/// What the platform says of a request.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Context<'a> {
    #[serde(borrow)]
    pub(super) http: Option<Http<'a>>,
    #[serde(borrow, default)]
    pub(super) http_method: Text<'a>,
    #[serde(borrow, default)]
    pub(super) stage: Text<'a>,
    #[cfg(feature = "connect")]
    #[serde(borrow, default)]
    pub(super) domain_name: Text<'a>,
    /// With the stage in front, where `path` of the event is without.
    #[cfg(feature = "connect")]
    #[serde(borrow, default)]
    pub(super) path: Text<'a>,
    pub(super) elb: Option<IgnoredAny>,
}

#[derive(serde::Deserialize)]
pub(super) struct Http<'a> {
    #[serde(borrow, default)]
    pub(super) method: Text<'a>,
    #[serde(borrow, default)]
    pub(super) path: Text<'a>,
}

/// A text, or nothing where it is null. It is copied only when it has escapes.
#[derive(Default)]
pub(super) struct Text<'a>(pub(super) Option<Cow<'a, str>>);

impl<'a> Text<'a> {
    pub(super) fn take(&mut self) -> Option<Cow<'a, str>> {
        self.0.take()
    }
}

/// Texts; null among them is skipped.
#[derive(Default)]
pub(super) struct Texts<'a>(pub(super) Vec<Cow<'a, str>>);

/// The members of an object in their order, a name that is there twice too.
pub(super) struct Named<T>(pub(super) Vec<(String, T)>);

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
                Ok(Text(None))
            }

            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Some(Cow::Borrowed(text))))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Some(Cow::Owned(text.to_owned()))))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Texts<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Texts<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of texts")
            }

            fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
                Ok(Texts::default())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut texts = Vec::new();
                while let Some(Text(text)) = list.next_element()? {
                    texts.extend(text);
                }
                Ok(Texts(texts))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Reader<T> {
            type Value = Named<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
                Ok(Named::default())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Named(members))
            }
        }
        deserializer.deserialize_any(Reader(std::marker::PhantomData))
    }
}
