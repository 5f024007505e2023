import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, Runner, tool } from '@openai/agents-core';
import { expect } from 'chai';
import { pendingCallStore } from '../../../lib/loops/index.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { guideSample } from './guide-sample.ts';
import { scriptedAgentsModel } from './scripted-agents-model.ts';

describe('the guide to OpenAI Agents', () => {
  it('shows code that runs', async () => {
    const page = readFileSync(join(__dirname, '../../../samples/loops/openai-agents.md'), 'utf8');
    const [, path, snippet] = /<!-- (\S+) -->\n```ts\n([\s\S]*?)\n```/.exec(page) ?? [];
    expect(readFileSync(join(__dirname, '../../..', path!), 'utf8')).to.include(snippet);
    const refunded: unknown[] = [];
    const refund = tool({
      name: 'refund',
      description: 'Pays an order back.',
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
      strict: false,
      execute: async (input) => String(refunded.push(input)),
    });
    const model = scriptedAgentsModel([
      { calls: [{ id: 'c1', name: 'refund', input: { order: 7 } }] },
      { chunks: ['It is on its way.'] },
    ]);
    const agent = new Agent({ name: 'support', model, tools: [refund] });
    expect(await guideSample(new Runner(), agent, pendingCallStore(memoryStateStore()))).to.equal('It is on its way.');
    expect(refunded).to.deep.equal([{ order: 7 }]);
  });
});
