import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';

export interface Turn {
  readonly chunks?: readonly string[];
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: object }[];
  readonly error?: Error;
}

/** A LangChain chat model that follows a script and records its requests. */
export class ScriptedChatModel extends BaseChatModel {
  readonly prompts: string[] = [];
  /** The messages of each request, unchanged. */
  readonly asked: (readonly BaseMessage[])[] = [];
  /** The options of the last request, tools included. */
  options: { readonly tools?: readonly unknown[]; readonly tool_choice?: unknown } = {};
  /** The options of each request. */
  readonly requests: (typeof this.options)[] = [];
  readonly #turns: readonly Turn[];

  constructor(turns: readonly Turn[], fields: object = {}) {
    super(fields);
    this.#turns = turns;
  }

  get boundTools(): readonly unknown[] {
    return this.options.tools ?? [];
  }

  _llmType(): string {
    return 'scripted';
  }

  override bindTools(tools: unknown[], options?: object) {
    return this.withConfig({ tools, ...options } as never) as never;
  }

  override async _generate(messages: BaseMessage[], options: object): Promise<ChatResult> {
    const { chunks = [], calls } = this.#next(messages, options);
    const text = chunks.join('');
    const message = new AIMessage({ content: text, tool_calls: toCalls(calls), usage_metadata: usage } as never);
    return { generations: [{ text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: object,
    runManager?: { handleLLMNewToken(token: string, ...more: unknown[]): Promise<void> },
  ): AsyncGenerator<ChatGenerationChunk> {
    const { chunks = [], calls } = this.#next(messages, options);
    const last = { content: '', tool_calls: toCalls(calls), usage_metadata: usage };
    for (const fields of [...chunks.map((content) => ({ content })), last]) {
      const message = new AIMessageChunk(fields as never);
      const chunk = new ChatGenerationChunk({ text: fields.content, message });
      yield chunk;
      await runManager?.handleLLMNewToken(fields.content, undefined, undefined, undefined, undefined, { chunk });
    }
  }

  #next(messages: readonly BaseMessage[], options: object): Turn {
    this.asked.push(messages);
    this.options = options;
    this.requests.push(options);
    this.prompts.push(JSON.stringify(messages));
    const turn = this.#turns[this.prompts.length - 1];
    if (!turn) throw new Error(`asked ${this.prompts.length} times, ${this.#turns.length} answers`);
    if (turn.error) throw turn.error;
    return turn;
  }
}

const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };

function toCalls(calls: Turn['calls'] = []) {
  return calls.map(({ id, name, input }) => ({ id, name, args: structuredClone(input), type: 'tool_call' as const }));
}
