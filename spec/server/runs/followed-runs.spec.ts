import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { concat, delay, EMPTY, filter, merge, NEVER, Subject } from 'rxjs';
import { HooklineError, type SettledEvent } from '../../../lib/index.ts';
import { memoryRunStore } from '../../../lib/server/run-store/memory-run-store.ts';
import type { RunStore } from '../../../lib/server/run-store/run-store.ts';
import { memoryStore } from '../../../lib/store/documents/memory-store.ts';
import { aStream } from '../a-stream.ts';
import { framesOf } from '../sse-frames.ts';
import { aHouse } from './a-house.ts';

/** A server with an active run, and a second one with the same stores. */
async function twoServers(wrap: (store: RunStore) => RunStore = (store) => store, heartbeatMs = 15_000) {
  const source = new Subject<SettledEvent>();
  const stream = aStream();
  const shared = memoryRunStore();
  let followers = 0;
  const runStore: RunStore = wrap({
    ...shared,
    follow: (key) => {
      followers += 1;
      return shared.follow!(key);
    },
  });
  const store = memoryStore();
  const a = aHouse({ start: () => concat([stream.gate()], source), runStore, store });
  const b = aHouse({ runStore, store, limits: { heartbeatMs, lingerMs: 20 } });
  const { json } = await a.post('/api/runs', { prompt: 'hi' });
  const path = `/api/runs/${json.runId}/events`;
  while ((await b.get(`/api/runs/${json.runId}`)).status !== 200) await sleep(5);
  async function open(headers: Readonly<Record<string, string>> = {}) {
    const reader = ((await b.app.request(path, { headers })).body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    return {
      leave: () => reader.cancel(),
      /** Reads until the stream contains the text, or ends. */
      async until(part?: string): Promise<readonly string[]> {
        while (part === undefined || !text.includes(part)) {
          const { value, done } = await reader.read();
          if (done) break;
          text += new TextDecoder().decode(value);
        }
        return framesOf(text).map(({ id, event, data }) => `${id} ${data.delta ?? event}`);
      },
    };
  }
  const end = () => {
    source.next(stream.end());
    source.complete();
  };
  const key = { user: 'alice', runId: json.runId };
  return { a, b, source, stream, open, end, key, shared, path, followers: () => followers };
}

describe('the event stream of a run on another server', () => {
  it('sends what is recorded, then each event as it is recorded, to the end', async () => {
    const { source, stream, open, end } = await twoServers();
    source.next(stream.text('a'));
    const client = await open();
    expect(await client.until('"delta":"a"')).to.deep.equal(['0 preCall', '1 a']);
    source.next(stream.text('b'));
    expect(await client.until('"delta":"b"')).to.deep.equal(['0 preCall', '1 a', '2 b']);
    end();
    expect(await client.until()).to.deep.equal(['0 preCall', '1 a', '2 b', '3 postCall']);
  });

  it('continues after Last-Event-ID, and follows a run once for all clients', async () => {
    const { source, stream, open, end, followers } = await twoServers();
    source.next(stream.text('a'));
    const first = await open();
    await first.until('"delta":"a"');
    const second = await open({ 'last-event-id': '0' });
    expect(await second.until('"delta":"a"')).to.deep.equal(['1 a']);
    expect(followers()).to.equal(1);
    await first.leave();
    await second.leave();
    const third = await open();
    await third.until('"delta":"a"');
    expect(followers()).to.equal(2);
    end();
    expect((await third.until()).at(-1)).to.equal('2 postCall');
  });

  it('ends when the run has ended without a recorded postCall', async () => {
    const { open, key, shared } = await twoServers((store) => store, 20);
    const client = await open();
    await client.until('preCall');
    const head = (await shared.find(key)) as { view: object };
    await shared.append(key, { head: { ...head, view: { ...head.view, state: 'ended', outcome: 'failed' } } as never });
    expect(await client.until()).to.deep.equal(['0 preCall']);
    const again = await open({ 'last-event-id': '0' });
    expect(await again.until()).to.deep.equal(['0+ broken']);
  });

  it('leaves no event out when the run ends while its new events are late', async () => {
    let late = false;
    const { source, stream, open, end } = await twoServers(
      (store) => ({ ...store, follow: (key) => store.follow!(key).pipe(filter(() => !late)) }),
      20,
    );
    source.next(stream.text('a'));
    const client = await open();
    await client.until('"delta":"a"');
    late = true;
    source.next(stream.text('b'));
    end();
    expect(await client.until()).to.deep.equal(['0 preCall', '1 a']);
    const again = await open({ 'last-event-id': '1' });
    expect(await again.until()).to.deep.equal(['2 b', '3 postCall']);
  });

  it('opens, and lets clients come back, when the run ends before anything of it has come', async () => {
    const { b, path, end } = await twoServers((store) => ({ ...store, follow: () => NEVER }), 20);
    const opening = b.get(path);
    expect(await Promise.race([opening.then(() => 'opened'), sleep(100, 'waiting')])).to.equal('waiting');
    end();
    expect((await opening).text).to.equal('retry: 1000\n\n');
    expect((await b.get(path)).text).to.match(/event: postCall/);
  });

  it('opens, and lets clients come back, when nothing follows any more', async () => {
    const { b, path } = await twoServers((store) => ({ ...store, follow: () => EMPTY }));
    expect((await b.get(path)).text).to.equal('retry: 1000\n\n');
  });

  it('opens, and lets clients come back, when the store fails before anything of the run has come', async () => {
    let fails = false;
    const { b, path } = await twoServers(
      (store) => ({
        ...store,
        follow: () => NEVER,
        find: async (key) => {
          if (fails) throw new HooklineError('STORE_FAILED', 'NATS is away');
          return store.find(key);
        },
      }),
      20,
    );
    const opening = b.get(path);
    await sleep(30);
    fails = true;
    expect((await opening).text).to.equal('retry: 1000\n\n');
    expect((await b.get(path)).status).to.equal(503);
  });

  it('sends heartbeats to clients that join late, and disconnects them when the server stops', async () => {
    const { b, source, stream, open } = await twoServers(
      (store) => ({ ...store, follow: (key) => store.follow!(key).pipe(delay(100)) }),
      20,
    );
    source.next(stream.text('a'));
    const first = await open();
    await first.until('\n:\n');
    await first.leave();
    const others = await Promise.all([open(), open()]);
    for (const client of others) await client.until('\n:\n');
    const cut = others.map((client) => client.until().catch((thrown: Error) => thrown.message));
    await b.runs.drain(0);
    expect(await Promise.all(cut)).to.deep.equal(others.map(() => 'The client does not read its stream.'));
  });

  it('ends when the store fails, so that clients connect again', async () => {
    const failure = new Subject<never>();
    const { open, source, stream, b, path } = await twoServers((store) => ({
      ...store,
      follow: (key) => merge(failure, store.follow!(key)),
    }));
    source.next(stream.text('a'));
    const client = await open();
    await client.until('"delta":"a"');
    failure.error(new HooklineError('STORE_FAILED', 'NATS is away'));
    expect((await client.until()).at(-1)).to.equal('1 a');
    expect((await b.get(path)).status).to.equal(503);
  });
});
