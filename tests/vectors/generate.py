#!/usr/bin/env python3
"""Writes the test vectors beside this file. README.md says what they are.

    python3 generate.py           write the files
    python3 generate.py --check   exit 1 when a file on disk differs from what would be written

Python 3.9 or later, standard library only, and the same output every time. Signatures are computed here with
`hmac`, so the vectors owe nothing to the implementation that they test. Every rule that a vector cites has to be
defined in docs/protocol.md, which also says whether it is published or a choice.
"""

import base64
import hashlib
import hmac
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROTOCOL = HERE.parent.parent / "docs" / "protocol.md"
FORMAT = 1

# ------------------------------------------------------------------------------------------------------------
# The arithmetic of the protocol
# ------------------------------------------------------------------------------------------------------------

LOCAL_KEY = "median_key_local_0000000000000000000000000000"
OTHER_KEY = "median_key_other_1111111111111111111111111111"

TOOL_SIGNING = "median-edge/tool-signing/v1"
IDENTITY = "median-edge/identity/v1"
PUBLIC = "median-edge/public/v1"

NOW = 1_790_000_000_000  # The clock of every vector, in milliseconds; each one moves `t` instead.
TOLERANCE = 300_000
BODY_CAP = 1_048_576


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def derive(key: str, label: str) -> bytes:
    return hmac_sha256(key.encode(), label.encode())


def tool_secret(key: str) -> bytes:
    return derive(key, TOOL_SIGNING)


def public_half(key: str) -> str:
    return "median_pk_" + derive(key, PUBLIC).hex()[:32]


def mac(body: bytes, t=NOW, secret=None) -> str:
    """The hex signature over a body. `t` is a number or the exact text in the header."""
    secret = tool_secret(LOCAL_KEY) if secret is None else secret
    return hmac_sha256(secret, str(t).encode() + b"." + body).hex()


def header(body: bytes, t=NOW, secret=None) -> str:
    """The `median-signature` that a correct signer sends."""
    return f"t={t},v1={mac(body, t, secret)}"


def assert_published_values() -> None:
    """The values that everything else rests on, written down once by hand."""
    assert tool_secret(LOCAL_KEY).hex() == "88c3f9e4dc47d0f24d3d54e9774a286bb6047cf929bde4ad83a7bf11e7dd6a31"
    assert derive(LOCAL_KEY, IDENTITY).hex() == "1d504c48c637405857427eff8770d4ffc0ad315eddcb9c61d681e027cd8ba2e2"
    assert public_half(LOCAL_KEY) == "median_pk_f8f2f752b9e37308ffc36d8228b6e925"
    assert mac(b"") == "528a3b61c78498ebe496c77cc4c33c32f27331661b17a17e3e6884c32dbb35a3"
    assert mac(b'{"op":"diagnostics"}') == "39ce33d89ff30ab12543f6ea8208b7b0673e80bd207e747dab8a41b314f50109"


# ------------------------------------------------------------------------------------------------------------
# Rules
# ------------------------------------------------------------------------------------------------------------


def read_rules() -> dict:
    """Each rule of docs/protocol.md with its basis, `published` or `choice`."""
    text = PROTOCOL.read_text(encoding="utf-8")
    defined = re.findall(r"^\*\*([A-Z]+-\d+)\*\* \((published|choice)", text, re.MULTILINE)
    rules = dict(defined)
    assert len(rules) == len(defined), "a rule is defined twice in docs/protocol.md"
    listed = set(re.findall(r"^- \*\*([A-Z]+-\d+)\*\*:", text, re.MULTILINE))
    choices = {rule for rule, basis in defined if basis == "choice"}
    assert listed == choices, f"the list of choices in docs/protocol.md is off by {sorted(listed ^ choices)}"
    return rules


RULES = read_rules()


def by(rule: str) -> dict:
    """The members that say which rule a vector tests, and on what basis that rule stands."""
    return {"rule": rule, "basis": RULES[rule]}


# ------------------------------------------------------------------------------------------------------------
# Expectations
# ------------------------------------------------------------------------------------------------------------

STATUS = {
    "missing_signature": 401,
    "malformed_signature": 401,
    "stale_timestamp": 401,
    "invalid_signature": 401,
    "method_not_allowed": 405,
    "missing_secret": 500,
    "invalid_median_key": 500,
    "invalid_body": 400,
    "unknown_op": 400,
    "invalid_input": 400,
    "unknown_tool": 404,
    "execution_failed": 200,
    "diagnostics_unsupported": 200,
    "connect_failed": 502,
}


def error(code: str, *mentions: str) -> dict:
    """An error; `mentions` are texts that its message has to contain, in any case."""
    expect = {"status": STATUS[code], "code": code}
    if mentions:
        expect["mentions"] = list(mentions)
    if code == "method_not_allowed":
        expect["headers"] = [["allow", "GET, POST"]]
    return expect


def result(value) -> dict:
    return {"status": 200, "code": None, "result": value}


MANIFEST = {"status": 200, "code": None}
PONG = result({"pong": True})
MALFORMED = error("malformed_signature")
STALE = error("stale_timestamp")
INVALID = error("invalid_signature")
BAD_BODY = error("invalid_body")


def shipped(order_number: str) -> dict:
    return result({"orderNumber": order_number, "status": "shipped"})


def set_to(quantity, note=None, gift=None, speed=None) -> dict:
    return result({"quantity": quantity, "note": note, "gift": gift, "speed": speed})


# ------------------------------------------------------------------------------------------------------------
# Requests
# ------------------------------------------------------------------------------------------------------------


class Repeat:
    """A run of one text, so that a file need not hold a megabyte of it."""

    def __init__(self, text: str, times: int):
        self.text, self.times = text, times


def body_bytes(body) -> bytes:
    """The bytes of a body given as text, bytes, or a list of text and `Repeat`."""
    if isinstance(body, bytes):
        return body
    if isinstance(body, str):
        return body.encode()
    return "".join(part.text * part.times if isinstance(part, Repeat) else part for part in body).encode()


def body_members(body) -> dict:
    """The same body as members of a vector."""
    if body_bytes(body) == b"":
        return {}
    if isinstance(body, bytes):
        return {"body_base64": base64.b64encode(body).decode()}
    if isinstance(body, str):
        return {"body": body}
    return {
        "body_parts": [
            {"repeat": part.text, "times": part.times} if isinstance(part, Repeat) else {"text": part}
            for part in body
        ]
    }


def header_value(value):
    """A header's value: as it is when it is visible ASCII, spaces and tabs, else its bytes."""
    raw = value if isinstance(value, bytes) else value.encode()
    if all(byte == 0x09 or 0x20 <= byte <= 0x7E for byte in raw):
        return raw.decode()
    return {"value_base64": base64.b64encode(raw).decode()}


JSON_TYPE = ("content-type", "application/json")


def request(id, description, rule, expect, *, method, signature, body="", headers=(), keys=None, path=None):
    """One vector. `signature` is one header value, a list of them (one line each), or None for no header."""
    lines = [] if signature is None else signature if isinstance(signature, list) else [signature]
    vector = {"id": id, "description": description, **by(rule), "now": NOW, "method": method}
    if path is not None:
        vector["path"] = path
    if keys is not None:
        vector["keys"] = keys
    vector["headers"] = [[name, header_value(value)] for name, value in headers]
    vector["headers"] += [["median-signature", header_value(line)] for line in lines]
    vector.update(body_members(body))
    vector["expect"] = expect
    return vector


# A tool call is put together from JSON texts, member by member, so that one member can be replaced by any text at
# all, left out (None), or joined by others that are appended as they are.


def members(base: dict, changes: dict, more) -> str:
    merged = {**base, **changes}
    written = [f'"{name}":{value}' for name, value in merged.items() if value is not None]
    return "{" + ",".join([*written, *more]) + "}"


def visitor(*more, **changes) -> str:
    base = {"verified": "true", "externalId": '"user_123"', "email": '"ana@example.com"', "name": '"Ana"'}
    return members(base, changes, more)


def context(*more, **changes) -> str:
    return members({"conversationId": '"conversation_1"', "risk": '"low"', "visitor": visitor()}, changes, more)


def call(*more, **changes) -> str:
    """The body of a call to `ping`, or to another tool with `tool=` and `input=`."""
    base = {"tool": '"ping"', "toolCallId": '"call_00000000000000000000000000000001"', "input": "{}"}
    return members({**base, "context": context()}, changes, more)


def order_status(order_number: str = '"ORD-1042"', **changes) -> str:
    return call(**{"tool": '"orderStatus"', "input": f'{{"orderNumber":{order_number}}}', **changes})


def set_quantity(input: str) -> str:
    return call(tool='"setQuantity"', input=input)


PING = call()
PING_BYTES = PING.encode()

# ------------------------------------------------------------------------------------------------------------
# keys.json
# ------------------------------------------------------------------------------------------------------------

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.~+/="


def key_vectors() -> list:
    vectors = []

    def good(id, description, value, rule="KEY-2"):
        trimmed = value.strip(" \t\n\f\r")
        vectors.append({
            "id": id,
            "description": description,
            **by(rule),
            "value": value,
            "code": None,
            "trimmed": trimmed,
            "tool_secret": tool_secret(trimmed).hex(),
            "identity_secret": derive(trimmed, IDENTITY).hex(),
            "public": public_half(trimmed),
        })

    def bad(id, description, value, code="invalid_median_key", rule="KEY-2"):
        vectors.append({"id": id, "description": description, **by(rule), "value": value, "code": code})

    good("parse-key-local", "The public example key.", LOCAL_KEY)
    good("parse-key-other", "A second key derives other values.", OTHER_KEY)
    good("parse-key-alphabet", "Every character that a key may have.", "median_key_" + ALPHABET)
    good("parse-key-prefix-again", "What follows the prefix may look like the prefix.", "median_key_median_key_0000000")
    good("parse-key-shortest", "16 characters after the prefix are the fewest.", "median_key_" + "a" * 16)
    good("parse-key-longest", "256 characters after the prefix are the most.", "median_key_" + "a" * 256)
    good("parse-key-line-feed", "A line feed after the key is dropped.", LOCAL_KEY + "\n")
    good("parse-key-crlf", "A carriage return and line feed after the key are dropped.", LOCAL_KEY + "\r\n")
    good("parse-key-space-before", "A space before the key is dropped.", " " + LOCAL_KEY)
    good("parse-key-white-space", "All five white space characters at both ends are dropped.",
         "\t\n\f\r " + LOCAL_KEY + " \r\f\n\t")

    bad("parse-key-empty", "An empty variable counts as not set.", "", "missing_secret", "KEY-8")
    bad("parse-key-blank", "A variable of white space alone counts as not set.", " \t\r\n", "missing_secret", "KEY-8")
    bad("parse-key-too-short", "15 characters after the prefix are too few.", "median_key_" + "a" * 15)
    bad("parse-key-too-long", "257 characters after the prefix are too many.", "median_key_" + "a" * 257)
    bad("parse-key-short-padded", "White space does not count towards the length.", "median_key_" + "a" * 15 + " ")
    bad("parse-key-prefix-only", "Nothing follows the prefix.", "median_key_")
    bad("parse-key-public-half", "The public half is not the key.", public_half(LOCAL_KEY))
    bad("parse-key-no-prefix", "The prefix is missing.", LOCAL_KEY[len("median_key_"):])
    bad("parse-key-prefix-upper-case", "The prefix is in upper case.", "MEDIAN_KEY_" + "a" * 32)
    bad("parse-key-prefix-hyphens", "The prefix has hyphens.", "median-key-" + "a" * 32)
    bad("parse-key-quoted", "Quotes are part of the value.", f'"{LOCAL_KEY}"')
    bad("parse-key-assignment", "The variable's name is part of the value.", f"MEDIAN_KEY={LOCAL_KEY}")
    bad("parse-key-inner-space", "A space inside.", "median_key_" + "a" * 16 + " " + "a" * 16)
    bad("parse-key-inner-line-feed", "A line feed inside, as between two keys.", LOCAL_KEY + "\n" + OTHER_KEY)
    bad("parse-key-comma", "A comma inside.", "median_key_" + "a" * 16 + "," + "a" * 16)
    bad("parse-key-exclamation-mark", "A character that is not in the alphabet.", "median_key_" + "a" * 31 + "!")
    bad("parse-key-non-ascii", "A letter that is not ASCII.", "median_key_" + "a" * 31 + "\u00e9")
    bad("parse-key-no-break-space", "A no-break space after the key is not dropped.", LOCAL_KEY + "\u00a0")
    bad("parse-key-byte-order-mark", "A byte order mark before the key is not dropped.", "\ufeff" + LOCAL_KEY)
    return vectors


