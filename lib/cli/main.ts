#!/usr/bin/env node

import { isDialect } from './host-hook/dialects/dialect-names.ts';

const words = process.argv.slice(2);
const [, host] = /(?:^| )--as[ =](\w+)(?: |$)/.exec(words.join(' ')) ?? [];
/** True for one event of a host. Other invocations print settings, run servers, or are internal processes of the command. */
const isCall =
  words[0] === 'hook' &&
  isDialect(host) &&
  !words.some((word) => /^(?:--daemon-at|--worker|--install|--uninstall|--help|-h|--listen(?:=.*)?)$/.test(word));

if (isCall) void require('./host-hook/call-host').callHost(host, words);
// A closed pipe must not print a stack trace. `run` ends by itself when that happens.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
if (words.includes('--worker')) require('./host-hook/worker/run-worker').runWorker(words);
else if (!isCall) require('./run-program').runProgram();
