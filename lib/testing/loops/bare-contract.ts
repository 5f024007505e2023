import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { createPipeline } from '../../pipeline/create-pipeline.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type HookDefinition, verdict } from '../../pipeline/define/hook.ts';
import { differences } from '../differences.ts';
import type { BareHost, BareScene } from './bare-host.ts';
import type { LoopCheck } from './loop-contract.ts';
import type { LoopTool } from './loop-host.ts';
import { randomTurns } from './random-turns.ts';

/** Hooks without effect. */
const idle: Readonly<Record<string, HookDefinition>> = {
  'a hook that observes': { name: 'idle', observe: () => {} },
  'handlers and an approver that leave all as it is': {
    name: 'idle',
    on: {
      preCall: () => {},
      preReasoning: () => {},
      reasoningChunk: () => {},
      postReasoning: () => {},
      preActing: () => {},
      actingChunk: () => {},
      postActing: () => {},
      postCall: () => {},
      error: () => {},
    },
    approve: () => verdict.allow(),
  },
};

/**
 * Returns checks of a loop with hooks without effect. Executions, steps, reasons, parts, errors and promises must be the same as without hooks. Each
 * check plays `runs` (default 40) random answers. Pass each check to your test runner.
 */
export function bareContract(host: BareHost, { runs = 40 }: { readonly runs?: number } = {}): readonly LoopCheck[] {
  const { variants = ['plain'] } = host;
  return variants.flatMap((variant) =>
    [false, true].flatMap((streamed) =>
      Object.entries(idle).map(([title, hook]) => ({
        title: `${title}: ${variant}, ${streamed ? 'streamed' : 'whole'}`,
        async check() {
          for (let seed = 1; seed <= runs; seed++) await compare(host, hook, { variant, streamed, seed });
        },
      })),
    ),
  );
}

interface How {
  readonly variant: string;
  readonly streamed: boolean;
  readonly seed: number;
}

async function compare(host: BareHost, hook: HookDefinition, how: How): Promise<void> {
  const bare = await play(host, undefined, how);
  const hooked = await play(host, hook, how);
  // In both directions, to find fields that only one of them has.
  const places = new Set([...differences(hooked, bare), ...differences(bare, hooked)].map(({ path }) => path));
  if (places.size === 0) return;
  const lines = [...places].slice(0, 5).map((path) => `${path}: ${at(hooked, path)}, not ${at(bare, path)}`);
  const answers = JSON.stringify(randomTurns(how.seed));
  throw new Error(
    `the run with the hook differs from the run without it (seed ${how.seed}):\n  ${lines.join('\n  ')}\nof ${answers}`,
  );
}

function at(value: JsonValue, path: string): string {
  const found = path.split('.').reduce<unknown>((inner, key) => (inner as JsonObject | undefined)?.[key], value);
  return JSON.stringify(found) ?? 'nothing';
}

async function play(host: BareHost, hook: HookDefinition | undefined, how: How): Promise<JsonValue> {
  const ran: JsonValue[] = [];
  const { variant, streamed, seed } = how;
  const pipeline = hook && createPipeline([defineHook(hook)]);
  const turns = randomTurns(seed);
  const scene: BareScene = { pipeline, question: 'Go!', turns, tools: toolsOf(ran), streamed, variant };
  return { came: await host.play(scene), ran };
}

function toolsOf(ran: JsonValue[]): readonly LoopTool[] {
  const tool = (name: string, execute: () => unknown, progress: readonly string[] = []): LoopTool => ({
    name,
    description: `Has a ${name}.`,
    inputSchema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
    ...(progress.length > 0 && { progress }),
    execute(input) {
      ran.push([name, input]);
      return execute();
    },
  });
  return [
    tool('look', () => 'seen'),
    tool('peek', () => ({ seen: ['a', 'b'] }), ['half way', 'nearly']),
    tool('fail', () => {
      throw new Error('it failed');
    }),
  ];
}