def tool_secret_vectors() -> list:
    secret = tool_secret(OTHER_KEY).hex()
    vectors = []

    def good(id, description, value):
        vectors.append({"id": id, "description": description, **by("KEY-5"), "value": value, "code": None,
                        "tool_secret": secret})

    def bad(id, description, value, code="invalid_median_key", rule="KEY-5"):
        vectors.append({"id": id, "description": description, **by(rule), "value": value, "code": code})

    good("parse-tool-secret-lower-case", "64 lower-case hex digits.", secret)
    good("parse-tool-secret-upper-case", "64 upper-case hex digits are the same secret.", secret.upper())
    good("parse-tool-secret-line-feed", "A line feed after the digits is dropped.", secret + "\n")
    bad("parse-tool-secret-empty", "An empty variable counts as not set.", "", "missing_secret", "KEY-8")
    bad("parse-tool-secret-blank", "A variable of white space alone counts as not set.", " \n", "missing_secret",
        "KEY-8")
    bad("parse-tool-secret-63", "63 digits.", secret[:-1])
    bad("parse-tool-secret-65", "65 digits.", secret + "0")
    bad("parse-tool-secret-not-hex", "One letter that is not a hex digit.", secret[:-1] + "g")
    bad("parse-tool-secret-0x", "A prefix.", "0x" + secret[:-2])
    bad("parse-tool-secret-a-key", "A key is not a tool secret.", LOCAL_KEY)
    bad("parse-tool-secret-base64", "The same 32 bytes in base64.", base64.b64encode(tool_secret(OTHER_KEY)).decode())
    return vectors


def signing_vectors() -> list:
    def one(id, description, t, body, key=LOCAL_KEY):
        signature = mac(body_bytes(body), t, tool_secret(key))
        return {"id": id, "description": description, **by("SIG-1"), "key": key, "t": t, **body_members(body),
                "v1": signature, "header": f"t={t},v1={signature}"}

    return [
        one("sign-empty", "The empty body, as of a GET.", NOW, ""),
        one("sign-diagnostics", "A short body.", NOW, '{"op":"diagnostics"}'),
        one("sign-call", "A tool call.", NOW, PING),
        one("sign-non-ascii", "A body that is not ASCII, over its UTF-8 bytes.", NOW, '{"name":"An\u00e4 \U0001f600"}'),
        one("sign-every-byte", "A body of every byte value, which is not UTF-8.", NOW, bytes(range(256))),
        one("sign-smallest-time", "The smallest time.", 0, PING),
        one("sign-largest-time", "The largest time that the grammar allows.", 9_999_999_999_999_999, PING),
        one("sign-block-boundary", "With `t.` before it, this body ends a 64 byte block.", NOW, "x" * (64 - 14)),
        one("sign-long", "A body of 1 MiB.", NOW, [Repeat("x", BODY_CAP)]),
        one("sign-other-key", "Another key gives another signature.", NOW, PING, OTHER_KEY),
    ]


# ------------------------------------------------------------------------------------------------------------
# signature.json
# ------------------------------------------------------------------------------------------------------------


