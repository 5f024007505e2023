import { concatMap, timer } from 'rxjs';
import type { Agent } from '../../../lib/agent/agent.ts';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { memoryTranscript } from '../../../lib/agent/transcript/memory-transcript.ts';
import type { Message } from '../../../lib/events/parts/message.ts';
import type { PostCall } from '../../../lib/events/post-call.ts';
import { budget } from '../../../lib/hooks/budget/budget.ts';
import type { BudgetOptions } from '../../../lib/hooks/budget/budget-options.ts';
import type { HookHost } from '../../../lib/hooks/hook-host.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import type { Hook } from '../../../lib/pipeline/define/hook.ts';
import { defineTool, type Tool } from '../../../lib/pipeline/define/tool.ts';
import type { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import type { TranscriptStore } from '../../../lib/store/transcripts/transcript-store.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';

export const look = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: { type: 'object' },
  permission: 'read',
  execute: () => 'seen',
});
const usage = { inputTokens: 60, outputTokens: 40 };
export const calling = (...names: string[]) => ({
  toolCalls: names.map((name) => ({ name, input: { prompt: 'help' } })),
  usage,
});
export const saying = (text: string) => ({ text, usage });

export type Limit = BudgetOptions['limits'][number];
type Turns = Parameters<typeof scriptedModel>[0];

interface Scene {
  readonly limits: readonly Limit[];
  readonly turns: Turns;
  readonly prices?: BudgetOptions['prices'];
  readonly host?: HookHost;
  readonly more?: readonly Hook[];
  readonly tools?: readonly Tool[];
}

/** An agent under a budget. `said` holds the budget's notes, `lines` its warnings in the log. */
export function scene({ limits, turns, prices, host, more = [], tools = [look] }: Scene) {
  const said: { code: string; message: string; data?: unknown }[] = [];
  const lines: string[] = [];
  const line = (fields: object | string, message?: string) => lines.push(message ?? String(fields));
  const log = { debug() {}, info() {}, warn: line, error: line };
  const hooks = [
    budget({ limits: [...limits], ...(prices && { prices }) }, host),
    ...more,
    defineHook({
      name: 'reader',
      observe: ({ notes = [] }) => void said.push(...notes.filter(({ by }) => by === 'budget')),
    }),
  ];
  const pipeline = createPipeline(hooks, { log });
  const model = scriptedModel(turns);
  const agent = createAgent({ name: 'a', model, tools, pipeline });
  return { agent, model, said, lines, pipeline, codes: () => said.map(({ code }) => code) };
}

export const tell = ({ outcome, reason = '' }: PostCall) => (reason === '' ? outcome : `${outcome}: ${reason}`);

export async function ends(agent: Agent, sessions: readonly string[]): Promise<string[]> {
  const told: string[] = [];
  for (const sessionId of sessions) told.push(tell(await agent.call('go', { sessionId })));
  return told;
}

/** Retries a failed model request. */
export const askAgain = defineHook({
  name: 'again',
  on: {
    error: (event) => (event.phase === 'reasoning' ? { ...event, decision: { action: 'retry' } } : event) as never,
  },
});

/** A slow store that lets concurrent calls interleave. */
export function slowly(store: ReturnType<typeof memoryStateStore>, addMs = 1): ReturnType<typeof memoryStateStore> {
  return {
    ...store,
    get: (key) => timer(1).pipe(concatMap(() => store.get(key))),
    add: (...args) => timer(addMs).pipe(concatMap(() => store.add(...args))),
  };
}

/** The conversation of session `s` until its suspension, as another process loads it. */
export function keeping(messages: readonly Message[]): TranscriptStore {
  const transcript = memoryTranscript();
  transcript.append('s', messages);
  return transcript;
}
