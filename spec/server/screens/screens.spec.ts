import { expect } from 'chai';
import { memoryRunStore } from 'hookline/server';
import { memoryTranscript } from '../../../lib/index.ts';
import { scriptedModel } from '../../../lib/testing/index.ts';
import { anApi } from '../api.ts';
import { aHouse, asking, type Plan, paying } from '../runs/a-house.ts';
import { type Frame, framesOf } from '../sse-frames.ts';

const house = (plan: Plan = {}) => aHouse({ model: paying(), hooks: [asking()], runStore: memoryRunStore(), ...plan });
type House = ReturnType<typeof house>;
const bob = { 'x-user': 'bob', 'x-approves-for': 'alice' };

/** Reads a stream until this number of frames of a type have arrived. */
async function watch({ app }: House, headers = {}) {
  const answer = await app.request('/api/activity', { headers });
  const reader = answer.body!.getReader();
  const frames: Frame[] = [];
  const decoder = new TextDecoder();
  return {
    frames,
    types: () => frames.map(({ event }) => event),
    async until(type: string, count = 1): Promise<readonly Frame[]> {
      while (frames.filter(({ event }) => event === type).length < count) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`the stream ended without ${type}`);
        frames.push(...framesOf(decoder.decode(value)));
      }
      return frames.filter(({ event }) => event === type);
    },
    cancel: () => reader.cancel(),
  };
}

describe('screens stream', () => {
  it('begins with the existing runs and approvals, then sends their changes', async () => {
    const one = house();
    const first = (await one.post('/api/runs', { prompt: 'pay' })).json;
    await one.get(`/api/runs/${first.runId}/events`);
    const [approval] = (await one.get('/api/approvals')).json.approvals;
    const alice = await watch(one);
    await alice.until('ready');
    expect(alice.types()).to.deep.equal(['run', 'approval', 'ready']);
    expect(alice.frames[0]?.data).to.include({ runId: first.runId, state: 'suspended', title: 'pay' });
    expect(alice.frames[1]?.data).to.deep.equal(approval);
    await one.post(`/api/approvals/${approval.id}`, { action: 'deny', hash: approval.hash });
    const [answered] = await alice.until('answered');
    expect(answered?.data).to.deep.equal({
      id: approval.id,
      runId: first.runId,
      user: 'alice',
      action: 'deny',
      by: 'alice',
    });
    while (!alice.frames.some(({ data }) => data['outcome'] === 'completed'))
      await alice.until('run', alice.types().filter((type) => type === 'run').length + 1);
    await alice.cancel();
  });

  it('excludes runs of other users, and includes their approvals for permitted answerers', async () => {
    const one = house();
    const [theirs, nobody, reader] = [
      await watch(one, bob),
      await watch(one, { 'x-user': 'carol' }),
      await watch(one, { ...bob, 'x-rights': 'read' }),
    ];
    for (const stream of [theirs, nobody, reader]) await stream.until('ready');
    const { json: run } = await one.post('/api/runs', { prompt: 'pay' });
    const [seen] = await theirs.until('approval');
    expect(seen?.data).to.include({ user: 'alice', runId: run.runId });
    expect(theirs.types()).to.deep.equal(['ready', 'approval']);
    // Events that they might have received precede those that they receive.
    for (const [stream, user] of [
      [nobody, 'carol'],
      [reader, 'bob'],
    ] as const) {
      await one.post('/api/runs', { prompt: 'hi' }, { 'x-user': user });
      const [own] = await stream.until('run');
      expect(stream.types().slice(0, 2)).to.deep.equal(['ready', 'run']);
      expect(own?.data['runId']).not.to.equal(run.runId);
    }
    for (const stream of [theirs, nobody, reader]) await stream.cancel();
  });

  it('excludes approvals if a token may not answer any, including its own', async () => {
    const one = house();
    const reader = await watch(one, { 'x-rights': 'read' });
    await reader.until('ready');
    const { json: run } = await one.post('/api/runs', { prompt: 'pay' });
    await one.get(`/api/runs/${run.runId}/events`);
    expect((await one.get('/api/approvals')).json.approvals).to.have.length(1);
    const { json: next } = await one.post('/api/runs', { prompt: 'pay' });
    while (!reader.frames.some(({ data }) => data['runId'] === next.runId))
      await reader.until('run', reader.types().filter((type) => type === 'run').length + 1);
    expect(reader.types()).not.to.include('approval');
    await reader.cancel();
  });

  it('ends with the server', async () => {
    const one = house();
    const alice = await watch(one);
    await alice.until('ready');
    await one.runs.drain(0);
    const ended = await alice.until('run').catch((error: Error) => error.message);
    expect(ended).to.equal('the stream ended without run');
  });
});

