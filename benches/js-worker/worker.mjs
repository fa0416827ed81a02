// The peer: the endpoint as someone would write it for Workers in JavaScript, with Web Crypto and one tool. It checks and
// answers a call as ours does, logs the same line, and leaves out what a call does not need.

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });
const headers = { "content-type": "application/json", "cache-control": "private, no-store" };
const TOLERANCE_MS = 300_000;
const CAP = 1_048_576;
const RISKS = ["low", "medium", "reviewed", "high"];

const tools = {
  orderStatus: {
    risk: "low",
    effect: "read",
    fields: { orderNumber: "string" },
    required: ["orderNumber"],
    run: (input) => ({ orderNumber: input.orderNumber, status: "shipped" }),
  },
};

class Fault extends Error {
  constructor(code, status, message) {
    super(message);
    Object.assign(this, { code, status });
  }
}

let prepared;
/** The key that signatures are checked with, imported once. */
function signingKey(env) {
  prepared ??= (async () => {
    const hmac = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", encoder.encode(env.MEDIAN_KEY.trim()), hmac, false, ["sign"]);
    const secret = await crypto.subtle.sign("HMAC", key, encoder.encode("median-edge/tool-signing/v1"));
    return crypto.subtle.importKey("raw", secret, hmac, false, ["verify"]);
  })();
  return prepared;
}

function bytesOfHex(text) {
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

function parse(header) {
  if (header === null) throw new Fault("missing_signature", 401, "This request has no median-signature header.");
  let t;
  const candidates = [];
  for (const element of header.split(",")) {
    const [name, value] = element.trim().split("=");
    if (name === "t") t = value;
    else if (name === "v1" && /^[0-9a-fA-F]{64}$/.test(value)) candidates.push(value);
  }
  if (!/^\d{1,16}$/.test(t ?? "") || candidates.length === 0) {
    throw new Fault("malformed_signature", 401, "The median-signature header is not t=<ms>,v1=<hex>.");
  }
  return { t, candidates };
}

async function verify(header, body, env) {
  const { t, candidates } = parse(header);
  if (Math.abs(Date.now() - Number(t)) > TOLERANCE_MS) throw new Fault("stale_timestamp", 401, "The request is too old.");
  const prefix = encoder.encode(`${t}.`);
  const signed = new Uint8Array(prefix.length + body.byteLength);
  signed.set(prefix);
  signed.set(new Uint8Array(body), prefix.length);
  const key = await signingKey(env);
  for (const candidate of candidates) {
    if (await crypto.subtle.verify("HMAC", key, bytesOfHex(candidate), signed)) return;
  }
  throw new Fault("invalid_signature", 401, "No signature matches.");
}

function decode(body) {
  let call;
  try {
    call = JSON.parse(decoder.decode(body));
  } catch {
    throw new Fault("invalid_body", 400, "The body is not JSON.");
  }
  const { tool, toolCallId, input, context } = call;
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const fits =
    typeof tool === "string" && typeof toolCallId === "string" && isObject(input) && isObject(context) &&
    typeof context.conversationId === "string" && RISKS.includes(context.risk) &&
    typeof context.visitor?.verified === "boolean";
  if (!fits) throw new Fault("invalid_body", 400, "The body is no tool call.");
  return call;
}

function check(tool, input) {
  for (const [name, type] of Object.entries(tool.fields)) {
    const value = input[name] ?? undefined;
    if (value === undefined) {
      if (tool.required.includes(name)) throw new Fault("invalid_input", 400, `${name} is missing.`);
    } else if (typeof value !== type) throw new Fault("invalid_input", 400, `${name} must be a ${type}.`);
  }
  for (const name of Object.keys(input)) {
    if (!Object.hasOwn(tool.fields, name)) throw new Fault("invalid_input", 400, `${name} is no field.`);
  }
}

/** The body, up to the cap: what a length says first, and what came in the end. */
async function read(request) {
  const said = Number(request.headers.get("content-length") ?? NaN);
  const body = said <= CAP ? await request.arrayBuffer() : undefined;
  if (body === undefined || body.byteLength > CAP) throw new Fault("invalid_body", 400, "The body is too large.");
  return body;
}

async function answer(request, env, event) {
  if (request.method !== "POST") throw new Fault("method_not_allowed", 405, "Only POST is answered here.");
  const body = await read(request);
  event.request_bytes = body.byteLength;
  await verify(request.headers.get("median-signature"), body, env);
  if ((request.headers.get("content-encoding") ?? "identity") !== "identity") {
    throw new Fault("invalid_body", 400, "The body is compressed.");
  }
  const call = decode(body);
  const tool = Object.hasOwn(tools, call.tool) ? tools[call.tool] : undefined;
  if (tool === undefined) throw new Fault("unknown_tool", 404, "There is no such tool.");
  Object.assign(event, {
    asked: "tool", tool: call.tool, tool_call_id: call.toolCallId, conversation_id: call.context.conversationId,
    risk: tool.risk, effect: tool.effect, visitor_verified: call.context.visitor.verified,
  });
  check(tool, call.input);
  return JSON.stringify({ result: (await tool.run(call.input, call.context)) ?? null });
}

export default {
  async fetch(request, env) {
    const started = Date.now();
    const event = { level: "info", asked: "nothing", ending: "result", status: 200 };
    let body;
    try {
      body = await answer(request, env, event);
    } catch (error) {
      const { code, status, message } = error instanceof Fault ? error : new Fault("execution_failed", 200, "It failed.");
      Object.assign(event, { level: "error", ending: "error", status, code, message });
      body = JSON.stringify({ error: { code, message } });
    }
    event.duration_ms = Date.now() - started;
    event.response_bytes = body.length;
    console.log(JSON.stringify(event));
    return new Response(body, { status: event.status, headers });
  },
};
