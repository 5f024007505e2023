import { inspect } from 'node:util';
import { expect } from 'chai';
import { lastValueFrom, map, of, tap, toArray } from 'rxjs';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { modify } from '../../../lib/events/decisions/modify.ts';
import { textOf } from '../../../lib/events/parts/messages.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { callOf, hear, keptLog, start, toolOf } from '../scene.ts';

const SECRET = 'tok_live_abcdef';
const seals = defineHook({
  name: 'seals',
  match: { tools: ['pay'] },
  on: {
    preActing: (event, { seal }) =>
      modify(event, { toolCall: { ...event.toolCall, input: { token: seal('card', SECRET) } } }),
  },
});

describe('a sealed value', () => {
  it('is passed only to the tool it was sealed for, not to a renamed one', () => {
    let ran = 0;
    const tools = ['pay', 'echo'].map((name) => toolOf(name, (input) => `${++ran} ${JSON.stringify(input)}`));
    const renames = defineHook({
      name: 'renames',
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, name: 'echo' } }) },
    });
    const heard = hear(start([seals, renames]).act(callOf('pay'), tools));
    expect(ran).to.equal(0);
    expect(heard.of('postActing')[0]?.outcome).to.equal('failed');
    expect(heard.of('postActing')[0]?.result.content).to.include('"card" was sealed by hook "seals" for tool "pay"');
    expect(JSON.stringify(heard.events)).not.to.include(SECRET);
  });

  const says: Record<string, () => unknown> = {
    'returns it': () => `GET https://x?token=${SECRET}`,
    'returns it in a result': () => ({ content: SECRET, isError: false, forUser: SECRET }),
    'streams it in pieces': () => of('a tok_', 'live_', 'abc', 'def z'),
    'throws it in another field': () => {
      throw Object.assign(new Error('401 of [card]'), { status: 401, request: { headers: [SECRET] } });
    },
    'throws it': () => {
      throw new Error(`https://x?token=${SECRET} 401`);
    },
  };
  for (const [how, execute] of Object.entries(says)) {
    it(`appears as its label if the tool ${how}`, () => {
      let failed: unknown;
      const watches = defineHook({
        name: 'watches',
        around: { acting: (_, next) => next().pipe(tap({ error: (thrown) => (failed = thrown) })) },
      });
      const { log, lines } = keptLog();
      const run = start([seals, watches], { log });
      const heard = hear(run.act(callOf('pay'), [toolOf('pay', execute as never)]));
      const text = JSON.stringify(heard.events) + JSON.stringify(lines) + inspect(failed, { depth: 9 });
      expect(text).to.include('[card]');
      expect(text).not.to.include(SECRET);
      expect(
        heard
          .of('actingChunk')
          .map(({ content }) => content)
          .join(''),
      ).not.to.include(SECRET);
    });
  }

  const encodings: Record<string, (text: string) => string> = {
    'in base64': (text) => Buffer.from(text).toString('base64'),
    'in base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
    'in hexadecimal digits': (text) => Buffer.from(text).toString('hex'),
    'in capital hexadecimal digits': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  };
  for (const [how, encode] of Object.entries(encodings)) {
    it(`appears as its label if the tool returns it ${how}, at any offset and in pieces`, () => {
      for (const value of [SECRET, `${SECRET}"é?>~`])
        for (const before of ['', 'a', 'ab', 'user:'])
          for (const size of [1, 5, 1_000]) {
            const sealing = defineHook({
              name: 'seals',
              on: {
                preActing: (event, { seal }) =>
                  modify(event, { toolCall: { ...event.toolCall, input: { token: seal('card', value) } } }),
              },
            });
            const encoded = encode(`${before}${value}:z`);
            const pieces = encoded.match(new RegExp(`.{1,${size}}`, 'g')) as string[];
            const heard = hear(start([sealing]).act(callOf('pay'), [toolOf('pay', (() => of(...pieces)) as never)]));
            const chunks = heard.of('actingChunk').map(({ content }) => content);
            const content = heard.of('postActing')[0]?.result.content ?? '';
            for (const shown of [chunks.join(''), content]) {
              expect(shown).to.match(/^.{0,12}\[card\].{0,6}$/);
              expect(shown).to.not.include(encoded.slice(8, 16));
            }
          }
    });
  }

  it('appears as its label in the prompt and metadata of a sub-agent and in tool logs', async () => {
    const { log, lines } = keptLog();
    const helper = createAgent({
      name: 'helper',
      model: ({ messages }) => of({ type: 'text' as const, delta: JSON.stringify(messages) }),
      pipeline: createPipeline([], { log }),
    });
    let got: unknown;
    const pay = toolOf('pay', ({ token = '' }, context) => {
      got = token;
      const own = Object.assign(new Error(`no ${token}`, { cause: token }), { request: { headers: [token] } });
      context.log.warn({ token, list: [{ [String(token)]: token }], own }, `paid with ${token}`);
      context.log.child?.({ token }).error(String(token));
      const itself: Record<string, unknown> = { token };
      itself['itself'] = itself;
      context.log.info(itself);
      return context.child(helper, `Use ${token}`, { metadata: { token } }).pipe(map(({ message }) => textOf(message)));
    });
    const agent = createAgent({
      name: 'a',
      model: ({ messages }) =>
        messages.at(-1)?.role === 'tool'
          ? of({ type: 'text' as const, delta: 'done' })
          : of({ type: 'toolCall' as const, toolCall: callOf('pay') }),
      tools: [pay],
      pipeline: createPipeline([seals], { log }),
    });
    const events = await lastValueFrom(agent.run('go').pipe(toArray()));
    expect(got).to.equal(SECRET);
    expect(events.map(({ run }) => run.agent)).to.include('helper');
    const told = JSON.stringify(events) + JSON.stringify(lines);
    expect(told).to.include('Use [card]').and.include('paid with [card]').and.not.include(SECRET);
  });

  it('ends a call once if an error causes itself or the value has a lone surrogate', () => {
    for (const value of [SECRET, `${SECRET}\ud800`]) {
      const cyclic = Object.assign(new Error(`no ${value}`), { cause: undefined as unknown });
      cyclic.cause = cyclic;
      const sealing = defineHook({
        name: 'seals',
        on: {
          preActing: (event, { seal }) =>
            modify(event, { toolCall: { ...event.toolCall, input: { token: seal('card', value) } } }),
        },
      });
      const throws = () => {
        throw cyclic;
      };
      const heard = hear(start([sealing], { log: keptLog().log }).act(callOf('pay'), [toolOf('pay', throws)]));
      expect(heard.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['failed']);
      expect(JSON.stringify(heard.events)).not.to.include(SECRET);
    }
  });
});
