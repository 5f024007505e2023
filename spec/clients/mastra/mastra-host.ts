import './no-telemetry.ts';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { hookedMastra } from '../../../lib/adapters/mastra/index.ts';
import { pendingCallStore } from '../../../lib/loops/index.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import type { LoopHost, LoopOutcome, LoopScene, LoopTool } from '../../../lib/testing/index.ts';
import { type ScriptedLanguageModel, scriptedLanguageModel } from '../ai-sdk/scripted-language-model.ts';

/** Mastra as a host of the contract. Its runs are in a storage while an approval is pending. */
export const mastraHost: LoopHost = {
  name: 'Mastra 1.71',
  cannot: {
    'preReasoning: model is changed': "the model is the host's own",
    'postCall: message is changed': 'its result is complete by then',
  },
  run(scene) {
    const model = scriptedLanguageModel('v2', scene.turns);
    const tools = Object.fromEntries(scene.tools.map((tool) => [tool.name, toTool(tool)]));
    const pendingCalls = pendingCallStore(memoryStateStore());
    const hooked = hookedMastra({ model, tools }, scene.pipeline, {
      agent: scene.agent,
      pendingCalls,
      buffer: scene.buffer ?? false,
      ...scene.who,
    });
    const agent = new Agent({
      id: 'guest',
      name: 'guest',
      instructions: 'Be kind.',
      model: hooked.model,
      tools: hooked.tools,
    });
    new Mastra({ agents: { guest: agent }, storage: new InMemoryStore(), logger: false });
    return go(scene, model, hooked.hookedAgent(agent));
  },
};

// biome-ignore lint/suspicious/noExplicitAny: results of any agent, streamed or not.
type Result = any;

async function go(
  scene: LoopScene,
  model: ScriptedLanguageModel,
  agent: Result,
  answer?: { readonly data: object; readonly options: object },
): Promise<LoopOutcome> {
  let screen = '';
  let error: unknown;
  let waiting: { readonly runId: string; readonly toolCallId: string } | undefined;
  let stored: unknown = [];
  try {
    if (scene.streamed) {
      const result: Result = answer
        ? await agent.resumeStream(answer.data, answer.options)
        : await agent.stream(scene.question);
      for await (const part of result.fullStream) {
        screen += `${JSON.stringify(part)}\n`;
        if (part.type === 'error') error ??= part.payload.error;
        if (part.type === 'abort') error ??= { code: 'RUN_ABORTED' };
        if (part.type === 'tool-call-suspended') waiting = { runId: part.runId, toolCallId: part.payload.toolCallId };
      }
      stored = result.messageList?.get.all.db();
    } else {
      const result: Result = answer
        ? await agent.resumeGenerate(answer.data, answer.options)
        : await agent.generate(scene.question);
      screen = JSON.stringify([result.text, result.steps, result.toolResults, result.messages]);
      stored = result.messages;
      if (result.finishReason === 'suspended')
        waiting = { runId: result.runId, toolCallId: result.suspendPayload.toolCallId };
    }
  } catch (thrown) {
    error ??= thrown;
  }
  return {
    screen: screen + textsOf(screen),
    prompts: model.prompts.map((prompt) => JSON.stringify(prompt)),
    requests: model.requests,
    stored: JSON.stringify(stored ?? []),
    ...(error !== undefined && { error }),
    ...(waiting && {
      waits: true,
      resume: (approved) => go(scene, model, agent, { data: { approved }, options: waiting }),
    }),
  };
}

/** Joins streamed text. */
function textsOf(screen: string): string {
  const lines = screen.split('\n').filter((line) => line.startsWith('{'));
  return lines
    .map((line) => JSON.parse(line))
    .flatMap(({ type, payload }) => (type === 'text-delta' ? [payload.text] : []))
    .join('');
}

export function toTool({ name, description, inputSchema, progress = [], execute }: LoopTool): Result {
  return createTool({
    id: name,
    description,
    inputSchema: inputSchema as never,
    execute: async (input: Result, context: Result) => {
      const value = execute(input);
      for (const one of progress) await context.writer?.write(one);
      return value;
    },
  });
}
