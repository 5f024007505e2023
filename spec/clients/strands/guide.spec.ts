import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { pendingCallStore } from '../../../lib/loops/index.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { guideSample } from './guide-sample.ts';
import { ScriptedModel } from './scripted-model.ts';
import { toTool } from './strands-host.ts';

describe('the guide to Strands', () => {
  it('shows code that runs', async () => {
    const page = readFileSync(join(__dirname, '../../../samples/loops/strands.md'), 'utf8');
    const [, path, snippet] = /<!-- (\S+) -->\n```ts\n([\s\S]*?)\n```/.exec(page) ?? [];
    expect(readFileSync(join(__dirname, '../../..', path!), 'utf8')).to.include(snippet);
    const refunded: unknown[] = [];
    const refund = toTool({
      name: 'refund',
      description: 'Pays an order back.',
      inputSchema: { type: 'object' },
      execute: (input) => String(refunded.push(input)),
    });
    const model = new ScriptedModel([
      { calls: [{ id: 'c1', name: 'refund', input: { order: 7 } }] },
      { chunks: ['It is on its way.'] },
    ]);
    const told = await guideSample(model, refund, pendingCallStore(memoryStateStore()));
    expect([told, refunded]).to.deep.equal(['It is on its way.', [{ order: 7 }]]);
  });
});
