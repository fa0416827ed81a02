//! The way in: which route, then the checks in the order of the protocol, up to a request that asks for something here.

use alloc::format;

#[cfg(feature = "connect")]
use crate::connect;
use crate::context::CallContext;
use crate::described::Described;
use crate::endpoint::Endpoint;
use crate::envelope::{self, Envelope, Operation, ToolCall};
use crate::error::{Code, Fault};
use crate::host::Host;
use crate::http::{Body, Method, Request, SIGNATURE_HEADER};
use crate::identity::Identity;
use crate::input::Input;
use crate::key::Keys;
use crate::on_the_way::{self, coding};
use crate::platform::Platform;
use crate::route::Route;
use crate::run;
use crate::sendable::MaybeSync;
use crate::signature::{Terms, Verified, authenticate};
use crate::text::Quoted;
use crate::tool::Tool;

/// A request that got in: verified, decoded, and known to ask for something that is here.
pub(crate) enum Admitted<'r, S> {
    Health,
    Identity(&'r Identity<S>),
    #[cfg(feature = "connect")]
    Connect,
    Manifest {
        verified: Verified<'r>,
    },
    /// The application manifest, which may be there for anyone.
    Application {
        described: &'r Described,
        verified: Option<Verified<'r>>,
    },
    Diagnostics {
        verified: Verified<'r>,
    },
    Call {
        verified: Verified<'r>,
        tool: &'r Tool<S>,
        input: &'r Input<'r>,
        call: CallContext<'r>,
    },
}

