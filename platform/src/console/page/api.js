// The API beside the page. The bearer is in this module and in the tab's own storage; no cookie is involved.

const STORED = "median-edge-console-token";

let bearer = "";

/** The bearer of this page: the public example key, the token of the link, or what was typed before in this tab. */
export function knownBearer() {
  const found = location.hash.match(/^#token=([0-9a-f]{64})$/);
  if (found) {
    sessionStorage.setItem(STORED, found[1]);
    history.replaceState(null, "", "#/endpoints");
  }
  const own = document.querySelector('meta[name="median-key"]').content;
  bearer = own || sessionStorage.getItem(STORED) || "";
  return bearer;
}

export function useBearer(text) {
  bearer = text.trim();
  sessionStorage.setItem(STORED, bearer);
}

/** What the API refused, in its own words. */
export class Refused extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

async function ask(path, options = {}) {
  let response;
  try {
    const headers = { authorization: `Bearer ${bearer}`, ...options.headers };
    response = await fetch(path, { ...options, headers, cache: "no-store", credentials: "omit", redirect: "error" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, "unreachable", "The stand-in does not answer. Is it still running?");
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  const message = body?.error?.message ?? `The stand-in answered ${response.status}.`;
  throw new Refused(response.status, body?.error?.code ?? "unknown", message);
}

const json = async (response) => (response.status === 204 ? null : response.json());

export const get = async (path) => json(await ask(path));
export const remove = async (path) => json(await ask(path, { method: "DELETE" }));
export const post = (path, body = {}) => postText(path, JSON.stringify(body));

/** Posts a body that is written already: an input goes out byte for byte. */
export async function postText(path, body) {
  return json(await ask(path, { method: "POST", headers: { "content-type": "application/json" }, body }));
}

export const path = (strings, ...parts) =>
  strings.reduce((all, text, at) => all + encodeURIComponent(parts[at - 1]) + text);

/** Every event from now on. `EventSource` can't carry a bearer, so the stream is read here. */
export async function listen(onOpen, onEvent) {
  const response = await ask("/v1/events", { headers: { accept: "text/event-stream" } });
  onOpen();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (rest + value).split("\n\n");
    rest = events.pop();
    for (const text of events) {
      const lines = text.split("\n");
      const field = (name) => lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
      const [name] = field("event");
      if (name === "log") onEvent(JSON.parse(field("data").join("\n")));
      if (name === "missed") onEvent(null);
    }
  }
}
