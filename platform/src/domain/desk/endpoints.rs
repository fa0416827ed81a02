//! Connecting and removing endpoints, switching tools on and off.

use http::Uri;

use super::super::approval::{Approval, ApprovalState, Expired};
use super::super::endpoint::{Endpoint, Secret, SyncState};
use super::super::limits::{ENDPOINTS, URL_CHARACTERS};
use super::super::problem::{Code, Problem};
use super::super::records::{Select, Table};
use super::super::report::LogType;
use super::super::text::bounded;
use super::{About, Desk};

/// Which key signs what goes to an endpoint.
pub(crate) enum SigningKey {
    /// Its own.
    Own(String),
    /// The organization's.
    Organization,
    /// There is none: nothing goes there.
    None,
}

impl Desk<'_> {
    /// Connects an endpoint and starts its first sync; one that is connected is synced again.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidRequest`] for what is no address, [`Code::TooManyEndpoints`], [`Code::RateLimited`].
    pub fn connect(&mut self, url: &str, key: Option<String>) -> Result<Endpoint, Problem> {
        let url = address(url)?;
        let endpoints = self.all_endpoints()?;
        let known = endpoints.iter().find(|endpoint| endpoint.url == url).cloned();
        let mut endpoint = match known {
            Some(endpoint) => endpoint,
            None if endpoints.len() >= ENDPOINTS => {
                let message =
                    format!("{ENDPOINTS} endpoints are connected, and that is the most. Remove one first.");
                return Err(Problem::new(Code::TooManyEndpoints, message));
            }
            None => Endpoint {
                id: self.id("endpoint_"),
                url,
                connected_ms: self.now_ms,
                demo: false,
                own_key: false,
                sync: SyncState::Never,
                synced: None,
                switched_off: std::collections::BTreeSet::new(),
                recent_syncs_ms: Vec::new(),
            },
        };
        if let Some(key) = key {
            endpoint.own_key = true;
            // A sync that is joined would not keep it.
            self.put(&endpoint)?;
            self.put(&Secret { endpoint: endpoint.id.clone(), key })?;
        }
        let about = About { endpoint: Some(&endpoint.id), ..About::default() };
        self.log(
            LogType::Tools,
            "endpoint.connected",
            &about,
            format!("{} was connected.", endpoint.shown_url()),
        )?;
        self.start_sync(&mut endpoint)?;
        Ok(endpoint)
    }

    /// Connects the demo, which has an address for as long as it runs. It is one endpoint all the same: one that was connected
    /// before at another address moves here with its tools, and with the requests that wait on them.
    ///
    /// # Errors
    ///
    /// As [`Desk::connect`].
    pub fn connect_demo(&mut self, url: &str) -> Result<Endpoint, Problem> {
        let url = address(url)?;
        let endpoints = self.all_endpoints()?;
        let is_taken = endpoints.iter().any(|endpoint| endpoint.url == url);
        if let Some(mut before) = endpoints.into_iter().find(|endpoint| endpoint.demo && endpoint.url != url)
        {
            if is_taken {
                self.remove(&before.id)?;
            } else {
                before.url.clone_from(&url);
                // What the other address still answers to a sync is dropped.
                before.sync = SyncState::Never;
                self.put(&before)?;
            }
        }
        let mut endpoint = self.connect(&url, None)?;
        endpoint.demo = true;
        self.put(&endpoint)?;
        Ok(endpoint)
    }

    /// Which key signs what goes to an endpoint. One that was removed is signed for by none: what is still on its way there
    /// must not go out under a key that it was never given.
    pub(crate) fn signing_key(&self, endpoint: &str) -> Result<SigningKey, Problem> {
        let Some(endpoint) = self.get::<Endpoint>(endpoint)? else { return Ok(SigningKey::None) };
        Ok(match self.get::<Secret>(&endpoint.id)? {
            Some(secret) => SigningKey::Own(secret.key),
            None if endpoint.own_key => SigningKey::None,
            None => SigningKey::Organization,
        })
    }

    /// The keys of all endpoints that have their own.
    pub(crate) fn own_keys(&self) -> Result<Vec<String>, Problem> {
        Ok(self.find::<Secret>(&Select::default())?.into_iter().map(|secret| secret.key).collect())
    }

    /// Removes an endpoint and its tools. Requests that wait on them expire, with a line in each thread.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`].
    pub fn remove(&mut self, id: &str) -> Result<(), Problem> {
        let endpoint = self.endpoint_of(id)?;
        self.records.delete(Table::Endpoint, id)?;
        self.records.delete(Table::Secret, id)?;
        let waiting = Select { endpoint: Some(id), states: &ApprovalState::UNDECIDED, ..Select::default() };
        for approval in self.find::<Approval>(&waiting)? {
            self.expire(approval, Expired::EndpointRemoved)?;
        }
        self.release_turns(id)?;
        let about = About { endpoint: Some(id), ..About::default() };
        self.log(LogType::Tools, "endpoint.removed", &about, format!("{} was removed.", endpoint.shown_url()))
    }

    /// Switches a tool on or off. One that is off leaves the agent's next turn and the run lists.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`].
    pub fn switch(&mut self, tool: &str, on: bool) -> Result<Endpoint, Problem> {
        let (mut endpoint, found) = self.tool_of(tool)?.ok_or_else(|| Problem::not_named("tool", tool))?;
        let changed = if on {
            endpoint.switched_off.remove(&found.name)
        } else {
            endpoint.switched_off.insert(found.name.clone())
        };
        if changed {
            self.put(&endpoint)?;
            let about = About { endpoint: Some(&endpoint.id), tool: Some(&found.name), ..About::default() };
            let (event, word) = if on { ("tool.on", "on") } else { ("tool.off", "off") };
            self.log(LogType::Tools, event, &about, format!("{} was switched {word}.", found.name))?;
        }
        Ok(endpoint)
    }
}

