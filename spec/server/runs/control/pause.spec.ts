import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { serve } from '@hono/node-server';
import { expect } from 'chai';
import { concat, NEVER, Subject } from 'rxjs';
import type { Model, ModelChunk } from '../../../../lib/index.ts';
import { headOf, viewOf } from '../../../../lib/server/records/run-head.ts';
import { memoryRunStore } from '../../../../lib/server/run-store/memory-run-store.ts';
import { aStream } from '../../a-stream.ts';
import { framesOf } from '../../sse-frames.ts';
import { aHouse, asking, type Plan } from '../a-house.ts';

const bob = { 'x-user': 'bob' };

/** A run of a house. Its model waits for `answered` before it calls `pay`, `calls` times, then replies. */
async function aRun(plan: Plan = {}, calls = 1) {
  const answer = new Subject<void>();
  let asked = 0;
  const model: Model = async function* (): AsyncGenerator<ModelChunk> {
    asked += 1;
    if (asked > calls) yield { type: 'text', delta: 'done' };
    else {
      await new Promise<void>((resolve) => answer.subscribe(() => resolve()));
      yield { type: 'toolCall', toolCall: { id: `c${asked}`, name: 'pay', input: {} } };
    }
    yield { type: 'finish', finishReason: 'stop' };
  };
  const house = aHouse({ model, runStore: memoryRunStore(), ...plan });
  const { json } = await house.post('/api/runs', { prompt: 'hi' });
  const path = `/api/runs/${json.runId}`;
  const control = (how: string, headers?: Readonly<Record<string, string>>) =>
    house.post(`${path}/${how}`, {}, headers);
  const ended = async () => {
    await house.get(`${path}/events`);
    return (await house.get(path)).json;
  };
  /** Lets the model answer. Resolves when the run has come to its next call. */
  async function answered(at = path): Promise<void> {
    answer.next();
    while ((await house.get(at)).json.doing?.what === 'reasoning') await setImmediate();
    for (let turn = 0; turn < 5; turn++) await setImmediate();
  }
  return { ...house, runId: json.runId as string, path, control, ended, answered, asked: () => asked };
}

