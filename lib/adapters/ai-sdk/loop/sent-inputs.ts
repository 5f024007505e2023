import type { ModelChunk } from '../../../pipeline/define/model.ts';
import type { StreamPart } from '../language-model.ts';

interface SentInput {
  readonly parts: StreamPart[];
  /** The block of its text. Not set until the text starts. */
  block?: number;
}

/** The stream parts of call inputs. They are kept until their call arrives. */
export class SentInputs {
  readonly #open = new Map<string, SentInput>();

  note(part: StreamPart, chunks: readonly ModelChunk[]): void {
    if (!part.type.startsWith('tool-input-') || part.providerExecuted) return;
    const { id = '' } = part;
    if (part.type === 'tool-input-start') this.#open.set(id, { parts: [] });
    const input = this.#open.get(id);
    const [chunk] = chunks;
    if (input && chunk && 'block' in chunk && chunk.block !== undefined) input.block ??= chunk.block;
    input?.parts.push(part);
  }

  /** Returns the stream parts for a call that has arrived, with its own id. */
  take(id: string, as: string): readonly StreamPart[] {
    const input = this.#open.get(id);
    this.#open.delete(id);
    return input?.parts.map((part) => ({ ...part, id: as })) ?? [];
  }

  /** Returns inputs whose call did not arrive. `textAt` returns the settled text of a block. */
  left(textAt: (block: number) => string): readonly { readonly part: StreamPart; readonly at: number }[] {
    return [...this.#open.values()].flatMap(({ parts, block: at = Number.MAX_SAFE_INTEGER }) => {
      const isDelta = ({ type }: StreamPart): boolean => type === 'tool-input-delta';
      const text = textAt(at);
      const same = text === parts.map(({ delta = '' }) => delta).join('');
      const [start] = parts;
      if (same || !start) return parts.map((part) => ({ part, at }));
      const { id, type, toolName } = start;
      const changed: StreamPart[] = [
        { type, id, ...(toolName !== undefined && { toolName }) } as StreamPart,
        { type: 'tool-input-delta', id, delta: text } as StreamPart,
        ...parts
          .filter((part) => part !== start && !isDelta(part))
          .map((part) => ({ type: part.type, id }) as StreamPart),
      ];
      return changed.map((part) => ({ part, at }));
    });
  }
}
