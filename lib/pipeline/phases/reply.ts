import { HooklineError } from '../../errors.ts';
import type { Abort } from '../../events/decisions/decision.ts';
import type { FinishReason } from '../../events/parts/finish-reason.ts';
import type { Message, MessagePart } from '../../events/parts/message.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { Usage } from '../../events/parts/usage.ts';
import type { ReasoningChunk } from '../../events/reasoning-chunk.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { Gathered } from '../chunks/lane.ts';

/** Maximum pieces before they are joined. */
const KEPT = 16;

/**
 * A text that grows by many small pieces. Appending each one creates a chain of as many objects, and a list of all pieces is copied
 * repeatedly as it grows. Joining sixteen at a time takes a fifth of the memory.
 */
export class TextPieces {
  #joined = '';
  #count = 0;
  readonly #latest = new Array<string>(KEPT).fill('');

  add(piece: string): void {
    this.#latest[this.#count] = piece;
    this.#count += 1;
    if (this.#count < KEPT) return;
    this.#joined += this.#latest.join('');
    this.#count = 0;
  }

  text(): string {
    return this.#joined + this.#latest.slice(0, this.#count).join('');
  }
}

/** A part with its text in one object, to save memory. */
class Part extends TextPieces {
  readonly kind: ReasoningChunk['part'];
  toolCall: ToolCall | undefined = undefined;
  metadata: JsonObject | undefined = undefined;

  constructor(kind: ReasoningChunk['part']) {
    super();
    this.kind = kind;
  }
}

/**
 * The answer of a model so far, assembled from the chunks that left the lane and the complete calls. A class to save memory, like the
 * blocks of the lane.
 */
export class Reply implements Gathered<ReasoningChunk> {
  #latestBlock = -1;
  #latest: Part | undefined = undefined;
  finishReason: FinishReason | undefined = undefined;
  usage: Usage | undefined = undefined;
  /** A stage returned finish. */
  stopped = false;
  aborted: Abort | undefined = undefined;
  /** The parts before the latest. Most answers have only one. */
  #earlier: Map<number, Part> | undefined = undefined;
  /** The IDs of the calls. */
  #ids: Set<string> | undefined = undefined;
  /** The model's own text of each block, if stages may change it. */
  #raw: Map<number, TextPieces> | undefined = undefined;

  left(chunk: ReasoningChunk): void {
    if (chunk.delta === '') return;
    // Nearly every chunk belongs to the block of the previous one.
    const part = chunk.block === this.#latestBlock ? this.#latest : undefined;
    (part ?? this.at(chunk.block, chunk.part)).add(chunk.delta);
  }

  /** Records the model's own text, because stages may change it. */
  came(block: number, delta: string): void {
    this.#raw ??= new Map();
    const raw = this.#raw.get(block) ?? new TextPieces();
    this.#raw.set(block, raw);
    raw.add(delta);
  }

  /** Adds a complete call. Its ID is made unique within the message. */
  call(block: number, toolCall: ToolCall): void {
    let id = toolCall.id;
    for (let copy = 2; this.#ids?.has(id); copy++) id = `${toolCall.id}-${copy}`;
    const part = this.at(block, 'toolInput');
    if (part.toolCall) throw new HooklineError('MODEL_FAILED', `The model gave two tool calls for block ${block}.`);
    this.#ids ??= new Set();
    this.#ids.add(id);
    part.toolCall = id === toolCall.id ? toolCall : { ...toolCall, id };
  }

  /** Stores provider data of a block, whether or not it has emitted a chunk yet. */
  metadata(block: number, kind: Part['kind'], metadata: JsonObject): void {
    const part = this.at(block, kind);
    part.metadata = { ...part.metadata, ...metadata };
  }

  message(): Message {
    return { role: 'assistant', parts: this.inOrder().flatMap((entry) => this.partsOf(entry)) };
  }

  /** Returns the text emitted before the step ended early, without calls and thinking. Undefined if there is none. */
  partial(): Message | undefined {
    const text = this.inOrder().filter(([, part]) => part.kind === 'text');
    const shown = text.flatMap((entry) => this.partsOf(entry));
    return shown.length === 0 ? undefined : { role: 'assistant', parts: shown };
  }

  /** Clears everything before a new attempt. */
  reset(): void {
    this.#earlier = undefined;
    this.#ids = undefined;
    this.#raw = undefined;
    this.#latest = undefined;
    this.#latestBlock = -1;
    this.finishReason = undefined;
    this.usage = undefined;
  }

  private at(block: number, kind: Part['kind']): Part {
    if (block === this.#latestBlock && this.#latest) return this.#latest;
    const part = this.#earlier?.get(block) ?? new Part(kind);
    if (this.#latest) {
      this.#earlier ??= new Map();
      this.#earlier.set(this.#latestBlock, this.#latest);
    }
    this.#latestBlock = block;
    this.#latest = part;
    return part;
  }

  private inOrder(): [number, Part][] {
    if (!this.#latest) return [];
    const parts = new Map(this.#earlier).set(this.#latestBlock, this.#latest);
    return [...parts.entries()].sort(([a], [b]) => a - b);
  }

  private partsOf([block, part]: readonly [number, Part]): MessagePart[] {
    const { metadata } = part;
    if (!metadata || !this.#raw || part.kind === 'toolInput') return toMessageParts(part, metadata);
    // Provider data of a text may repeat what stages have removed from it.
    const left = part.text() === (this.#raw.get(block)?.text() ?? '');
    return toMessageParts(part, left ? metadata : undefined);
  }
}

function toMessageParts(part: Part, metadata: JsonObject | undefined): MessagePart[] {
  const { kind, toolCall } = part;
  const extra = metadata && { metadata };
  if (kind === 'toolInput') return toolCall ? [{ type: 'toolCall', toolCall, ...extra }] : [];
  const text = part.text();
  if (text === '' && !(kind === 'thinking' && metadata)) return [];
  return [{ type: kind, text, ...extra }];
}
