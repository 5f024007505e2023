import { Agent, Runner, RunState, type Tool, tool } from '@openai/agents-core';
import { withHooks } from '../../../lib/adapters/openai-agents/index.ts';
import type { ToolChoice } from '../../../lib/index.ts';
import { pendingCallStore } from '../../../lib/loops/index.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import type { LoopHost, LoopOutcome, LoopTool } from '../../../lib/testing/index.ts';
import { scriptedAgentsModel } from './scripted-agents-model.ts';

const NO_PROGRESS = 'its tools report no progress';

/** OpenAI Agents as a host of the contract. Its runs are text while an approval is pending. */
export const openaiAgentsHost: LoopHost = {
  name: 'OpenAI Agents 0.20',
  cannot: {
    'actingChunk: text is changed': NO_PROGRESS,
    'actingChunk: finish': NO_PROGRESS,
    'actingChunk: abort': NO_PROGRESS,
    'preReasoning: model is changed': "the model is the host's own",
    'redact: the failure of a tool, and no other hook':
      'a tool that throws ends the run, or reports the error to the model itself',
    'postCall: message is changed': 'its result is complete by then',
  },
  async run(scene) {
    const model = scriptedAgentsModel(scene.turns);
    const pendingCalls = pendingCallStore(memoryStateStore());
    const { run } = withHooks(new Runner(), scene.pipeline, {
      agent: scene.agent,
      pendingCalls,
      buffer: scene.buffer ?? false,
      ...scene.who,
    });
    const agent = new Agent({ name: scene.agent, model, tools: scene.tools.map(hostTool) });
    const go = async (input: string | RunState<undefined, typeof agent>): Promise<LoopOutcome> => {
      const told = scene.streamed ? await streamed(run, agent, input) : await whole(run, agent, input);
      const { result, screen, error } = told;
      const waits = (result?.interruptions.length ?? 0) > 0;
      return {
        screen,
        prompts: model.requests.map(({ systemInstructions, input: asked }) =>
          JSON.stringify([systemInstructions, asked]),
        ),
        requests: model.requests.map(({ tools, modelSettings: { toolChoice } }) => ({
          tools: tools.map(({ name }) => name),
          ...(toolChoice && { toolChoice: toolChoice as ToolChoice }),
        })),
        stored: JSON.stringify([result?.history ?? [], result?.rawResponses ?? []]),
        ...(error !== undefined && { error }),
        ...(waits && { waits, resume: (approved) => resume(agent, String(result?.state), approved, go) }),
      };
    };
    return go(scene.question);
  },
};

function hostTool({ name, description, inputSchema, execute }: LoopTool): Tool {
  return tool({
    name,
    description,
    parameters: { ...inputSchema, additionalProperties: true } as never,
    strict: false,
    errorFunction: null,
    execute: async (input: unknown) => execute(input as never),
  }) as Tool;
}

type Run = ReturnType<typeof withHooks<Runner>>['run'];
// biome-ignore lint/suspicious/noExplicitAny: results of any agent.
type Result = any;

interface Told {
  readonly screen: string;
  readonly result?: Result;
  readonly error?: unknown;
}

async function whole(run: Run, agent: Agent, input: never | string | object): Promise<Told> {
  try {
    const result: Result = await run(agent, input as string);
    const { newItems, interruptions, rawResponses } = result;
    const output = interruptions.length > 0 ? interruptions : result.finalOutput;
    return { result, screen: JSON.stringify([newItems, output, rawResponses]) };
  } catch (error) {
    return { screen: '', error };
  }
}

async function streamed(run: Run, agent: Agent, input: never | string | object): Promise<Told> {
  const result: Result = await run(agent, input as string, { stream: true });
  let screen = '';
  let text = '';
  let error: unknown;
  try {
    for await (const event of result) {
      screen += `${JSON.stringify(event)}\n`;
      if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta') text += event.data.delta;
    }
  } catch (thrown) {
    error = thrown;
  }
  try {
    await result.completed;
  } catch (thrown) {
    error ??= thrown;
  }
  return { result, screen: screen + text, ...(error !== undefined && { error }) };
}

async function resume(
  agent: Agent,
  text: string,
  approved: boolean,
  go: (state: Result) => Promise<LoopOutcome>,
): Promise<LoopOutcome> {
  const state = await RunState.fromString(agent, text);
  for (const waiting of state.getInterruptions()) {
    if (approved) state.approve(waiting);
    else state.reject(waiting);
  }
  return go(state);
}
