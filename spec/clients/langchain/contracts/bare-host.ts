import { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import { MemorySaver } from '@langchain/langgraph';
import * as langchain from 'langchain';
import { hookedAgent, hookline } from '../../../../lib/adapters/langchain/index.ts';
import type { JsonValue } from '../../../../lib/index.ts';
import type { BareHost, BareTurn } from '../../../../lib/testing/index.ts';
import { modules } from '../langchain-host.ts';
import { type Agent, go, thread } from '../scene.ts';
import { ScriptedChatModel } from '../scripted-chat-model.ts';

const REASONS: Readonly<Record<string, string>> = { toolCalls: 'tool_calls', contentFilter: 'content_filter' };

/** A chat model with all possible answer content. */
class BareChatModel extends ScriptedChatModel {
  override async _generate(messages: never, options: object): Promise<ChatResult> {
    await super._generate(messages, options);
    const message = new AIMessage(fieldsOf(this.turn) as never);
    return { generations: [{ text: message.text, message }] };
  }

  override async *_streamResponseChunks(
    messages: never,
    options: object,
    runManager?: { handleLLMNewToken(token: string, ...more: unknown[]): Promise<void> },
  ): AsyncGenerator<ChatGenerationChunk> {
    await super._generate(messages, options);
    const { content: _, ...last } = fieldsOf(this.turn);
    // Empty chunks are ignored.
    const texts = this.turn.chunks.filter((text) => text !== '');
    for (const fields of [...texts.map((content) => ({ content })), { content: '', ...last }]) {
      const message = new AIMessageChunk(fields as never);
      const chunk = new ChatGenerationChunk({ text: fields.content, message });
      yield chunk;
      await runManager?.handleLLMNewToken(fields.content, undefined, undefined, undefined, undefined, { chunk });
    }
  }

  private get turn(): BareTurn {
    return this.#answers[this.prompts.length - 1] as BareTurn;
  }

  readonly #answers: readonly BareTurn[];

  constructor(turns: readonly BareTurn[]) {
    super(turns);
    this.#answers = turns;
  }
}

function fieldsOf({ chunks, calls = [], finishReason }: BareTurn) {
  const reason = finishReason ?? (calls.length > 0 ? 'toolCalls' : 'stop');
  return {
    content: chunks.join(''),
    tool_calls: calls.map(({ id, name, input }) => ({ id, name, args: input, type: 'tool_call' })),
    usage_metadata: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
    response_metadata: { finish_reason: REASONS[reason] ?? reason, model_name: 'scripted' },
  };
}

const modes: Readonly<Record<string, readonly string[]>> = {
  updates: ['updates'],
  'values and messages': ['values', 'messages'],
  'custom and tools': ['custom', 'tools'],
};

export const bareLangChain: BareHost = {
  name: 'LangChain',
  variants: Object.keys(modes),
  async play({ pipeline, turns, tools, streamed, variant }) {
    const model = new BareChatModel(turns);
    const bare = langchain.createAgent({
      model,
      tools: tools.map(({ name, description, inputSchema, progress = [], execute }) =>
        langchain.tool(
          async (input: object, config: { writer: ((value: unknown) => void) | null }) => {
            for (const one of progress) config.writer?.(one);
            try {
              return execute(input as never);
            } catch (thrown) {
              // A tool error fails a LangChain run; with hooks it is returned to the model, as the guide states.
              return String(thrown);
            }
          },
          { name, description, schema: inputSchema as never },
        ),
      ),
      checkpointer: new MemorySaver(),
      middleware: [
        // A middleware adds steps to the graph.
        pipeline ? hookline(modules, pipeline, { agent: 'guest' }) : langchain.createMiddleware(idle),
      ],
    } as never) as unknown as Agent;
    const agent = pipeline ? hookedAgent(bare) : bare;
    const came: unknown[] = [];
    try {
      if (!streamed) came.push(await agent.invoke(go, thread));
      else for await (const part of await agent.stream(go, { ...thread, streamMode: modes[variant] })) came.push(part);
    } catch (thrown) {
      came.push(String(thrown));
    }
    came.sort(byCall);
    const { values } = await agent.graph.getState(thread);
    return toJson({ came, values, prompts: model.prompts.map((prompt) => JSON.parse(prompt)) });
  },
};

const idle = {
  name: 'hookline',
  beforeAgent: { canJumpTo: ['end'], hook: () => ({ messages: [] }) },
  afterAgent: () => undefined,
} as never;

/** Concurrent calls end in any order. */
function byCall(one: unknown, other: unknown): number {
  const [a, b] = [one, other].map((part) => /"tool_?call_?id":"([^"]*)"/i.exec(JSON.stringify(part))?.[1]);
  return a !== undefined && b !== undefined && isOfTool(one) && isOfTool(other) ? a.localeCompare(b) : 0;
}

function isOfTool(part: unknown): boolean {
  return /^\["(tools|custom)"|"langgraph_node":"tools"|^\["updates",\{"tools"/.test(JSON.stringify(part));
}

const NEW = [
  'id',
  'run_id',
  'checkpoint_ns',
  'langgraph_checkpoint_ns',
  '__pregel_task_id',
  'input_token_details',
  'output_token_details',
  '_hookline',
  'metadata',
  'name',
];

function toJson(value: unknown): JsonValue {
  return JSON.parse(
    JSON.stringify(value, (key, one) => (NEW.includes(key) || key.startsWith('ls_') ? undefined : one)),
  );
}
