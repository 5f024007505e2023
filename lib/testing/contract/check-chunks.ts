import { concat, EMPTY, from, NEVER, type Observable } from 'rxjs';
import { chunkText, isChunk, withText } from '../../events/chunk-text.ts';
import type { ChunkEvent, HookEvent } from '../../events/hook-event.ts';
import { anEvent } from '../an-event.ts';
import { show } from '../marbles/expected-event.ts';
import { passEvents } from '../pass-events.ts';
import type { Bench, Played } from './bench.ts';
import { HUGE, TEXT } from './sample-events.ts';

const kinds = [anEvent.text(''), anEvent.thinking(''), anEvent.toolInput(''), anEvent.actingChunk('')] as const;

export interface ChunkChecks {
  readonly texts: readonly string[];
  /** Chunks of additional calls or blocks. Their text is ignored. */
  readonly chunks: readonly ChunkEvent[];
  /** True if the output must be the same wherever the chunks are split. */
  readonly boundaries: boolean;
}

/** Streams texts through the chunk stages of the hook: whole, in pieces, empty, huge, cancelled and, for an idempotent hook, twice. */
export async function checkChunks(bench: Bench, { texts, chunks, boundaries }: ChunkChecks): Promise<void> {
  for (const kind of [...kinds, ...chunks]) {
    const where = placeOf(bench, kind);
    if (where === undefined) continue;
    const play = (chunks$: Observable<HookEvent>, when: string, how: { cancel?: boolean; patient?: boolean } = {}) =>
      bench.play({ where, when, ...how, start: (hook, ...rest) => passEvents([hook], chunks$, ...rest) });
    const cut = (text: string, size: number) => from(pieces(kind, text, size));

    await play(EMPTY, 'with no chunk at all');
    await play(from([{ ...kind, last: true }]), 'with an empty block');
    await play(concat(cut(TEXT, 7), NEVER), 'with a stream that is cancelled', { cancel: true });
    for (const text of [TEXT, ...texts]) {
      const once = await play(cut(text, 7), 'with a text in chunks of 7');
      if (!once.ended) continue;
      if (bench.hook.idempotent) sameTwice(bench, where, once, await play(cut(textOf(once), 7), 'a second time'));
      if (!boundaries) continue;
      for (const size of [1, 2, 3, text.length]) {
        sameCut(bench, where, once, await play(cut(text, size), `with chunks of ${size}`), size);
      }
    }
    if (kind.type === 'reasoningChunk' && kind.part !== 'text') continue;
    await play(cut(HUGE, Math.ceil(HUGE.length / 10_000)), 'with 1 MiB in 10,000 chunks', { patient: true });
    await play(cut(HUGE, HUGE.length), 'with one chunk of 1 MiB', { patient: true });
  }
}

function sameTwice(bench: Bench, where: string, once: Played, twice: Played): void {
  if (!twice.ended || textOf(once) === textOf(twice)) return;
  bench.issues.add(
    where,
    `is declared idempotent, but applying it twice differs from once: ${show(textOf(once))}, then ${show(textOf(twice))}. Let it detect its own changes, or remove \`idempotent\`.`,
  );
}

function sameCut(bench: Bench, where: string, whole: Played, other: Played, size: number): void {
  if (!other.ended || textOf(whole) === textOf(other)) return;
  bench.issues.add(
    where,
    `gives another text when the chunks are cut elsewhere: ${show(textOf(whole))} in chunks of 7, ${show(textOf(other))} in chunks of ${size}. Hold back text that may continue in the next chunk (a \`through\` can).`,
  );
}

function pieces(kind: ChunkEvent, text: string, size: number): ChunkEvent[] {
  const count = Math.ceil(text.length / Math.max(size, 1));
  return Array.from({ length: count }, (_, index) => {
    const piece = text.slice(index * size, (index + 1) * size);
    return withText(kind, piece);
  });
}

function textOf({ events }: Played): string {
  return events.map((event) => (isChunk(event) ? chunkText(event) : '')).join('');
}

function placeOf({ hook }: Bench, { type }: ChunkEvent): string | undefined {
  if (hook.through?.[type]) return `through.${type}`;
  return typeof hook.on === 'function' || hook.on?.[type] ? `on.${type}` : undefined;
}
