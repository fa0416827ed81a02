"""A small endpoint in Python, without this project's code and without packages.

`python3 endpoint.py` prints the port that it took and serves until it is stopped. `--mistakes` makes three that are
typical: it verifies JSON that it parsed and wrote again, it makes numbers of strings, and it answers a wrong input
with 422.
"""

import hashlib
import hmac
import http.server
import json
import re
import sys
import time

KEY = "median_key_conformance_tests_0123456789"
SECRET = hmac.new(KEY.encode(), b"median-edge/tool-signing/v1", hashlib.sha256).digest()
MISTAKES = "--mistakes" in sys.argv
WINDOW_MS = 300_000
CAP = 1_048_576
VISIBLE = set(b"\t" + bytes(range(0x20, 0x7F)))
HALF_PAIR = re.compile("[\ud800-\udfff]")

STATUS = {
    "missing_signature": 401,
    "malformed_signature": 401,
    "stale_timestamp": 401,
    "invalid_signature": 401,
    "method_not_allowed": 405,
    "invalid_body": 400,
    "unknown_op": 400,
    "invalid_input": 422 if MISTAKES else 400,
    "unknown_tool": 404,
    "diagnostics_unsupported": 200,
}

# name -> (risk, description, fields); a field is (name, type, description, needed, choices)
TOOLS = {
    "orderStatus": (
        "low",
        "Look up the status of an order.",
        [("orderNumber", "string", "Like ORD-1042.", True, None)],
    ),
    "setQuantity": (
        "low",
        "Change how many of an item are in the cart.",
        [
            ("quantity", "number", "How many.", True, None),
            ("gift", "boolean", "Whether it is a gift.", False, None),
            ("speed", "string", "How to ship it.", False, ["standard", "express"]),
        ],
    ),
    "refundOrder": (
        "high",
        "Give money back.",
        [("orderNumber", "string", "Which order.", True, None), ("amount", "number", "How much.", True, None)],
    ),
}


