import { HooklineError } from '../../errors.ts';
import type { Abort } from '../../events/decisions/decision.ts';
import type { Message, MessagePart } from '../../events/parts/message.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { Usage } from '../../events/parts/usage.ts';
import type { FinishReason } from '../../events/post-reasoning.ts';
import type { ReasoningChunk } from '../../events/reasoning-chunk.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { Gathered } from '../chunks/lane.ts';

/** Pieces that are kept apart until it is worth joining them. */
const KEPT = 16;

/**
 * A text that grows by many small pieces. To append each would make a chain of as many objects, to keep all in a list twice the list
 * again and again; joined sixteen at a time they take a fifth of that.
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

/** A part with its text in one object, for its weight. */
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
 * What a model has answered so far, assembled of the chunks that left the lane and the calls that came whole. A class for its weight, as
 * the blocks of the lane are.
 */
export class Reply implements Gathered<ReasoningChunk> {
  #latestBlock = -1;
  #latest: Part | undefined = undefined;
  finishReason: FinishReason | undefined = undefined;
  usage: Usage | undefined = undefined;
  /** A stage said finish. */
  stopped = false;
  aborted: Abort | undefined = undefined;
  /** The parts before the latest; most answers have but one. */
  #earlier: Map<number, Part> | undefined = undefined;
  /** The ids of the calls. */
  #ids: Set<string> | undefined = undefined;
  /** What the model has said in each block, where stages may change it. */
  #raw: Map<number, TextPieces> | undefined = undefined;

  left(chunk: ReasoningChunk): void {
    if (chunk.delta === '') return;
    // Nearly every chunk belongs to the block of the one before.
    const part = chunk.block === this.#latestBlock ? this.#latest : undefined;
    (part ?? this.at(chunk.block, chunk.part)).add(chunk.delta);
  }

  /** Takes down what the model says, for the stages may change it. */
  came(block: number, delta: string): void {
    this.#raw ??= new Map();
    const raw = this.#raw.get(block) ?? new TextPieces();
    this.#raw.set(block, raw);
    raw.add(delta);
  }

  /** Keeps a whole call; its id is made unique within the message. */
  call(block: number, toolCall: ToolCall): void {
    let id = toolCall.id;
    for (let copy = 2; this.#ids?.has(id); copy++) id = `${toolCall.id}-${copy}`;
    const part = this.at(block, 'toolInput');
    if (part.toolCall) throw new HooklineError('MODEL_FAILED', `The model gave two tool calls for block ${block}.`);
    this.#ids ??= new Set();
    this.#ids.add(id);
    part.toolCall = id === toolCall.id ? toolCall : { ...toolCall, id };
  }

  /** Keeps provider data of a block, whether or not anything of it has left yet. */
  metadata(block: number, kind: Part['kind'], metadata: JsonObject): void {
    const part = this.at(block, kind);
    part.metadata = { ...part.metadata, ...metadata };
  }

  message(): Message {
    return { role: 'assistant', parts: this.inOrder().flatMap((entry) => this.partsOf(entry)) };
  }

  /** The text that got out before the step was cut, without calls and thinking; nothing if there is none. */
  partial(): Message | undefined {
    const text = this.inOrder().filter(([, part]) => part.kind === 'text');
    const shown = text.flatMap((entry) => this.partsOf(entry));
    return shown.length === 0 ? undefined : { role: 'assistant', parts: shown };
  }

  /** Forgets everything: a new attempt begins. */
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
    // What a provider tells beside a text may say once more what stages have taken out of it.
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
