// What crosses between JavaScript and Rust. Each crossing and each promise costs about as much as a tool does, so a
// request is read in one go and answered in one call.

/** Where panics are noted: `worker` makes a fresh instance before the next request when `criticalError` is set. */
const instance = () => globalThis.__worker_init_state;

/** How many requests are in hand in an instance, and whether one of them left its memory in disorder. */
let inHand = 0;
let disordered = false;
/** Which instance that is. What was in hand in one that has ended never leaves it. */
let counted;

/** How many are in hand in the instance of now. */
function inHandNow() {
  const { instanceId } = instance();
  if (counted !== instanceId) {
    counted = instanceId;
    inHand = 0;
    disordered = false;
  }
  return inHand;
}

/** Gives what to leave by. */
export function enter() {
  inHand = inHandNow() + 1;
  return counted;
}

/** With nobody left in it, an instance in which something panicked is given up. */
export function leave(entered) {
  if (entered !== counted) return;
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
    disordered = inHandNow() > 0;
    instance().criticalError = before || inHand === 0;
    return String(error.message);
  }
}

/** A line on the console, at its level. */
export function log(level, line) {
  if (level === "error") console.error(line);
  else if (level === "warn") console.warn(line);
  else console.log(line);
}

/** A promise that is kept when its time has come. */
export function sleep(ms) {
  let timer;
  const promise = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return Object.assign(promise, { timer });
}

/** Nobody waits for it any more. */
export function wake(sleep) {
  clearTimeout(sleep.timer);
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

/** All headers, each name in a line before its value: neither has a line break in it. */
export function headers(request) {
  return [...request.headers].flat().join("\n");
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

/**
 * Where an endpoint takes requests: the function that it made for them, the most bytes of a body, its two headers, and of
 * which instance all of that is.
 */
export function entrance(take, limit, first, second, exports) {
  return { take, limit, first, second, exports, instanceId: instance().instanceId };
}

/** The Worker's own entrance, for `handlers`, and, where others share the Worker, its address. */
let known;

/** Whether a trap that nobody caught has ended the instance that an entrance is of: what it made must not be called again. */
function ended({ exports }) {
  const flag = exports.__instance_terminated;
  return flag !== undefined && new Int32Array(exports.memory.buffer)[flag.value / 4] !== 0;
}

/** Whether an entrance is of the instance of now, and that is not given up. */
function isSound(entrance) {
  const { criticalError, instanceId } = instance();
  return !criticalError && entrance.instanceId === instanceId && !ended(entrance);
}

/** Where `handlers` are: asks the Worker anew, for a request whose instance has ended before the request was in hand. */
let askAnew;

/** Reads a request as `receive` does, by an entrance that the next one may take by itself. */
export function receiveFirst(request, env, context, entrance, shared) {
  known = { entrance, url: shared ? request.url : undefined };
  return receive(request, env, context, entrance);
}

/**
 * The handlers of a main module. A request goes straight to the endpoint where that is made, its instance is sound and
 * the address is known to be its own. All else goes through `worker-build`'s class, which makes fresh instances too.
 */
export function handlers(Entrypoint) {
  askAnew = (request, env, context) => new Entrypoint(context, env).fetch(request);
  const handlers = {
    fetch(request, env, context) {
      if (known !== undefined && ended(known.entrance)) {
        known = undefined;
        instance().criticalError = true;
      }
      const straight =
        known !== undefined && isSound(known.entrance) && (known.url === undefined || known.url === request.url);
      if (straight) return receive(request, env, context, known.entrance);
      return askAnew(request, env, context);
    },
  };
  for (const name of ["queue", "scheduled", "email", "connect"]) {
    if (!Object.hasOwn(Entrypoint.prototype, name)) continue;
    handlers[name] = (event, env, context) => new Entrypoint(context, env)[name](event);
  }
  return handlers;
}

/** Reads a request and hands it to an entrance, whose answer it gives: a response, or a promise of one. */
export function receive(request, env, context, entrance) {
  const headers = request.headers;
  const method = request.method;
  const first = headers.get(entrance.first) ?? undefined;
  const second = headers.get(entrance.second) ?? undefined;
  if (method === "POST") {
    const answer = receiveBody(request, headers, env, context, first, second, entrance);
    // Nothing goes on of a request whose connection was aborted, unless somebody waits for it.
    if (askAnew === undefined) context?.waitUntil(answer.catch(() => {}));
    return answer;
  }
  // The identity and connecting take more of the request, which is read when it is known that they are asked for.
  const more = method === "GET" ? request : undefined;
  return hand(entrance, method, request, first, second, new Uint8Array(), false, env, more);
}

/** Nothing is thrown from there but what ends its instance, whose memory is then in disorder: the next request has another. */
function hand(entrance, method, request, first, second, body, cutOff, env, more) {
  try {
    return entrance.take(method, path(request), first, second, body, cutOff, env, more);
  } catch (error) {
    // It may be another by now.
    if (entrance.instanceId === instance().instanceId) instance().criticalError = true;
    throw error;
  }
}

/**
 * HTTP holds a body to the length that it comes with, so that one is read whole, which costs less. One
 * that comes without, or says that it is too long, is read piece by piece and left where it is too long. What is counted
 * in the end is what came, whatever was said.
 */
async function receiveBody(request, headers, env, context, first, second, entrance) {
  const { limit } = entrance;
  // Whoever sends no end of a body, or goes away before it, would be in hand for good and keep an instance that is to be
  // given up: so a request is in hand once its body is there. Only where the Worker cannot be asked anew, the instance has
  // to last until then.
  let entered = askAnew === undefined ? enter() : undefined;
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
    if (askAnew !== undefined && !isSound(entrance)) {
      // Nobody is there any more to be told more.
      if (cutOff) return new Response(null, { status: 400 });
      // What is over the limit is so again.
      body ??= new Uint8Array(limit + 1);
      return await askAnew(new Request(request.url, { method: "POST", headers, body }), env, context);
    }
    entered ??= enter();
    const answer = hand(entrance, "POST", request, first, second, body, cutOff, env, undefined);
    if (!(answer instanceof Promise)) return answer;
    // A call that has begun goes on when its client goes away.
    context?.waitUntil(answer);
    return await answer;
  } finally {
    leave(entered);
  }
}

/** Variables, by their names with spaces between them, that nobody has looked at yet. */
export function unseen(names) {
  // No variable is NaN, so the first look finds a change.
  return names.split(" ").map((name) => ({ name, value: NaN }));
}

/** Whether one of them is another than when they were last looked at. */
export function changed(env, seen) {
  let changed = false;
  for (const variable of seen) {
    const value = env[variable.name];
    if (value === variable.value) continue;
    variable.value = value;
    changed = true;
  }
  return changed;
}

/** A kind of answer: a response without a body, which others are made after. Headers are one a line. */
export function kind(status, headers) {
  const pairs = headers.split("\n").map((line) => line.split(": "));
  return new Response(null, { status, headers: pairs });
}

/** An answer of a kind. The bytes are copied: they lie in memory that Rust is about to use again. */
export function respond(kind, body) {
  return new Response(body.slice(), kind);
}
