#!/usr/bin/env python3
"""A PicoClaw process hook that brings a tool: before_llm offers it, before_tool answers it."""
import json
import sys

WEATHER = {"Beijing": "sunny, 15 degrees", "Shanghai": "cloudy, 18 degrees", "Guangzhou": "sunny, 25 degrees"}
TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Says what the weather is in a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


def before_llm(params):
    return {"action": "modify", "request": {**params, "tools": params.get("tools", []) + [TOOL]}}


def before_tool(params):
    if params.get("tool") != "get_weather":
        return {"action": "continue"}
    city = params.get("arguments", {}).get("city", "")
    known = city in WEATHER
    text = f"{city}: {WEATHER[city]}" if known else f"No weather is known for {city!r}."
    return {"action": "respond", "result": {"for_llm": text, "silent": False, "is_error": not known}}


METHODS = {"hook.hello": lambda _: {"ok": True}, "hook.before_llm": before_llm, "hook.before_tool": before_tool}

for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    method = METHODS.get(message["method"], lambda _: {"action": "continue"})
    reply = {"jsonrpc": "2.0", "id": message["id"], "result": method(message.get("params") or {})}
    print(json.dumps(reply), flush=True)
