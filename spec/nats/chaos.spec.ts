import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { natsBackplane } from '../../lib/nats/backplane.ts';
import { isBuilt } from '../is-built.ts';
import { tempFolder } from '../temp-folder.ts';
import { aNatsServer, type NatsServer } from './a-nats-server.ts';
import { type FaultyProxy, faultyProxy } from './faulty-proxy.ts';

const secret = 'a secret of the fleet that is long enough';
const ROUNDS = process.env['HOOKLINE_SOAK'] === undefined ? 20 : 200;
const faults = ['kill the host', 'kill the server', 'cut', 'drop', 'delay', 'half-close'] as const;
const root = join(__dirname, '../..');

/** Start of the random faults. Given to repeat a failure. */
const SEED = Number(process.env['HOOKLINE_SEED'] ?? Date.now() % 1_000_000);

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('events on a backplane that fails', function () {
  this.timeout(ROUNDS * 15_000);
  let server: NatsServer;
  let proxy: FaultyProxy;

  before(async function () {
    if (!isBuilt()) {
      console.log('      passed over: there is no build, which its processes run');
      this.skip();
    }
    const started = await aNatsServer();
    if (!started) this.skip();
    server = started;
    proxy = await faultyProxy(server.port);
  });
  after(async () => {
    await proxy?.close();
    await server?.kill();
  });

  interface Writer {
    readonly child: ChildProcess;
    readonly acknowledged: number[];
    end(): Promise<void>;
  }

  function writer(runId: string, spill: string, mode: 'write' | 'drain'): Writer {
    const words = [join(root, 'dist/nats/index.js'), `nats://127.0.0.1:${proxy.port}`, secret, spill, runId, mode];
    const child = spawn(process.execPath, [join(__dirname, 'writer.child.cjs'), ...words], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const acknowledged: number[] = [];
    createInterface({ input: child.stdout! }).on('line', (line) => acknowledged.push(Number(line)));
    return {
      child,
      acknowledged,
      async end() {
        if (child.exitCode === null) {
          const ended = once(child, 'exit');
          child.stdin?.write('\n');
          await ended;
        }
        expect(child.exitCode).to.equal(0);
      },
    };
  }

  async function until(check: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await check())) await sleep(10);
  }

  it(`are all there once, in their order, after ${ROUNDS} faults`, async () => {
    const next = random(SEED);
    const reader = natsBackplane({ servers: server.url, secret });
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        // Each comes at least once.
        const fault = faults[round] ?? faults[Math.floor(next() * faults.length)]!;
        const what = `seed ${SEED}, round ${round}: ${fault}`;
        const runId = `run-${round}`;
        const spill = tempFolder('chaos');
        const host = writer(runId, spill, 'write');
        await until(() => host.acknowledged.length > 5);
        await sleep(next() * 60);
        if (fault === 'kill the host') {
          host.child.kill('SIGKILL');
          await once(host.child, 'exit');
          const again = writer(runId, spill, 'drain');
          await again.end();
        } else {
          if (fault === 'kill the server') await server.kill();
          else proxy.fail(fault);
          await sleep(next() * 500);
          if (fault === 'kill the server') await server.start();
          else proxy.mend();
          await host.end();
        }
        const last = host.acknowledged.at(-1)!;
        let found: number[] = [];
        await until(async () => {
          const { entries } = await reader.runs.read({ user: 'ann', runId }).catch(() => ({ entries: [] }));
          found = entries.map(({ n }) => Number(n));
          return found.length > last;
        });
        expect(found, what).to.deep.equal(found.map((_, nth) => nth));
      }
    } finally {
      await reader.close();
    }
  });
});