/// Where an endpoint is, in the one form that it is kept in.
fn address(url: &str) -> Result<String, Problem> {
    let bad = |why: &str| {
        let message = format!(
            "That is no address of an endpoint: {why}. It looks like http://127.0.0.1:7420/api/median."
        );
        Problem::new(Code::InvalidRequest, message)
    };
    let url = bounded("The address", url.trim().to_owned(), URL_CHARACTERS)?;
    if url.contains('#') {
        return Err(bad("it has a fragment"));
    }
    let uri: Uri = url.parse().map_err(|_| bad("it is not a URL"))?;
    match uri.scheme_str() {
        Some("http" | "https") => {}
        Some(_) => return Err(bad("it is neither http nor https")),
        None => return Err(bad("http:// or https:// is missing")),
    }
    let authority = uri.authority().ok_or_else(|| bad("it has no host"))?;
    if authority.as_str().contains('@') {
        return Err(bad("it holds a name or a password"));
    }
    if authority.host().is_empty() {
        return Err(bad("it has no host"));
    }
    // One that is none would be taken for the scheme's own.
    if authority.port_u16().is_none() && authority.as_str().len() > authority.host().len() {
        return Err(bad("its port is no number up to 65535"));
    }
    Ok(uri.to_string())
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn an_address_has_a_scheme_and_a_host_and_no_secrets() {
        assert_eq!(address(" http://127.0.0.1:1/api/median ").unwrap(), "http://127.0.0.1:1/api/median");
        assert_eq!(address("https://shop.example").unwrap(), "https://shop.example/");
        for bad in [
            "",
            "shop.example/api",
            "ftp://x/",
            "http://",
            "http://a:b@x/",
            "http://x/#y",
            "http://a b/",
            "http://x:99999/",
            "http://x:/",
        ] {
            assert!(address(bad).is_err(), "{bad}");
        }
    }
}
