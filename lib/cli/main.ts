#!/usr/bin/env node

// A closed pipe must not print a stack trace. `run` ends by itself when that happens.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const words = process.argv.slice(2);
/** True for one event of Claude Code. Other invocations print settings, run servers, or are internal processes of the command. */
const isCall =
  words[0] === 'hook' &&
  /(?:^| )--as[ =]claude(?: |$)/.test(words.join(' ')) &&
  !words.some((word) => /^(?:--daemon-at|--worker|--install|--help|-h|--listen(?:=.*)?)$/.test(word));

if (isCall) void require('./host-hook/claude/call-claude').callClaude(words);
else require('./run-program').runProgram();

export {};