describe('a list for screens', () => {
  it('filters runs by state, outcome, session, agent and time, and counts all of them', async () => {
    const one = house({ hooks: [], model: scriptedModel(['a', 'b', 'c']) });
    const ids: string[] = [];
    for (const sessionId of ['s', 't', 's']) {
      const { json } = await one.post('/api/runs', { prompt: 'hi', sessionId });
      ids.unshift(json.runId);
      await one.get(`/api/runs/${json.runId}/events`);
    }
    const list = async (query: string) => (await one.get(`/api/runs?${query}`)).json;
    expect(await list('limit=1')).to.include({ total: 3 });
    const runsOf = async (query: string) => (await list(query)).runs.map(({ runId }: { runId: string }) => runId);
    expect(await runsOf('session=s')).to.deep.equal([ids[0], ids[2]]);
    expect(await runsOf('state=ended&outcome=completed&agent=a')).to.deep.equal(ids);
    for (const none of [
      'state=running',
      'outcome=failed',
      'agent=b',
      'from=2999-01-01T00:00:00Z',
      'to=2001-01-01T00:00:00Z',
    ])
      expect(await list(none), none).to.deep.equal({ runs: [], total: 0 });
    const { startedAt } = (await list('limit=1')).runs[0];
    expect(await runsOf(`from=${startedAt}`)).to.deep.equal([ids[0]]);
    expect(await runsOf(`to=${startedAt}`)).to.deep.equal([ids[1], ids[2]]);
    for (const wrong of ['state=odd', 'outcome=odd', 'from=now'])
      expect((await one.get(`/api/runs?${wrong}`)).status).to.equal(422);
  });

  it('shows the activity of a run: title, iteration, model, usage and pending calls', async () => {
    const one = house();
    const { json } = await one.post('/api/runs', { prompt: `${'long '.repeat(40)}` });
    await one.get(`/api/runs/${json.runId}/events`);
    const view = (await one.get(`/api/runs/${json.runId}`)).json;
    const [approval] = (await one.get('/api/approvals')).json.approvals;
    expect(view).to.deep.include({ iteration: 1, waiting: [{ id: approval.id, tool: 'pay' }] });
    expect(view.title)
      .to.have.length(80)
      .and.match(/^long .*…$/);
  });

  it('includes the sessions of a user with their transcripts, and no others', async () => {
    const transcript = memoryTranscript();
    const one = house({ hooks: [], model: scriptedModel(['hello', 'again']), transcript });
    const begun: string[] = [];
    for (const prompt of ['first of all', 'then this']) {
      const { json } = await one.post('/api/runs', { prompt, sessionId: 's' });
      begun.push(json.startedAt);
      await one.get(`/api/runs/${json.runId}/events`);
    }
    const [session, ...others] = (await one.get('/api/sessions')).json.sessions;
    expect(others).to.deep.equal([]);
    expect(session).to.include({ sessionId: 's', title: 'first of all', runs: 2, state: 'ended' });
    expect([session.startedAt, session.lastAt]).to.deep.equal(begun);
    const { messages } = (await one.get('/api/sessions/s')).json;
    expect(messages.map(({ role }: { role: string }) => role)).to.deep.equal([
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
    expect((await one.get('/api/sessions', bob)).json.sessions).to.deep.equal([]);
    for (const id of ['s', 'alice:s', '..%2Fs'])
      expect((await one.get(`/api/sessions/${id}`, bob)).status, id).to.equal(404);
    expect((await one.get('/api/sessions/other')).status).to.equal(404);
  });

  it('returns the current user', async () => {
    const one = house();
    expect((await one.get('/api/me', { ...bob, 'x-rights': 'approve', 'x-token': 'phone' })).json).to.deep.equal({
      user: 'bob',
      rights: ['approve'],
      scopes: ['team'],
      starts: true,
      approvesFor: ['alice'],
      token: 'phone',
    });
  });

  it('includes the hooks in force for a user, and their sources', async () => {
    const api = await anApi({
      guard: { type: 'dangerous-confirmation', match: { tools: ['write_*'] } },
      spare: { type: 'security-scan', enabled: false },
    });
    try {
      await api.ask('POST', '/api/hooks/config', { body: { hooks: { mine: { type: 'audit-log', priority: 3 } } } });
      const inForce = await api.ask('GET', '/api/hooks/in-force', { token: await api.token('alice', ['read']) });
      expect(inForce.json.hooks.map(({ description, ...hook }: { description?: string }) => hook)).to.deep.equal([
        { name: 'mine', enabled: true, from: 'saved', type: 'audit-log', priority: 3 },
        {
          name: 'guard',
          enabled: true,
          from: 'files',
          type: 'dangerous-confirmation',
          priority: 10,
          match: { tools: ['write_*'] },
        },
        { name: 'spare', enabled: false, from: 'files', type: 'security-scan' },
      ]);
      const { json } = await api.ask('GET', '/api/hooks/in-force');
      const places = json.hooks.map(({ name, file, line }: Record<string, unknown>) => [name, file, line]);
      expect(places).to.deep.equal([
        ['mine', undefined, undefined],
        ['guard', api.file, 3],
        ['spare', api.file, 11],
      ]);
      const other = await api.ask('GET', '/api/hooks/in-force', { token: await api.token('bob', ['read']) });
      expect(other.json.hooks.map(({ name }: { name: string }) => name)).to.deep.equal(['guard', 'spare']);
    } finally {
      await api.close();
    }
  });
});
