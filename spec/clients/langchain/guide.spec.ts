import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { pendingCallStore } from '../../../lib/loops/index.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { guideSample } from './guide-sample.ts';
import { lookTool } from './scene.ts';
import { ScriptedChatModel } from './scripted-chat-model.ts';

describe('the guide to LangChain', () => {
  it('shows code that runs', async () => {
    const page = readFileSync(join(__dirname, '../../../samples/loops/langchain.md'), 'utf8');
    const [, path, snippet] = /<!-- (\S+) -->\n```ts\n([\s\S]*?)\n```/.exec(page) ?? [];
    expect(readFileSync(join(__dirname, '../../..', path!), 'utf8')).to.include(snippet);
    const ran: string[] = [];
    const model = new ScriptedChatModel([
      { calls: [{ id: 'c1', name: 'refund', input: { at: 'order 7' } }] },
      { chunks: ['It is on its way.'] },
    ]);
    const told = await guideSample(model, lookTool('refund', ran) as never, pendingCallStore(memoryStateStore()));
    expect([told, ran]).to.deep.equal(['It is on its way.', ['refund order 7']]);
  });
});
