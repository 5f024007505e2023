import { expect } from 'chai';
import fc from 'fast-check';
import { EMPTY, from, lastValueFrom, mergeMap, of, toArray } from 'rxjs';
import { securityScan } from '../../../lib/hooks/index.ts';
import { usualRedactor } from '../../../lib/hooks/usual-redactor.ts';
import {
  assistantMessage,
  createAgent,
  createPipeline,
  defineHook,
  type Hook,
  type HookEvent,
  type JsonObject,
  type Model,
  type ModelChunk,
  modify,
  type PipelineOptions,
  type SettledEvent,
  type TraceChange,
  type TraceStep,
  userMessage,
} from '../../../lib/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { callOf, hear, modelOf, request, toolOf } from '../scene.ts';

const asIs = (text: string) => text;

/** The traced changes to a call that starts with `input`. */
async function changesTo(
  input: JsonObject,
  hooks: readonly Hook[],
  options: PipelineOptions = { trace: { values: asIs } },
): Promise<(readonly TraceChange[] | undefined)[]> {
  const pipeline = createPipeline(hooks, options);
  const told: (readonly TraceChange[] | undefined)[] = [];
  pipeline.traces$.subscribe(({ event, steps }) => {
    if (event.type === 'preActing') told.push(...steps.map(({ changes }) => changes));
  });
  const run = pipeline.start({ agent: 'a' });
  await hear(run.act({ ...callOf('t'), input }, [toolOf('t', () => 'x')])).ended;
  await pipeline.flush();
  return told;
}

const setting = (name: string, input: JsonObject): Hook =>
  defineHook({
    name,
    on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input } }) },
  });

