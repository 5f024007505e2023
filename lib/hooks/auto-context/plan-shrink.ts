import type { SplitRequest } from './split-request.ts';

/** The shrinking of a conversation, as counts from its beginning: messages up to `dropped` are dropped, results up to `shortened` are shortened. */
export interface Marks {
  readonly dropped: number;
  readonly shortened: number;
}

/** The sizes of the parts of a request, in tokens. */
export interface Sizes {
  /** The parts that are always kept: system text, tools, injected messages. */
  readonly fixed: number;
  /** The summary of dropped messages. */
  readonly summary: number;
  whole(at: number): number;
  short(at: number): number;
}

/** A plan, and the resulting size of the request. */
export interface ShrinkPlan {
  readonly marks: Marks;
  readonly tokens: number;
}

/**
 * Moves the marks until a request needs at most `target` tokens. Results are shortened before messages are dropped, and the last `keepLast` messages
 * are shrunk last. The first and last user messages and the last exchange are kept. `places` are the permitted cuts.
 */
export function planShrink(
  { conversation, firstUser, lastUser }: Pick<SplitRequest, 'conversation' | 'firstUser' | 'lastUser'>,
  places: readonly number[],
  sizes: Sizes,
  before: Marks,
  { target, keepLast }: { readonly target: number; readonly keepLast: number },
): ShrinkPlan {
  let { dropped, shortened } = before;
  const isPinned = (at: number) => at === firstUser || at === lastUser;
  const sizeOf = (at: number) => (at < shortened ? sizes.short(at) : sizes.whole(at));
  let tokens = sizes.fixed + (dropped > 0 ? sizes.summary : 0);
  for (let at = 0; at < conversation.length; at++) if (at >= dropped || isPinned(at)) tokens += sizeOf(at);

  function shortenTo(end: number): void {
    for (; tokens > target && shortened < end; shortened++)
      if (shortened >= dropped || isPinned(shortened)) tokens -= sizes.whole(shortened) - sizes.short(shortened);
  }

  function dropTo(end: number): void {
    for (const place of places) {
      if (place <= dropped) continue;
      if (tokens <= target || place > end) return;
      if (dropped === 0) tokens += sizes.summary;
      for (let at = dropped; at < place; at++) if (!isPinned(at)) tokens -= sizeOf(at);
      dropped = place;
    }
  }

  const recent = Math.max(0, conversation.length - keepLast);
  shortenTo(recent);
  dropTo(recent);
  shortenTo(conversation.length);
  dropTo(places.at(-2) ?? 0);
  return { marks: { dropped, shortened: Math.max(shortened, dropped) }, tokens };
}
