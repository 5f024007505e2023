import type { SplitRequest } from './split-request.ts';

/** How far a conversation is shrunk, in messages from its beginning: left out up to `dropped`, results shortened up to `shortened`. */
export interface Marks {
  readonly dropped: number;
  readonly shortened: number;
}

/** What the parts of a request take, in tokens. */
export interface Sizes {
  /** What stays anyway: system text, tools, what hooks put in. */
  readonly fixed: number;
  /** What stands for messages that are left out. */
  readonly summary: number;
  whole(at: number): number;
  short(at: number): number;
}

/** A plan, and what a request takes then. */
export interface ShrinkPlan {
  readonly marks: Marks;
  readonly tokens: number;
}

/**
 * Moves the marks on until a request takes no more than `target`: results are shortened before messages are left out, and the last
 * `keepLast` messages come last. The first and the last word of the user stay, and so does the last exchange. `places` are those where the
 * conversation may be cut.
 */
export function planShrink(
  { talk, firstUser, lastUser }: Pick<SplitRequest, 'talk' | 'firstUser' | 'lastUser'>,
  places: readonly number[],
  sizes: Sizes,
  before: Marks,
  { target, keepLast }: { readonly target: number; readonly keepLast: number },
): ShrinkPlan {
  let { dropped, shortened } = before;
  const isPinned = (at: number) => at === firstUser || at === lastUser;
  const sizeOf = (at: number) => (at < shortened ? sizes.short(at) : sizes.whole(at));
  let tokens = sizes.fixed + (dropped > 0 ? sizes.summary : 0);
  for (let at = 0; at < talk.length; at++) if (at >= dropped || isPinned(at)) tokens += sizeOf(at);

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

  const recent = Math.max(0, talk.length - keepLast);
  shortenTo(recent);
  dropTo(recent);
  shortenTo(talk.length);
  dropTo(places.at(-2) ?? 0);
  return { marks: { dropped, shortened: Math.max(shortened, dropped) }, tokens };
}
