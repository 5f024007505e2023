import { builtIns } from '../../../lib/hooks/built-ins.ts';
import { createAgent, createPipeline, defineHook, defineTool, type Hook, type Model } from '../../../lib/index.ts';
import { postbox, take } from '../../hooks/together/shelf.ts';
import type { BenchResult } from '../result.ts';

const STEPS = 40;
const ROUNDS = 80;
/** These read or write files, count tokens, or export something. */
const HEAVY = ['auto-context', 'budget', 'long-term-memory', 'otel', 'rag', 'recorder', 'skills', 'webhook'];
/** Each step tells of these: preReasoning, three chunks, postReasoning, preActing, a chunk, postActing. */
const EVENTS = 8;

const model: Model = async function* ({ messages }) {
  const step = messages.filter(({ role }) => role === 'assistant').length;
  const [begin, end] = step < STEPS ? ['Let me look. ', 'It is not far.'] : ['{"done":', 'true}'];
  yield { type: 'text', delta: begin };
  yield { type: 'text', delta: end };
  if (step < STEPS) yield { type: 'toolCall', toolCall: { id: `c${step}`, name: 'find', input: { at: step } } };
  yield {
    type: 'finish',
    finishReason: step < STEPS ? 'toolCalls' : 'stop',
    usage: { inputTokens: 10, outputTokens: 5 },
  };
};
const find = defineTool({
  name: 'find',
  description: 'Finds.',
  inputSchema: { type: 'object' },
  permission: 'read',
  // Each result differs, or loop-guard would end the run.
  execute: async ({ at }) => `found ${(Number(at) * 7_919) % 9_973}`,
});

const noOp = (index: number): Hook => {
  const nothing = () => undefined;
  return defineHook({
    name: `no-op ${index}`,
    on: {
      preCall: nothing,
      preReasoning: nothing,
      reasoningChunk: nothing,
      postReasoning: nothing,
      preActing: nothing,
      actingChunk: nothing,
      postActing: nothing,
      postCall: nothing,
      error: nothing,
    },
  });
};

/**
 * What each hook of the shelf adds to a step of an agent, against what an empty one adds; all light ones against as many empty ones; and each light one
 * among empty ones.
 */
export async function shelfBench(): Promise<BenchResult[]> {
  await postbox.open();
  const names = builtIns.map(({ name }) => name);
  const light = names.filter((name) => !HEAVY.includes(name));
  const others = light.slice(1).map((_, index) => noOp(index));
  const contenders: Record<string, () => Promise<unknown>> = {
    nothing: stepping(() => []),
    'no-op': stepping(() => [noOp(0)]),
    'no-ops': stepping(() => light.map((_, index) => noOp(index))),
    all: stepping(() => take(light).hooks),
    ...Object.fromEntries(names.map((name) => [name, stepping(() => take([name]).hooks)])),
    ...Object.fromEntries(light.map((name) => [beside(name), stepping(() => [...take([name]).hooks, ...others])])),
  };
  const times = await inTurns(contenders);
  postbox.server.close();
  postbox.server.closeAllConnections();
  const of = (name: string) => times[name] ?? Number.NaN;
  const added = (name: string) => Math.max(0, of(name) - of('nothing'));
  return [
    {
      name: `a step with ${light.length} hooks of the shelf at once, against as many that do nothing`,
      unit: 'times the cost',
      value: of('all') / of('no-ops'),
      most: 5,
    },
    ...names.map((name) => ({
      name: `${name}: a step with it, against one with a hook that does nothing (${(added(name) / EVENTS).toFixed(1)} µs an event)`,
      unit: 'times the cost',
      value: of(name) / of('no-op'),
    })),
    ...light.map((name) => ({
      name: `${name}: a step with it ${beside('')}, against one with as many that do nothing`,
      unit: 'times the cost',
      value: of(beside(name)) / of('no-ops'),
    })),
  ];

  function beside(name: string): string {
    return `${name} beside ${others.length} hooks that do nothing`.trimStart();
  }
}

function stepping(hooks: () => readonly Hook[]): () => Promise<unknown> {
  const pipeline = createPipeline(hooks(), { log: { debug() {}, info() {}, warn() {}, error() {} } });
  const agent = createAgent({ name: 'a', model, tools: [find], pipeline, maxIterations: STEPS + 2 });
  return async () => {
    // Of a user, so that no round counts for another one.
    nth += 1;
    const { outcome, reason } = await agent.call('go', { sessionId: `s${nth}`, userId: `u${nth}` });
    if (outcome !== 'completed') throw new Error(`the run ended ${outcome}: ${reason}`);
  };
}
let nth = 0;

/** Microseconds of a step, best of some rounds that all take in turns. */
async function inTurns(contenders: Readonly<Record<string, () => Promise<unknown>>>): Promise<Record<string, number>> {
  const best: Record<string, number> = {};
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, run] of Object.entries(contenders)) {
      const began = performance.now();
      await run();
      const took = ((performance.now() - began) * 1_000) / STEPS;
      if (round > 0) best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, took);
    }
  return best;
}
