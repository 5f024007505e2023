import { expect } from 'chai';
import { lastValueFrom, toArray } from 'rxjs';
import { securityScan } from '../../../lib/hooks/index.ts';
import {
  abort,
  createAgent,
  createPipeline,
  defineHook,
  deny,
  type HookDefinition,
  memoryTranscript,
  modify,
  type TraceReport,
  verdict,
} from '../../../lib/index.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';

const SECRET = 'glpat-'.concat('Zx81kQ2mWv7RtY3nLp0s');
const MARKER = '[REDACTED:gitlab-pat]';
const boom = () => {
  throw Object.assign(new Error(`no ${SECRET}`, { cause: new Error(`${SECRET} below`) }), { code: SECRET });
};
const look = { toolCalls: [{ name: 'look', input: {} }] };

/** All visible output of a run: events, transcript, model requests and trace. */
async function told(hook: Omit<HookDefinition, 'name'>, turns: readonly unknown[], policies = {}): Promise<string> {
  const transcript = memoryTranscript();
  const traces: TraceReport[] = [];
  const model = scriptedModel([...turns, 'done'] as never);
  const silent = () => {};
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  const hooks = [securityScan({ policies }), defineHook({ name: 'other', ...hook })];
  const pipeline = createPipeline(hooks, { trace: true, log });
  pipeline.traces$.subscribe((report) => traces.push(report));
  const tools = [scriptedTool({ name: 'look', chunks: ['..'], result: 'seen' })];
  const agent = createAgent({ name: 'a', model, tools, pipeline, transcript });
  const events = await lastValueFrom(agent.run('hi', { sessionId: 's' }).pipe(toArray()));
  return JSON.stringify([events, await transcript.load('s'), model.requests, traces]);
}

const scenes: Readonly<Record<string, readonly [Omit<HookDefinition, 'name'>, readonly unknown[]]>> = {
  'the reason of an abort': [{ on: { preCall: (event) => abort(event, `saw ${SECRET}`) } }, [look]],
  'the reason of a denial': [{ on: { preActing: (event) => deny(event, `saw ${SECRET}`) } }, [look]],
  'the reason of a verdict': [{ approve: () => verdict.deny(`saw ${SECRET}`) }, [look]],
  'the prompt of a verdict': [{ approve: () => verdict.suspend(`may ${SECRET} run?`) }, [look]],
  'a note': [
    { on: { preCall: (event) => modify(event, {}, { note: { code: 'n', message: SECRET, data: { at: [SECRET] } } }) } },
    [look],
  ],
  'an error of a gate': [{ on: { preActing: boom } }, [look]],
  'an error of an approver': [{ approve: boom }, [look]],
  'an error of a chunk handler': [{ on: { reasoningChunk: boom } }, ['hello']],
  'the name of an unknown tool': [{ observe: () => {} }, [{ toolCalls: [{ name: `look_${SECRET}`, input: {} }] }]],
};

describe('securityScan with texts that hooks cannot change', () => {
  for (const [what, [hook, turns]] of Object.entries(scenes)) {
    it(`redacts ${what} in events, transcript, the next request and the trace`, async () => {
      const all = await told(hook, turns);
      expect(all).not.to.include(SECRET);
      expect(all).to.include(MARKER);
    });
  }

  it('leaves them alone if every policy is off or report', async () => {
    const surfaces = ['prompt', 'context', 'text', 'thinking', 'toolInput', 'toolResult', 'toolProgress'];
    const policies = Object.fromEntries(surfaces.map((surface, index) => [surface, index % 2 ? 'off' : 'report']));
    const [hook, turns] = scenes['the reason of a denial']!;
    expect(await told(hook, turns, policies)).to.include(SECRET);
  });
});