describe('trace values', () => {
  it('show the value before and after each hook, by path', async () => {
    const hooks = [setting('one', { a: 2, b: [1] }), setting('two', { b: [1, 2] })];
    expect(await changesTo({ a: 1 }, hooks)).to.deep.equal([
      [
        { path: 'toolCall.input.a', before: 1, after: 2 },
        { path: 'toolCall.input.b', after: [1] },
      ],
      [
        { path: 'toolCall.input.a', before: 2 },
        { path: 'toolCall.input.b.1', after: 2 },
      ],
    ]);
  });

  it('pass paths and reasons through their redactor too', async () => {
    const reasoned = defineHook({ name: 'why', approve: () => ({ verdict: 'approved', reason: 'hush is fine' }) });
    const values = (text: string) => text.replaceAll('hush', '***');
    const pipeline = createPipeline([setting('one', { hush: 1 }), reasoned], { trace: { values } });
    const told: string[] = [];
    pipeline.traces$.subscribe(({ event, steps }) => {
      if (event.type === 'preActing') told.push(JSON.stringify(steps));
    });
    await hear(pipeline.start({ agent: 'a' }).act(callOf('t'), [toolOf('t', () => 'x')])).ended;
    await pipeline.flush();
    expect(told.join('')).to.include('toolCall.input.***').and.include('*** is fine').and.not.include('hush');
  });

  it('are omitted by default', async () => {
    expect(await changesTo({ a: 1 }, [setting('one', { a: 2 })], { trace: true })).to.deep.equal([undefined]);
  });

  it('reach an observer that requests them', async () => {
    const told: unknown[] = [];
    const watch = defineHook({
      name: 'watch',
      traced: { values: asIs },
      observe: ({ type }, _, steps = []) => void (type === 'preActing' && told.push(steps[0]?.changes)),
    });
    await changesTo({ a: 1 }, [setting('one', { a: 2 }), watch], {});
    expect(told).to.deep.equal([[{ path: 'toolCall.input.a', before: 1, after: 2 }]]);
  });

  it('pass the redacting hooks of the run, then the requested redactor, field names included', async () => {
    const hidden = defineHook({ name: 'hide', redact: (text) => text.replaceAll('alpha', '[a]') });
    const values = (text: string) => text.replaceAll('[a]', '[b]').replaceAll('beta', '[c]');
    const [changes] = await changesTo({ x: 'alpha' }, [setting('one', { x: { beta: 'alpha beta' } }), hidden], {
      trace: { values },
    });
    expect(changes).to.deep.equal([{ path: 'toolCall.input.x', before: '[b]', after: { '[c]': '[b] [c]' } }]);
  });

  it('are withheld if a redactor fails', async () => {
    const failing = defineHook({
      name: 'fails',
      redact() {
        throw new Error('no');
      },
    });
    const [changes] = await changesTo({ a: 'secret' }, [setting('one', { a: 'other' }), failing], {
      trace: { values: asIs },
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    expect(JSON.stringify(changes)).not.to.include('secret');
  });

  describe('break nothing when their redactor', () => {
    const redactors: Record<string, () => never> = {
      throws: () => {
        throw new Error('redactor bug');
      },
      'returns a number': () => 7 as never,
      'returns a promise that rejects': () => Promise.reject(new Error('redactor bug')) as never,
    };
    for (const [how, values] of Object.entries(redactors)) {
      for (const [whose, given] of Object.entries({
        pipeline: [[], { trace: { values } }],
        hook: [[defineHook({ name: 'watch', traced: { values }, observe() {} })], {}],
      } as const)) {
        for (const type of [
          'preCall',
          'preReasoning',
          'postReasoning',
          'preActing',
          'postActing',
          'postCall',
        ] as const) {
          it(`${how}, of a ${whose}: ${type} changes, settles and has no trace values`, async () => {
            const change = defineHook({ name: 'change', on: { [type]: (event: SettledEvent) => changed(event) } });
            const lines: string[] = [];
            const error = (fields: object | string, message?: string) =>
              void lines.push(`${(fields as { hook?: string }).hook}: ${message}`);
            const pipeline = createPipeline([change, ...given[0]], {
              ...given[1],
              log: { ...silentLogger, error },
            });
            const told: string[] = [];
            pipeline.traces$.subscribe(({ event, steps }) => void (event.type === type && told.push(...shown(steps))));
            const agent = createAgent({
              name: 'a',
              model: oneCall(),
              tools: [toolOf('t', () => 'x')],
              pipeline,
            });
            const events = await lastValueFrom(agent.run('hi').pipe(toArray()));
            expect(events.map(({ seq }) => seq)).to.deep.equal(events.map((_, place) => place));
            expect(events.filter((event) => event.type === 'error')).to.deep.equal([]);
            expect(events.at(-1)).to.include({ type: 'postCall', outcome: 'completed' });
            expect(told[0]).to.include('[withheld');
            expect(told[0]).not.to.include('secret');
            expect(lines[0]).to.include('failed to redact a text');
          });
        }
      }
    }
  });

  it('are truncated to 4,000 characters after redaction of the whole', async () => {
    const secret = `${'x'.repeat(3_990)}TOPSECRET-${'y'.repeat(1_000)}`;
    const [changes] = await changesTo({ a: secret, b: 1 }, [setting('one', { a: [secret], b: 1 })], {
      trace: { values: (text) => text.replaceAll('TOPSECRET', '******') },
    });
    const [change] = changes ?? [];
    expect(change?.cut).to.equal(true);
    expect(change?.before).to.equal(`${'x'.repeat(3_990)}******-yyy`);
    expect(change?.after).to.equal(`["${'x'.repeat(3_990)}******-y`);
  });

  it('redact secrets by field name, and numbers', async () => {
    const redactor = usualRedactor();
    const values = (text: string) => redactor.redact(text).text;
    const [password, card] = [['Tr0ub4dor', '9xQz'].join('-'), 4_111_111_111_111_111];
    const input = { password, card, deep: { list: [{ password, card }] }, kept: 7 };
    const changes = await changesTo(input, [setting('one', { password: 'x', deep: 'gone' }), securityScan()], {
      trace: { values },
    });
    const told = JSON.stringify(changes);
    expect(told).to.not.include(password).and.not.include(String(card));
    expect(told).to.include('"before":7');
  });

  it('are omitted if they are too long to redact', async () => {
    const long = 'x'.repeat(100_001);
    const [changes] = await changesTo({ a: long, b: [long] }, [setting('one', { a: 1, b: 2 })]);
    expect(changes).to.deep.equal([
      { path: 'toolCall.input.a', before: '', after: 1, cut: true },
      { path: 'toolCall.input.b', before: '', after: 2, cut: true },
    ]);
  });

  it('include the first twenty paths', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`m${index}`, index]));
    const [changes] = await changesTo({}, [setting('one', many)]);
    expect(changes).to.have.length(20);
  });

  it('never include chunk text, which may be half a secret', async () => {
    const upper = defineHook({
      name: 'upper',
      on: { reasoningChunk: (chunk) => modify(chunk, { delta: chunk.delta.toUpperCase() }) },
    });
    const pipeline = createPipeline([upper], { trace: { values: asIs } });
    const told: unknown[] = [];
    pipeline.traces$.subscribe(({ event, steps }) => {
      if (event.type === 'reasoningChunk') told.push(...steps.map(({ effect, changes }) => [effect, changes]));
    });
    await hear(pipeline.start({ agent: 'a' }).reason(request, modelOf('a', 'b'))).ended;
    expect(told.slice(0, 2)).to.deep.equal([
      ['changed', undefined],
      ['changed', undefined],
    ]);
  });

  it('include the whole changed text of a block, on the event that ends the step', async () => {
    const masking = defineHook({
      name: 'masking',
      through: {
        reasoningChunk: (chunks$) =>
          chunks$.pipe(
            toArray(),
            mergeMap(([first, ...rest]) => {
              if (!first) return EMPTY;
              const all = [first, ...rest].map(({ delta }) => delta).join('');
              return of(modify(first, { delta: all.replace('hush-hush', '***') }));
            }),
          ),
      },
    });
    const shouting = defineHook({
      name: 'shouting',
      on: {
        reasoningChunk: (chunk) => modify(chunk, { delta: chunk.delta.toUpperCase() }),
        actingChunk: (chunk) => modify(chunk, { content: chunk.content.toUpperCase() }),
      },
    });
    const quiet = defineHook({ name: 'quiet', on: { reasoningChunk: () => undefined } });
    const values = (text: string) => text.replaceAll('hush-hush', '[secret]');
    const pipeline = createPipeline([masking, shouting, quiet], { trace: { values } });
    const told: unknown[] = [];
    pipeline.traces$.subscribe(({ event, steps }) => {
      if (event.type === 'postReasoning' || event.type === 'postActing')
        told.push(...steps.filter(({ changes }) => changes).map(({ hook, stage, changes }) => [hook, stage, changes]));
    });
    const run = pipeline.start({ agent: 'a' });
    await hear(run.reason(request, modelOf('it is hush', '-hush', '.'))).ended;
    await hear(run.act(callOf('t'), [toolOf('t', () => of('ab', 'c'))])).ended;
    expect(told).to.deep.equal([
      ['masking', 'through', [{ path: 'chunks.0.delta', before: 'it is [secret].', after: 'it is ***.' }]],
      ['shouting', 'on', [{ path: 'chunks.0.delta', before: 'it is ***.', after: 'IT IS ***.' }]],
      ['shouting', 'on', [{ path: 'chunks.content', before: 'abc', after: 'ABC' }]],
    ]);
  });

  it('contain no secret for any change by a hook', () =>
    fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), async (input, other) => {
        const secret = 'hush-hush';
        const planted = JSON.parse(JSON.stringify({ ...input, [secret]: other, other: { deep: [secret] } }));
        const changes = await changesTo(planted, [setting('one', { kept: secret }), setting('two', planted)], {
          trace: { values: (text) => text.replaceAll(secret, '***') },
        });
        expect(JSON.stringify(changes)).not.to.include(secret);
      }),
      { numRuns: 100 },
    ));

  it('require a redactor', () => {
    expect(() => createPipeline([], { trace: 'values' as never }))
      .to.throw('createPipeline()')
      .with.property('code', 'OPTIONS_INVALID');
    expect(() => defineHook({ name: 'a', observe() {}, traced: { values: true as never } }))
      .to.throw('traced')
      .with.property('code', 'HOOK_INVALID');
  });
});

/** The event with a changed text in the field that a hook may change. */
function changed(event: HookEvent): never {
  const changes = {
    preCall: { messages: [userMessage('secret')] },
    preReasoning: { messages: [userMessage('secret')] },
    postReasoning: event.type === 'postReasoning' && {
      message: { ...event.message, parts: [...event.message.parts, { type: 'text', text: 'secret' }] },
    },
    preActing: event.type === 'preActing' && { toolCall: { ...event.toolCall, input: { a: 'secret' } } },
    postActing: { result: { content: 'secret', isError: false } },
    postCall: { message: assistantMessage('secret') },
  } as Record<string, object | false>;
  return modify(event, (changes[event.type] || {}) as never) as never;
}

function shown(steps: readonly TraceStep[]): string[] {
  return steps.filter(({ effect }) => effect === 'changed').map((step) => JSON.stringify(step));
}

/** A model that calls `t` once and then answers. */
function oneCall(): Model {
  let asked = 0;
  return () => {
    asked += 1;
    return from<ModelChunk[]>(
      asked === 1 ? [{ type: 'toolCall', toolCall: callOf('t') }] : [{ type: 'text', delta: 'done' }],
    );
  };
}
