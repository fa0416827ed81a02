// What crosses between JavaScript and Rust. Each crossing and each promise costs about as much as a tool does, so a
// request is read in one go and answered in one call.

/** Where panics are noted: `worker` makes a fresh instance before the next request when `criticalError` is set. */
const instance = () => globalThis.__worker_init_state;

/** How many requests are in hand, and whether one of them left the instance's memory in disorder. */
let inHand = 0;
let disordered = false;

export function enter() {
  inHand += 1;
}

/** With nobody left in it, an instance in which something panicked is given up. */
export function leave() {
  inHand -= 1;
  if (inHand === 0 && disordered) {
    disordered = false;
    instance().criticalError = true;
  }
}

/**
 * Does a piece of work; gives what stopped it, or nothing.
 *
 * A trap leaves its mark in wasm-bindgen's own books: a flag in memory that ends the instance, which is taken back here,
 * and a hook, which the Rust side holds still meanwhile. Where the flag is not where it was, the instance ends, as it
 * would have without us.
 */
export function contain(work, exports) {
  const before = instance().criticalError;
  try {
    work();
    return undefined;
  } catch (error) {
    // What is no trap is no panic of ours: its owner may want it.
    if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
    const flag = exports.__instance_terminated;
    if (flag === undefined) throw error;
    new Int32Array(exports.memory.buffer)[flag.value / 4] = 0;
    // Giving up the instance now would take every other request in hand with it.
    disordered = inHand > 0;
    instance().criticalError = before || inHand === 0;
    return String(error.message);
  }
}

/** What a variable holds, when that is text. */
export function variable(env, name) {
  const value = env[name];
  return typeof value === "string" ? value : undefined;
}

/** The path and what follows it. */
export function path(request) {
  const url = request.url;
  return url.slice(url.indexOf("/", url.indexOf("://") + 3));
}

/** Where it was sent to. */
export function url(request) {
  return request.url;
}

/** All headers, each name before its value. */
export function headers(request) {
  return [...request.headers].flat();
}

/** A body piece by piece, up to a limit: its bytes, or `undefined` past the limit. */
async function readPieces(body, limit) {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const pieces = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > limit) {
      reader.cancel().catch(() => {});
      return undefined;
    }
    pieces.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

/** Reads a request and hands it to `take`, whose answer it gives: a response, or a promise of one. */
export function receive(request, env, context, limit, names, take) {
  const headers = request.headers;
  const method = request.method;
  const first = headers.get(names[0]) ?? undefined;
  const second = headers.get(names[1]) ?? undefined;
  if (method === "POST") return receiveBody(request, headers, env, context, limit, first, second, take);
  // The identity and connecting take more of the request, which is read when it is known that they are asked for.
  const more = method === "GET" ? request : undefined;
  return take(method, path(request), first, second, new Uint8Array(), false, env, more);
}

/**
 * HTTP holds a body to the length that it comes with, so that one is read whole, which costs less. One
 * that comes without, or says that it is too long, is read piece by piece and left where it is too long. What is counted
 * in the end is what came, whatever was said.
 */
async function receiveBody(request, headers, env, context, limit, first, second, take) {
  enter();
  try {
    const said = Number(headers.get("content-length") ?? NaN);
    let body;
    let cutOff = false;
    try {
      if (said <= limit) body = new Uint8Array(await request.arrayBuffer());
      else body = await readPieces(request.body, limit);
      if (body !== undefined && body.byteLength > limit) body = undefined;
    } catch {
      cutOff = true;
    }
    const answer = take("POST", path(request), first, second, body, cutOff, env, undefined);
    if (!(answer instanceof Promise)) return answer;
    // A call that has begun goes on when its client goes away.
    context?.waitUntil(answer);
    return await answer;
  } finally {
    leave();
  }
}

/** What one variable each holds, or nothing while all are as they were. */
export function changed(env, names, last) {
  for (let at = 0; at < names.length; at += 1) {
    if (env[names[at]] !== last[at]) return names.map((name) => env[name]);
  }
  return undefined;
}

/** An answer. The bytes are copied: they lie in memory that Rust is about to use again. */
export function respond(status, headers, body) {
  return new Response(body.slice(), { status, headers });
}