describe('a paused run over HTTP', () => {
  it('holds, says so, and continues', async () => {
    const { pay, path, get, control, ended, answered, asked } = await aRun();
    const paused = await control('pause');
    expect([paused.status, paused.json.state, paused.json.paused]).to.deep.equal([200, 'running', true]);
    await answered();
    expect([pay.calls.length, asked()]).to.deep.equal([0, 1]);
    expect((await get(path)).json).to.include({ state: 'running', paused: true });
    const [listed] = (await get('/api/runs?filter=state:paused')).json.runs;
    expect(listed).to.include({ paused: true });
    const going = await control('continue');
    expect([going.status, going.json.paused]).to.deep.equal([200, undefined]);
    const view = await ended();
    expect(view).to.include({ state: 'ended', outcome: 'completed' }).and.to.not.have.property('paused');
    expect([pay.calls.length, asked()]).to.deep.equal([1, 2]);
    expect((await get('/api/runs?filter=state:paused')).json.runs).to.deep.equal([]);
  });

  it('accepts each control twice', async () => {
    const { control, ended, answered } = await aRun();
    expect((await control('continue')).json)
      .to.include({ state: 'running' })
      .and.to.not.have.property('paused');
    for (const how of ['pause', 'pause']) expect((await control(how)).json.paused, how).to.equal(true);
    for (const how of ['continue', 'continue']) expect((await control(how)).status, how).to.equal(200);
    await answered();
    expect((await ended()).outcome).to.equal('completed');
  });

  it('ends by a cancel', async () => {
    const { control, answered, pay } = await aRun();
    await control('pause');
    await answered();
    const { json } = await control('cancel');
    expect(json).to.include({ state: 'ended', outcome: 'cancelled' }).and.to.not.have.property('paused');
    expect(pay.calls).to.deep.equal([]);
  });

  it('ends by an interrupt with a last reply, without the held call', async () => {
    const { control, answered, ended, pay } = await aRun();
    await control('pause');
    await answered();
    expect((await control('interrupt')).json).to.not.have.property('paused');
    expect((await ended()).outcome).to.equal('finished');
    expect(pay.calls).to.deep.equal([]);
  });

  it('ends with its server', async () => {
    const { control, answered, runs, path, get, pay } = await aRun();
    await control('pause');
    await answered();
    await runs.drain(0);
    expect((await get(path)).json).to.include({ state: 'ended', outcome: 'cancelled' });
    expect(pay.calls).to.deep.equal([]);
  });

  it('rejects the controls after its end, and for other users and rights', async () => {
    const { control, ended, answered, get, path } = await aRun();
    for (const how of ['pause', 'continue']) {
      expect((await control(how, bob)).status, how).to.equal(404);
      expect((await control(how, { 'x-rights': 'read,approve,configure,runs:read' })).status, how).to.equal(403);
    }
    expect((await get(path)).json).to.not.have.property('paused');
    await answered();
    await ended();
    for (const how of ['pause', 'continue']) {
      const { status, json } = await control(how);
      const message = 'Only an active run can be paused or continued. This one is ended.';
      expect([status, json.error.message], how).to.deep.equal([409, message]);
    }
  });

  it('is no longer paused once it is suspended, and rejects the controls until it is resumed', async () => {
    const { control, answered, path, get, post, ended } = await aRun({ hooks: [asking()] }, 2);
    await control('pause');
    await answered();
    expect((await get(path)).json).to.include({ state: 'running', paused: true });
    await control('continue');
    await ended();
    expect((await get(path)).json)
      .to.include({ state: 'suspended' })
      .and.to.not.have.property('paused');
    for (const how of ['pause', 'continue']) {
      const { status, json } = await control(how);
      const message = 'Only an active run can be paused or continued. This one is suspended.';
      expect([status, json.error.message], how).to.deep.equal([409, message]);
    }
    const [{ id, hash }] = (await get('/api/approvals')).json.approvals;
    const { json } = await post(`/api/approvals/${id}`, { action: 'approve', hash });
    const next = `/api/runs/${json.resumedBy}`;
    expect((await post(`${next}/pause`, {})).json).to.include({ paused: true });
    await answered(next);
    expect((await get(next)).json).to.include({ state: 'running', paused: true });
    await post(`${next}/cancel`, {});
  });

  it('cannot be paused if its loop does not have the hooks of the server', async () => {
    const { text } = aStream();
    const { post, get } = aHouse({ start: () => concat([text('a')], NEVER), limits: { cancelMs: 20 } });
    const { json } = await post('/api/runs', { prompt: 'hi' });
    const path = `/api/runs/${json.runId}`;
    const { status, json: refused } = await post(`${path}/pause`, {});
    const message = 'The loop of this run cannot be paused. Cancel the run instead.';
    expect([status, refused.error.message]).to.deep.equal([409, message]);
    expect((await get(path)).json).to.not.have.property('paused');
    await post(`${path}/cancel`, {});
  });

  it('is not paused any more once its server is gone', async () => {
    const view = { runId: 'r', sessionId: 's', agent: 'a', state: 'running', paused: true } as const;
    const head = { ...headOf({ ...view, startedAt: '2026-01-01T00:00:00.000Z' }), at: '2026-01-01T00:00:00.000Z' };
    expect(viewOf(head, 1_000)).to.include({ outcome: 'failed' }).and.to.not.have.property('paused');
    expect(viewOf(head, 1_000, true)).to.include({ state: 'running', paused: true });
  });

  it('has the pause in its trace only if it held something', async () => {
    const names = async (pauses: boolean) => {
      const { control, answered, ended, runs } = await aRun({ pipeline: { trace: true } });
      if (pauses) await control('pause');
      await answered();
      if (pauses) await setTimeout(20);
      if (pauses) await control('continue');
      await ended();
      return (await runs.hookStatistics()).hooks.map(({ name }) => name);
    };
    expect([await names(false), await names(true)]).to.deep.equal([[], ['run-pause']]);
  });

  it('is shown as paused on screens, over a real connection', async () => {
    const house = await aRun();
    const server = serve({ fetch: house.app.fetch, port: 0, hostname: '127.0.0.1' });
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { body } = await fetch(`${url}/api/activity`);
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    let told = '';
    const read = async () => {
      told += (await reader.read()).value ?? '';
    };
    while (!told.includes('event: ready')) await read();
    for (const how of ['pause', 'continue']) {
      const { status } = await fetch(`${url}${house.path}/${how}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      expect(status).to.equal(200);
    }
    const paused = () =>
      framesOf(told).flatMap(({ event, data }) => (event === 'run' ? [data['paused'] === true] : []));
    while (paused().length < 3) await read();
    expect(paused()).to.deep.equal([false, true, false]);
    await reader.cancel();
    await house.answered();
    await house.ended();
    server.close();
  });
});
