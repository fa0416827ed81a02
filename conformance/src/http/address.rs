//! An endpoint's address.

/// `http` or `https`, a host, a port, a path and a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) secure: bool,
    /// Without brackets, where it is an IPv6 address.
    pub(super) host: String,
    pub(super) port: u16,
    /// Begins with a slash.
    path: String,
    /// Without its question mark; empty when there is none.
    query: String,
}

impl Address {
    pub(super) fn parse(url: &str) -> Result<Self, String> {
        let fail = |why: &str| Err(format!("the address is not one of an endpoint: {why}"));
        let (secure, rest) = match url.split_once("://") {
            Some(("http", rest)) => (false, rest),
            Some(("https", rest)) => (true, rest),
            _ => return fail("it does not begin with http:// or https://"),
        };
        if !url.bytes().all(|byte| byte.is_ascii_graphic()) {
            return fail("it has characters that belong in no URL");
        }
        let rest = rest.split('#').next().unwrap_or(rest);
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, tail) = rest.split_at(end);
        if authority.contains('@') {
            return fail("it holds a name or a password");
        }
        let (path, query) = tail.split_once('?').unwrap_or((tail, ""));
        let ends_in_digits = |(_, port): &(&str, &str)| port.bytes().all(|byte| byte.is_ascii_digit());
        let (host, port) = match authority.rsplit_once(':').filter(ends_in_digits) {
            Some((host, port)) => (host, port.parse().ok()),
            None => (authority, Some(if secure { 443 } else { 80 })),
        };
        let Some(port) = port else {
            return fail("its port is none");
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        if host.is_empty() {
            return fail("it has no host");
        }
        let path = if path.is_empty() { "/" } else { path };
        Ok(Self { secure, host: host.to_owned(), port, path: path.to_owned(), query: query.to_owned() })
    }

    /// What stands in the `Host` header.
    pub(super) fn authority(&self) -> String {
        let host = if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() };
        let usual = if self.secure { 443 } else { 80 };
        if self.port == usual { host } else { format!("{host}:{}", self.port) }
    }

    /// The path and the query, with a slash or one more query behind them.
    pub(super) fn target(&self, suffix: &str) -> String {
        Self::under(self.path.clone(), self.query.clone(), suffix)
    }

    /// A path from the root of the site, without the endpoint's query.
    pub(super) fn target_at(path: &str, suffix: &str) -> String {
        Self::under(path.to_owned(), String::new(), suffix)
    }

    fn under(mut path: String, mut query: String, suffix: &str) -> String {
        match suffix.strip_prefix('?') {
            Some(more) if query.is_empty() => more.clone_into(&mut query),
            Some(more) => query = format!("{query}&{more}"),
            None => {
                if path.ends_with('/') && suffix.starts_with('/') {
                    path.pop();
                }
                path.push_str(suffix);
            }
        }
        if query.is_empty() { path } else { format!("{path}?{query}") }
    }

    pub(super) fn url(&self) -> String {
        let scheme = if self.secure { "https" } else { "http" };
        format!("{scheme}://{}{}", self.authority(), self.target(""))
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn an_address_is_taken_apart() {
        let address = Address::parse("http://127.0.0.1:7420/api/median?a=b#c").unwrap();
        assert_eq!(address.url(), "http://127.0.0.1:7420/api/median?a=b");
        assert_eq!(address.target("/"), "/api/median/?a=b");
        assert_eq!(address.target("?x=1"), "/api/median?a=b&x=1");
        let address = Address::parse("https://[::1]").unwrap();
        assert_eq!((address.host.as_str(), address.port, address.target("/")), ("::1", 443, "/".to_owned()));
        assert_eq!(address.url(), "https://[::1]/");
        for bad in ["localhost:1", "ftp://x/", "http://", "http://u:p@x/", "http://x:99999/", "http://a b/"] {
            assert!(Address::parse(bad).is_err(), "{bad}");
        }
    }
}
