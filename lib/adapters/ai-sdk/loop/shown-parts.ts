import type { EventOf } from '../../../events/hook-event.ts';
import type { StreamPart } from '../language-model.ts';
import type { RawReply } from './raw-reply.ts';

/**
 * Shows stream parts at once, until a call arrives. A call waits until its message has settled. Later parts wait as well, to keep their order.
 * Positions are block numbers.
 */
export class ShownParts {
  readonly #emit: (part: StreamPart) => void;
  #waiting: { readonly at: number; readonly part?: StreamPart; readonly call?: string }[] | undefined;

  constructor(emit: (part: StreamPart) => void) {
    this.#emit = emit;
  }

  show(part: StreamPart, at: number): void {
    if (this.#waiting) this.#waiting.push({ at, part });
    else this.#emit(part);
  }

  /** Records the call with that id at this position. */
  wait(call: string, at: number): void {
    this.#waiting ??= [];
    this.#waiting.push({ at, call });
  }

  /** Shows the waiting parts. `calls` holds the parts by call id, and those without a position come last. */
  release(calls: ReadonlyMap<string, readonly StreamPart[]> = new Map()): void {
    const left = new Map(calls);
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const { part, call = '' } of waiting.sort((a, b) => a.at - b.at)) {
      for (const shown of part ? [part] : (left.get(call) ?? [])) this.#emit(shown);
      left.delete(call);
    }
    for (const parts of left.values()) for (const part of parts) this.#emit(part);
  }
}

interface OpenBlock {
  readonly kind: 'text' | 'reasoning';
  readonly block: number;
  /** The model's id, or the position. */
  readonly id: string;
  text: string;
}

/** Converts chunk events to stream parts, block by block. */
export class BlockWriter {
  readonly #shown: ShownParts;
  readonly #open = new Map<string, OpenBlock>();
  readonly #inputs = new Map<number, string>();
  #attempt = '';

  constructor(shown: ShownParts) {
    this.#shown = shown;
  }

  write({ part, delta, block, attempt, iteration, last }: EventOf<'reasoningChunk'>, raw: RawReply): void {
    const of = `${iteration}.${attempt}`;
    // Parts that an earlier attempt has shown cannot be retracted.
    if (of !== this.#attempt) this.close();
    this.#attempt = of;
    if (part === 'toolInput') return void this.#inputs.set(block, this.inputAt(block) + delta);
    const kind = part === 'text' ? 'text' : 'reasoning';
    const key = `${of}.${block}`;
    let open = this.#open.get(key);
    if (!open) {
      // The end of a block that was not shown.
      if (last && delta === '' && raw.metadataOf(block, '') === undefined) return;
      open = { kind, block, id: raw.idOf(block) ?? key, text: '' };
      this.#open.set(key, open);
      this.#shown.show({ type: `${kind}-start`, id: open.id }, block);
    }
    if (delta !== '') this.#shown.show({ type: `${kind}-delta`, id: open.id, delta }, block);
    open.text += delta;
    if (last) this.end(key, raw.metadataOf(block, open.text));
  }

  /** Returns the settled input of a call so far. */
  inputAt(block: number): string {
    return this.#inputs.get(block) ?? '';
  }

  /** Ends the open block. */
  close(): void {
    this.#inputs.clear();
    for (const key of [...this.#open.keys()]) this.end(key);
  }

  private end(key: string, providerMetadata?: object): void {
    const { kind, block, id } = this.#open.get(key) as OpenBlock;
    this.#open.delete(key);
    this.#shown.show(
      { type: `${kind}-end`, id, ...(providerMetadata && { providerMetadata: providerMetadata as never }) },
      block,
    );
  }
}