impl<S: MaybeSync + 'static> Endpoint<S> {
    /// The checks, in the order of the protocol. Nothing of the body is looked at before its signature holds.
    pub(crate) fn admit<'e, 'r: 'e>(
        &'e self,
        platform: &Platform<'_, S>,
        request: &'r Request,
        envelope: &'e mut Envelope<'r>,
        now_ms: u64,
    ) -> Result<Admitted<'e, S>, Fault> {
        match self.route(&request.path) {
            Route::Endpoint => {}
            Route::Identity => {
                return self.identity.as_ref().map(Admitted::Identity).ok_or_else(|| self.nothing());
            }
            Route::ApplicationManifest => {
                return self.admit_to_application(platform.host, platform.keys, request, now_ms);
            }
            Route::Health if platform.health => return Ok(Admitted::Health),
            // Where nobody asks for health, the root has that path too.
            Route::Health if self.mount.is_root() => {}
            _ => return Err(self.nothing()),
        }
        #[cfg(feature = "connect")]
        if self.connects(platform.keys, request)? {
            return Ok(Admitted::Connect);
        }
        let verified = self.verify(platform.host, platform.keys, request, now_ms)?;
        if request.method == Method::Get {
            return Ok(Admitted::Manifest { verified });
        }
        if let Some(coding) = coding(request) {
            return Err(coded(&coding));
        }
        match envelope::decode(verified, envelope)? {
            Operation::Diagnostics => Ok(Admitted::Diagnostics { verified }),
            Operation::Tool(ToolCall { tool, input, context }) => {
                let known = self.tools.iter().find(|known| known.name() == tool);
                let Some(known) = known else {
                    // A member that is twice is wrong whatever the tool.
                    input.check_members()?;
                    return Err(unknown_tool(tool));
                };
                Ok(Admitted::Call { verified, tool: known, input, call: context })
            }
        }
    }

    /// The way in to the application manifest: for anyone, or by a signed GET.
    fn admit_to_application<'e, 'r: 'e>(
        &'e self,
        host: &dyn Host,
        keys: &Keys,
        request: &'r Request,
        now_ms: u64,
    ) -> Result<Admitted<'e, S>, Fault> {
        if request.method != Method::Get {
            let only = "Only GET, for the application manifest, is answered here.";
            return Err(Fault::new(Code::MethodNotAllowed, only));
        }
        let Some(described) = &self.application else {
            return Err(Fault::new(Code::NotFound, "This endpoint describes no application."));
        };
        let verified =
            if described.is_signed() { Some(self.verify(host, keys, request, now_ms)?) } else { None };
        Ok(Admitted::Application { described, verified })
    }

    /// Whether a request would be refused because its signature, or the bearer that it would connect by, fits none of the
    /// keys: an adapter whose keys may be behind can fetch them anew before it answers.
    pub fn fits_no_key(&self, host: &dyn Host, keys: &Keys, request: &Request) -> bool {
        let now_ms = host.now_ms();
        let admitted = match self.route(&request.path) {
            #[cfg(feature = "connect")]
            Route::Endpoint => self.connects(keys, request).and_then(|connects| {
                if connects { Ok(()) } else { self.verify(host, keys, request, now_ms).map(drop) }
            }),
            #[cfg(not(feature = "connect"))]
            Route::Endpoint => self.verify(host, keys, request, now_ms).map(drop),
            Route::ApplicationManifest => self.admit_to_application(host, keys, request, now_ms).map(drop),
            _ => return false,
        };
        admitted.is_err_and(|fault| fault.code() == Code::InvalidSignature)
    }

    /// The checks up to the signature.
    fn verify<'r>(
        &self,
        host: &dyn Host,
        keys: &Keys,
        request: &'r Request,
        now_ms: u64,
    ) -> Result<Verified<'r>, Fault> {
        let get = match request.method {
            Method::Get => true,
            Method::Post => false,
            Method::Other => return Err(Fault::new(Code::MethodNotAllowed, METHODS)),
        };
        let keys = self.keys_or(keys);
        let secrets = keys.tool_secrets().map_err(Fault::from)?;
        let body = if get { &[] } else { self.body_of(request)? };
        let now_ms = match &self.options.clock {
            Some(clock) => run::contain(host, || clock.now_ms()).map_err(|_| {
                Fault::new(Code::InvalidConfig, "The endpoint's clock does not work, so it answers nothing.")
            })?,
            None => now_ms,
        };
        let terms = Terms { secrets, now_ms, tolerance_ms: self.options.tolerance_ms };
        authenticate(request.headers.get(SIGNATURE_HEADER), body, terms)
            .map_err(|fault| on_the_way::explain(fault, request, body))
    }

    fn body_of<'r>(&self, request: &'r Request) -> Result<&'r [u8], Fault> {
        let limit = self.options.body_limit;
        match &request.body {
            Body::Unreadable(why) => Err(Fault::new(Code::InvalidBody, *why)),
            body => body.bytes().filter(|body| body.len() <= limit).ok_or_else(|| {
                let message = format!(
                    "The body is over {limit} bytes, the most that this endpoint takes (its body limit)."
                );
                Fault::new(Code::InvalidBody, message)
            }),
        }
    }

    fn nothing(&self) -> Fault {
        let mount = self.mount();
        Fault::new(Code::NotFound, format!("Nothing is here. The tool endpoint is at {mount}."))
    }

    /// Whether this is an unsigned `GET` that connects, once there is a key to connect by.
    #[cfg(feature = "connect")]
    fn connects(&self, keys: &Keys, request: &Request) -> Result<bool, Fault> {
        if request.method != Method::Get || !self.options.connect {
            return Ok(false);
        }
        let keys = self.keys_or(keys);
        keys.tool_secrets().map_err(Fault::from)?;
        connect::admit(&request.headers, keys)
    }
}

const METHODS: &str = "Only GET, for the manifest, and POST, to run a tool, are answered here.";

/// The signature covers the bytes as sent, and some fronts decompress on the way.
fn coded(coding: &str) -> Fault {
    let coding = Quoted(coding);
    let message =
        format!("The body is sent with Content-Encoding {coding}. Send it as it is, without a coding.");
    Fault::new(Code::InvalidBody, message)
}

fn unknown_tool(name: &str) -> Fault {
    let name = Quoted(name);
    let message =
        format!("This endpoint has no tool {name}: the synced list is behind. Sync the endpoint again.");
    Fault::new(Code::UnknownTool, message)
}
