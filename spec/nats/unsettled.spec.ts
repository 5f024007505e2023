import { expect } from 'chai';
import { BehaviorSubject } from 'rxjs';
import { HooklineError, type Message, textOf } from '../../lib/index.ts';
import { natsBackplane } from '../../lib/nats/backplane.ts';
import type { Bucket } from '../../lib/nats/bucket.ts';
import { createConnection } from '../../lib/nats/connection/connection.ts';
import type { Logged, LogStream } from '../../lib/nats/log-stream.ts';
import { natsOptionsSchema } from '../../lib/nats/nats-options.ts';
import { natsRuns } from '../../lib/nats/nats-runs.ts';
import { createSeal } from '../../lib/nats/seal.ts';
import { createRecorder } from '../../lib/server/records/recorder.ts';
import { aStream } from '../server/a-stream.ts';
import { aNatsServer, type NatsServer } from './a-nats-server.ts';

const secret = 'a secret of the fleet that is long enough';
const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });

describe('an addition that its writer could not finish', () => {
  let nats: NatsServer;
  before(async function () {
    const started = await aNatsServer();
    if (!started) this.skip();
    nats = started;
  });
  after(() => nats?.kill());

  /** Writes the first of two messages of an addition, as a server does that is killed before the second. */
  async function unfinished(what: string, name: string): Promise<void> {
    const settings = natsOptionsSchema.parse({ servers: nats.url, secret });
    const connection = createConnection(settings, undefined);
    const data = createSeal(secret, settings.app).close(`HOOKLINE_hookline_${what}.${name}.x.0`, Buffer.from('[{'));
    await connection.use('write', async ({ js, client }) => {
      const headers = client.transport.headers();
      for (const [key, value] of [
        ['Hookline-Id', 'x'],
        ['Hookline-Nth', '0'],
        ['Hookline-Of', '2'],
      ] as const)
        headers.set(key, value);
      await js.publish(`hookline.v1.hookline.${what}.${name}`, data, { headers });
    });
    await connection.close();
  }

  it('leaves a session usable', async () => {
    const [a, b] = [0, 1].map(() => natsBackplane({ servers: nats.url, secret }));
    await a!.transcript.append('s', [user('one')]);
    await unfinished('sessions', 's');
    await b!.transcript.load('s');
    await b!.transcript.append('s', [user('two')]);
    const texts = ((await a!.transcript.load('s')) as readonly Message[]).map((message) => textOf(message));
    expect(texts).to.deep.equal(['one', 'two']);
    await Promise.all([a!.close(), b!.close()]);
  });

  it('does not prevent a take-over', async () => {
    const [a, b] = [0, 1].map(() => natsBackplane({ servers: nats.url, secret }));
    const head = { view: { state: 'running' } };
    await a!.runs.append({ user: 'ann', runId: 'r' }, { entries: [{ n: 1 }], head });
    await unfinished('events', 'ann.r');
    const log = await b!.runs.takeOver?.({ user: 'ann', runId: 'r' }, head, head);
    expect(log?.entries).to.deep.equal([{ n: 1 }]);
    await Promise.all([a!.close(), b!.close()]);
  });
});

describe('an addition that arrives without an acknowledgement', () => {
  /** Runs whose log stores additions but, while it fails, does not acknowledge them. */
  function unacknowledged() {
    const log: (Logged & { readonly id: string })[] = [];
    const state = { fails: false };
    const logs: Partial<LogStream> = {
      async append(_, data, after, id) {
        if ((log.at(-1)?.sequence ?? 0) !== after) return undefined;
        log.push({ data: Buffer.from(data), sequence: after + 1, id });
        if (state.fails) throw new HooklineError('STORE_FAILED', 'no acknowledgement');
        return after + 1;
      },
      last: async () => ({ sequence: log.length, id: log.at(-1)?.id, whole: true }),
      read: async () => ({ additions: log, end: log.length }),
      follow: () => new BehaviorSubject<readonly Logged[]>([]),
    };
    return { state, runs: natsRuns({} as Bucket, logs as LogStream, 1_000) };
  }
  const key = { user: 'ann', runId: 'r' };

  it('does not end the record of its run', async () => {
    const { state, runs } = unacknowledged();
    await runs.append(key, { entries: [{ n: 1 }] });
    state.fails = true;
    const lost = await runs.append(key, { entries: [{ n: 2 }] }).catch((error) => error);
    expect(lost).to.have.property('code', 'STORE_FAILED');
    state.fails = false;
    await runs.append(key, { entries: [{ n: 3 }] });
    expect((await runs.read(key)).entries).to.deep.equal([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(runs.count(key)).to.equal(3);
  });

  it('is not added again by the recorder of its run', async () => {
    const { state, runs } = unacknowledged();
    const recorder = createRecorder(runs, key, { room: { left: 10_000 } });
    const { gate } = aStream();
    const stored: boolean[] = [];
    for (const fails of [false, true, true, false]) {
      state.fails = fails;
      recorder.event(gate());
      stored.push(await recorder.stored());
    }
    const { entries } = await runs.read(key);
    expect(entries.map(({ event }) => (event as { seq?: number }).seq)).to.deep.equal([0, 1, 2, 3]);
    expect([stored, runs.count(key)]).to.deep.equal([[true, false, false, true], 4]);
  });
});