class No(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code, self.message = code, message


def manifest():
    tools = []
    for name, (risk, description, fields) in TOOLS.items():
        properties = {}
        for field, kind, about, _, choices in fields:
            properties[field] = {"type": kind, "description": about}
            if choices:
                properties[field]["enum"] = choices
        schema = {"type": "object", "properties": properties}
        schema["required"] = [field for field, _, _, needed, _ in fields if needed]
        schema["additionalProperties"] = False
        tools.append({"name": name, "description": description, "risk": risk, "inputSchema": schema})
    return {"version": 1, "tools": tools}


def verify(lines, body):
    def malformed(why):
        return No("malformed_signature", why + ". Send t=<ms>,v1=<hex>.")

    if not lines:
        raise No("missing_signature", "This is a tool endpoint: sign the request.")
    if len(lines) > 1:
        raise malformed("The header came twice")
    header = lines[0]
    if len(header) > 4096 or not set(header) <= VISIBLE:
        raise malformed("The header is too long, or no text")
    times, signatures = [], []
    for element in header.decode("ascii").split(","):
        name, equals, value = element.strip(" \t").partition("=")
        if not equals:
            raise malformed("An element has no =")
        if name == "t":
            times.append(value)
        elif name == "v1":
            signatures.append(value)
    if len(times) != 1 or not re.fullmatch(r"0|[1-9][0-9]{0,15}", times[0]):
        raise malformed("There is not one time of 1 to 16 digits")
    good = [value for value in signatures if re.fullmatch(r"[0-9a-fA-F]{64}", value)]
    if not good or len(signatures) > 8:
        raise malformed("There is no v1 of 64 hex digits, or more than eight")
    distance = abs(int(times[0]) - int(time.time() * 1000))
    if distance > WINDOW_MS:
        raise No("stale_timestamp", f"The time is {distance // 1000} seconds off. Set the clock.")
    if MISTAKES and body:
        try:
            body = json.dumps(json.loads(body), separators=(",", ":"), ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            pass
    right = hmac.new(SECRET, times[0].encode() + b"." + body, hashlib.sha256).hexdigest()
    if not any([hmac.compare_digest(right, value.lower()) for value in good]):
        raise No("invalid_signature", "No signature matches. Check MEDIAN_KEY.")


class Twice(list):
    """The members of an object in which a name came twice."""


def members(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        found[Twice] = [name for name in found if [n for n, _ in pairs].count(name) > 1]
    return found


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def parse(body):
    def constant(name):
        raise ValueError(name)

    def integer(digits):
        return int(digits) if len(digits) < 300 else float(digits)

    try:
        text = body.decode("utf-8")
        if text.startswith("\ufeff"):
            raise ValueError("a byte order mark")
        value = json.loads(text, parse_constant=constant, parse_int=integer, object_pairs_hook=members)
    except (ValueError, RecursionError):
        raise No("invalid_body", "The body is not JSON in UTF-8. Send one object.") from None
    if not isinstance(value, dict):
        raise No("invalid_body", "The body is not an object. Send one.")
    return value


def once(value, path, *names):
    twice = [name for name in value.get(Twice, []) if not names or name in names]
    if twice:
        raise No("invalid_body", f"{path}{twice[0]} came twice. Send it once.")


def member(value, path, kind, needed=True):
    found = value.get(path.rsplit(".", 1)[-1])
    if found is None and not needed:
        return None
    if not isinstance(found, kind):
        raise No("invalid_body", f"{path} is missing, or of another type.")
    return found


def ident(value, path):
    text = member(value, path, str)
    if HALF_PAIR.search(text):
        raise No("invalid_body", f"{path} is not text. Send whole characters.")
    return text


def run(body):
    call = parse(body)
    once(call, "", "op", "tool", "toolCallId", "input", "context")
    if "op" in call:
        if "tool" in call or not isinstance(call["op"], str):
            raise No("invalid_body", "op is no string, or stands beside tool.")
        if call["op"] == "diagnostics":
            raise No("diagnostics_unsupported", "This endpoint collects none.")
        raise No("unknown_op", "The only op is diagnostics.")
    name = ident(call, "tool")
    ident(call, "toolCallId")
    values = member(call, "input", dict)
    once(values, "input.")
    context = member(call, "context", dict)
    once(context, "context.", "conversationId", "risk", "approvedBy", "visitor")
    ident(context, "context.conversationId")
    if member(context, "context.risk", str) not in ("low", "medium", "reviewed", "high"):
        raise No("invalid_body", "context.risk is none of the four.")
    approved = member(context, "context.approvedBy", str, needed=False)
    visitor = member(context, "context.visitor", dict)
    once(visitor, "context.visitor.", "verified", "externalId", "email", "name")
    verified = member(visitor, "context.visitor.verified", bool)
    for optional in ("externalId", "email", "name"):
        member(visitor, "context.visitor." + optional, str, needed=False)
    if name not in TOOLS:
        raise No("unknown_tool", "There is no such tool. Sync the endpoint again.")
    risk, _, fields = TOOLS[name]
    values = check(fields, values)
    if risk in ("reviewed", "high") and not (approved or "").strip():
        return {"ok": False, "reason": "approval_required", "detail": "A teammate has to approve this."}
    if not verified:
        return {"ok": False, "reason": "not_signed_in", "detail": "Ask the customer to sign in."}
    return {"done": name, "with": values}


def check(fields, values):
    def wrong(field, what):
        return No("invalid_input", f"{field} must be {what}.")

    taken = {}
    for field, kind, _, needed, choices in fields:
        value = values.get(field)
        if value is None:
            if needed:
                raise wrong(field, f"a {kind}, and is missing")
            continue
        if kind == "string":
            if not isinstance(value, str) or HALF_PAIR.search(value):
                raise wrong(field, "a string")
            if choices and value not in choices:
                raise wrong(field, "one of " + ", ".join(choices))
        elif kind == "boolean":
            if not isinstance(value, bool):
                raise wrong(field, "true or false")
        else:
            if MISTAKES and isinstance(value, str):
                try:
                    value = float(value)
                except ValueError:
                    pass
            if not is_number(value) or value != value or abs(value) == float("inf"):
                raise wrong(field, "a number")
        taken[field] = value
    for field in values:
        if field not in [known[0] for known in fields]:
            raise wrong(field, "left out: the tool has no such field")
    return taken


class Endpoint(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        self.connection.settimeout(5)
        try:
            body = self.body()
            if self.command not in ("GET", "POST"):
                raise No("method_not_allowed", "This endpoint answers GET and POST.")
            if self.command == "POST" and len(body) > CAP:
                raise No("invalid_body", "The body is over 1,048,576 bytes.")
            lines = [value.encode("latin-1") for value in self.headers.get_all("median-signature") or []]
            verify(lines, body if self.command == "POST" else b"")
            if self.command == "GET":
                return self.send(200, manifest())
            coding = self.headers.get("content-encoding", "identity")
            if coding != "identity":
                raise No("invalid_body", f"The body is {coding}. Send it as it is.")
            return self.send(200, {"result": run(body)})
        except No as no:
            return self.send(STATUS[no.code], {"error": {"code": no.code, "message": no.message}})
        except (TimeoutError, ConnectionError, EOFError):
            self.close_connection = True

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = answer

    def body(self):
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            return self.read(int(self.headers.get("content-length", 0)))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def read(self, length):
        body = self.rfile.read(length)
        if len(body) < length:
            raise EOFError
        return body

    def send(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Cache-Control", "private, no-store")
        if status == 405:
            self.send_header("Allow", "GET, POST")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_):
        pass


sys.setrecursionlimit(30_000)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
print(server.server_port, flush=True)
server.serve_forever()