def signature_vectors() -> list:
    vectors = []

    def get(id, description, rule, expect, signature, **more):
        vectors.append(request(id, description, rule, expect, method="GET", signature=signature, **more))

    def post(id, description, rule, expect, signature, body=PING, headers=(), **more):
        vectors.append(request(id, description, rule, expect, method="POST", signature=signature, body=body,
                               headers=[JSON_TYPE, *headers], **more))

    good = mac(PING_BYTES)  # The right signature, at NOW.
    wrong = mac(PING_BYTES, secret=tool_secret(OTHER_KEY))  # Well formed, and of another key.
    assert good != good.upper(), "the upper-case vectors need a signature with letters"
    t = f"t={NOW}"
    v1 = f"v1={good}"

    def at(text) -> str:
        """A header whose `t` is this text, signed over that very text: only `t` can be at fault."""
        return f"t={text},v1={mac(PING_BYTES, text)}"

    # The base, and what HTTP leaves open.
    post("valid-post", "A tool call, signed.", "SIG-1", PONG, header(PING_BYTES))
    get("valid-get", "A manifest request, signed over the empty body.", "SIG-3", MANIFEST, header(b""))
    vectors.append(request("header-name-case", "The header's name in mixed case.", "SIG-12", PONG, method="POST",
                           signature=None, body=PING,
                           headers=[JSON_TYPE, ("Median-Signature", header(PING_BYTES))]))
    post("header-missing-post", "No signature on a POST.", "SIG-12", error("missing_signature"), None)
    get("header-missing-get", "No signature on a GET.", "SIG-12", error("missing_signature"), None)
    post("header-empty", "A header with an empty value is malformed, not missing.", "SIG-11", MALFORMED, "")
    post("header-blank", "A header of one space is malformed, not missing.", "SIG-11", MALFORMED, " ")
    post("header-one-word", "A header that is no list of elements at all.", "SIG-5", MALFORMED, "potato")
    post("header-bare-hex", "The hex digits alone, without `v1=`.", "SIG-5", MALFORMED, good)
    post("header-quoted", "The whole value in quotes.", "SIG-4", MALFORMED, f'"{t},{v1}"')

    # The window.
    post("window-past-edge", "Exactly five minutes old.", "SIG-13", PONG, at(NOW - TOLERANCE))
    post("window-past-over", "Five minutes and a millisecond old.", "SIG-13", STALE, at(NOW - TOLERANCE - 1))
    post("window-future-edge", "Exactly five minutes ahead.", "SIG-13", PONG, at(NOW + TOLERANCE))
    post("window-future-over", "Five minutes and a millisecond ahead.", "SIG-13", STALE, at(NOW + TOLERANCE + 1))
    post("window-message-past", "The message gives the distance in seconds, for the past.", "SIG-14",
         error("stale_timestamp", "400"), at(NOW - 400_000))
    post("window-message-future", "The message gives the distance in seconds, for the future.", "SIG-14",
         error("stale_timestamp", "400"), at(NOW + 400_000))
    post("time-in-seconds", "A time in seconds is a time in 1970.", "SIG-13", STALE, at(NOW // 1000))
    post("time-in-microseconds", "A time in microseconds, 16 digits, is far ahead.", "SIG-13", STALE, at(NOW * 1000))
    post("time-zero", "`0` is well formed, and stale.", "SIG-6", STALE, at(0))
    post("time-16-digits", "The largest time that is well formed.", "SIG-6", STALE, at("9" * 16))
    get("window-get", "The window holds for a GET too.", "SIG-13", STALE, header(b"", NOW - TOLERANCE - 1))

    # The form of `t`. Each one is signed over its own text.
    for id, description, text in [
        ("time-empty", "An empty `t`.", ""),
        ("time-minus", "A minus sign.", f"-{NOW}"),
        ("time-minus-zero", "Zero with a minus sign.", "-0"),
        ("time-plus", "A plus sign.", f"+{NOW}"),
        ("time-leading-zero", "One leading zero.", f"0{NOW}"),
        ("time-padded", "Zeros up to 16 digits.", f"{NOW:016}"),
        ("time-two-zeros", "Zero, twice.", "00"),
        ("time-decimal", "A decimal point.", f"{NOW}.0"),
        ("time-exponent", "An exponent.", "179e10"),
        ("time-hex", "Hex with a prefix.", f"{NOW:#x}"),
        ("time-hex-digits", "Hex digits.", f"{NOW:x}"),
        ("time-underscores", "Digits in groups.", f"{NOW:_}"),
        ("time-trailing-letter", "A letter after the digits, which a prefix parser would not see.", f"{NOW}ms"),
        ("time-quoted", "In quotes.", f'"{NOW}"'),
        ("time-17-digits", "17 digits.", "1" + "0" * 16),
        ("time-i64-max", "The largest signed 64 bit number.", str(2**63 - 1)),
        ("time-i64-min", "The smallest signed 64 bit number.", str(-(2**63))),
        ("time-i64-wraps", "2 to the 64th, plus now: it wraps to a fresh time.", str(2**64 + NOW)),
        ("time-u64-max", "The largest unsigned 64 bit number.", str(2**64 - 1)),
        ("time-100-digits", "100 digits.", "1" * 100),
        ("time-nan", "Not a number, in words.", "NaN"),
        ("time-infinity", "Infinity, in words.", "Infinity"),
        ("time-iso-8601", "A date.", "2026-09-21T14:13:20Z"),
    ]:
        post(id, description, "SIG-6", MALFORMED, at(text))

    # The elements named `t`.
    post("time-missing", "No `t`.", "SIG-6", MALFORMED, v1)
    post("time-twice-equal", "Two equal `t`.", "SIG-6", MALFORMED, f"{t},{t},{v1}")
    post("time-twice-stale-first", "Two `t`, the second one right.", "SIG-6", MALFORMED, f"t=1,{t},{v1}")
    post("time-twice-stale-last", "Two `t`, the first one right.", "SIG-6", MALFORMED, f"{t},t=1,{v1}")
    post("time-twice-one-malformed", "Two `t`, one of them not a number.", "SIG-6", MALFORMED, f"{t},t=x,{v1}")
    post("time-name-upper-case", "`T` is another name.", "SIG-4", MALFORMED, f"T={NOW},{v1}")

    # The elements named `v1`.
    post("v1-missing", "No `v1`.", "SIG-7", MALFORMED, t)
    post("v1-empty", "A `v1` of no digits.", "SIG-7", MALFORMED, f"{t},v1=")
    post("v1-63-digits", "A digit short.", "SIG-7", MALFORMED, f"{t},v1={good[:-1]}")
    post("v1-65-digits", "A digit long.", "SIG-7", MALFORMED, f"{t},v1={good}0")
    post("v1-half", "Half of the digits.", "SIG-7", MALFORMED, f"{t},v1={good[:32]}")
    post("v1-not-hex", "A letter that is no hex digit in place of the last one.", "SIG-7", MALFORMED,
         f"{t},v1={good[:-1]}g")
    post("v1-0x", "64 characters that begin with `0x`.", "SIG-7", MALFORMED, f"{t},v1=0x{good[:-2]}")
    post("v1-quoted", "In quotes.", "SIG-7", MALFORMED, f'{t},v1="{good}"')
    post("v1-base64", "The right signature in base64.", "SIG-7", MALFORMED,
         f"{t},v1={base64.b64encode(bytes.fromhex(good)).decode()}")
    post("v1-upper-case", "The right signature in upper case.", "SIG-7", PONG, f"{t},v1={good.upper()}")
    post("v1-mixed-case", "The right signature in both cases.", "SIG-7", PONG,
         f"{t},v1={good[:32].upper()}{good[32:]}")
    post("v1-name-upper-case", "`V1` is another name.", "SIG-4", MALFORMED, f"{t},V1={good}")
    post("v1-first-digit-wrong", "The first digit is wrong.", "SIG-17", INVALID,
         f"{t},v1={'1' if good[0] == '0' else '0'}{good[1:]}")
    post("v1-last-digit-wrong", "The last digit is wrong.", "SIG-17", INVALID,
         f"{t},v1={good[:-1]}{'1' if good[-1] == '0' else '0'}")
    post("v1-zeros", "64 zeros.", "SIG-17", INVALID, f"{t},v1={'0' * 64}")
    post("v1-plain-hash", "SHA-256 of the signed text, without a key.", "SIG-17", INVALID,
         f"{t},v1={hashlib.sha256(f'{NOW}.{PING}'.encode()).hexdigest()}")

    # Several `v1`.
    post("v1-good-after-wrong", "A wrong `v1`, then the right one.", "SIG-15", PONG, f"{t},v1={wrong},{v1}")
    post("v1-good-before-wrong", "The right `v1`, then a wrong one.", "SIG-15", PONG, f"{t},{v1},v1={wrong}")
    post("v1-good-twice", "The right `v1`, twice.", "SIG-15", PONG, f"{t},{v1},{v1}")
    post("v1-two-wrong", "Two wrong `v1`.", "SIG-17", INVALID, f"{t},v1={wrong},v1={'0' * 64}")
    post("v1-good-after-malformed", "A `v1` that is not hex is skipped before the right one.", "SIG-7", PONG,
         f"{t},v1=potato,{v1}")
    post("v1-good-before-malformed", "A `v1` that is not hex is skipped after the right one.", "SIG-7", PONG,
         f"{t},{v1},v1=potato")
    post("v1-good-beside-empty", "A `v1` without digits is skipped beside the right one.", "SIG-7", PONG,
         f"{t},v1=,{v1}")
    post("v1-good-beside-63-digits", "A `v1` a digit short is skipped beside the right one.", "SIG-7", PONG,
         f"{t},v1={wrong[:-1]},{v1}")
    post("v1-wrong-beside-malformed", "A skipped `v1` beside a wrong one leaves the wrong one.", "SIG-7", INVALID,
         f"{t},v1=potato,v1={wrong}")
    post("v1-two-malformed", "Two `v1`, and neither is hex.", "SIG-7", MALFORMED, f"{t},v1=potato,v1=")
    post("v1-eight-last", "Eight `v1`, the last one right.", "SIG-8", PONG, f"{t},{f'v1={wrong},' * 7}{v1}")
    post("v1-eight-first", "Eight `v1`, the first one right.", "SIG-8", PONG, f"{t},{v1}{f',v1={wrong}' * 7}")
    post("v1-eight-wrong", "Eight wrong `v1`.", "SIG-17", INVALID, f"{t}{f',v1={wrong}' * 8}")
    post("v1-nine-last", "Nine `v1`, the last one right.", "SIG-8", MALFORMED, f"{t},{f'v1={wrong},' * 8}{v1}")
    post("v1-nine-first", "Nine `v1`, the first one right.", "SIG-8", MALFORMED, f"{t},{v1}{f',v1={wrong}' * 8}")
    post("v1-eight-with-skipped", "Seven skipped `v1` and the right one are eight.", "SIG-8", PONG,
         f"{t},{'v1=x,' * 7}{v1}")
    post("v1-nine-with-skipped", "Eight skipped `v1` and the right one are nine.", "SIG-8", MALFORMED,
         f"{t},{'v1=x,' * 8}{v1}")

    # Order, white space, separators.
    post("order-reversed", "`v1` before `t`.", "SIG-4", PONG, f"{v1},{t}")
    post("order-time-between", "`t` between two `v1`.", "SIG-4", PONG, f"v1={wrong},{t},{v1}")
    post("space-after-comma", "A space after the comma.", "SIG-4", PONG, f"{t}, {v1}")
    post("space-before-comma", "A space before the comma.", "SIG-4", PONG, f"{t} ,{v1}")
    post("space-several", "Several spaces round the comma.", "SIG-4", PONG, f"{t}   ,   {v1}")
    post("space-at-the-ends", "Spaces at both ends of the value.", "SIG-4", PONG, f"  {t},{v1}  ")
    post("tab-after-comma", "A tab after the comma.", "SIG-4", PONG, f"{t},\t{v1}")
    post("tab-and-space", "Tabs and spaces round the comma.", "SIG-4", PONG, f"{t} \t,\t {v1}")
    post("space-before-equals-time", "A space before the `=` of `t` makes another name.", "SIG-4", MALFORMED,
         f"t ={NOW},{v1}")
    post("space-after-equals-time", "A space after the `=` of `t` is part of the value.", "SIG-6", MALFORMED,
         f"t= {NOW},{v1}")
    post("space-inside-time", "A space inside the digits of `t`.", "SIG-6", MALFORMED,
         f"t={str(NOW)[:4]} {str(NOW)[4:]},{v1}")
    post("space-before-equals-v1", "A space before the `=` of `v1` makes another name.", "SIG-4", MALFORMED,
         f"{t},v1 ={good}")
    post("space-after-equals-v1", "A space after the `=` of `v1` is part of the value.", "SIG-7", MALFORMED,
         f"{t},v1= {good}")
    post("space-for-comma", "A space in place of the comma.", "SIG-6", MALFORMED, f"{t} {v1}")
    post("semicolon-for-comma", "A semicolon in place of the comma.", "SIG-6", MALFORMED, f"{t};{v1}")
    post("colon-for-equals", "Colons in place of `=`.", "SIG-5", MALFORMED, f"t:{NOW},v1:{good}")
    post("comma-trailing", "A comma at the end.", "SIG-5", MALFORMED, f"{t},{v1},")
    post("comma-trailing-blank", "A comma and a space at the end.", "SIG-5", MALFORMED, f"{t},{v1}, ")
    post("comma-leading", "A comma at the start.", "SIG-5", MALFORMED, f",{t},{v1}")
    post("comma-twice", "Two commas together.", "SIG-5", MALFORMED, f"{t},,{v1}")
    post("comma-alone", "Nothing but a comma.", "SIG-5", MALFORMED, ",")
    post("element-without-equals", "An element that has no `=`.", "SIG-5", MALFORMED, f"{t},flag,{v1}")
    post("element-v1-without-equals", "`v1` without `=`, beside a right one.", "SIG-5", MALFORMED, f"{t},v1,{v1}")

    # Other names.
    post("unknown-name", "An element of another name is ignored.", "SIG-4", PONG, f"{t},kid=1,{v1}")
    post("unknown-name-twice", "Other names may repeat.", "SIG-4", PONG, f"kid=1,{t},kid=2,{v1},kid=1")
    post("unknown-name-empty-value", "Another name without a value.", "SIG-4", PONG, f"{t},kid=,{v1}")
    post("unknown-name-two-equals", "The value of another name may contain `=`.", "SIG-4", PONG, f"{t},kid=a==,{v1}")
    post("unknown-name-t1", "A name that begins with `t`.", "SIG-4", PONG, f"{t},t1=1,{v1}")
    post("unknown-name-v10", "A name that begins with `v1`.", "SIG-4", PONG, f"{t},v10={wrong},{v1}")
    post("v0-alone", "The right digits under `v0` do not count.", "SIG-7", MALFORMED, f"{t},v0={good}")
    post("v2-alone", "The right digits under `v2` do not count.", "SIG-7", MALFORMED, f"{t},v2={good}")
    post("v0-beside-good", "A `v0` beside the right `v1` is ignored.", "SIG-4", PONG, f"{t},v0={wrong},{v1}")
    post("v0-good-v1-wrong", "The right digits under `v0` do not help a wrong `v1`.", "SIG-4", INVALID,
         f"{t},v0={good},v1={wrong}")

    # Bytes and size. The padding is an element that would be ignored.
    def padded(length: int) -> str:
        start = f"{t},{v1},x="
        return start + "a" * (length - len(start))

    post("size-4096", "A value of 4,096 bytes.", "SIG-9", PONG, padded(4096))
    post("size-4097", "A value of 4,097 bytes.", "SIG-9", MALFORMED, padded(4097))
    post("size-8192", "A value of 8 KiB.", "SIG-9", MALFORMED, padded(8192))
    post("bytes-utf-8", "UTF-8 in an element that would be ignored.", "SIG-9", MALFORMED, f"{t},{v1},x=\u00e9")
    post("bytes-latin-1", "A Latin-1 byte in an element that would be ignored.", "SIG-9", MALFORMED,
         f"{t},{v1},x=".encode() + b"\xe9")
    post("bytes-digits-full-width", "Full-width digits for `t`, which some languages take for digits.", "SIG-9",
         MALFORMED, at("".join(chr(0xFF10 + int(digit)) for digit in str(NOW))))
    post("bytes-digits-arabic", "Arabic-Indic digits for `t`.", "SIG-9", MALFORMED,
         at("".join(chr(0x0660 + int(digit)) for digit in str(NOW))))
    post("bytes-no-break-space", "A no-break space after the comma.", "SIG-9", MALFORMED, f"{t},\u00a0{v1}")

    # Twice. A front may hand on two lines as two, or joined by a comma, with or without a space.
    post("twice-equal", "Two equal header lines.", "SIG-10", MALFORMED, [f"{t},{v1}", f"{t},{v1}"])
    post("twice-wrong-first", "Two header lines, the second one right.", "SIG-10", MALFORMED,
         [f"{t},v1={wrong}", f"{t},{v1}"])
    post("twice-wrong-last", "Two header lines, the first one right.", "SIG-10", MALFORMED,
         [f"{t},{v1}", f"{t},v1={wrong}"])
    post("twice-other-times", "Two header lines of different times, both right.", "SIG-10", MALFORMED,
         [at(NOW), at(NOW - 1)])
    post("twice-joined", "Two header values joined by a comma.", "SIG-10", MALFORMED, f"{t},{v1},{t},{v1}")
    post("twice-joined-space", "Two header values joined by a comma and a space.", "SIG-10", MALFORMED,
         f"{t},{v1}, {t},v1={wrong}")

    # Which secret.
    other, third = tool_secret(OTHER_KEY), tool_secret("median_key_third_2222222222222222222222222222")
    rotated = {"MEDIAN_KEY": LOCAL_KEY, "MEDIAN_KEY_PREVIOUS": OTHER_KEY}
    post("signed-with-another-key", "Signed with another key.", "SIG-17", INVALID, header(PING_BYTES, secret=other))
    get("signed-with-another-key-get", "A GET signed with another key.", "SIG-17", INVALID, header(b"", secret=other))
    post("signed-with-the-key-itself", "Signed with the key itself in place of the derived secret.", "KEY-3", INVALID,
         header(PING_BYTES, secret=LOCAL_KEY.encode()))
    post("signed-with-secret-as-hex", "Signed with the secret's hex digits as the key.", "KEY-3", INVALID,
         header(PING_BYTES, secret=tool_secret(LOCAL_KEY).hex().encode()))
    post("signed-with-identity-secret", "Signed with the identity secret.", "KEY-4", INVALID,
         header(PING_BYTES, secret=derive(LOCAL_KEY, IDENTITY)))
    post("signed-with-public-half", "Signed with a secret derived from the public half.", "KEY-4", INVALID,
         header(PING_BYTES, secret=tool_secret(public_half(LOCAL_KEY))))
    post("key-with-line-feed", "The endpoint's key has a line feed at its end.", "KEY-2", PONG,
         header(PING_BYTES), keys={"MEDIAN_KEY": LOCAL_KEY + "\n"})
    post("previous-key", "Signed with the previous key.", "KEY-6", PONG, header(PING_BYTES, secret=other),
         keys=rotated)
    post("previous-key-current", "Signed with the current key while a previous one is set.", "KEY-6", PONG,
         header(PING_BYTES), keys=rotated)
    get("previous-key-get", "A GET signed with the previous key.", "KEY-6", MANIFEST, header(b"", secret=other),
        keys=rotated)
    post("previous-key-both", "Signed with both keys, as a sender does while it rotates.", "KEY-6", PONG,
         f"{header(PING_BYTES, secret=other)},{v1}", keys=rotated)
    post("previous-key-neither", "Signed with a third key.", "KEY-6", INVALID, header(PING_BYTES, secret=third),
         keys=rotated)
    post("previous-key-stale", "A previous key does not make a stale request fresh.", "KEY-6", STALE,
         header(PING_BYTES, NOW - TOLERANCE - 1, other), keys=rotated)
    post("previous-key-expired", "Signed with the old key after it was taken out.", "KEY-6", INVALID,
         header(PING_BYTES), keys={"MEDIAN_KEY": OTHER_KEY})
    post("previous-key-blank", "A previous key that is blank counts as not set.", "KEY-8", PONG, header(PING_BYTES),
         keys={"MEDIAN_KEY": LOCAL_KEY, "MEDIAN_KEY_PREVIOUS": ""})
    post("previous-key-malformed", "A previous key that is malformed is an error, though the current one is right.",
         "KEY-8", error("invalid_median_key", "MEDIAN_KEY_PREVIOUS"), header(PING_BYTES),
         keys={"MEDIAN_KEY": LOCAL_KEY, "MEDIAN_KEY_PREVIOUS": "median_key_short"})
    post("previous-key-alone", "A previous key alone is not a usable key.", "KEY-6", error("missing_secret"),
         header(PING_BYTES), keys={"MEDIAN_KEY_PREVIOUS": LOCAL_KEY})
    post("tool-secret-beside-key", "A tool secret is used in place of the derived one.", "KEY-5", PONG,
         header(PING_BYTES, secret=other), keys={"MEDIAN_KEY": LOCAL_KEY, "MEDIAN_TOOL_SECRET": other.hex()})
    post("tool-secret-replaces-key", "The derived secret is not accepted when a tool secret is set.", "KEY-5",
         INVALID, header(PING_BYTES), keys={"MEDIAN_KEY": LOCAL_KEY, "MEDIAN_TOOL_SECRET": other.hex()})
    post("tool-secret-alone", "A tool secret alone is enough for a call.", "KEY-5", PONG,
         header(PING_BYTES, secret=other), keys={"MEDIAN_TOOL_SECRET": other.hex()})
    get("tool-secret-alone-get", "A tool secret alone is enough for a manifest.", "KEY-5", MANIFEST,
        header(b"", secret=other), keys={"MEDIAN_TOOL_SECRET": other.hex()})
    post("tool-secret-upper-case", "A tool secret in upper case is the same secret.", "KEY-5", PONG,
         header(PING_BYTES, secret=other), keys={"MEDIAN_TOOL_SECRET": other.hex().upper()})
    post("tool-secret-blank", "A tool secret that is blank counts as not set.", "KEY-8", PONG, header(PING_BYTES),
         keys={"MEDIAN_KEY": LOCAL_KEY, "MEDIAN_TOOL_SECRET": ""})
    post("tool-secret-malformed", "A tool secret that is malformed is an error, though the key is right.", "KEY-8",
         error("invalid_median_key", "MEDIAN_TOOL_SECRET"), header(PING_BYTES),
         keys={"MEDIAN_KEY": LOCAL_KEY, "MEDIAN_TOOL_SECRET": other.hex()[:-1]})
    post("tool-secret-beside-malformed-key", "A key that is malformed is an error, though the tool secret is right.",
         "KEY-8", error("invalid_median_key", "MEDIAN_KEY"), header(PING_BYTES, secret=other),
         keys={"MEDIAN_KEY": "median_key_short", "MEDIAN_TOOL_SECRET": other.hex()})
    post("tool-secret-previous", "Signed with the previous tool secret.", "KEY-6", PONG,
         header(PING_BYTES, secret=other),
         keys={"MEDIAN_TOOL_SECRET": third.hex(), "MEDIAN_TOOL_SECRET_PREVIOUS": other.hex()})
    post("tool-secret-previous-beside-key", "A previous tool secret beside a key.", "KEY-6", PONG,
         header(PING_BYTES, secret=other), keys={"MEDIAN_KEY": LOCAL_KEY, "MEDIAN_TOOL_SECRET_PREVIOUS": other.hex()})
    post("tool-secret-previous-malformed", "A previous tool secret that is malformed is an error.", "KEY-8",
         error("invalid_median_key", "MEDIAN_TOOL_SECRET_PREVIOUS"), header(PING_BYTES),
         keys={"MEDIAN_KEY": LOCAL_KEY, "MEDIAN_TOOL_SECRET_PREVIOUS": "potato"})
    post("tool-secret-previous-alone", "A previous tool secret alone is not a usable key.", "KEY-6",
         error("missing_secret"), header(PING_BYTES, secret=other),
         keys={"MEDIAN_TOOL_SECRET_PREVIOUS": other.hex()})
    post("no-key-post", "A POST to an endpoint without a key.", "KEY-7", error("missing_secret"), header(PING_BYTES),
         keys={})
    get("no-key-get", "A GET to an endpoint without a key.", "KEY-7", error("missing_secret"), header(b""), keys={})
    post("no-key-blank", "A key that is blank counts as not set.", "KEY-8", error("missing_secret"),
         header(PING_BYTES), keys={"MEDIAN_KEY": " \n"})
    post("bad-key-post", "A POST to an endpoint whose key is malformed.", "KEY-7",
         error("invalid_median_key", "MEDIAN_KEY"), header(PING_BYTES), keys={"MEDIAN_KEY": "median_key_short"})
    get("bad-key-get", "A GET to an endpoint whose key is malformed.", "KEY-7",
        error("invalid_median_key", "MEDIAN_KEY"), header(b""), keys={"MEDIAN_KEY": "median_key_short"})
    post("bad-key-public-half", "The public half was set as the key.", "KEY-2",
         error("invalid_median_key", "MEDIAN_KEY"), header(PING_BYTES), keys={"MEDIAN_KEY": public_half(LOCAL_KEY)})

    # The body is signed as it was sent. The header is always that of the body before the change.
    pretty = json.dumps(json.loads(PING), indent=2) + "\n"
    turned = json.dumps(dict(reversed(json.loads(PING).items())), separators=(",", ":"))
    signed_pretty = header(pretty.encode())
    post("body-pretty", "A body over several lines, signed as it is.", "SIG-2", PONG, signed_pretty, body=pretty)
    post("body-reordered-signed", "Members in another order, signed so.", "SIG-2", PONG, header(turned.encode()),
         body=turned)
    post("body-space-added", "A space was added after a colon.", "SIG-2", INVALID, header(PING_BYTES),
         body=PING.replace('"tool":', '"tool": ', 1))
    post("body-space-at-end", "A space was added at the end.", "SIG-2", INVALID, header(PING_BYTES), body=PING + " ")
    post("body-line-feed-at-end", "A line feed was added at the end.", "SIG-2", INVALID, header(PING_BYTES),
         body=PING + "\n")
    post("body-byte-order-mark", "A byte order mark was added.", "SIG-2", INVALID, header(PING_BYTES),
         body="\ufeff" + PING)
    post("body-crlf", "Line feeds became CRLF.", "SIG-2", INVALID, signed_pretty, body=pretty.replace("\n", "\r\n"))
    post("body-minified", "The white space was taken out.", "SIG-2", INVALID, signed_pretty, body=PING)
    post("body-reordered", "The members were put in another order.", "SIG-2", INVALID, header(PING_BYTES), body=turned)
    post("body-truncated", "The last byte was cut off.", "SIG-2", INVALID, header(PING_BYTES), body=PING[:-1])
    post("body-emptied", "The body was dropped.", "SIG-2", INVALID, header(PING_BYTES), body="")
    post("body-character-changed", "One character was changed.", "SIG-2", INVALID, header(PING_BYTES),
         body=PING.replace("user_123", "user_124"))
    post("body-base64", "The body arrives in base64.", "SIG-2", INVALID, header(PING_BYTES),
         body=base64.b64encode(PING_BYTES).decode())
    post("body-escaped", "A character was replaced by its escape, which is the same JSON.", "SIG-2", INVALID,
         header(PING_BYTES), body=PING.replace('"Ana"', r'"\u0041na"'))
    byte = PING_BYTES.replace(b'"Ana"', b'"An\xff"')
    post("body-byte-replaced", "A byte that is not UTF-8 was replaced by U+FFFD.", "SIG-2", INVALID, header(byte),
         body=byte.decode(errors="replace"))
    post("body-not-utf-8-wrong-key", "A body that is not UTF-8 is signed as bytes like any other.", "ORDER-2", INVALID,
         header(byte, secret=other), body=byte)
    post("body-no-separator", "Signed without the full stop between time and body.", "SIG-1", INVALID,
         f"{t},v1={hmac_sha256(tool_secret(LOCAL_KEY), str(NOW).encode() + PING_BYTES).hex()}")
    post("body-only-signed", "Signed over the body alone.", "SIG-1", INVALID,
         f"{t},v1={hmac_sha256(tool_secret(LOCAL_KEY), PING_BYTES).hex()}")
    post("time-not-the-signed-one", "`t` was moved after signing.", "SIG-1", INVALID, f"t={NOW - 1},{v1}")

    # What is not bound: neither method, nor URL, nor call.
    get("exchange-post-on-get", "The signature of a POST on a GET.", "NOT-1", INVALID, header(PING_BYTES))
    post("exchange-get-on-post", "The signature of a GET on a POST.", "NOT-1", INVALID, header(b""))
    post("exchange-get-on-empty-post", "The signature of a GET holds on an empty POST, which is then no tool call.",
         "NOT-1", BAD_BODY, header(b""), body="")
    get("get-body-not-read", "The body of a GET is ignored.", "HTTP-4", MANIFEST, header(b""), body=PING)
    get("get-body-not-signed", "A GET signed over its body.", "SIG-3", INVALID, header(PING_BYTES), body=PING)
    post("other-endpoint", "A signature made for another URL under the same key.", "NOT-1", PONG, header(PING_BYTES),
         path="/somewhere/else?x=1")
    post("replay", "A request that was captured and is sent again, almost five minutes later.", "NOT-2", PONG,
         at(NOW - TOLERANCE + 1))
    post("replay-other-input", "The id of `valid-post` with another tool and input.", "NOT-3", shipped("ORD-1042"),
         header(order_status().encode()), body=order_status())

    # Two faults at once.
    oversize = [PING, Repeat(" ", BODY_CAP + 1 - len(PING))]
    vectors.append(request("precedence-method-key", "The method comes before the key.", "ORDER-1",
                           error("method_not_allowed"), method="PUT", signature=header(PING_BYTES), body=PING,
                           keys={}))
    vectors.append(request("precedence-method-signature", "The method comes before the signature.", "ORDER-1",
                           error("method_not_allowed"), method="DELETE", signature=None))
    post("precedence-key-size", "The key comes before the size.", "ORDER-1", error("missing_secret"),
         header(body_bytes(oversize)), body=oversize, keys={})
    get("precedence-key-signature", "The key comes before the signature.", "ORDER-1", error("missing_secret"), None,
        keys={})
    post("precedence-size-missing", "The size comes before a signature that is missing.", "ORDER-1", BAD_BODY, None,
         body=oversize)
    post("precedence-size-wrong", "The size comes before a signature that is wrong.", "ORDER-1", BAD_BODY,
         header(body_bytes(oversize), secret=other), body=oversize)
    post("precedence-malformed-stale", "Malformed comes before stale.", "ORDER-1", MALFORMED, "t=0,v1=potato")
    post("precedence-stale-wrong", "Stale comes before wrong.", "ORDER-1", STALE, f"t=0,v1={wrong}")
    post("precedence-wrong-body", "A wrong signature comes before a body that is not JSON.", "ORDER-1", INVALID,
         header(b"{", secret=other), body="{")
    post("precedence-missing-body", "A missing signature comes before a body that is not JSON.", "ORDER-1",
         error("missing_signature"), None, body="{")
    post("precedence-wrong-coding", "A wrong signature comes before a content coding.", "ORDER-1", INVALID,
         header(PING_BYTES, secret=other), headers=[("content-encoding", "gzip")])
    post("precedence-wrong-tool", "A wrong signature comes before a tool that is not known.", "ORDER-1", INVALID,
         header(call(tool='"nope"').encode(), secret=other), body=call(tool='"nope"'))
    return vectors


# ------------------------------------------------------------------------------------------------------------
# connect.json
# ------------------------------------------------------------------------------------------------------------


def connect_vectors() -> list:
    vectors = []

    def ask(id, description, rule, expect, *authorization, method="GET", signature=None, body="", **variables):
        keys = {"MEDIAN_KEY": LOCAL_KEY, **variables} if variables else None
        keys = keys and {name: value for name, value in keys.items() if value}
        vectors.append(request(id, description, rule, expect, method=method, signature=signature, body=body, keys=keys,
                               headers=[("authorization", value) for value in authorization]))

    missing, wrong = error("missing_signature"), error("invalid_signature")
    owner = f"Bearer {LOCAL_KEY}"
    another = "median_key_another_00000000000000000000000000"
    api = error("connect_failed", "MEDIAN_API_URL")

    ask("connect-nobody", "A GET has neither a signature nor a bearer.", "CONN-1", missing)
    ask("connect-no-platform", "No platform is set to connect to.", "CONN-3", api, owner)
    ask("connect-scheme-case", "The name of the scheme is in lower case.", "CONN-1", api, f"bearer {LOCAL_KEY}")
    ask("connect-basic", "The scheme is another one.", "CONN-1", missing, "Basic eDp5")
    ask("connect-wrong", "The bearer is another key.", "CONN-2", wrong, f"Bearer {another}")
    ask("connect-prefix", "The bearer is the key without its last character.", "CONN-2", wrong, owner[:-1])
    ask("connect-longer", "The bearer is the key with one character more.", "CONN-2", wrong, owner + "0")
    ask("connect-public-half", "The bearer is the public half.", "CONN-2", wrong, f"Bearer {public_half(LOCAL_KEY)}")
    ask("connect-secret", "The bearer is the tool signing secret.", "CONN-2", wrong,
        f"Bearer {tool_secret(LOCAL_KEY).hex()}")
    ask("connect-empty", "The bearer is empty.", "CONN-2", wrong, "Bearer")
    ask("connect-previous", "The bearer is the previous key.", "CONN-2", wrong, owner,
        MEDIAN_KEY=another, MEDIAN_KEY_PREVIOUS=LOCAL_KEY)
    ask("connect-post", "A POST has the key as its bearer.", "CONN-2", missing, owner, method="POST", body=PING)
    ask("connect-tool-secret", "There is a tool signing secret and no key.", "CONN-4", error("missing_secret", "MEDIAN_KEY"),
        owner, MEDIAN_KEY="", MEDIAN_TOOL_SECRET=tool_secret(LOCAL_KEY).hex())
    ask("connect-plain-http", "The platform's address is http.", "CONN-5", api, owner,
        MEDIAN_API_URL="http://api.example.com")
    ask("connect-user", "The platform's address has a user that looks like a host.", "CONN-5", api, owner,
        MEDIAN_API_URL="http://127.0.0.1@api.example.com")
    ask("connect-name", "The platform's host begins like an address of this machine.", "CONN-5", api, owner,
        MEDIAN_API_URL="http://127.0.0.1.example.com")
    ask("connect-no-url", "The platform's address is no URL.", "CONN-5", api, owner, MEDIAN_API_URL="api.example.com")
    ask("connect-public-url", "The endpoint's own address is no URL.", "CONN-3",
        error("connect_failed", "MEDIAN_PUBLIC_URL"), owner, MEDIAN_API_URL="https://api.example.com",
        MEDIAN_PUBLIC_URL="shop.example")
    ask("precedence-signature-bearer", "A signature that is wrong comes before a bearer that is right.", "CONN-1",
        wrong, owner, signature=header(b"", secret=tool_secret(another)))
    return vectors


# ------------------------------------------------------------------------------------------------------------
# calls.json
# ------------------------------------------------------------------------------------------------------------


def call_vectors() -> list:
    vectors = []

    def post(id, description, rule, expect, body, headers=(JSON_TYPE,)):
        """A POST that is signed as it should be: only its body, or another header, can be at fault."""
        vectors.append(request(id, description, rule, expect, method="POST", signature=header(body_bytes(body)),
                               body=body, headers=headers))

    def bare(id, description, rule, expect, method, signature=header(b"")):
        vectors.append(request(id, description, rule, expect, method=method, signature=signature))

    # Methods and headers.
    bare("get-manifest", "A signed GET is answered with the manifest.", "HTTP-1", MANIFEST, "GET")
    bare("get-unsigned", "A GET with neither a signature nor anything else.", "SIG-12", error("missing_signature"),
         "GET", None)
    vectors.append(request("post-unsigned", "A POST without a signature.", "SIG-12", error("missing_signature"),
                           method="POST", signature=None, body=PING, headers=[JSON_TYPE]))
    for method, rule in [("HEAD", "HTTP-3"), ("OPTIONS", "HTTP-3"), ("PUT", "HTTP-2"), ("PATCH", "HTTP-2"),
                         ("DELETE", "HTTP-2"), ("PROPFIND", "HTTP-2")]:
        bare(f"method-{method.lower()}", f"A signed {method}.", rule, error("method_not_allowed"), method)
    post("post-runs-a-tool", "A signed POST runs a tool.", "HTTP-1", PONG, PING)
    post("content-type-none", "No content type.", "HTTP-7", PONG, PING, headers=())
    post("content-type-text", "A content type that is not JSON.", "HTTP-7", PONG, PING,
         headers=[("content-type", "text/plain")])
    post("content-type-form", "The content type of a form.", "HTTP-7", PONG, PING,
         headers=[("content-type", "application/x-www-form-urlencoded")])
    for coding in ["gzip", "deflate", "br"]:
        post(f"content-encoding-{coding}", f"A content coding of {coding}.", "HTTP-8",
             error("invalid_body", coding), PING, headers=[JSON_TYPE, ("content-encoding", coding)])
    post("content-encoding-several", "Two content codings, one of them gzip.", "HTTP-8", error("invalid_body", "gzip"),
         PING, headers=[JSON_TYPE, ("content-encoding", "identity, gzip")])
    post("content-encoding-identity", "The content coding that codes nothing.", "HTTP-8", PONG, PING,
         headers=[JSON_TYPE, ("content-encoding", "identity")])

    # Size. White space after the call is JSON, so only the number of bytes can be at fault.
    post("size-cap", "A body of exactly 1 MiB.", "HTTP-9", PONG, [PING, Repeat(" ", BODY_CAP - len(PING))])
    post("size-cap-over", "A body of 1 MiB and a byte.", "HTTP-9", BAD_BODY,
         [PING, Repeat(" ", BODY_CAP + 1 - len(PING))])
    post("size-counts-bytes", "Fewer characters than the cap, and more bytes.", "HTTP-9", BAD_BODY,
         [PING[:-1] + ',"more":"', Repeat("\u20ac", 400_000), '"}'])
    post("size-string", "A long text in a member that is ignored.", "BODY-4", PONG,
         [PING[:-1] + ',"more":"', Repeat("x", 500_000), '"}'])

    # JSON.
    for id, description, body in [
        ("json-empty", "An empty body.", ""),
        ("json-blank", "White space alone.", " \r\n\t"),
        ("json-truncated", "The closing brace is missing.", PING[:-1]),
        ("json-not-json", "A text that is not JSON.", "tool=ping"),
        ("json-byte-order-mark", "A byte order mark before the object.", "\ufeff" + PING),
        ("json-two-values", "Two objects, one after the other.", PING + PING),
        ("json-trailing-letter", "A letter after the object.", PING + "x"),
        ("json-trailing-comma", "A comma after the object.", PING + ","),
        ("json-trailing-nul", "A NUL after the object.", PING + "\0"),
        ("json-comma-in-object", "A comma before the closing brace.", PING[:-1] + ",}"),
        ("json-comment", "A comment.", "/* call */" + PING),
        ("json-single-quotes", "Single quotes.", PING.replace('"', "'")),
        ("json-bare-name", "A name without quotes.", PING.replace('"tool"', "tool", 1)),
        ("json-form-feed", "White space that JSON does not have.", "\f" + PING),
        ("json-no-break-space", "A no-break space before the object.", "\u00a0" + PING),
        ("json-ignored-nan", "A member that is ignored has to be JSON: NaN.", call('"more":NaN')),
        ("json-ignored-leading-zero", "A member that is ignored has to be JSON: a leading zero.", call('"more":01')),
        ("json-ignored-bad-escape", "A member that is ignored has to be JSON: an escape that there is not.",
         call(r'"more":"\x41"')),
        ("json-ignored-control", "A member that is ignored has to be JSON: a line feed in a string.",
         call('"more":"a\nb"')),
        ("json-ignored-unclosed", "A member that is ignored has to be JSON: brackets that do not match.",
         call('"more":[[}')),
    ]:
        post(id, description, "BODY-2", BAD_BODY, body)
    for id, description, body in [
        ("json-array", "An array.", f"[{PING}]"),
        ("json-empty-array", "An empty array.", "[]"),
        ("json-null", "`null`.", "null"),
        ("json-true", "`true`.", "true"),
        ("json-number", "A number.", "1"),
        ("json-string", "A string, with the call in it.", json.dumps(PING)),
    ]:
        post(id, description, "BODY-2", BAD_BODY, body)
    for id, description, body in [
        ("utf-8-invalid-byte", "A byte that UTF-8 does not have, in a name.",
         PING_BYTES.replace(b'"Ana"', b'"An\xff"')),
        ("utf-8-cut", "The first byte of two, in a name.", PING_BYTES.replace(b'"Ana"', b'"An\xc3"')),
        ("utf-8-overlong", "An overlong form, in a name.", PING_BYTES.replace(b'"Ana"', b'"An\xc1\x81"')),
        ("utf-8-surrogate", "A surrogate as three bytes, in a name.",
         PING_BYTES.replace(b'"Ana"', b'"An\xed\xa0\xbd"')),
        ("utf-8-latin-1", "Latin-1, in a name.", PING_BYTES.replace(b'"Ana"', b'"An\xe4"')),
        ("utf-8-in-ignored", "A byte that UTF-8 does not have, in a member that is ignored.",
         call('"more":"x"').encode().replace(b'"x"', b'"\xff"')),
        ("utf-16", "The body in UTF-16.", PING.encode("utf-16-le")),
    ]:
        post(id, description, "BODY-2", BAD_BODY, body)
    post("json-white-space", "White space wherever JSON allows it.", "BODY-2", PONG,
         "\r\n\t " + json.dumps(json.loads(PING), indent="\t").replace(":", " :") + " \n")
    post("json-escaped-names", "Names written with escapes are the same names.", "BODY-2", PONG,
         PING.replace('"tool"', r'"\u0074ool"').replace('"verified"', r'"verifie\u0064"'))

    # Operations.
    post("op-diagnostics", "Diagnostics, from an endpoint that has none.", "DIAG-2", error("diagnostics_unsupported"),
         '{"op":"diagnostics"}')
    post("op-diagnostics-more", "Diagnostics with a member that is not known.", "BODY-4",
         error("diagnostics_unsupported"), '{"op":"diagnostics","more":{"op":1}}')
    post("op-unknown", "An operation that is not known.", "BODY-6", error("unknown_op"), '{"op":"reboot"}')
    post("op-empty", "An operation without a name.", "BODY-6", error("unknown_op"), '{"op":""}')
    post("op-upper-case", "An operation in another case.", "BODY-6", error("unknown_op"), '{"op":"Diagnostics"}')
    for id, value in [("number", "1"), ("null", "null"), ("true", "true"), ("array", '["diagnostics"]'),
                      ("object", '{"name":"diagnostics"}')]:
        post(f"op-{id}", f"An operation that is no string: {value}.", "BODY-5", error("invalid_body", "op"),
             f'{{"op":{value}}}')
    post("op-beside-tool", "An operation beside a tool.", "BODY-5", BAD_BODY, call('"op":"diagnostics"'))
    post("op-unknown-beside-tool", "An operation that is not known beside a tool.", "BODY-5", BAD_BODY,
         call('"op":"reboot"'))
    post("op-null-beside-tool", "An operation that is null beside a tool.", "BODY-5", BAD_BODY, call('"op":null'))
    post("op-beside-null-tool", "An operation beside a tool that is null.", "BODY-5", BAD_BODY,
         '{"op":"diagnostics","tool":null}')
    post("op-twice", "An operation, twice.", "BODY-3", BAD_BODY, '{"op":"diagnostics","op":"diagnostics"}')
    post("op-twice-escaped", "An operation, twice, once written with an escape.", "BODY-3", BAD_BODY,
         r'{"op":"diagnostics","\u006fp":"reboot"}')
    post("op-nor-tool", "Neither an operation nor a tool.", "BODY-5", error("invalid_body", "tool"), "{}")

    # The envelope: each member missing, null, and of another type.
    def path(name: str, body_with, bad, required: bool) -> None:
        """`body_with` makes a body from this member's JSON text, or None for none. `bad` are texts to refuse."""
        slug = re.sub(r"([A-Z])", lambda upper: "-" + upper.group(1).lower(), name).replace(".", "-")
        refused = error("invalid_body", name)
        if required:
            post(f"{slug}-missing", f"No `{name}`.", "CALL-2", refused, body_with(None))
            post(f"{slug}-null", f"`{name}` is null.", "CALL-2", refused, body_with("null"))
        else:
            post(f"{slug}-missing", f"No `{name}`, which is optional.", "CALL-1", PONG, body_with(None))
            post(f"{slug}-null", f"`{name}` is null, which counts as absent.", "CALL-3", PONG, body_with("null"))
        for kind, text in bad:
            post(f"{slug}-{kind}", f"`{name}` is {text}.", "CALL-2", refused, body_with(text))

    number, text, true, array, object = ("number", "1"), ("string", '"x"'), ("true", "true"), ("array", "[]"), (
        "object", "{}")

    def in_context(member):
        return lambda value: call(context=context(**{member: value}))

    def in_visitor(member):
        return lambda value: call(context=context(visitor=visitor(**{member: value})))

    path("tool", lambda value: call(tool=value), [number, true, array, object], True)
    path("toolCallId", lambda value: call(toolCallId=value), [number, true, array, object], True)
    path("input", lambda value: call(input=value), [number, text, true, array], True)
    path("context", lambda value: call(context=value), [number, text, true, array], True)
    path("context.conversationId", in_context("conversationId"), [number, true, array, object], True)
    path("context.risk", in_context("risk"), [number, text, true, array, object], True)
    path("context.visitor", in_context("visitor"), [number, text, true, array], True)
    path("context.visitor.verified", in_visitor("verified"), [number, ("string", '"true"'), array, object], True)
    path("context.approvedBy", in_context("approvedBy"), [number, true, array, object], False)
    path("context.visitor.externalId", in_visitor("externalId"), [number, true, array, object], False)
    path("context.visitor.email", in_visitor("email"), [number, true, array, object], False)
    path("context.visitor.name", in_visitor("name"), [number, true, array, object], False)
    post("context-risk-upper-case", "A risk in another case.", "CALL-1", error("invalid_body", "context.risk"),
         call(context=context(risk='"Low"')))
    for risk in ["medium", "reviewed", "high"]:
        post(f"context-risk-{risk}", f"A risk of `{risk}` for a tool that is `low` here.", "RISK-4", PONG,
             call(context=context(risk=f'"{risk}"')))
    post("approved-by-blank", "A blank `approvedBy` counts as absent.", "CALL-3", PONG,
         call(context=context(approvedBy='" "')))
    post("approved-by-name", "A call that somebody let run.", "CALL-8", PONG,
         call(context=context(approvedBy='"A teammate"')))
    post("external-id-empty", "An empty `externalId` counts as absent.", "CALL-3", PONG,
         call(context=context(visitor=visitor(externalId='""'))))
    post("external-id-unverified", "An `externalId` that is not verified does not fail a call.", "CALL-6", PONG,
         call(context=context(visitor=visitor(verified="false"))))
    post("visitor-anonymous", "A visitor of whom nothing is known.", "CALL-1", PONG,
         call(context=context(visitor='{"verified":false}')))
    post("ids-opaque", "Ids of any form.", "CALL-4", PONG,
         call(toolCallId=r'"../\u0000\n\"\u00e9 "', context=context(conversationId='"test_1 2"')))

    # Tools that are not there.
    for id, description, name in [
        ("unknown-tool", "A tool that the endpoint does not have.", "refundOrder"),
        ("unknown-tool-empty", "A tool without a name.", ""),
        ("unknown-tool-case", "A tool's name in another case.", "Ping"),
        ("unknown-tool-space", "A tool's name with a space after it.", "ping "),
        ("unknown-tool-prefix", "The beginning of a tool's name.", "pin"),
        ("unknown-tool-to-string", "A name that every JavaScript object has.", "toString"),
        ("unknown-tool-proto", "The name of an object's prototype in JavaScript.", "__proto__"),
    ]:
        post(id, description, "CALL-9", error("unknown_tool", "sync"), call(tool=json.dumps(name)))

    # Members that are not known, and what is in them.
    deep = 2_000
    post("ignored-member", "A member that is not known.", "BODY-4", PONG, call('"more":1'))
    post("ignored-member-context", "A member that is not known, in `context`.", "BODY-4", PONG,
         call(context=context('"locale":"en"')))
    post("ignored-member-visitor", "A member that is not known, in `visitor`.", "BODY-4", PONG,
         call(context=context(visitor=visitor('"plan":{"name":"pro"}'))))
    post("ignored-twice", "A member that is not known, twice.", "BODY-4", PONG, call('"more":1,"more":2'))
    post("ignored-with-duplicates", "An ignored member with a member twice.", "BODY-4", PONG,
         call('"more":{"tool":1,"tool":2}'))
    post("ignored-known-name-elsewhere", "A name that is known elsewhere is not known here.", "BODY-4", PONG,
         call('"verified":1,"risk":2,"visitor":3', context=context('"tool":4,"input":5')))
    post("ignored-number-too-large", "An ignored number that is too large for a double.", "BODY-4", PONG,
         call('"more":1e999'))
    post("ignored-half-a-pair", "Half of a surrogate pair in a member that is ignored.", "BODY-4", PONG,
         call(r'"more":"\ud83d"'))
    post("ignored-half-a-pair-name", "Half of a surrogate pair in the name of a member that is ignored.", "BODY-4",
         PONG, call(r'"\ud83d":1'))
    post("ignored-deep-arrays", "2,000 arrays inside each other, in a member that is ignored.", "BODY-4", PONG,
         [PING[:-1] + ',"more":', Repeat("[", deep), Repeat("]", deep), "}"])
    post("ignored-deep-objects", "2,000 objects inside each other, in a member that is ignored.", "BODY-4", PONG,
         [PING[:-1] + ',"more":', Repeat('{"a":', deep), "1", Repeat("}", deep), "}"])
    prefix = call(context="CONTEXT").split("CONTEXT")[0]
    post("ignored-deep-in-context", "2,000 arrays inside each other, in a member of `context` that is ignored.",
         "BODY-4", PONG, [prefix + context()[:-1] + ',"more":', Repeat("[", deep), Repeat("]", deep), "}}"])
    post("ignored-deep-unclosed", "2,000 arrays that are never closed.", "BODY-2", BAD_BODY,
         [PING[:-1] + ',"more":', Repeat("[", deep)])
    post("deep-top", "2,000 arrays in place of the object.", "BODY-2", BAD_BODY, [Repeat("[", deep), Repeat("]", deep)])

    # Twice. The second value is the same one, so that nothing but the repetition can be at fault.
    for id, name, body in [
        ("tool", "tool", call('"tool":"ping"')),
        ("tool-call-id", "toolCallId", call('"toolCallId":"call_00000000000000000000000000000001"')),
        ("input", "input", call('"input":{}')),
        ("context", "context", call(f'"context":{context()}')),
        ("conversation-id", "context.conversationId", call(context=context('"conversationId":"conversation_1"'))),
        ("risk", "context.risk", call(context=context('"risk":"low"'))),
        ("visitor", "context.visitor", call(context=context(f'"visitor":{visitor()}'))),
        ("approved-by", "context.approvedBy", call(context=context('"approvedBy":"A teammate"',
                                                                   approvedBy='"A teammate"'))),
        ("verified", "context.visitor.verified", call(context=context(visitor=visitor('"verified":true')))),
        ("external-id", "context.visitor.externalId",
         call(context=context(visitor=visitor('"externalId":"user_123"')))),
        ("email", "context.visitor.email", call(context=context(visitor=visitor('"email":"ana@example.com"')))),
        ("name", "context.visitor.name", call(context=context(visitor=visitor('"name":"Ana"')))),
    ]:
        post(f"duplicate-{id}", f"`{name}` twice.", "BODY-3", BAD_BODY, body)
    post("duplicate-other-value", "Two tools: which one runs must not depend on who reads.", "BODY-3", BAD_BODY,
         call('"tool":"orderStatus"'))
    post("duplicate-escaped", "The same name twice, once written with an escape.", "BODY-3", BAD_BODY,
         call(r'"t\u006fol":"ping"'))
    post("duplicate-null", "A member twice, once null.", "BODY-3", BAD_BODY,
         call(context=context('"approvedBy":null', approvedBy='"A teammate"')))
    post("duplicate-in-input", "A field twice.", "BODY-3", BAD_BODY, set_quantity('{"quantity":2,"quantity":2}'))
    post("duplicate-in-input-other-value", "A field twice, with different values.", "BODY-3", BAD_BODY,
         set_quantity('{"quantity":2,"quantity":200}'))
    post("duplicate-in-input-escaped", "A field twice, once written with an escape.", "BODY-3", BAD_BODY,
         set_quantity(r'{"quantity":2,"\u0071uantity":2}'))
    post("duplicate-in-input-null", "A field twice, once null.", "BODY-3", BAD_BODY,
         set_quantity('{"quantity":2,"note":null,"note":"x"}'))
    post("duplicate-in-input-unknown", "A field that the tool does not have, twice.", "BODY-3", BAD_BODY,
         call(input='{"x":1,"x":1}'))

    # Halves of surrogate pairs.
    half = r'"An\ud83d"'
    post("half-a-pair-name", "In a name it is replaced, and the call goes through.", "BODY-7", PONG,
         call(context=context(visitor=visitor(name=half))))
    post("half-a-pair-email", "In an e-mail address it is replaced, and the call goes through.", "BODY-7", PONG,
         call(context=context(visitor=visitor(email=r'"\ude00@example.com"'))))
    post("half-a-pair-name-reversed", "Two halves in the wrong order are two halves.", "BODY-7", PONG,
         call(context=context(visitor=visitor(name=r'"\ude00\ud83d"'))))
    post("half-a-pair-tool-call-id", "In `toolCallId` it is refused.", "BODY-7", error("invalid_body", "toolCallId"),
         call(toolCallId=half))
    post("half-a-pair-conversation-id", "In `conversationId` it is refused.", "BODY-7",
         error("invalid_body", "context.conversationId"), call(context=context(conversationId=half)))
    post("half-a-pair-external-id", "In `externalId` it is refused.", "BODY-7",
         error("invalid_body", "context.visitor.externalId"), call(context=context(visitor=visitor(externalId=half))))
    post("half-a-pair-approved-by", "In `approvedBy` it is refused.", "BODY-7",
         error("invalid_body", "context.approvedBy"), call(context=context(approvedBy=half)))
    post("half-a-pair-tool", "In `tool` it is refused.", "BODY-7", error("invalid_body", "tool"), call(tool=half))
    post("half-a-pair-op", "In `op` it is refused.", "BODY-7", error("invalid_body", "op"), f'{{"op":{half}}}')
    post("half-a-pair-input", "In a string of the input it is refused, naming the field.", "IN-12",
         error("invalid_input", "orderNumber"), order_status(half))
    post("half-a-pair-input-optional", "In an optional string of the input it is refused too.", "IN-12",
         error("invalid_input", "note"), set_quantity(rf'{{"quantity":1,"note":{half}}}'))
    post("half-a-pair-choice", "In a choice it is none of the choices.", "IN-2", error("invalid_input", "speed"),
         set_quantity(rf'{{"quantity":1,"speed":{half}}}'))
    post("whole-pair-input", "A whole pair of escapes is one character.", "IN-12", shipped("\U0001f600"),
         order_status(r'"\ud83d\ude00"'))

    # Input: strings come back as they were given.
    post("text", "A string.", "OUT-1", shipped("ORD-1042"), order_status())
    post("text-escapes", "Escapes are resolved.", "OUT-1", shipped('OR/D"\\\b\f\n\r\t\0'),
         order_status(r'"\u004fR\/D\"\\\b\f\n\r\t\u0000"'))
    post("text-unicode", "Text that is not ASCII, unescaped.", "OUT-1",
         shipped("\u00e9 \u4e2d \U0001f600 \u2028 \ufeff"), order_status('"\u00e9 \u4e2d \U0001f600 \u2028 \ufeff"'))
    post("text-looks-like-a-number", "A string of digits stays a string.", "OUT-1", shipped("0012"),
         order_status('"0012"'))

    # Input: types, without conversion.
    for field, needed, kinds in [
        ("orderNumber", "orderStatus", [number, true, array, object]),
        ("quantity", "setQuantity", [("string", '"12"'), true, array, object]),
        ("note", "setQuantity", [number, true, array, object]),
        ("gift", "setQuantity", [number, ("string", '"true"'), ("zero", "0"), array, object]),
        ("speed", "setQuantity", [number, true, array, object]),
    ]:
        slug = re.sub(r"([A-Z])", lambda upper: "-" + upper.group(1).lower(), field)
        rest = "" if needed == "orderStatus" or field == "quantity" else '"quantity":1,'
        for kind, value in kinds:
            post(f"input-{slug}-{kind}", f"`{field}` is {value}.", "IN-4", error("invalid_input", field),
                 call(tool=f'"{needed}"', input=f'{{{rest}"{field}":{value}}}'))
    post("input-needed-missing", "A field that is needed is missing.", "IN-3", error("invalid_input", "orderNumber"),
         call(tool='"orderStatus"'))
    post("input-needed-null", "A field that is needed is null, which counts as absent.", "IN-5",
         error("invalid_input", "orderNumber"), order_status("null"))
    post("input-all", "Every field.", "OUT-1", set_to(3, "for Ana", True, "express"),
         set_quantity('{"quantity":3,"note":"for Ana","gift":true,"speed":"express"}'))
    post("input-optional-missing", "No optional field.", "OUT-1", set_to(3), set_quantity('{"quantity":3}'))
    post("input-optional-null", "Every optional field is null, which counts as absent.", "IN-5", set_to(3),
         set_quantity('{"quantity":3,"note":null,"gift":null,"speed":null}'))
    post("input-optional-false", "`false` is not absent.", "IN-5", set_to(0, gift=False),
         set_quantity('{"quantity":0,"gift":false}'))
    post("input-choice-other", "A choice that there is not.", "IN-2", error("invalid_input", "speed"),
         set_quantity('{"quantity":1,"speed":"fastest"}'))
    post("input-choice-case", "A choice in another case.", "IN-2", error("invalid_input", "speed"),
         set_quantity('{"quantity":1,"speed":"Express"}'))
    post("input-choice-empty", "A choice of the empty string.", "IN-2", error("invalid_input", "speed"),
         set_quantity('{"quantity":1,"speed":""}'))

    # Input: numbers.
    for id, description, text, value in [
        ("integer", "An integer.", "2", 2),
        ("fraction", "A fraction.", "2.5", 2.5),
        ("negative", "A negative number.", "-2", -2),
        ("point-zero", "An integer with a decimal point.", "2.0", 2),
        ("exponent", "An integer with an exponent.", "1e2", 100),
        ("exponent-upper-case", "An exponent in upper case, with a sign.", "25E-1", 2.5),
        ("too-small", "A number that is too small for a double is zero.", "1e-999", 0),
        ("largest", "The largest double.", "1.7976931348623157e308", 1.7976931348623157e308),
        ("many-digits", "More digits than a double holds.", "0.1000000000000000055511151231257827", 0.1),
    ]:
        rule = "IN-7" if id == "too-small" else "OUT-1"
        post(f"number-{id}", description, rule, set_to(value), set_quantity(f'{{"quantity":{text}}}'))
    for id, description, text in [
        ("too-large", "A number that is too large for a double.", "1e999"),
        ("too-large-negative", "A negative number that is too large for a double.", "-1e999"),
        ("too-large-digits", "A number of 400 digits.", "1" * 400),
    ]:
        post(f"number-{id}", description, "IN-7", error("invalid_input", "quantity"),
             set_quantity(f'{{"quantity":{text}}}'))
    for id, description, text in [
        ("nan", "NaN is not JSON.", "NaN"),
        ("infinity", "Infinity is not JSON.", "Infinity"),
        ("leading-zero", "A leading zero is not JSON.", "02"),
        ("plus", "A plus sign is not JSON.", "+2"),
        ("point-first", "A decimal point at the start is not JSON.", ".5"),
        ("point-last", "A decimal point at the end is not JSON.", "2."),
        ("hex", "A hex number is not JSON.", "0x2"),
        ("minus-alone", "A minus sign alone is not JSON.", "-"),
    ]:
        post(f"number-{id}", description, "BODY-2", BAD_BODY, set_quantity(f'{{"quantity":{text}}}'))

    # Input: fields that the tool does not have.
    post("unknown-field", "A field that the tool does not have.", "IN-8", error("invalid_input", "color"),
         set_quantity('{"quantity":1,"color":"red"}'))
    post("unknown-field-null", "A field that the tool does not have, null.", "IN-8", error("invalid_input", "color"),
         set_quantity('{"quantity":1,"color":null}'))
    post("unknown-field-no-fields", "Any field for a tool that has none.", "IN-8", error("invalid_input", "x"),
         call(input='{"x":1}'))
    post("unknown-field-case", "A field's name in another case.", "IN-8", error("invalid_input", "Note"),
         set_quantity('{"quantity":1,"Note":"x"}'))
    post("unknown-field-proto", "The name of an object's prototype in JavaScript.", "IN-8",
         error("invalid_input", "__proto__"), set_quantity('{"quantity":1,"__proto__":{}}'))
    post("unknown-field-constructor", "A name that every JavaScript object has.", "IN-8",
         error("invalid_input", "constructor"), set_quantity('{"quantity":1,"constructor":null}'))
    start = set_quantity("INPUT").split("INPUT")
    post("unknown-field-deep", "2,000 arrays inside each other, in a field that the tool does not have.", "IN-8",
         error("invalid_input", "deep"),
         [start[0] + '{"quantity":1,"deep":', Repeat("[", deep), Repeat("]", deep), "}" + start[1]])
    post("field-deep", "2,000 arrays inside each other, in place of a string.", "IN-4", error("invalid_input", "note"),
         [start[0] + '{"quantity":1,"note":', Repeat("[", deep), Repeat("]", deep), "}" + start[1]])

    # Two faults at once.
    post("precedence-shape-tool", "A member that is missing comes before a tool that is not known.", "ORDER-1",
         error("invalid_body", "context"), call(tool='"nope"', context=None))
    post("precedence-tool-input", "A tool that is not known comes before an input that would not fit.", "ORDER-1",
         error("unknown_tool"), call(tool='"nope"', input='{"x":1}'))
    post("precedence-shape-input", "A member that is missing comes before an input that does not fit.", "ORDER-1",
         error("invalid_body", "context.risk"), call(input='{"x":1}', context=context(risk=None)))
    post("precedence-duplicate-tool", "A field that is there twice comes before a tool that is not known.", "ORDER-1",
         BAD_BODY, call(tool='"nope"', input='{"x":1,"x":1}'))
    post("precedence-duplicate-input", "A field that is there twice comes before a field that does not fit.", "ORDER-1",
         BAD_BODY, set_quantity('{"color":"red","quantity":1,"quantity":1}'))
    post("precedence-coding-json", "A content coding comes before a body that is not JSON.", "ORDER-1",
         error("invalid_body", "gzip"), "{", headers=[JSON_TYPE, ("content-encoding", "gzip")])
    post("precedence-declared-order", "Of two fields at fault, the one that is declared first.", "IN-9",
         error("invalid_input", "quantity"), set_quantity('{"note":1,"quantity":"2"}'))
    post("precedence-declared-unknown", "A declared field at fault comes before one that is not declared.", "IN-9",
         error("invalid_input", "quantity"), set_quantity('{"color":"red","quantity":"2"}'))
    return vectors


# ------------------------------------------------------------------------------------------------------------
# hmac_rfc4231.json
# ------------------------------------------------------------------------------------------------------------


def rfc4231_vectors() -> list:
    """Section 4 of RFC 4231, the SHA-256 column, typed from the RFC and computed again here."""
    cases = [
        (b"\x0b" * 20, b"Hi There", "A key of 20 bytes.",
         "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        (b"Jefe", b"what do ya want for nothing?", "A key shorter than the output.",
         "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        (b"\xaa" * 20, b"\xdd" * 50, "Key and data together longer than 64 bytes.",
         "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        (bytes(range(1, 26)), b"\xcd" * 50, "A key of 25 different bytes.",
         "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        (b"\x0c" * 20, b"Test With Truncation", "The output cut to 128 bits.",
         "a3b6167473100ee06e0c796c2955552b"),
        (b"\xaa" * 131, b"Test Using Larger Than Block-Size Key - Hash Key First", "A key longer than a block.",
         "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        (b"\xaa" * 131,
         b"This is a test using a larger than block-size key and a larger than block-size data. "
         b"The key needs to be hashed before being used by the HMAC algorithm.",
         "Key and data each longer than a block.",
         "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
    ]
    vectors = []
    for number, (key, data, description, published) in enumerate(cases, 1):
        size = len(published) // 2
        assert hmac_sha256(key, data)[:size].hex() == published, f"RFC 4231 case {number}"
        vectors.append({"id": f"rfc4231-{number}", "description": description, "key_hex": key.hex(),
                        "data_hex": data.hex(), "mac_bytes": size, "mac_hex": published})
    return vectors


# ------------------------------------------------------------------------------------------------------------
# Files
# ------------------------------------------------------------------------------------------------------------


def compact(value) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(", ", ": "))


def write(document: dict) -> str:
    """JSON in ASCII: an array of vectors has one member of a vector a line, everything else is on one line."""
    blocks = []
    for name, value in document.items():
        if isinstance(value, list):
            items = []
            for vector in value:
                lines = ",\n".join(f"      {compact(key)}: {compact(inner)}" for key, inner in vector.items())
                items.append("    {\n" + lines + "\n    }")
            blocks.append(f"  {compact(name)}: [\n" + ",\n".join(items) + "\n  ]")
        else:
            blocks.append(f"  {compact(name)}: {compact(value)}")
    return "{\n" + ",\n".join(blocks) + "\n}\n"


# ------------------------------------------------------------------------------------------------------------
# navigation.json
# ------------------------------------------------------------------------------------------------------------

SITE = {
    "pages": [
        {"route": "/", "title": "The shop"},
        {"route": "/orders", "title": "Your orders"},
        {
            "route": "/orders/:id",
            "title": "One order",
            "highlights": [["#refund", "Where a refund is asked for."]],
        },
        {"route": "/orders/new"},
        {"route": "/help/"},
        {"route": "/café/:table"},
        {"route": "/:section/:item"},
        {"route": "/admin/users"},
    ],
    "exclude": ["/admin/**", "/*/secret-*"],
}

UNKNOWN_PAGE = {"reason": "unknown_page"}


def navigation_vectors() -> list:
    vectors = []

    def page(id, description, rule, path, expect, highlight=None):
        given = {"path": path} if highlight is None else {"path": path, "highlight": highlight}
        members = {"id": f"page-{id}", "description": description, **by(rule), "input": given, "expect": expect}
        vectors.append(members)

    def goes(id, description, rule, path, to=None, **more):
        page(id, description, rule, path, {"navigate_to": path if to is None else to}, **more)

    def refused(id, description, rule, path):
        page(id, description, rule, path, UNKNOWN_PAGE)

    goes("root", "The root is a page.", "PAGE-3", "/")
    goes("fixed", "A route that does not vary.", "PAGE-3", "/orders")
    goes("filled", "A route with a value in the place of its name.", "PAGE-3", "/orders/ORD-1042")
    goes("more-specific", "Two routes match, and either gives this path.", "PAGE-3", "/orders/new")
    goes("slash-added", "The path ends with a slash, the route does not.", "PAGE-3", "/orders/", "/orders")
    goes("slash-missing", "The route ends with a slash, the path does not.", "PAGE-3", "/help", "/help/")
    goes("encoded-value", "A space is encoded in the value.", "PAGE-4", "/orders/a%20b")
    goes("encoded-twice", "A letter is encoded twice in the value.", "PAGE-4", "/orders/%2561")
    goes("raw-space", "A space stands in the value as it is.", "PAGE-6", "/orders/a b", "/orders/a%20b")
    goes("raw-letters", "The route and the path have letters that are not ASCII.", "PAGE-6", "/café/é", "/caf%C3%A9/%C3%A9")
    goes("encoded-letters", "The path has the route's letters encoded.", "PAGE-3", "/caf%C3%A9/1")
    goes("three-dots", "Three dots are a value like another.", "PAGE-4", "/orders/...")
    goes("percent", "An encoded percent sign is a value.", "PAGE-4", "/orders/100%25")
    goes("like-excluded", "The path begins as an excluded one does, with another segment.", "PAGE-5", "/administrators/1")

    refused("empty", "The path is empty.", "PAGE-4", "")
    refused("relative", "The path has no slash before it.", "PAGE-4", "orders")
    refused("absolute", "The path is an address with a scheme.", "PAGE-4", "https://shop.example/orders")
    refused("javascript", "The path is a script.", "PAGE-4", "javascript:alert(1)")
    refused("other-host", "The path begins with two slashes.", "PAGE-4", "//evil.example/orders")
    refused("other-host-backslash", "A backslash stands for the second slash.", "PAGE-4", "/\\evil.example")
    refused("other-host-encoded", "The second slash is encoded.", "PAGE-4", "/%2Fevil.example")
    refused("other-host-tab", "A tab stands between the two slashes.", "PAGE-4", "/\t/evil.example")
    refused("backslash-encoded", "A backslash is encoded in the value.", "PAGE-4", "/orders/a%5Cb")
    refused("slash-encoded", "A slash is encoded in the value.", "PAGE-4", "/orders/a%2fb")
    refused("slash-encoded-twice", "A slash is encoded twice in the value.", "PAGE-4", "/orders/a%252Fb")
    refused("dots", "The value is two dots.", "PAGE-4", "/orders/..")
    refused("dot", "The value is one dot.", "PAGE-4", "/orders/.")
    refused("dots-encoded", "The value is two encoded dots.", "PAGE-4", "/orders/%2e%2E")
    refused("dots-encoded-half", "One of two dots is encoded.", "PAGE-4", "/orders/.%2e")
    refused("dots-encoded-twice", "The value is two dots, encoded twice.", "PAGE-4", "/orders/%252e%252e")
    refused("dots-semicolon", "A semicolon follows two dots.", "PAGE-4", "/orders/..;x")
    refused("query", "A query follows the path.", "PAGE-4", "/orders?next=1")
    refused("query-encoded", "A question mark is encoded in the value.", "PAGE-4", "/orders/1%3Fa")
    refused("fragment", "A fragment follows the path.", "PAGE-4", "/orders#top")
    refused("fragment-encoded", "A number sign is encoded in the value.", "PAGE-4", "/orders/1%23top")
    refused("line-feed", "A line feed ends the path.", "PAGE-4", "/orders\n")
    refused("line-feed-encoded", "A line feed is encoded in the value.", "PAGE-4", "/orders/1%0a")
    refused("null-encoded", "A null character is encoded in the value.", "PAGE-4", "/orders/1%00")
    refused("percent-alone", "A percent sign begins no encoding.", "PAGE-4", "/orders/100%")
    refused("overlong", "An encoding is an overlong form of a dot.", "PAGE-4", "/orders/%c0%ae")
    refused("too-long", "The path has 2,049 characters.", "PAGE-4", "/orders/" + "a" * 2_041)
    goes("longest", "The path has 2,048 characters.", "PAGE-4", "/orders/" + "a" * 2_040)
    refused("too-long-encoded", "The path has over 2,048 characters once it is encoded.", "PAGE-6", "/orders/" + "é" * 400)
    refused("no-route", "No route is like the path.", "PAGE-4", "/nowhere")
    refused("case", "The path has another case than the route.", "PAGE-3", "/Orders")
    refused("no-value", "The value is empty.", "PAGE-3", "/orders//")
    refused("blank-value", "The value is an encoded space.", "PAGE-3", "/orders/%20")
    refused("unfilled", "The name stands in the place of its value.", "PAGE-3", "/orders/:id")

    refused("excluded", "The route is excluded.", "PAGE-5", "/admin/users")
    refused("excluded-filled", "What becomes of a route is excluded.", "PAGE-5", "/admin/1")
    refused("excluded-case", "The excluded path has another case.", "PAGE-5", "/ADMIN/1")
    refused("excluded-encoded", "A letter of the excluded path is encoded.", "PAGE-5", "/%61dmin/1")
    refused("excluded-encoded-twice", "A letter of the excluded path is encoded twice.", "PAGE-5", "/%2561dmin/1")
    refused("excluded-semicolon", "A semicolon follows the excluded segment.", "PAGE-5", "/admin;a/1")
    refused("excluded-star", "The value begins as the pattern says.", "PAGE-5", "/billing/secret-1")

    marked = {"navigate_to": "/orders/1", "highlight": "#refund"}
    page("highlight", "The page declares the highlight.", "PAGE-7", "/orders/1", marked, "#refund")
    elsewhere = {"reason": "unknown_highlight"}
    page("highlight-elsewhere", "Another page declares the highlight.", "PAGE-7", "/orders", elsewhere, "#refund")
    nowhere = {"code": "invalid_input"}
    page("highlight-nowhere", "No page declares the highlight, which is a choice.", "PAGE-2", "/orders/1", nowhere, "*")
    return vectors


def documents() -> dict:
    local = {"MEDIAN_KEY": LOCAL_KEY}
    files = {
        "keys.json": {
            "format": FORMAT,
            "about": "How MEDIAN_KEY and MEDIAN_TOOL_SECRET are read, what is derived, and what is signed with it.",
            "labels": {"tool_secret": TOOL_SIGNING, "identity_secret": IDENTITY, "public": PUBLIC},
            "keys": key_vectors(),
            "tool_secrets": tool_secret_vectors(),
            "signing": signing_vectors(),
        },
        "signature.json": {
            "format": FORMAT,
            "about": "Whole requests: the median-signature header, the key, and the bytes that are signed.",
            "default_keys": local,
            "vectors": signature_vectors(),
        },
        "connect.json": {
            "format": FORMAT,
            "about": "Whole requests that ask to be connected, none of which reaches a platform.",
            "default_keys": local,
            "vectors": connect_vectors(),
        },
        "calls.json": {
            "format": FORMAT,
            "about": "Whole requests, correctly signed: methods, bodies, calls and inputs.",
            "default_keys": local,
            "vectors": call_vectors(),
        },
        "navigation.json": {
            "format": FORMAT,
            "about": "Inputs of goToPage, the tool of an application with these pages, and what is answered.",
            "site": SITE,
            "vectors": navigation_vectors(),
        },
        "hmac_rfc4231.json": {
            "format": FORMAT,
            "about": "HMAC-SHA-256 as RFC 4231 publishes it, section 4.",
            "vectors": rfc4231_vectors(),
        },
    }
    check_ids(files)
    return {name: write(document) for name, document in files.items()}


def check_ids(files: dict) -> None:
    """Ids are unique over all the files, so that one names a vector without naming its file."""
    seen = set()
    for name, document in files.items():
        for vector in (vector for block in document.values() if isinstance(block, list) for vector in block):
            where = f"{name}: {vector['id']}"
            assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", vector["id"]), f"{where}: not in kebab case"
            assert vector["id"] not in seen, f"{where}: the id is given twice"
            assert re.fullmatch(r"[^\n]+[.]", vector["description"]), f"{where}: the description is no sentence"
            seen.add(vector["id"])


def main() -> int:
    assert_published_values()
    arguments = sys.argv[1:]
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    stale = []
    for name, text in documents().items():
        path = HERE / name
        if arguments == ["--check"]:
            if not path.is_file() or path.read_bytes() != text.encode():
                stale.append(name)
        else:
            path.write_bytes(text.encode())
    if stale:
        print(f"not what generate.py writes: {', '.join(stale)}; run it again", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
