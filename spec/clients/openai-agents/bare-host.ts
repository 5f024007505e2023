import { Agent, Runner, type Tool, tool } from '@openai/agents-core';
import { withHooks } from '../../../lib/adapters/openai-agents/index.ts';
import type { JsonValue } from '../../../lib/index.ts';
import type { BareHost, LoopTool } from '../../../lib/testing/index.ts';
import { scriptedAgentsModel } from './scripted-agents-model.ts';

// biome-ignore lint/suspicious/noExplicitAny: results of any agent.
type Any = any;

const variants: Readonly<Record<string, object>> = {
  plain: {},
  'two turns': { maxTurns: 2 },
  'a filter of the input': {
    callModelInputFilter: ({ modelData }: Any) => ({ ...modelData, input: modelData.input.slice(-3) }),
  },
};

export const bareOpenaiAgents: BareHost = {
  name: 'OpenAI Agents',
  variants: Object.keys(variants),
  async play({ pipeline, question, turns, tools, streamed, variant }) {
    const model = scriptedAgentsModel(turns);
    const agent = new Agent({ name: 'guest', model, tools: tools.map(hostTool) });
    const runner = new Runner();
    const run: Any = pipeline ? withHooks(runner, pipeline, { agent: 'guest' }).run : runner.run.bind(runner);
    const came: unknown[] = [];
    let result: Any;
    try {
      result = await run(agent, question, { ...variants[variant], ...(streamed && { stream: true }) });
      if (streamed) for await (const part of result) if (isReported(part)) came.push(part);
      await result.completed;
    } catch (thrown) {
      came.push(String(thrown));
    }
    const { newItems, history, interruptions } = result ?? {};
    const over = typeof came.at(-1) !== 'string';
    return toJson({
      came,
      result: { newItems, history, interruptions, ...(over && { finalOutput: result.finalOutput }) },
      prompts: model.requests.map(({ input, systemInstructions, modelSettings, tools: given }) => ({
        ...{ input, systemInstructions, modelSettings },
        tools: given.map(({ name }) => name),
      })),
    });
  },
};

function hostTool({ name, description, inputSchema, execute }: LoopTool): Tool {
  const parameters = { ...inputSchema, additionalProperties: true } as never;
  return tool({ name, description, parameters, strict: false, execute: async (input: Any) => execute(input) }) as Tool;
}

/** Hooks omit raw events of the provider, and empty deltas are ignored. */
function isReported({ data }: Any): boolean {
  return data?.type !== 'model' && !(data?.type === 'output_text_delta' && data.delta === '');
}

/** Hooks omit other data of the provider, as the guide states. */
const LEFT_OUT = ['providerData', 'rawResponses', 'agent', 'id'];

function toJson(value: unknown): JsonValue {
  const seen = JSON.stringify(value, (key, one) => (LEFT_OUT.includes(key) ? undefined : one));
  return JSON.parse(seen);
}
