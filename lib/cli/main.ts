#!/usr/bin/env node

// A reader that has gone is not a reason for a stack trace; `run` ends itself when that happens.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const words = process.argv.slice(2);
/** One event of Claude Code: the others are for whoever writes settings, for servers, and for processes of the command itself. */
const isCall =
  words[0] === 'hook' &&
  /(?:^| )--as[ =]claude(?: |$)/.test(words.join(' ')) &&
  !words.some((word) => /^(?:--daemon-at|--worker|--install|--help|-h|--listen(?:=.*)?)$/.test(word));

if (isCall) void require('./host-hook/claude/call-claude').callClaude(words);
else require('./run-program').runProgram();

export {};
