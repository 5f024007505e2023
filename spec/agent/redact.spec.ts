import { expect } from 'chai';
import {
  abort,
  createAgent,
  createPipeline,
  defineHook,
  deny,
  type HookDefinition,
  hookEventSchema,
  memoryTranscript,
  modify,
  type PostCall,
  type Redact,
  type SettledEvent,
  type TraceReport,
  verdict,
} from '../../lib/index.ts';
import { scriptedModel, scriptedTool } from '../../lib/testing/index.ts';
import { eventsOf } from './failures/misbehaving.ts';

const SECRET = 's3cr3t';
const clean = (text: string): string => text.replaceAll(SECRET, '***');
const redacting = (redact: Redact = clean) => defineHook({ name: 'clean', redact });
const boom = () => {
  throw Object.assign(new Error(`no ${SECRET}`, { cause: new Error(`${SECRET} below`) }), { code: SECRET });
};

interface Scene {
  readonly hook?: Omit<HookDefinition, 'name'>;
  readonly turns?: readonly unknown[];
  readonly signal?: AbortSignal;
  readonly redact?: Redact;
}

/** All visible output of a run. */
async function told({ hook, turns = [{ toolCalls: [{ name: 'look', input: {} }] }, 'done'], signal, redact }: Scene) {
  const transcript = memoryTranscript();
  const traces: TraceReport[] = [];
  const model = scriptedModel(turns as never);
  const log = () => {};
  const logger = { debug: log, info: log, warn: log, error: log };
  const hooks = [redacting(redact), ...(hook ? [defineHook({ name: 'other', ...hook })] : [])];
  const pipeline = createPipeline(hooks, { trace: true, log: logger });
  pipeline.traces$.subscribe((report) => traces.push(report));
  const agent = createAgent({
    name: 'a',
    model,
    tools: [scriptedTool({ name: 'look', chunks: ['..'], result: 'seen' })],
    pipeline,
    transcript,
  });
  const events = await eventsOf(agent.run('hi', { sessionId: 's', ...(signal && { signal }) }));
  const remembered = await transcript.load('s');
  return { events, traces, all: JSON.stringify([events, remembered, traces, model.requests]) };
}

const scenes: Record<string, Scene> = {
  'the reason of an abort': { hook: { on: { preCall: (event) => abort(event, `saw ${SECRET}`) } } },
  'the reason of an abort on a chunk': { hook: { on: { actingChunk: (event) => abort(event, `saw ${SECRET}`) } } },
  'the reason of a denial': { hook: { on: { preActing: (event) => deny(event, `saw ${SECRET}`) } } },
  'the reason of a verdict': { hook: { approve: () => verdict.deny(`saw ${SECRET}`) } },
  'the prompt of a verdict': { hook: { approve: () => verdict.suspend(`may ${SECRET} run?`) } },
  'a note': {
    hook: {
      on: {
        preCall: (event) => modify(event, {}, { note: { code: 'n', message: SECRET, data: { [SECRET]: [SECRET] } } }),
      },
    },
  },
  'an error of a hook': { hook: { on: { preActing: boom } } },
  'an error of a preReasoning hook': { hook: { on: { preReasoning: boom } } },
  'an error of a chunk handler': { hook: { on: { reasoningChunk: boom } }, turns: ['hello'] },
  'an error of an operator': { hook: { through: { actingChunk: boom } } },
  'an error of a wrapper': { hook: { around: { acting: boom } } },
  'an error of an approver': { hook: { approve: boom } },
  'an error of the model': { turns: [{ error: `quota of ${SECRET}` }] },
  'the name of an unknown tool': {
    turns: [{ toolCalls: [{ name: `look_${SECRET}`, input: {} }] }, 'done'],
  },
  'a tool name set by a hook': {
    hook: { on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, name: `look_${SECRET}` } }) } },
  },
};

describe('hooks that redact', () => {
  for (const [what, scene] of Object.entries(scenes)) {
    it(`redact ${what} in every place it is read`, async () => {
      const { events, all } = await told(scene);
      expect(all).not.to.include(SECRET);
      expect(all).to.include('***');
      expect(events.filter(({ type }) => type === 'postCall')).to.have.length(1);
    });
  }

  it('redact the path of a changed field in the trace', async () => {
    const { traces } = await told({
      hook: {
        on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { [SECRET]: 1 } } }) },
      },
    });
    const paths = traces.flatMap(({ steps }) => steps.flatMap((step) => step.paths ?? []));
    expect(paths).to.deep.equal(['toolCall.input.***']);
  });

  it('run in order, each on the output of the one before', async () => {
    const seen: string[] = [];
    const step = (name: string, priority: number) =>
      defineHook({
        name,
        priority,
        redact: (text) => {
          seen.push(`${name}: ${text}`);
          return `${text}${name}`;
        },
      });
    const stop = defineHook({ name: 'stop', on: { preCall: (event) => abort(event, 'no') } });
    const pipeline = createPipeline([stop, step('b', 2), step('a', 1)]);
    const post = (await createAgent({ name: 'x', model: scriptedModel(['']), pipeline }).call(
      'hi',
    )) as SettledEvent<PostCall>;
    expect(seen.slice(0, 2)).to.deep.equal(['a: no', 'b: noa']);
    expect(post.reason).to.equal('hook "stop": noabab');
  });

  const failing: Record<string, Redact> = {
    throws: boom,
    'returns a number': (() => 42) as never,
    'returns a promise': (async (text: string) => text) as never,
    'returns a promise that rejects': (async () => boom()) as never,
  };
  const rejections: unknown[] = [];
  const keep = (reason: unknown): void => void rejections.push(reason);
  before(() => process.on('unhandledRejection', keep));
  after(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    process.off('unhandledRejection', keep);
    expect(rejections).to.deep.equal([]);
  });
  for (const [how, redact] of Object.entries(failing)) {
    it(`withhold the whole text if one ${how}`, async () => {
      const { all } = await told({ hook: { approve: () => verdict.deny(`saw ${SECRET}`) }, redact });
      expect(all).not.to.include(SECRET);
      expect(all).to.include('withheld: hook \\"clean\\" failed to redact it');
      const { events } = await told({ hook: { on: { preReasoning: boom } }, redact });
      expect(events.some(({ type }) => type === 'error')).to.equal(true);
      for (const event of events) expect(hookEventSchema.safeParse(event).error).to.equal(undefined);
    });
  }

  it('keep the names of existing tools', async () => {
    const { events } = await told({
      redact: (text) => text.replaceAll('look', '***'),
      hook: { approve: () => verdict.allow() },
    });
    expect(events.find(({ type }) => type === 'postActing')).to.include({ outcome: 'executed' });
  });
});
