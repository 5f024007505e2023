import * as strands from '@strands-agents/sdk';
import { expect } from 'chai';
import { z } from 'zod';
import { type HookDefinition, modify } from '../../../lib/index.ts';
import { call, scene } from './scene.ts';

const clean = (text: string): string => text.replaceAll('swordfish', '[gone]');
const redacts: HookDefinition = {
  name: 'redacts',
  on: {
    reasoningChunk: (event) => modify(event, { delta: clean(event.delta) }),
    actingChunk: (event) => modify(event, { content: clean(event.content) }),
    postActing: (event) => modify(event, { result: { ...event.result, content: clean(event.result.content) } }),
  },
};

/** All Strands events for plugins. */
const EVENTS = Object.entries(strands).flatMap(([name, value]) =>
  name.endsWith('Event') && typeof value === 'function' && value.prototype instanceof strands.HookableEvent
    ? [value]
    : [],
);

describe('a secret in a Strands agent', () => {
  it('reaches no stream, message, trace or plugin, from any source', async () => {
    const heard: string[] = [];
    const listens: strands.Plugin = {
      name: 'listens',
      initAgent(agent) {
        for (const event of EVENTS)
          agent.addHook(event as never, (told: object) => void heard.push(JSON.stringify(told)));
      },
    };
    const { agent, model, ran } = scene({
      turns: [
        {
          thought: { text: 'The word is swordfish.', signature: 'signed: swordfish' },
          chunks: ['I say swordfish. '],
          calls: [call('c1', 'text'), call('c2', 'json'), call('c3', 'fails')],
        },
        { chunks: ['Again: swordfish.'] },
      ],
      tools: {
        async *text() {
          yield { half: 'swordfish' };
          return 'It is swordfish.';
        },
        json: () => ({ word: 'swordfish' }),
        fails() {
          throw new Error('no swordfish');
        },
      },
      hooks: [redacts],
      after: [listens],
    });
    const events: string[] = [];
    const stream = agent.stream('Go!');
    let next = await stream.next();
    for (; !next.done; next = await stream.next()) events.push(JSON.stringify(next.value));
    const { traces } = next.value;
    const all = [...events, ...heard, ...model.prompts, JSON.stringify([agent.messages, next.value, traces])];
    expect(ran).to.have.length(3);
    expect(EVENTS.length).to.be.greaterThan(10);
    expect(heard.length).to.be.greaterThan(20);
    for (const one of all) expect(one).not.to.include('swordfish');
    expect(all.join()).to.include('It is [gone].').and.to.include('{"word":"[gone]"}').and.to.include('no [gone]');
  });
});

describe('a document in a Strands tool result', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const result = async (
    given: object,
  ): Promise<{ readonly all: string; readonly content: strands.ToolResultContent[] }> => {
    const { agent, model } = scene({
      turns: [{ calls: [call('c1', 'reads')] }, { chunks: ['Read.'] }],
      tools: { reads: () => new strands.DocumentBlock({ name: 'notes', ...given } as never) },
      hooks: [redacts],
    });
    const events: string[] = [];
    for await (const event of agent.stream('Go!')) events.push(JSON.stringify(event));
    const block = agent.messages[2]?.content[0] as strands.ToolResultBlock | undefined;
    return { all: [...events, ...model.prompts].join(), content: block?.content ?? [] };
  };

  it('is read and changed by hooks if it is text', async () => {
    const word = 'It is swordfish.';
    const texts = [
      { format: 'txt', source: { text: word } },
      { format: 'md', source: { bytes: bytes(word) } },
      { format: 'pdf', source: { content: [{ text: word }] } },
    ];
    for (const given of texts) {
      const { all, content } = await result(given);
      expect(all).not.to.include('swordfish').and.not.to.include(btoa(word));
      expect(content.map((one) => one.toJSON())).to.deep.equal([{ text: 'It is [gone].' }]);
    }
  });

  it('is unchanged if hooks leave it alone or it is not text', async () => {
    for (const given of [
      { format: 'txt', source: { text: 'mild' } },
      { format: 'csv', source: { bytes: bytes('mild,warm') } },
      { format: 'pdf', source: { bytes: bytes('%PDF') } },
    ]) {
      const { content } = await result(given);
      const made = new strands.DocumentBlock({ name: 'notes', ...given } as never);
      expect(content.map((one) => one.toJSON())).to.deep.equal([made.toJSON()]);
    }
  });
});

describe('Strands model text with citations', () => {
  const source = { location: { type: 'documentChar', documentIndex: 0, start: 0, end: 1 }, source: 's', title: 't' };
  const cited = (text: string): object => ({
    type: 'citationsDelta',
    citations: [{ ...source, sourceContent: [{ text: 'swordfish' }] }],
    content: text === '' ? [] : [{ text }],
  });
  const told = async (deltas: readonly object[], options: object = {}) => {
    const { agent, recorded } = scene({ turns: [{ blocks: [deltas] }], hooks: [redacts], options });
    const events: string[] = [];
    for await (const event of agent.stream('Go!')) events.push(JSON.stringify(event));
    const [settled] = recorded.of('postReasoning').map(({ message }) => JSON.stringify(message.parts));
    return { all: [...events, JSON.stringify(agent.messages)].join(), answer: agent.messages.at(-1)?.content, settled };
  };

  it('passes the hooks, also with the citations', async () => {
    const { all, settled, answer } = await told([cited('the word is swordfish')]);
    expect(settled).to.include('the word is [gone]');
    expect(all).not.to.include('swordfish');
    expect(JSON.parse(JSON.stringify(answer))).to.deep.equal([{ text: 'the word is [gone]' }]);
  });

  it('keeps citations without their quotes if hooks leave it alone', async () => {
    for (const deltas of [[cited('It is mild.')], [{ type: 'textDelta', text: 'It is mild.' }, cited('')]]) {
      const { all, answer } = await told(deltas);
      expect(all).not.to.include('swordfish');
      expect(JSON.parse(JSON.stringify(answer))).to.deep.equal([
        { citations: { citations: [{ ...source, sourceContent: [] }], content: [{ text: 'It is mild.' }] } },
      ]);
    }
  });

  it('has no citations if it is shown after settling', async () => {
    const { answer } = await told([cited('the word is swordfish')], { buffer: true });
    expect(JSON.parse(JSON.stringify(answer))).to.deep.equal([{ text: 'the word is [gone]' }]);
  });

  it('reveals nothing of empty text or an unknown kind of block', async () => {
    for (const deltas of [
      [cited('')],
      [{ type: 'otherDelta', text: '', other: 'swordfish' }],
      [{ type: 'otherDelta', other: 'swordfish' }],
    ])
      expect((await told([...deltas])).all).not.to.include('swordfish');
  });
});

describe('a Strands agent with an output schema', () => {
  it('returns its output, whose call hooks judge like any other', async () => {
    const schema = z.object({ place: z.string() });
    const { agent, recorded } = scene({
      turns: [{ calls: [call('c1', 'strands_structured_output', { place: 'Rome' })] }],
      hooks: [{ name: 'watch', observe: () => {} }],
    });
    const { structuredOutput } = await agent.invoke('Go!', { structuredOutputSchema: schema });
    expect(structuredOutput).to.deep.equal({ place: 'Rome' });
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['executed']);
  });
});
