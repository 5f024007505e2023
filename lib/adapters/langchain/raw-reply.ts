import type { FinishReason } from '../../events/parts/finish-reason.ts';
import type { Message } from '../../events/parts/message.ts';
import { textOf, thinkingOf, toolCallsOf } from '../../events/parts/messages.ts';
import type { Usage } from '../../events/parts/usage.ts';
import type { ModelChunk } from '../../pipeline/define/model.ts';
import type { HostGeneration, HostLangChain, HostMessage } from './host-langchain.ts';
import { blocksOf, callsOf, fromHostMessage, toPart } from './messages.ts';
import { dropUnseen, KEPT, keepFields } from './provider-fields.ts';
import { toHostCall } from './to-host-messages.ts';

type Fields = { readonly [field: string]: unknown };

/** The raw reply of LangChain's model. It creates the message of LangChain after the hooks have settled the reply. */
export class RawReply {
  #message: HostMessage | undefined;
  readonly #isGuarded: boolean;
  #generationInfo: Fields = {};
  #llmOutput: Fields | undefined;
  /** If true, the reply contains thoughts, and text is shown as blocks. */
  thinks = false;

  /** If guarded, hooks may change the reply, so fields that they did not see are dropped. */
  constructor(isGuarded = true) {
    this.#isGuarded = isGuarded;
  }

  /** Reads a chunk of the reply, or a whole reply. */
  read({ message, generationInfo }: HostGeneration, more?: object): ModelChunk[] {
    this.#generationInfo = { ...this.#generationInfo, ...generationInfo };
    if (more) this.#llmOutput = { ...more };
    const metadata = { ...more, ...generationInfo, ...message.response_metadata };
    (message as { response_metadata: object }).response_metadata = metadata;
    this.#message = this.#message?.concat?.(message) ?? message;
    return blocksOf(message).flatMap((block): ModelChunk[] =>
      toPart(block).flatMap((part): ModelChunk[] => {
        if (part.type === 'thinking') this.thinks = true;
        if (part.type !== 'text' && part.type !== 'thinking') return [];
        return [{ type: part.type, delta: part.text }];
      }),
    );
  }

  /** Returns the last chunks: complete calls, and the finish reason. */
  end(): ModelChunk[] {
    const message = this.#message;
    if (!message) throw new Error('the model returned nothing');
    const calls = callsOf(message).map((toolCall): ModelChunk => ({ type: 'toolCall', toolCall }));
    const usage = usageOf(message);
    return [...calls, { type: 'finish', finishReason: endOf(message), ...(usage && { usage }) }];
  }

  get id(): string | undefined {
    return this.#message?.id;
  }

  /** Returns the settled message. If no hook changed it, that is the model's own message. */
  settle(langchain: HostLangChain, settled: Message, id = this.id): HostMessage {
    const raw = this.#message;
    if (raw && contentKey(fromHostMessage(raw)) === contentKey(settled)) {
      if (this.#isGuarded) dropUnseen(raw, settled);
      return withId(raw, id);
    }
    return new langchain.AIMessage({ ...this.fields(settled), content: contentOf(settled), id });
  }

  /** Returns the response fields that handlers receive. After a change, only fields without text of the reply are kept. */
  metadataFor(settled: Message): { readonly generationInfo: Fields; readonly llmOutput?: Fields | undefined } {
    const isSame = this.#message && contentKey(fromHostMessage(this.#message)) === contentKey(settled);
    const kept = (fields: Fields): Fields => {
      if (isSame) return this.#isGuarded ? keepFields(fields, settled.parts) : fields;
      return Object.fromEntries(Object.entries(fields).filter(([name]) => KEPT.includes(name)));
    };
    return { generationInfo: kept(this.#generationInfo), llmOutput: this.#llmOutput && kept(this.#llmOutput) };
  }

  /** Returns the fields of the settled message other than its text: calls, usage and response metadata. */
  fields({ parts }: Message): object {
    const metadata = Object.entries(this.#message?.response_metadata ?? {}).filter(([name]) => KEPT.includes(name));
    return {
      tool_calls: parts.flatMap((part) => (part.type === 'toolCall' ? [toHostCall(part.toolCall)] : [])),
      ...(this.#message?.usage_metadata && { usage_metadata: this.#message.usage_metadata }),
      response_metadata: Object.fromEntries(metadata),
    };
  }
}

function withId(message: HostMessage, id: string | undefined): HostMessage {
  if (message.id === undefined && id !== undefined) message._updateId?.(id);
  return message;
}

/** Returns a key. Two messages with the same key have the same text, thoughts and calls. */
function contentKey(message: Message): string {
  return JSON.stringify([textOf(message), thinkingOf(message), toolCallsOf(message)]);
}

function contentOf({ parts }: Message): string | object[] {
  const texts = parts.flatMap((part) => (part.type === 'text' || part.type === 'thinking' ? [part] : []));
  if (texts.every(({ type }) => type === 'text')) return texts.map(({ text }) => text).join('');
  return texts.map(({ type, text }) => (type === 'text' ? { type, text } : { type: 'reasoning', reasoning: text }));
}

function usageOf({ usage_metadata: usage }: HostMessage): Usage | undefined {
  if (!usage) return undefined;
  const cached = usage.input_token_details?.cache_read;
  const reasoning = usage.output_token_details?.reasoning;
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  };
}

function endOf(message: HostMessage): FinishReason {
  const metadata = message.response_metadata ?? {};
  const reason =
    metadata['finish_reason'] ?? metadata['stop_reason'] ?? metadata['finishReason'] ?? metadata['done_reason'];
  const reasonText = String(reason ?? '').toLowerCase();
  if (reasonText === 'length' || reasonText === 'max_tokens') return 'length';
  if (['content_filter', 'safety', 'refusal'].includes(reasonText)) return 'contentFilter';
  return callsOf(message).length > 0 ? 'toolCalls' : 'stop';
}
