import { z } from 'zod';
import { parseOptions } from '../errors/parse-options.ts';
import { HooklineError } from '../errors.ts';
import { chunkText } from '../events/chunk-text.ts';
import { eventTypes } from '../events/decisions/event-rules.ts';
import type { ChunkEvent, EventType, GateEvent, HookEvent } from '../events/hook-event.ts';
import { isHook } from '../pipeline/define/define-hook.ts';
import type { Hook } from '../pipeline/define/hook.ts';
import { watchResources } from './contract/active-resources.ts';
import { type Bench, createBench, NEEDS_REAL_TIME } from './contract/bench.ts';
import { checkArounds } from './contract/check-arounds.ts';
import { checkChunks } from './contract/check-chunks.ts';
import { checkGates } from './contract/check-gates.ts';
import { checkObserver } from './contract/check-observer.ts';
import { type ContractIssue, withoutIssues } from './contract/contract-issues.ts';
import { sampleChunks, sampleGates } from './contract/sample-events.ts';

/** Options of a hook contract, in addition to the events that every hook receives. */
export interface HookContractOptions {
  /** Additional events that make this hook act. */
  readonly events?: readonly HookEvent[];
  /** Additional texts that are streamed through its chunk stages. */
  readonly texts?: readonly string[];
  /** True if the output must be the same wherever the chunks are split (default: false). */
  readonly boundaries?: boolean;
  /** Timeout per event for a hook that returns promises, in milliseconds (default: 1,000). */
  readonly timeoutMs?: number;
}

/** Result of `hookContract`. */
export interface HookContractReport {
  readonly hook: string;
  /** `real` for a hook that returns promises or waits for external events. */
  readonly time: 'virtual' | 'real';
  readonly issues: readonly ContractIssue[];
}

const optionsSchema = z.strictObject({
  events: z
    .array(z.custom((value) => eventTypes.includes((value as HookEvent | null)?.type as EventType), 'must be an event'))
    .optional(),
  texts: z.array(z.string()).optional(),
  boundaries: z.boolean().optional(),
  timeoutMs: z.number().positive().optional(),
});

/**
 * Tests a hook with ordinary, empty, huge and cancelled input. It checks the rules: only legal changes and decisions, no mutations, JSON output,
 * idempotence if declared, and no remaining timers or subscriptions. Resolves with a report, or rejects with one error that lists every issue.
 */
export async function hookContract(hook: Hook, options: HookContractOptions = {}): Promise<HookContractReport> {
  if (!isHook(hook)) {
    throw new HooklineError(
      'OPTIONS_INVALID',
      'hookContract(): the first argument must be a hook; make it with defineHook().',
    );
  }
  parseOptions('hookContract()', optionsSchema, options);
  const resources = await watchResources();
  let real = false;
  let issues = await tryOut(hook, options, real);
  if (issues === NEEDS_REAL_TIME) {
    real = true;
    issues = await tryOut(hook, options, real);
  }
  const left = await resources();
  const all = [
    ...(issues as readonly ContractIssue[]),
    ...left.map((kind) => ({
      where: 'the hook',
      issue: `leaves something behind that keeps the process alive (${kind}). Stop it when the stream ends or is cancelled, and run timers on context.scheduler.`,
    })),
  ];
  const report: HookContractReport = { hook: hook.name, time: real ? 'real' : 'virtual', issues: all };
  return withoutIssues(`Hook "${hook.name}" does not keep the contract of hooks`, report);
}

async function tryOut(
  hook: Hook,
  { events = [], texts = [], boundaries = false, timeoutMs = 1_000 }: HookContractOptions,
  real: boolean,
): Promise<readonly ContractIssue[] | typeof NEEDS_REAL_TIME> {
  const bench: Bench = createBench(hook, real, timeoutMs);
  const gates = [...sampleGates, ...events.filter(isGate)];
  const chunks = events.filter((event) => !isGate(event)) as ChunkEvent[];
  const calls = events.flatMap((event) => (event.type === 'preActing' ? [event.toolCall] : []));
  const checks = [
    () => checkGates(bench, gates),
    () => checkChunks(bench, { texts: [...texts, ...chunks.map(chunkText)], chunks, boundaries }),
    () => checkArounds(bench, calls),
    () => checkObserver(bench, [...gates, ...sampleChunks, ...chunks], real),
  ];
  try {
    for (const check of checks) await check();
    bench.assertTried();
    return bench.issues.all;
  } catch (thrown) {
    if (thrown === NEEDS_REAL_TIME) return NEEDS_REAL_TIME;
    throw thrown;
  }
}

function isGate(event: HookEvent): event is GateEvent {
  return event.type !== 'reasoningChunk' && event.type !== 'actingChunk';
}
