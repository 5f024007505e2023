import { createAgent } from '../../../lib/agent/create-agent.ts';
import type { Message } from '../../../lib/events/parts/message.ts';
import { textOf } from '../../../lib/events/parts/messages.ts';
import type { HookHost } from '../../../lib/hooks/hook-host.ts';
import { longTermMemory } from '../../../lib/hooks/long-term-memory/long-term-memory.ts';
import type { LongTermMemoryOptions } from '../../../lib/hooks/long-term-memory/long-term-memory-options.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import type { Hook } from '../../../lib/pipeline/define/hook.ts';
import type { Tool } from '../../../lib/pipeline/define/tool.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';

type Turns = Parameters<typeof scriptedModel>[0];

interface Scene {
  readonly options?: LongTermMemoryOptions;
  readonly host?: HookHost;
  readonly more?: readonly Hook[];
  readonly turns?: Turns;
  readonly tools?: readonly Tool[];
}

/** An agent with a memory. Each `say` is a separate run with a separate conversation, unless a session is named again. */
export function scene({ options = {}, host = {}, more = [], turns, tools = [] }: Scene = {}) {
  const store = host.store ?? memoryStateStore();
  const memory = longTermMemory(
    { maxTokens: 100_000, ...options },
    { countTokens: (text) => text.length, ...host, store },
  );
  const lines: string[] = [];
  const line = (fields: object | string, message?: string) => lines.push(message ?? String(fields));
  const log = { debug() {}, info() {}, warn: line, error: line };
  const pipeline = createPipeline([memory.hook, ...more], { log });
  const model = scriptedModel(turns ?? Array.from({ length: 50 }, () => 'Noted.'));
  const agent = createAgent({ name: 'a', model, pipeline, tools });
  return {
    memory,
    store,
    pipeline,
    model,
    agent,
    lines,
    async say(text: string, who: { sessionId?: string; userId?: string } = {}) {
      const post = await agent.call(text, who);
      await pipeline.flush();
      return post;
    },
    /** The memories in the last model request. */
    told: () => recalledIn(model.requests.at(-1)?.messages ?? []),
  };
}

/** The texts of the memories in a request. */
export function recalledIn(messages: readonly Message[]): string[] {
  const injected = messages.filter(({ origin }) => origin === 'long-term-memory').map(textOf);
  return injected.flatMap((text) =>
    [...text.matchAll(/<memory [^>]*>\n([\s\S]*?)\n<\/memory>/g)].map(([, one]) => one!),
  );
}
