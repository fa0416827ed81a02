// A request that goes out, by the platform's own client. It is apart from `boundary.js`, so that a Worker which is built
// without connecting has none of it.

/** Where a request was sent to. */
export function url(request) {
  return request.url;
}

/**
 * Sends a request, and gives its status and the beginning of its body; or nothing and why, and whether it took too long.
 *
 * A redirect is an answer like any other: what the headers hold is for the one address. The text of an error is the
 * platform's own, and says nothing of them.
 */
export async function send(method, url, headers, body, limitMs, answerBytes) {
  try {
    const signal = AbortSignal.timeout(limitMs);
    const response = await fetch(url, { method, headers, body, redirect: "manual", signal });
    return [response.status, await beginning(response.body, answerBytes)];
  } catch (error) {
    return [undefined, String(error?.message ?? error), error?.name === "TimeoutError"];
  }
}

/** A body up to a limit. The rest is left. */
async function beginning(body, limit) {
  const read = new Uint8Array(limit);
  let length = 0;
  if (body === null) return read.slice(0, 0);
  const reader = body.getReader();
  while (length < limit) {
    const { done, value } = await reader.read();
    if (done) return read.slice(0, length);
    const piece = value.subarray(0, limit - length);
    read.set(piece, length);
    length += piece.byteLength;
  }
  reader.cancel().catch(() => {});
  return read;
}
