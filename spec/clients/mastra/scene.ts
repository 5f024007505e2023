import './no-telemetry.ts';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { type HookedMastraOptions, hookedMastra } from '../../../lib/adapters/mastra/index.ts';
import { createPipeline, defineHook, type HookDefinition } from '../../../lib/index.ts';
import { type Recorder, recorder } from '../../../lib/testing/index.ts';
import { type ScriptedLanguageModel, scriptedLanguageModel, type Turn } from '../ai-sdk/scripted-language-model.ts';

// biome-ignore lint/suspicious/noExplicitAny: agents and results of any kind.
export type Any = any;

export interface Scene {
  readonly agent: Any;
  /** The agent without runs. */
  readonly plain: Any;
  readonly model: ScriptedLanguageModel;
  readonly recorded: Recorder;
  /** The tools that ran, with their input as JSON. */
  readonly ran: string[];
}

export interface SceneOptions {
  readonly turns: readonly Turn[];
  readonly hooks?: readonly HookDefinition[];
  /** The implementation of tools, by name. */
  readonly tools?: { readonly [name: string]: (input: Any, context: Any) => unknown };
  readonly options?: Partial<HookedMastraOptions>;
  /** Tools that are passed unchanged. */
  readonly given?: { readonly [name: string]: Any };
  /** More configuration for each tool. */
  readonly toolConfig?: object;
  /** More configuration for the agent. */
  readonly config?: object;
}

/** An agent with hooks, whose model follows `turns`. */
export function scene({ turns, hooks = [], tools = {}, given, options, toolConfig = {}, config }: SceneOptions): Scene {
  const recorded = recorder();
  const model = scriptedLanguageModel('v2', turns);
  const ran: string[] = [];
  const made = Object.entries(tools).map(([name, does]) => [name, tool(name, does, ran, toolConfig)]);
  const pipeline = createPipeline([...hooks.map(defineHook), recorded]);
  const hooked = hookedMastra({ model, tools: { ...Object.fromEntries(made), ...given } }, pipeline, {
    agent: 'guest',
    ...options,
  });
  const plain = new Agent({
    id: 'guest',
    name: 'guest',
    instructions: 'Be kind.',
    model: hooked.model,
    tools: hooked.tools,
    ...config,
  });
  new Mastra({ agents: { guest: plain }, storage: new InMemoryStore(), logger: false });
  return { agent: hooked.hookedAgent(plain), plain, model, recorded, ran };
}

/** A Mastra tool that records its runs in `ran`. */
export function tool(name: string, does: (input: Any, context: Any) => unknown, ran: string[], further: object): Any {
  return createTool({
    id: name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object', properties: {}, additionalProperties: true } as never,
    execute: async (input: Any, context: Any) => {
      ran.push(`${name} ${JSON.stringify(input)}`);
      return does(input, context);
    },
    ...further,
  });
}

export function call(id: string, name: string, input: object = {}): NonNullable<Turn['calls']>[number] {
  return { id, name, input };
}

/** The options to continue with an answer to the pending call. */
export function answering({ runId, suspendPayload }: Any): { readonly runId: string; readonly toolCallId: string } {
  return { runId, toolCallId: suspendPayload.toolCallId };
}
