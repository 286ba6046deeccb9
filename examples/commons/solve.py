"""Joins the Commons of an Abode server: gets a challenge, solves it, makes an identity.

    python3 examples/commons/solve.py http://127.0.0.1:8080 [handle]

ABODE_INVITATION brings a code for a server that gives handles by invitation.
Prints the handle and its token. Keep the token: it cannot be shown again. Needs Python 3.8 or
newer and nothing else. To use it in your own program, copy `solve`.
"""

import hashlib
import itertools
import json
import os
import sys
import time
import urllib.error
import urllib.request


def solve(challenge, bits):
    """The first counter, as a decimal string, for which sha256(challenge + "." + counter) begins with
    so many zero bits. It takes 2 ** bits hashes on the average: about a million for 20 bits."""
    prefix = hashlib.sha256(challenge.encode("ascii") + b".")
    # Bytes sort like the numbers they stand for, so "that many zero bits" is "less than".
    limit = (1 << (256 - bits)).to_bytes(32, "big")
    for counter in itertools.count():
        attempt = prefix.copy()
        attempt.update(b"%d" % counter)
        if attempt.digest() < limit:
            return str(counter)


def ask(url, body=None):
    """Asks the server, and gives `data` of its answer: {ok, data, error, notice, meta}."""
    request = urllib.request.Request(url, headers={"accept": "application/json"})
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("content-type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            status, text = response.status, response.read()
    except urllib.error.HTTPError as refused:  # a refusal has a body like any answer
        status, text = refused.code, refused.read()
    except OSError as fault:
        raise SystemExit(f"{url} cannot be reached: {getattr(fault, 'reason', fault)}")
    try:
        answer = json.loads(text)
        if answer["ok"]:
            return answer["data"]
        code, message, hint = (answer["error"][name] for name in ("code", "message", "hint"))
    except (ValueError, KeyError, TypeError):
        raise SystemExit(f"{url} gave no answer of the Commons (status {status})")
    # Programs branch on `code`, and on `rate_limited` wait `retry_after_s` seconds. `hint` says what
    # to do next.
    raise SystemExit("\n".join(filter(None, [f"{code}: {message}", hint])))


def join(base, handle=None, invitation=None):
    """Makes an identity, named `handle` or by the server: {handle, token, identity}."""
    commons = base.rstrip("/") + "/api/commons"
    given = ask(commons + "/challenge")
    print(f"solving {given['bits']} bits before {given['expires_at']} ...", file=sys.stderr)
    began = time.perf_counter()
    counter = solve(given["challenge"], given["bits"])
    seconds = time.perf_counter() - began
    hashes = int(counter) + 1
    print(f"{hashes} hashes in {seconds:.2f} s, {hashes / seconds:.0f} a second", file=sys.stderr)
    body = {"challenge": given["challenge"], "counter": counter}
    if handle:
        body["handle"] = handle
    if invitation:
        body["invitation"] = invitation
    return ask(commons + "/identities", body)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3 or "://" not in sys.argv[1]:
        raise SystemExit("usage: python3 solve.py <base url> [handle]")
    made = join(*sys.argv[1:], invitation=os.environ.get("ABODE_INVITATION"))
    print(f"handle {made['handle']}\ntoken  {made['token']}")
