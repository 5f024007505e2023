import { expect } from 'chai';
import { concat, NEVER, Subject } from 'rxjs';
import type { SettledEvent } from '../../../lib/index.ts';
import { aStream } from '../a-stream.ts';
import { type Frame, framesOf } from '../sse-frames.ts';
import { aHouse, type Plan } from './a-house.ts';

/** Creates a run whose events the spec triggers. */
async function live(limits: Plan['limits'] = {}) {
  const source = new Subject<SettledEvent>();
  const stream = aStream();
  const house = aHouse({ start: () => concat([stream.gate()], source), limits });
  const { json } = await house.post('/api/runs', { prompt: 'hi' });
  const path = `/api/runs/${json.runId}/events`;
  const open = async (headers = {}) => readerOf(await house.app.request(path, { headers }));
  const finish = () => {
    source.next(stream.end());
    source.complete();
  };
  return { ...house, stream, source, path, open, finish };
}

function readerOf({ body }: Response) {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const text = async () => new TextDecoder().decode((await reader.read()).value);
  return {
    text,
    /** Returns the events that arrive together. */
    take: async (): Promise<readonly Frame[]> => framesOf(await text()),
    leave: () => reader.cancel(),
    reader,
  };
}

const told = (frames: readonly Frame[]) => frames.map(({ id, data, event }) => `${id} ${data.delta ?? event}`);

describe('the event stream of a run', () => {
  it('sends events live, each with its seq as ID, up to postCall', async () => {
    const { open, source, stream, finish } = await live();
    const client = await open();
    expect(told(await client.take())).to.deep.equal(['0 preCall']);
    source.next(stream.text('a'));
    expect(told(await client.take())).to.deep.equal(['1 a']);
    source.next(stream.text('b'));
    source.next(stream.childText('c'));
    expect(told(await client.take())).to.deep.equal(['2 b', '2.1 c']);
    finish();
    expect(told(await client.take())).to.deep.equal(['3 postCall']);
    expect((await client.reader.read()).done).to.equal(true);
  });

  it('sends complete events: data is the JSON of the event', async () => {
    const { open, source, stream } = await live();
    const client = await open();
    await client.take();
    const event = stream.text('line\n\nid: 7\r\u2028');
    source.next(event);
    expect((await client.take())[0]?.data).to.deep.equal(JSON.parse(JSON.stringify(event)));
  });

  it('continues after Last-Event-ID, from the header or otherwise the query', async () => {
    const { get, path, source, stream, finish } = await live();
    for (const delta of ['a', 'b', 'c']) source.next(stream.text(delta));
    finish();
    expect(told(framesOf((await get(path, { 'last-event-id': '2' })).text))).to.deep.equal(['3 c', '4 postCall']);
    expect(told(framesOf((await get(`${path}?lastEventId=3`)).text))).to.deep.equal(['4 postCall']);
    const both = await get(`${path}?lastEventId=1`, { 'last-event-id': '3' });
    expect(told(framesOf(both.text))).to.deep.equal(['4 postCall']);
  });

  it('returns 204 after the last event, and 400 for an unknown ID', async () => {
    const { get, path, finish } = await live();
    finish();
    expect((await get(path, { 'last-event-id': '1' })).status).to.equal(204);
    for (const id of ['2', 'x', '-1', '0.1']) {
      const { status, json } = await get(path, { 'last-event-id': id });
      expect([status, json.error.message.includes(JSON.stringify(id))], id).to.deep.equal([400, true]);
    }
  });

  it('serves each client at its own pace, and joins chunks for slow ones', async () => {
    const { open, source, stream } = await live();
    const slow = await open();
    await slow.take();
    for (let index = 0; index < 5_000; index++) source.next(stream.text('x'));
    const frames: Frame[] = [];
    while (frames.at(-1)?.id !== '5000') frames.push(...(await slow.take()));
    expect(frames.map(({ data }) => data.delta).join('')).to.equal('x'.repeat(5_000));
    expect(frames.length).to.be.lessThan(5_000);
  });

  it('reports lost chunks if a client is too slow, but never loses gate events', async () => {
    const { open, source, stream, finish } = await live({ journalChunks: 50_000 });
    const slow = await open();
    await slow.take();
    for (let index = 0; index < 100; index++) {
      source.next(stream.text('x'.repeat(2_000), { block: index }));
      if (index % 10 === 0) source.next(stream.gate());
    }
    finish();
    const frames: Frame[] = [];
    while (frames.at(-1)?.event !== 'postCall') frames.push(...(await slow.take()));
    const lost = frames.filter(({ event }) => event === 'lost').map(({ data }) => Number(data['chunks']));
    const chunks = frames.filter(({ event }) => event === 'reasoningChunk').length;
    expect(lost.reduce((sum, count) => sum + count) + chunks).to.equal(100);
    expect(chunks).to.be.within(10, 25);
    expect(frames.filter(({ event }) => event === 'preCall')).to.have.length(10);
  });

  it('disconnects a client with too many unread gate events, which may reconnect', async () => {
    const { open, source, stream } = await live({ clientLag: 10_000 });
    const [slow, quick] = [await open(), await open()];
    const first = await slow.take();
    await quick.take();
    for (let index = 0; index < 20; index++) {
      source.next(stream.gate(1_000));
      await quick.take();
    }
    const error = await slow.reader.read().then(
      () => undefined,
      (thrown: Error) => thrown.message,
    );
    expect(error).to.include('does not read');
    const back = await open({ 'last-event-id': first[0]?.id });
    const frames: Frame[] = [];
    while (frames.length < 20) frames.push(...(await back.take()));
    expect(frames.map(({ id }) => Number(id))).to.deep.equal(frames.map((_, index) => index + 1));
  });

  it('ends for a client that reads nothing for too long, and continues for one that waits', async () => {
    const { open, source, stream } = await live({ heartbeatMs: 10, stallMs: 30 });
    const [stalled, waiting] = [await open(), await open()];
    await waiting.take();
    for (let index = 0; index < 3; index++) expect(await waiting.text()).to.equal(':\n\n');
    let cut = false;
    void stalled.reader.closed.catch(() => {
      cut = true;
    });
    while (!cut) await waiting.text();
    source.next(stream.text('a'));
    let frames: readonly Frame[] = [];
    while (frames.length === 0) frames = await waiting.take();
    expect(told(frames)).to.deep.equal(['1 a']);
  });

  it('has a maximum number of clients, and a disconnect frees a place', async () => {
    const { open, get, path } = await live({ clients: 2 });
    const [first] = [await open(), await open()];
    expect((await get(path)).status).to.equal(503);
    await first?.leave();
    expect(told(await (await open()).take())).to.deep.equal(['0 preCall']);
  });

  it('needs no client for a HEAD request', async () => {
    const { app, path, open } = await live({ clients: 1 });
    const head = await app.request(path, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).to.deep.equal([200, 'text/event-stream']);
    expect(told(await (await open()).take())).to.deep.equal(['0 preCall']);
  });

  it('has a maximum number of clients per user', async () => {
    const one = aHouse({ model: () => NEVER, limits: { clientsPerUser: 2 } });
    const { json } = await one.post('/api/runs', { prompt: 'hi' });
    const open = () => one.app.request(`/api/runs/${json.runId}/events`);
    const streams = [await open(), await open()];
    expect((await open()).status).to.equal(429);
    await streams[0]!.body!.cancel();
    const again = await open();
    expect(again.status).to.equal(200);
    for (const { body } of [streams[1]!, again]) await body!.cancel();
    await one.runs.drain(0);
  });
});
