import * as strands from '@strands-agents/sdk';
import { type HooklineOptions, hookline } from '../../../lib/adapters/strands/index.ts';
import { createPipeline, defineHook, type HookDefinition, verdict } from '../../../lib/index.ts';
import { type Recorder, recorder } from '../../../lib/testing/index.ts';
import { ScriptedModel, type Turn } from './scripted-model.ts';

export interface Scene {
  readonly agent: strands.Agent;
  readonly model: ScriptedModel;
  readonly recorded: Recorder;
  /** The tools that ran, with their input as JSON. */
  readonly ran: string[];
  readonly warned: unknown[];
}

export interface SceneOptions {
  readonly turns: readonly Turn[];
  readonly hooks?: readonly HookDefinition[];
  /** The implementation of tools, by name. */
  readonly tools?: { readonly [name: string]: (input: never, context: strands.ToolContext) => unknown };
  readonly options?: Partial<HooklineOptions>;
  readonly config?: strands.AgentConfig;
  /** Plugins after the one of the hooks. */
  readonly after?: readonly strands.Plugin[];
}

/** An agent with hooks, whose model follows `turns`. */
export function scene({ turns, hooks = [], tools = {}, options, config, after = [] }: SceneOptions): Scene {
  const recorded = recorder();
  const model = new ScriptedModel(turns);
  const ran: string[] = [];
  const warned: unknown[] = [];
  const log = {
    debug: () => {},
    info: () => {},
    warn: (...told: unknown[]) => void warned.push(told),
    error: () => {},
  };
  const pipeline = createPipeline([...hooks.map(defineHook), recorded], { log });
  const agent = new strands.Agent({
    model,
    printer: false,
    tools: Object.entries(tools).map(([name, does]) => tool(name, does, ran)),
    plugins: [hookline(strands, pipeline, { agent: 'guest', ...options }), ...after],
    ...config,
  });
  return { agent, model, recorded, ran, warned };
}

function tool(
  name: string,
  does: (input: never, context: strands.ToolContext) => unknown,
  ran: string[],
): strands.Tool {
  return new strands.FunctionTool({
    name,
    description: `Does ${name}.`,
    callback(input: unknown, context) {
      ran.push(`${name} ${JSON.stringify(input)}`);
      return does(input as never, context) as never;
    },
  });
}

export function call(id: string, name: string, input: object = {}): NonNullable<Turn['calls']>[number] {
  return { id, name, input };
}

/** Answers to the prompts of a result, by tool name. */
export function answers(result: strands.AgentResult, given: { readonly [tool: string]: unknown }): never {
  const all = (result.interrupts ?? []).flatMap(({ id, reason }) => {
    const { call } = reason as { readonly call: { readonly name: string } };
    const response = given[call.name];
    return response === undefined ? [] : [{ interruptResponse: { interruptId: id, response } }];
  });
  return all as never;
}

/** Prompts for calls to `look`. */
export const asksForLook = {
  name: 'asks',
  approve: ({ toolCall }: { toolCall: { name: string } }) =>
    toolCall.name === 'look' ? verdict.suspend('Look there?') : verdict.allow(),
};
