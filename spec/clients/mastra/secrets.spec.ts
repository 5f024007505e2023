import { expect } from 'chai';
import { type HookDefinition, modify } from '../../../lib/index.ts';
import { type Any, call, scene } from './scene.ts';

const clean = (text: string): string => text.replaceAll('swordfish', '[gone]');
const redacts: HookDefinition = {
  name: 'redacts',
  on: {
    reasoningChunk: (event) => modify(event, { delta: clean(event.delta) }),
    actingChunk: (event) => modify(event, { content: clean(event.content) }),
    postActing: (event) => modify(event, { result: { ...event.result, content: clean(event.result.content) } }),
  },
};

function secretive() {
  const heard: string[] = [];
  const hear = (told: unknown): void => void heard.push(JSON.stringify(told) ?? '');
  const { agent, model, ran } = scene({
    turns: [
      { chunks: ['I say swordfish. '], calls: [call('c1', 'text'), call('c2', 'json'), call('c3', 'fails')] },
      { chunks: ['Again: swordfish.'] },
    ],
    tools: {
      async text(_, { writer, agent: { outputWriter } }) {
        await writer.write({ half: 'swordfish' });
        await writer.custom({ type: 'data-half', data: 'swordfish' });
        await outputWriter?.('swordfish');
        return 'It is swordfish.';
      },
      json: () => ({ word: 'swordfish' }),
      fails() {
        throw new Error('no swordfish');
      },
    },
    hooks: [redacts],
  });
  const callbacks = { onStepFinish: hear, onFinish: hear, onChunk: hear };
  return { agent, model, ran, heard, callbacks };
}

describe('a secret in a Mastra agent', () => {
  for (const streamed of [false, true])
    it(`reaches no stream, message or callback, from any source (${streamed ? 'streamed' : 'whole'})`, async () => {
      const { agent, model, ran, heard, callbacks } = secretive();
      const told: unknown[] = [];
      if (streamed) {
        const result: Any = await agent.stream('Go!', callbacks);
        for await (const part of result.fullStream) told.push(part);
        told.push(await result.getFullOutput());
      } else told.push(await agent.generate('Go!', callbacks));
      const all = [...told.map((one) => JSON.stringify(one)), ...heard, JSON.stringify(model.prompts)];
      expect(ran).to.have.length(3);
      expect(heard.length).to.be.greaterThan(1);
      for (const one of all) expect(one).not.to.include('swordfish');
      expect(all.join()).to.include('It is [gone].').and.to.include('"word":"[gone]"').and.to.include('no [gone]');
    });
});
