import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { securityScan } from 'hookline/hooks';
import { fileRunStore } from 'hookline/server';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { tempFolder } from '../../temp-folder.ts';
import { aHouse } from '../runs/a-house.ts';

const KEY = `AKIA${'Z7QK2MRWX5LTN3PB'}`;

describe('the search of runs', () => {
  it('finds prompts, answers, calls and results, redacted, also after a restart', async () => {
    const folder = tempFolder('search');
    const plan = {
      runStore: fileRunStore(folder),
      hooks: [securityScan()],
      tools: [scriptedTool({ name: 'look', permission: 'read' as const, result: `the Heron sleeps, key ${KEY}` })],
    };
    const one = aHouse({
      ...plan,
      model: scriptedModel([
        { text: 'I ask the Magpie.', toolCalls: [{ name: 'look', input: { place: 'Nest seven' } }] },
        { text: `${'x'.repeat(100_000)} far away` },
      ]),
    });
    const { runId } = (await one.post('/api/runs', { prompt: `Where is the Robin? ${KEY}` })).json;
    await one.get(`/api/runs/${runId}/events`);
    await one.runs.drain(1_000);
    const after = aHouse({ ...plan, runStore: fileRunStore(folder) });
    const total = async (filter: string) =>
      (await after.get(`/api/runs?filter=${encodeURIComponent(filter)}`)).json.total;
    for (const filter of ['robin', 'magpie', '"nest seven"', '"heron sleeps"', 'look', 'tool:look robin'])
      expect(await total(filter), filter).to.equal(1);
    for (const filter of [KEY, 'owl', 'robin owl', 'tool:pay', '"far away"'])
      expect(await total(filter), filter).to.equal(0);
    const [name] = readdirSync(join(folder, 'alice')).filter((one) => one.endsWith('.json'));
    const head = readFileSync(join(folder, 'alice', name!), 'utf8');
    expect(head.toLowerCase()).to.not.include(KEY.toLowerCase());
    expect(JSON.parse(head).head.text.length).to.be.lessThan(8_001);
  });

  it('rejects an invalid filter with the valid names', async () => {
    const { get } = aHouse();
    const { status, json } = await get('/api/runs?filter=price:5');
    expect(status).to.equal(400);
    expect(json.error.message).to.match(/^There is no filter "price:"\. Use agent:, .*tokens>/);
  });
});

describe('a session ID', () => {
  it('is the name of the user in views, events, recordings and approvals', async () => {
    const one = aHouse({ runStore: fileRunStore(tempFolder('names')) });
    const { json } = await one.post('/api/runs', { prompt: 'hi', sessionId: 's' });
    const paths = ['', '/events', '/recording'].map((end) => `/api/runs/${json.runId}${end}`);
    await one.get(paths[1]!);
    await one.runs.drain(1_000);
    for (const path of paths) {
      const { text } = await one.get(path);
      expect(text, path).to.include('"sessionId":"s"').and.not.include('alice:s');
    }
  });
});
