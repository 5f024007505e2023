import { Agent, type FunctionTool, Runner, tool } from '@openai/agents-core';
import { expect } from 'chai';
import type { WithHooksOptions } from '../../../lib/adapters/openai-agents/index.ts';
import { withHooks } from '../../../lib/adapters/openai-agents/index.ts';
import { createPipeline, defineHook, type HookDefinition, HooklineError, type Logger } from '../../../lib/index.ts';
import { type Recorder, recorder } from '../../../lib/testing/index.ts';
import { type ScriptedAgentsModel, scriptedAgentsModel, type Turn } from './scripted-agents-model.ts';

// biome-ignore lint/suspicious/noExplicitAny: results of any agent, streamed or not.
export type Result = any;

export interface Scene {
  readonly run: (agent: Agent, input: unknown, options?: object) => Promise<Result>;
  readonly model: ScriptedAgentsModel;
  readonly recorded: Recorder;
  readonly runner: Runner;
  /** The tools that ran, with their input as JSON. */
  readonly ran: string[];
  readonly tool: (name: string, execute?: (input: never) => unknown, more?: object) => FunctionTool;
  readonly agent: (name: string, more?: object) => Agent;
}

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A log that keeps the text of its warnings. */
export function warnings(): { readonly lines: string[]; readonly log: Logger } {
  const lines: string[] = [];
  return { lines, log: { ...quiet, warn: (_: unknown, text?: string) => void lines.push(String(text)) } as Logger };
}

/** A runner with hooks, a model that follows `turns`, and tools that record their runs. */
export function scene(
  turns: readonly Turn[],
  hooks: readonly HookDefinition[] = [],
  options: Partial<WithHooksOptions> = {},
  runner: Runner = new Runner(),
  log: Logger = quiet,
): Scene {
  const recorded = recorder();
  const model = scriptedAgentsModel(turns);
  const ran: string[] = [];
  const pipeline = createPipeline([...hooks.map(defineHook), recorded], { log });
  const { run } = withHooks(runner, pipeline, { agent: 'guest', ...options });
  return {
    run: run as Scene['run'],
    model,
    recorded,
    runner,
    ran,
    tool(name, execute = () => `${name}ed`, more = {}) {
      return tool({
        name,
        description: `Does ${name}.`,
        parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
        strict: false,
        execute: async (input: unknown) => {
          ran.push(`${name} ${JSON.stringify(input)}`);
          return execute(input as never);
        },
        ...more,
      } as never) as unknown as FunctionTool;
    },
    agent: (name, more = {}) => new Agent({ name, model, ...more }) as Agent,
  };
}

export function call(id: string, name: string, input: object = {}): NonNullable<Turn['calls']>[number] {
  return { id, name, input };
}

/** The events and the text of a stream, and its error. */
export async function read(result: Result): Promise<{ events: Result[]; text: string; error?: unknown }> {
  const events: Result[] = [];
  let error: unknown;
  try {
    for await (const event of result) events.push(event);
  } catch (thrown) {
    error = thrown;
  }
  const deltas = events.flatMap(({ type, data }) =>
    type === 'raw_model_stream_event' && data.type === 'output_text_delta' ? [data.delta] : [],
  );
  return { events, text: deltas.join(''), ...(error !== undefined && { error }) };
}

/** The message of the error that rejects `work`. */
export async function errorOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (thrown) {
    expect(thrown).to.be.an.instanceOf(HooklineError).and.include({ code: 'INPUT_INVALID' });
    return (thrown as Error).message;
  }
  throw new Error('nothing was refused');
}
