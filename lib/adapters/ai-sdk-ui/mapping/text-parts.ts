import type { Message } from '../../../events/parts/message.ts';
import type { ReasoningChunk } from '../../../events/reasoning-chunk.ts';
import type { PartMetadata, UiMessageChunk } from '../ui-message-chunk.ts';

/** The texts and thoughts of a run's latest model step, as the client shows them. */
export interface TextParts {
  /** Sends a chunk of a block. */
  add(event: ReasoningChunk): void;
  /** Starts again and keeps the shown content. */
  begin(): void;
  /** Retracts all content of the model step, and starts again. */
  withdraw(): void;
  /** Retracts content that is not in the settled message. Sends the rest of the message. */
  settle(message: Message): void;
  /** Returns true if the shown texts equal those of the message. */
  matches(message: Message): boolean;
  /** Ends all open parts. */
  close(): void;
}

export interface TextPartsHost {
  send(chunk: UiMessageChunk): void;
  /** Retracts parts by id. Returns true if the client dropped all content of the model step. */
  withdraw(ids: readonly string[]): boolean;
  /** Returns a new id and the metadata to send with the part. */
  name(): { readonly id: string; readonly providerMetadata: PartMetadata };
  /** True if thoughts are sent. `buffer` delays all content until its message has settled. */
  readonly thinking: boolean;
  readonly buffer: boolean;
}

interface Part {
  readonly kind: 'text' | 'reasoning';
  readonly id: string;
  text: string;
  open: boolean;
}

export function createTextParts(host: TextPartsHost): TextParts {
  const blocks = new Map<number, Part>();
  /** The settled parts, in order. */
  let settledParts: readonly Part[] = [];
  /** A cache, because most chunks belong to the same block as the previous one. */
  let latest: Part | undefined;
  let latestBlock = -1;

  function open(kind: Part['kind']): Part {
    const { id, providerMetadata } = host.name();
    host.send({ type: `${kind}-start`, id, providerMetadata });
    return { kind, id, text: '', open: true };
  }

  function write(part: Part, delta: string): void {
    part.text += delta;
    const { kind, id } = part;
    host.send(kind === 'text' ? { type: 'text-delta', id, delta } : { type: 'reasoning-delta', id, delta });
  }

  function end(part: Part | undefined): void {
    if (!part?.open) return;
    part.open = false;
    host.send({ type: `${part.kind}-end`, id: part.id });
  }

  function whole({ kind, text }: Text): Part {
    const part = open(kind);
    write(part, text);
    end(part);
    return part;
  }

  const parts: TextParts = {
    add({ part: kind, block, delta, last }) {
      if (host.buffer || (kind === 'thinking' && !host.thinking)) return;
      if (block !== latestBlock || !latest) {
        const known = blocks.get(block);
        if (!known && delta === '') return;
        latest = known ?? open(kind === 'text' ? 'text' : 'reasoning');
        latestBlock = block;
        blocks.set(block, latest);
      }
      if (delta !== '') write(latest, delta);
      if (last) end(latest);
    },
    begin() {
      blocks.clear();
      settledParts = [];
      latest = undefined;
    },
    withdraw() {
      parts.close();
      const ids = [...blocks.values()].map(({ id }) => id);
      parts.begin();
      if (ids.length > 0) host.withdraw(ids);
    },
    settle(message) {
      parts.close();
      const there = [...settledParts, ...[...blocks].sort(([a], [b]) => a - b).map(([, part]) => part)];
      const wanted = textsOf(message, host.thinking);
      const kept = inCommon(there, wanted);
      const ids = there.slice(kept).map(({ id }) => id);
      const left = ids.length > 0 && host.withdraw(ids) ? 0 : kept;
      parts.begin();
      settledParts = [...there.slice(0, left), ...wanted.slice(left).map(whole)];
    },
    matches(message) {
      const wanted = textsOf(message, host.thinking);
      return settledParts.length === wanted.length && inCommon(settledParts, wanted) === wanted.length;
    },
    close() {
      for (const part of blocks.values()) end(part);
    },
  };
  return parts;
}

type Text = Pick<Part, 'kind' | 'text'>;

/** Returns the number of equal parts from the start. */
function inCommon(there: readonly Text[], wanted: readonly Text[]): number {
  const other = there.findIndex(({ kind, text }, at) => kind !== wanted[at]?.kind || text !== wanted[at]?.text);
  return other < 0 ? there.length : other;
}

function textsOf({ parts }: Message, thinking: boolean): readonly Text[] {
  return parts.flatMap((part): Text[] => {
    if (part.type === 'text' && part.text !== '') return [{ kind: 'text', text: part.text }];
    if (part.type === 'thinking' && thinking && part.text !== '') return [{ kind: 'reasoning', text: part.text }];
    return [];
  });
}
