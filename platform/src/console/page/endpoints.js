// Endpoints, and how their syncs went.

import { get, path, post, remove } from "/console/api.js";
import { h, said } from "/console/dom.js";
import { button, empty, field, form, notify, short, state, when } from "/console/parts.js";

let removing = null;

export function begin() {
  removing = null;
}

export async function view(_, draw) {
  const { items } = await get("/v1/tool-endpoints");
  const connect = async (values, element) => {
    await post("/v1/tool-endpoints", { url: values.url.trim(), key: values.key.trim() || undefined });
    element.reset();
  };
  return [
    h("h1", {}, "Endpoints"),
    h("p", { class: "lead" }, "Where your tools answer. Connecting fetches the manifest; the agent sees the tools of the last sync that was good."),
    form({ class: "card connect", "data-key": "connect" }, connect,
      field("URL of an endpoint", "url", { type: "url", placeholder: "http://127.0.0.1:8787/api/median", required: true }),
      field("Its own key, if it has one", "key", { type: "password" }),
      h("button", { class: "primary" }, "Connect")),
    items.length === 0
      ? empty("No endpoint is connected yet.", "Start yours and give its URL above.")
      : h("ul", { class: "cards", "aria-label": "Endpoints" }, items.map((one) => card(one, draw))),
  ];
}

function card(one, draw) {
  const tools = one.synced?.tools ?? [];
  const sync = async () => {
    const after = await post(path`/v1/tool-endpoints/${one.id}/sync`);
    notify(after.sync.state === "failed" ? "Sync failed. The reasons are with the endpoint." : `Synced: ${count(after.synced.tools.length)}.`);
  };
  const ask = () => {
    removing = removing === one.id ? null : one.id;
    return draw();
  };
  return h("li", { class: "card", "data-key": one.id },
    h("div", { class: "card-head" },
      h("h2", { class: "url" }, said(one.url)),
      state(one.sync.state === "failed" ? "failed" : one.sync.state)),
    h("dl", { class: "facts" },
      fact("Last good sync", one.synced ? when(one.synced.atMs) : "none"),
      fact("Tools", h("a", { href: "#/tools" }, count(tools.length))),
      fact("Diagnostics", one.synced?.diagnostics ? "answered" : "not offered"),
      fact("Key", one.ownKey ? "its own" : "the organization's"),
      fact("Id", short(one.id))),
    one.sync.state === "failed"
      ? h("div", { class: "reasons bad" },
        h("p", {}, h("strong", {}, "Sync failed"), " at ", when(one.sync.atMs), " · ", h("code", {}, said(one.sync.code))),
        h("ul", {}, one.sync.reasons.map((reason) => h("li", {}, said(reason)))),
        tools.length ? h("p", { class: "hint" }, "The tools of the last good sync stay.") : null)
      : null,
    one.synced?.warnings.length
      ? h("details", { class: "reasons", "data-key": `warn-${one.id}` },
        h("summary", {}, `${one.synced.warnings.length} to look at`),
        h("ul", {}, one.synced.warnings.map((warning) => h("li", {}, said(warning)))))
      : null,
    h("div", { class: "actions" },
      button("Sync now", sync),
      button(removing === one.id ? "Keep it" : "Remove…", ask, { "aria-expanded": String(removing === one.id), "data-key": "ask" }),
      removing === one.id
        ? button("Remove it with its tools", () => remove(path`/v1/tool-endpoints/${one.id}`), { class: "bad", "data-key": "really" })
        : null));
}

const count = (number) => `${number} ${number === 1 ? "tool" : "tools"}`;
const fact = (name, ...value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
export { fact };
