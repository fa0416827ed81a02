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
                own_key: false,
                sync: SyncState::Never,
                synced: None,
                switched_off: std::collections::BTreeSet::new(),
                recent_syncs_ms: Vec::new(),
            },
        };
        if let Some(key) = key {
            endpoint.own_key = true;
            self.put(&Secret { endpoint: endpoint.id.clone(), key })?;
        }
        let about = About { endpoint: Some(&endpoint.id), ..About::default() };
        self.log(LogType::Tools, "endpoint.connected", &about, format!("{} was connected.", endpoint.url))?;
        self.start_sync(&mut endpoint)?;
        Ok(endpoint)
    }

    /// The endpoint's own key, when it has one.
    pub(crate) fn own_key(&self, endpoint: &str) -> Result<Option<String>, Problem> {
        Ok(self.get::<Secret>(endpoint)?.map(|secret| secret.key))
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
        self.log(LogType::Tools, "endpoint.removed", &about, format!("{} was removed.", endpoint.url))
    }

    /// Switches a tool on or off. One that is off leaves the agent's next turn and the run lists.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`].
    pub fn switch(&mut self, tool: &str, on: bool) -> Result<Endpoint, Problem> {
        let (mut endpoint, found) = self.tool_of(tool)?.ok_or_else(|| Problem::not_found("tool", tool))?;
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
    Ok(uri.to_string())
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn an_address_has_a_scheme_and_a_host_and_no_secrets() {
        assert_eq!(address(" http://127.0.0.1:1/api/median ").unwrap(), "http://127.0.0.1:1/api/median");
        assert_eq!(address("https://shop.example").unwrap(), "https://shop.example/");
        for bad in
            ["", "shop.example/api", "ftp://x/", "http://", "http://a:b@x/", "http://x/#y", "http://a b/"]
        {
            assert!(address(bad).is_err(), "{bad}");
        }
    }
}
