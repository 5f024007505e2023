import './no-telemetry.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InMemoryStore } from '@mastra/core/storage';
import { expect } from 'chai';
import { pendingCallStore } from '../../../lib/loops/index.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { scriptedLanguageModel } from '../ai-sdk/scripted-language-model.ts';
import { guideSample } from './guide-sample.ts';
import { toTool } from './mastra-host.ts';

describe('the guide to Mastra', () => {
  it('shows code that runs', async () => {
    const page = readFileSync(join(__dirname, '../../../samples/loops/mastra.md'), 'utf8');
    const [, path, snippet] = /<!-- (\S+) -->\n```ts\n([\s\S]*?)\n```/.exec(page) ?? [];
    expect(readFileSync(join(__dirname, '../../..', path!), 'utf8')).to.include(snippet);
    const refunded: unknown[] = [];
    const refund = toTool({
      name: 'refund',
      description: 'Pays an order back.',
      inputSchema: { type: 'object', properties: { order: { type: 'number' } } },
      execute: (input) => String(refunded.push(input)),
    });
    const model = scriptedLanguageModel('v2', [
      { calls: [{ id: 'c1', name: 'refund', input: { order: 7 } }] },
      { chunks: ['It is on its way.'] },
    ]);
    const told = await guideSample(model, refund, new InMemoryStore(), pendingCallStore(memoryStateStore()));
    expect([told, refunded]).to.deep.equal(['It is on its way.', [{ order: 7 }]]);
  });
});
