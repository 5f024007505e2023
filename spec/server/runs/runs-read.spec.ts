import { expect } from 'chai';
import { createInbox, permission } from 'hookline/hooks';
import { memoryRunStore } from 'hookline/server';
import { memoryTranscript } from '../../../lib/index.ts';
import { scriptedModel } from '../../../lib/testing/index.ts';
import { framesOf } from '../sse-frames.ts';
import { aHouse, asking } from './a-house.ts';

const operator = { 'x-user': 'olga', 'x-rights': 'read,run,runs:read' };

async function house() {
  const transcript = memoryTranscript();
  const one = aHouse({
    model: scriptedModel([1, 2].map((amount) => ({ toolCalls: [{ name: 'pay', input: { amount } }] }))),
    hooks: [asking()],
    runStore: memoryRunStore(),
    transcript,
  });
  const ids: Record<string, string> = {};
  for (const user of ['ada', 'bob']) {
    const { json } = await one.post('/api/runs', { prompt: `pay for ${user}`, sessionId: 's' }, { 'x-user': user });
    ids[user] = json.runId;
    await one.get(`/api/runs/${json.runId}/events`, { 'x-user': user });
  }
  return { ...one, ids };
}

describe('the right runs:read', () => {
  it('lists the runs and sessions of all users, with the user', async () => {
    const { get, ids } = await house();
    const usersIn = async (path: string) => {
      const { runs, sessions } = (await get(path, operator)).json;
      return (runs ?? sessions).map(({ user }: { user: string }) => user).sort();
    };
    expect(await usersIn('/api/runs')).to.deep.equal(['ada', 'bob']);
    expect(await usersIn('/api/runs?filter=user:ada')).to.deep.equal(['ada']);
    expect(await usersIn('/api/sessions')).to.deep.equal(['ada', 'bob']);
    const own = await get('/api/runs', { 'x-user': 'ada' });
    expect(own.json.runs.map(({ runId }: { runId: string }) => runId)).to.deep.equal([ids['ada']]);
    expect((await get('/api/runs?filter=user:bob', { 'x-user': 'ada' })).json.total).to.equal(0);
  });

  it('reads runs, events, recordings and transcripts of others, and changes nothing', async () => {
    const { get, post, ids } = await house();
    const path = `/api/runs/${ids['ada']}`;
    expect((await get(path, operator)).json).to.include({ user: 'ada', state: 'suspended' });
    expect(framesOf((await get(`${path}/events`, operator)).text).at(-1)?.event).to.equal('postCall');
    expect((await get(`${path}/recording`, operator)).text).to.include('pay for ada');
    expect((await get('/api/sessions/s?user=ada', operator)).json.messages[0].parts[0].text).to.equal('pay for ada');
    expect((await get('/api/sessions/s', operator)).status).to.equal(404);
    expect((await post(`${path}/cancel`, {}, operator)).status).to.equal(404);
    expect((await get(path, { 'x-user': 'ada' })).json.state).to.equal('suspended');
    for (const other of ['', '/events', '/recording'])
      expect((await get(`${path}${other}`, { 'x-user': 'bob' })).status, other).to.equal(404);
    const refused = await get('/api/sessions/s?user=ada', { 'x-user': 'bob' });
    expect(refused.status).to.equal(403);
  });

  it('streams the changes of the runs of all users', async () => {
    const { app, ids } = await house();
    const answer = await app.request('/api/activity', { headers: operator });
    const reader = answer.body!.getReader();
    let text = '';
    while (!text.includes('event: ready')) text += new TextDecoder().decode((await reader.read()).value);
    const frames = framesOf(text);
    expect(frames.map(({ event, data }) => [event, data['runId']])).to.deep.equal([
      ['run', ids['ada']],
      ['run', ids['bob']],
      ['ready', undefined],
    ]);
    await reader.cancel();
  });
});

describe('an active run with a pending call', () => {
  it('is waiting in lists and streams, also for readers without the right to answer', async () => {
    const inbox = createInbox();
    const one = aHouse({
      model: scriptedModel([{ toolCalls: [{ name: 'pay', input: {} }] }, { text: 'done' }]),
      hooks: [permission({ ask: ['pay'], default: 'allow', askBy: 'inbox' }, { inbox })],
      inbox,
    });
    const answer = await one.app.request('/api/activity', { headers: { 'x-rights': 'read' } });
    const reader = answer.body!.getReader();
    let text = '';
    const until = async (isSo: () => boolean) => {
      while (!isSo()) text += new TextDecoder().decode((await reader.read()).value);
    };
    const { runId } = (await one.post('/api/runs', { prompt: 'pay' })).json;
    await until(() => framesOf(text).some(({ data }) => data['waiting'] !== undefined));
    const [approval] = (await one.get('/api/approvals')).json.approvals;
    const waiting = [{ id: approval.id, tool: 'pay' }];
    expect((await one.get(`/api/runs/${runId}`)).json).to.deep.include({ state: 'running', waiting });
    for (const query of ['state=waiting', 'filter=state:waiting', 'state=running'])
      expect((await one.get(`/api/runs?${query}`)).json.runs[0], query).to.deep.include({ runId, waiting });
    expect((await one.get('/api/sessions')).json.sessions[0]).to.include({ lastRun: runId, state: 'suspended' });
    await one.post(`/api/approvals/${approval.id}`, { action: 'approve', hash: approval.hash });
    await until(() => framesOf(text).some(({ data }) => data['state'] === 'ended'));
    expect((await one.get(`/api/runs/${runId}`)).json).to.not.have.property('waiting');
    await reader.cancel();
  });
});
