import { MemorySaver } from '@langchain/langgraph';
import * as langchain from 'langchain';
import { type HooklineOptions, hookedAgent, hookline } from '../../../lib/adapters/langchain/index.ts';
import { createPipeline, defineHook, type HookDefinition } from '../../../lib/index.ts';
import type { Logger } from '../../../lib/pipeline/logger.ts';
import { recorder } from '../../../lib/testing/index.ts';
import { modules } from './langchain-host.ts';
import { ScriptedChatModel, type Turn } from './scripted-chat-model.ts';

/** The pieces of an agent, as `createAgent` takes them. */
export interface Scene {
  readonly hooks?: readonly HookDefinition[];
  readonly turns: readonly Turn[];
  readonly tools?: readonly object[];
  readonly options?: Partial<HooklineOptions>;
  /** More options of `createAgent`. `before` and `after` are middleware on either side of the hooks. */
  readonly agent?: object;
  readonly before?: readonly object[];
  readonly after?: readonly object[];
  readonly model?: object;
  readonly log?: Logger;
}

/** An agent with hooks, with its records. */
export function scene({
  hooks = [],
  turns,
  tools = [],
  options,
  agent = {},
  before = [],
  after = [],
  model: fields,
  log,
}: Scene) {
  const recorded = recorder();
  const model = new ScriptedChatModel(turns, fields);
  const pipeline = createPipeline([...hooks.map((hook) => defineHook(hook)), recorded], log && { log });
  const middleware = [...before, hookline(modules, pipeline, { agent: 'guest', ...options }), ...after];
  const bare = langchain.createAgent({
    model,
    tools,
    middleware,
    checkpointer: new MemorySaver(),
    ...agent,
  } as never) as unknown as Agent;
  return { model, recorded, bare, agent: hookedAgent(bare) };
}

export interface Message {
  readonly id: string;
  readonly content: string;
  readonly artifact?: unknown;
  readonly name?: string;
  readonly status?: string;
  readonly tool_calls?: readonly object[];
}

export interface Result {
  readonly messages: readonly Message[];
  readonly structuredResponse?: unknown;
  readonly __interrupt__?: readonly { readonly id: string; readonly value: { readonly prompt: string } }[];
}

/** A LangChain agent without its types, which depend on its tools. */
export interface Agent {
  readonly options: { readonly middleware?: readonly object[]; readonly tools?: readonly object[] };
  readonly graph: { getState(config: object): Promise<{ readonly values: Result }> };
  invoke(input: object | null, config?: object): Promise<Result>;
  stream(input: object | null, config?: object): Promise<AsyncIterable<unknown> & ReadableStream>;
  streamEvents(input: object, config: object): AsyncIterable<unknown>;
  withConfig(config: object): Agent;
}

export const go = { messages: [{ role: 'user', content: 'Go!' }] };
export const thread = { configurable: { thread_id: 'thread' } };

/** A LangChain tool that runs `work` and records its inputs. */
export function lookTool(name: string, ran: string[], work: (at: string) => unknown = () => 'seen', more: object = {}) {
  return langchain.tool(
    ({ at }: { at: string }) => {
      ran.push(`${name} ${at}`);
      return work(at) as string;
    },
    {
      name,
      description: `Has a ${name}.`,
      schema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] } as never,
      ...more,
    },
  );
}

/** A turn with one `look` call for each of these places, with ids c1, c2 and so on. */
export function looksAt(...places: readonly string[]): Turn {
  return {
    chunks: ['Looking. '],
    calls: places.map((at, index) => ({ id: `c${index + 1}`, name: 'look', input: { at } })),
  };
}

export const mild: Turn = { chunks: ['It is ', 'mild.'] };
