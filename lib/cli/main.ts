#!/usr/bin/env node

// A reader that has gone is not a reason for a stack trace; `run` ends itself when that happens.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const words = process.argv.slice(2);
/** These are for whoever writes settings, or for the daemon itself. */
const isCall = !words.some((word) => ['--daemon-at', '--install', '--help', '-h', 'picoclaw'].includes(word));

if (words[0] === 'hook' && words.includes('--daemon') && isCall) {
  require('./host-hook/daemon/call-daemon')
    .callDaemon(words)
    .then((answered: boolean) => answered || require('./run-program').runProgram());
} else require('./run-program').runProgram();

export {};
