'use strict';

/*
 * Appends numbered entries to a run, and prints each number once it is acknowledged. `drain` appends nothing. Ends when the backplane has all
 * entries, after a line on stdin.
 */

const { once } = require('node:events');
const { setTimeout: sleep } = require('node:timers/promises');

const [, , nats, servers, secret, spill, runId, mode] = process.argv;
const { natsBackplane } = require(nats);
const { runs, close } = natsBackplane({ servers, secret, timeoutMs: 300 }, { spill });
const key = { user: 'ann', runId };
let stopping = false;
process.stdin.once('data', () => {
  stopping = true;
});

(async () => {
  let next = 0;
  while (mode === 'write' && !stopping) {
    await runs.append(key, { entries: [{ n: next }], head: { n: next } });
    process.stdout.write(`${next}\n`);
    next += 1;
    await sleep(1);
  }
  if (!stopping) await once(process.stdin, 'data');
  for (;;) {
    const { entries } = await runs.read(key).catch(() => ({ entries: [] }));
    if (mode === 'drain' || entries.length >= next) break;
    await sleep(50);
  }
  await close();
  process.exit(0);
})();
