import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { Command, MemorySaver } from '@langchain/langgraph';
import * as langchain from 'langchain';
import { hookedAgent, hookline } from '../../../lib/adapters/langchain/index.ts';
import type { LoopHost, LoopOutcome, LoopRequest, LoopScene, LoopTool } from '../../../lib/testing/index.ts';
import { ScriptedChatModel } from './scripted-chat-model.ts';

/** The LangChain modules, combined as by its users. */
export const modules = { ...langchain, BaseChatModel, Command };

/** All stream modes at once. A leak in any of them is visible to the user. */
export const modes = ['messages', 'tools', 'custom', 'updates', 'values'] as const;

const thread = { configurable: { thread_id: 'thread' } };

interface Waiting {
  readonly id: string;
}

/** LangChain as a host of the contract, streamed by `stream` in all modes or by `streamEvents`. */
export function langChainHost(how: 'stream' | 'streamEvents'): LoopHost {
  return {
    name: `langchain, streamed by ${how}`,
    cannot: { 'preReasoning: model is changed': "the model is the host's own" },
    run: (scene) => langChainScene(how, scene),
  };
}

function langChainScene(how: 'stream' | 'streamEvents', scene: LoopScene): Promise<LoopOutcome> {
  const model = new ScriptedChatModel(scene.turns);
  const settings = { agent: scene.agent, buffer: scene.buffer ?? false, ...scene.who };
  const agent = hookedAgent(
    langchain.createAgent({
      model,
      tools: scene.tools.map(toTool),
      middleware: [hookline(modules, scene.pipeline, settings)],
      checkpointer: new MemorySaver(),
    }),
  );
  const heard: unknown[] = [];
  const config = { ...thread, callbacks: [listener(heard)] };
  const go = async (input: object): Promise<LoopOutcome> => {
    let screen = '';
    let error: unknown;
    try {
      if (!scene.streamed) screen = JSON.stringify(await agent.invoke(input as never, config));
      else {
        const options = { ...config, streamMode: [...modes], version: 'v2' };
        const stream =
          how === 'stream'
            ? await agent.stream(input as never, options as never)
            : agent.streamEvents(input as never, options as never);
        for await (const part of stream as AsyncIterable<unknown>) screen += `${JSON.stringify(part)}\n`;
      }
    } catch (thrown) {
      error = thrown;
    }
    const state = await agent.graph.getState(thread);
    const waiting = state.tasks.flatMap(({ interrupts }) => interrupts as Waiting[]);
    const resume = (approved: boolean) =>
      go(new Command({ resume: Object.fromEntries(waiting.map(({ id }) => [id, { approved }])) }));
    return {
      screen: joined(screen) + JSON.stringify(heard),
      prompts: model.prompts,
      requests: model.requests.map(toRequest),
      stored: JSON.stringify(state.values),
      ...(error !== undefined && { error }),
      ...(waiting.length > 0 && { waits: true, resume }),
    };
  };
  return go({ messages: [{ role: 'user', content: scene.question }] });
}

function toRequest({ tools = [], tool_choice: choice }: ScriptedChatModel['options']): LoopRequest {
  const names = (tools as readonly { readonly name: string }[]).map(({ name }) => name);
  return { tools: names, ...(choice === 'any' && { toolChoice: 'required' }) };
}

function toTool({ name, description, inputSchema, progress = [], execute }: LoopTool) {
  return langchain.tool(
    async function* (input: object, config: { writer: ((value: unknown) => void) | null }) {
      const value = execute(input as never);
      for (const one of progress) config.writer?.({ progress: one });
      yield* progress;
      return value;
    },
    { name, description, schema: inputSchema as never },
  );
}

/** A handler that records models and tools like a tracer. */
export function listener(heard: unknown[]) {
  const keep = (what: unknown): void => void heard.push(JSON.parse(JSON.stringify(what ?? null)));
  return {
    name: 'listener',
    awaitHandlers: true,
    handleLLMNewToken: (token: string, _: unknown, __: string, ___: unknown, ____: unknown, fields: unknown) =>
      keep([token, fields]),
    handleLLMEnd: keep,
    handleToolEnd: keep,
    handleToolEvent: keep,
    handleCustomEvent: keep,
    handleChainEnd: keep,
  };
}

/** Joins streamed text. */
function joined(screen: string): string {
  const texts = screen.split('\n').flatMap((line) => {
    const part = line && JSON.parse(line);
    const chunk =
      part[0] === 'messages' ? part[1][0] : part.event === 'on_chat_model_stream' ? part.data.chunk : undefined;
    const content = chunk?.kwargs?.content;
    return typeof content === 'string' ? [content] : [];
  });
  return screen + texts.join('');
}
