import type { EventOf } from '../../events/hook-event.ts';
import type { HostModelEvent } from './host-strands.ts';
import type { RawReply } from './raw-reply.ts';

/** Writes text and thinking as Strands events, block by block. */
export class BlockWriter {
  /** All shown text, by kind. */
  readonly shown = { text: '', thinking: '' };
  readonly #emit: (event: HostModelEvent) => void;
  #open: { readonly id: string; readonly block: number; readonly raw: RawReply; text: string } | undefined;

  constructor(emit: (event: HostModelEvent) => void) {
    this.#emit = emit;
  }

  write({ part, delta, block, attempt, iteration, last }: EventOf<'reasoningChunk'>, raw: RawReply): void {
    if (part === 'toolInput') return;
    const id = `${iteration}.${attempt}.${block}`;
    if (this.#open?.id !== id) {
      this.close();
      if (delta === '') return;
      for (const deltas of raw.takeSilent(block)) this.silent(deltas);
      this.#emit({ type: 'modelContentBlockStartEvent' });
      this.#open = { id, block, raw, text: '' };
    }
    if (delta !== '') this.writeDelta(part, delta);
    if (last) this.close();
  }

  /** Writes a whole block. */
  block(part: 'text' | 'thinking', text: string, signature?: string): void {
    this.close();
    this.#emit({ type: 'modelContentBlockStartEvent' });
    this.writeDelta(part, text);
    if (signature !== undefined) this.delta({ type: 'reasoningContentDelta', signature });
    this.#emit({ type: 'modelContentBlockStopEvent' });
  }

  /** Writes a block that hooks do not see. */
  silent(deltas: readonly object[]): void {
    this.#emit({ type: 'modelContentBlockStartEvent' });
    for (const delta of deltas) this.delta(delta);
    this.#emit({ type: 'modelContentBlockStopEvent' });
  }

  call(start: object, input: unknown): void {
    this.#emit({ type: 'modelContentBlockStartEvent', start });
    this.delta({ type: 'toolUseInputDelta', input: JSON.stringify(input) });
    this.#emit({ type: 'modelContentBlockStopEvent' });
  }

  close(): void {
    if (!this.#open) return;
    const { raw, block, text } = this.#open;
    for (const extra of raw.extrasOf(block, text)) this.delta(extra);
    this.#emit({ type: 'modelContentBlockStopEvent' });
    this.#open = undefined;
  }

  private writeDelta(part: 'text' | 'thinking', text: string): void {
    this.shown[part] += text;
    if (this.#open) this.#open.text += text;
    this.delta(part === 'text' ? { type: 'textDelta', text } : { type: 'reasoningContentDelta', text });
  }

  private delta(delta: object): void {
    this.#emit({ type: 'modelContentBlockDeltaEvent', delta });
  }
}
