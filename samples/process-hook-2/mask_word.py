#!/usr/bin/env python3
"""A hook of protocol 2: masks a word in all chunks, across their borders, counts with the run, and logs."""
import collections
import json
import sys

WORD = sys.argv[1] if len(sys.argv) > 1 else "swordfish"
held = {}  # stream -> the end of its text that may become the word
later = collections.deque()  # what came while a call to the host was waited for
calls = 0


def say(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def call(method, params):
    global calls
    calls += 1
    say({"id": f"own-{calls}", "method": method, "params": params})
    for line in sys.stdin:
        message = json.loads(line)
        if "method" in message:
            later.append(message)
        elif "error" in message:
            raise RuntimeError(message["error"]["message"])
        else:
            return message["result"]


def count(run, found):
    masked = call("host.state.get", {"run": run, "key": "masked"})["value"] or 0
    call("host.state.set", {"run": run, "key": "masked", "value": masked + found})
    say({"method": "host.log", "params": {"run": run, "message": "masked a word", "data": {"times": found}}})


def chunks(params):
    stream, last = params["stream"], params["last"]
    *parts, rest = (held.pop(stream, "") + "".join(params["chunks"])).split(WORD)
    keep = 0 if last else min(len(WORD) - 1, len(rest))
    while keep and not WORD.startswith(rest[-keep:]):
        keep -= 1
    if not last:
        held[stream] = rest[len(rest) - keep :]
    if parts:
        count(params["run"], len(parts))
    return {"chunks": [("*" * len(WORD)).join([*parts, rest[: len(rest) - keep]])]}


discard = lambda params: held.pop(params["stream"], 0)
METHODS = {"hook.hello": lambda _: {"protocol": 2}, "hook.chunks": chunks, "hook.discard": discard}

while later or (line := sys.stdin.readline()):
    message = later.popleft() if later else json.loads(line)
    try:
        answer = {"result": METHODS.get(message["method"], lambda _: {})(message.get("params") or {})}
    except Exception as error:
        answer = {"error": {"code": -32000, "message": str(error)}}
    if "id" in message:
        say({"id": message["id"], **answer})
