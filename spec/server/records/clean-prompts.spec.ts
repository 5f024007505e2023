import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createHookConfigs, createLiveHooks, fileStore } from 'hookline/config';
import { securityScan } from 'hookline/hooks';
import { agentPorts, createRuns, fileRunStore } from 'hookline/server';
import {
  createAgent,
  defineHook,
  type Model,
  type ModelRequest,
  memoryTranscript,
  verdict,
} from '../../../lib/index.ts';
import { memoryStore } from '../../../lib/store/documents/memory-store.ts';
import { scriptedModel } from '../../../lib/testing/index.ts';
import { written } from '../../config/read.ts';
import { tempFolder } from '../../temp-folder.ts';
import { aHouse, appOf } from '../runs/a-house.ts';

const KEY = `AKIA${'Z7QK2MRWX5LTN3PB'}`;
const prompt = `Use ${KEY} to pay`;

/** Returns all stored text below a folder. */
function stored(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

function built(hooks: Parameters<typeof aHouse>[0], folder = tempFolder('prompts')) {
  const requests: ModelRequest[] = [];
  const script = scriptedModel([{ toolCalls: [{ name: 'pay', input: { amount: 1 } }] }, { text: 'done' }]);
  const model: Model = (request, options) => {
    requests.push(request);
    return script(request, options);
  };
  const house = aHouse({
    model,
    runStore: fileRunStore(join(folder, 'runs')),
    store: fileStore(join(folder, 'store')),
    ...hooks,
  });
  return { ...house, requests, folder };
}

/** Waits until a run is over and stored. */
const ended = async (house: ReturnType<typeof built>, runId: string) => {
  for (;;) {
    const { json } = await house.get(`/api/runs/${runId}`);
    if (json.state !== 'running') {
      // The recording waits until the run is written.
      await house.get(`/api/runs/${runId}/recording`);
      return json;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

describe('a stored prompt', () => {
  it('contains no secret if a hook redacts, whether or not it edits the prompt', async () => {
    const house = built({ hooks: [securityScan()] });
    const { runId } = (await house.post('/api/runs', { prompt })).json;
    const view = await ended(house, runId);
    expect(view).to.include({ outcome: 'completed' }).and.have.property('title').that.includes('Use [REDACTED');
    for (const path of ['/api/runs', `/api/runs/${runId}/events`, `/api/runs/${runId}/recording`, '/api/sessions']) {
      const { text } = await house.get(path);
      expect(text, path).to.include('[REDACTED').and.not.include(KEY);
    }
    await house.runs.drain(1_000);
    expect(stored(house.folder)).to.include('[REDACTED').and.not.include(KEY);
    expect(JSON.stringify(house.requests), 'the model has it').to.include(KEY);
  });

  it('contains no secret in the events of a suspended run, which resumes with the original prompt', async () => {
    const ask = defineHook({ name: 'ask', approve: () => verdict.suspend('Really?') });
    const house = built({ hooks: [securityScan(), ask] });
    const { runId } = (await house.post('/api/runs', { prompt })).json;
    await ended(house, runId);
    expect(stored(join(house.folder, 'runs')))
      .to.include('snapshot')
      .and.not.include(KEY);
    const [{ id, hash }] = (await house.get('/api/approvals')).json.approvals;
    const { json } = await house.post(`/api/approvals/${id}`, { action: 'approve', hash });
    await ended(house, json.resumedBy);
    expect(JSON.stringify(house.requests.at(-1))).to.include(KEY);
    expect(stored(join(house.folder, 'runs'))).not.to.include(KEY);
    await house.runs.drain(1_000);
  });

  it('contains no secret in the transcript of a session', async () => {
    const live = await createLiveHooks({
      files: [written({ 'base.json': { hooks: { scan: { type: 'security-scan' } } } })('base.json')],
    });
    const transcript = memoryTranscript();
    const ports = agentPorts(createHookConfigs(live, memoryStore()), ({ pipeline }) =>
      createAgent({ name: 'a', model: scriptedModel(['hello']), pipeline, transcript }),
    );
    const runs = createRuns({ ...ports, store: memoryStore(), transcript });
    const app = appOf(runs);
    const body = JSON.stringify({ prompt, sessionId: 's' });
    await app.request('/api/runs', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await runs.drain(1_000);
    const text = await (await app.request('/api/sessions/s')).text();
    expect(text).to.include('Use [REDACTED').and.include('hello').and.not.include(KEY);
    await live.close();
  });

  it('is unchanged if no hook redacts', async () => {
    const house = built({});
    const { runId } = (await house.post('/api/runs', { prompt })).json;
    expect(await ended(house, runId)).to.have.property('title', prompt);
    await house.runs.drain(1_000);
    expect(stored(house.folder)).to.include(KEY);
  });
});
