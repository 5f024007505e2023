import type { EventOf } from '../../../events/hook-event.ts';
import type { Message, MessagePart } from '../../../events/parts/message.ts';
import type { Reasoned } from '../../../loops/loop-run.ts';
import type { ModelChunk } from '../../../pipeline/define/model.ts';
import type { SpecificationVersion, StreamPart } from '../language-model.ts';
import type { HostPart } from './host-ai.ts';

/** What the host's model has said by itself: what is passed on as it was where hooks have left it. */
export class RawReply {
  /** Calls, as the model has sent them. */
  readonly #calls = new Map<string, { readonly part: StreamPart; readonly input: string }>();
  /** Provider data of the blocks that have ended. */
  readonly metadata = new Map<number, unknown>();
  finish: StreamPart | undefined;
  /** Texts and thoughts, by block. */
  readonly #said = new Map<number, string>();

  note(part: StreamPart, chunks: readonly ModelChunk[]): void {
    if (part.type === 'finish') this.finish = part;
    for (const chunk of chunks) {
      if ('delta' in chunk && chunk.type !== 'toolInput' && chunk.block !== undefined)
        this.#said.set(chunk.block, (this.#said.get(chunk.block) ?? '') + chunk.delta);
      if (chunk.type === 'toolCall')
        this.#calls.set(chunk.toolCall.id, { part, input: JSON.stringify(chunk.toolCall) });
      else if ('metadata' in chunk && chunk.block !== undefined) this.metadata.set(chunk.block, chunk.metadata);
    }
  }

  /** Whether hooks have left what it says. If not, what the provider tells beside it (log probabilities) may hold what they have taken out. */
  says({ parts }: Message): boolean {
    const settled = parts.flatMap((part) => (part.type === 'text' || part.type === 'thinking' ? [part.text] : []));
    const blocks = [...this.#said].sort(([a], [b]) => a - b);
    return settled.join('') === blocks.map(([, text]) => text).join('');
  }

  /** A call as the host's model would send it: its own part, unless hooks have changed the call. */
  callPart({ toolCall, metadata }: Extract<MessagePart, { type: 'toolCall' }>): StreamPart {
    const own = this.#calls.get(toolCall.id);
    if (own?.input === JSON.stringify(toolCall)) return own.part;
    return {
      type: 'tool-call',
      toolCallId: toolCall.id,
      toolName: toolCall.name,
      input: JSON.stringify(toolCall.input),
      ...(metadata && { providerMetadata: metadata as never }),
    };
  }

  /** How the answer ended, in the words of the specification version. */
  ending({ message, finishReason, finished }: Reasoned, version: SpecificationVersion): Ending {
    const calls = message.parts.some(({ type }) => type === 'toolCall');
    const raw = this.finish?.finishReason;
    const known = typeof raw === 'string' ? raw : (raw as { unified?: string } | undefined)?.unified;
    const stopped = finished || finishReason === 'stopped' || finishReason === 'responded' || known === undefined;
    const wanted = calls ? 'tool-calls' : stopped || known === 'tool-calls' ? 'stop' : known;
    return {
      finishReason: wanted === known ? raw : version === 'v2' ? wanted : { unified: wanted, raw: undefined },
      usage: this.finish?.usage ?? emptyUsage(version),
      ...(this.finish?.providerMetadata && this.says(message) && { providerMetadata: this.finish.providerMetadata }),
    };
  }
}

export interface Ending {
  readonly finishReason: unknown;
  readonly usage: unknown;
  readonly providerMetadata?: unknown;
}

function emptyUsage(version: SpecificationVersion): object {
  const none = undefined;
  if (version === 'v2') return { inputTokens: none, outputTokens: none, totalTokens: none };
  return {
    inputTokens: { total: none, noCache: none, cacheRead: none, cacheWrite: none },
    outputTokens: { total: none, text: none, reasoning: none },
  };
}

/** A settled message as content of a language model's answer. */
export function toContent(message: Message, raw: RawReply): HostPart[] {
  return message.parts.flatMap((part): HostPart[] => {
    if (part.type === 'toolCall') return [raw.callPart(part) as unknown as HostPart];
    if (part.type !== 'text' && part.type !== 'thinking') return [];
    const metadata = part.metadata && { providerMetadata: part.metadata };
    return [{ type: part.type === 'text' ? 'text' : 'reasoning', text: part.text, ...metadata }];
  });
}

/** A settled message as parts of a stream: blocks that are written at once, and its calls. */
export function toStreamParts(message: Message, raw: RawReply, what: 'all' | 'calls'): StreamPart[] {
  return message.parts.flatMap((part, index): StreamPart[] => {
    if (part.type === 'toolCall') return toCallParts(raw.callPart(part));
    if (what === 'calls' || (part.type !== 'text' && part.type !== 'thinking')) return [];
    const kind = part.type === 'text' ? 'text' : 'reasoning';
    const id = `settled-${index}`;
    const metadata = part.metadata && { providerMetadata: part.metadata as never };
    return [
      { type: `${kind}-start`, id },
      { type: `${kind}-delta`, id, delta: part.text },
      { type: `${kind}-end`, id, ...metadata },
    ];
  });
}

/** Input as the SDK's screens know it, told at once: until the call has settled, hooks may still drop it. */
function toCallParts(call: StreamPart): StreamPart[] {
  const { toolCallId: id = '', toolName, input } = call;
  const delta = typeof input === 'string' ? input : JSON.stringify(input ?? {});
  return [
    { type: 'tool-input-start', id, ...(toolName !== undefined && { toolName }) },
    { type: 'tool-input-delta', id, delta },
    { type: 'tool-input-end', id },
    call,
  ];
}

/** Chunk events as parts of a stream, block by block. */
export class BlockWriter {
  readonly #emit: (part: StreamPart) => void;
  readonly #open = new Map<string, string>();
  #attempt = '';

  constructor(emit: (part: StreamPart) => void) {
    this.#emit = emit;
  }

  write({ part, delta, block, attempt, iteration, last }: EventOf<'reasoningChunk'>, raw: RawReply): void {
    if (part === 'toolInput') return;
    const kind = part === 'text' ? 'text' : 'reasoning';
    const of = `${iteration}.${attempt}`;
    const id = `${of}.${block}`;
    // What an earlier attempt has shown cannot be taken back.
    if (of !== this.#attempt) this.close();
    this.#attempt = of;
    if (!this.#open.has(id)) {
      // The end of a block of which nothing has left.
      if (last && delta === '' && !raw.metadata.has(block)) return;
      this.#open.set(id, kind);
      this.#emit({ type: `${kind}-start`, id });
    }
    if (delta !== '') this.#emit({ type: `${kind}-delta`, id, delta });
    if (last) this.end(id, raw.metadata.get(block));
  }

  /** Ends what is open. */
  close(): void {
    for (const id of [...this.#open.keys()]) this.end(id);
  }

  private end(id: string, metadata?: unknown): void {
    const kind = this.#open.get(id);
    this.#open.delete(id);
    this.#emit({ type: `${kind}-end`, id, ...(metadata !== undefined && { providerMetadata: metadata as never }) });
  }
}
