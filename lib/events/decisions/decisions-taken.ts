import type { HookEvent } from '../hook-event.ts';
import { processWide } from '../values/process-wide.ts';

/** What helpers have decided, of all copies of this package in the process: an event of one may be decided on with the helper of another. */
interface Decisions {
  /** How many decisions the helpers have made. A number that has grown while a handler ran is worth a look at what it decided on. */
  taken: number;
  /** Which event another one was made from. */
  readonly origins: WeakMap<HookEvent, HookEvent>;
  readonly decided: WeakSet<HookEvent>;
  /** The chunk that was made last, and of which: chunks are changed too often for an entry each. */
  latest: HookEvent | undefined;
  latestSource: HookEvent | undefined;
}

/** The decisions of this process. */
export const decisions = processWide<Decisions>('decisions', () => ({
  taken: 0,
  origins: new WeakMap(),
  decided: new WeakSet(),
  latest: undefined,
  latestSource: undefined,
}));

/** Whether a helper took a decision on `event`, or on something that was made of it. */
export function wasDecided(event: HookEvent): boolean {
  return decisions.decided.has(originOf(event));
}

/** Remembers that `result` is `source` with changes. */
export function rememberChange<E extends HookEvent>(source: E, result: E): E {
  if (source.type === 'reasoningChunk' || source.type === 'actingChunk') {
    decisions.latestSource = source === decisions.latest ? decisions.latestSource : source;
    decisions.latest = result;
  } else decisions.origins.set(result, originOf(source));
  return result;
}

/** Remembers that a decision was taken on `source`, to tell a handler that forgets to return it. */
export function rememberDecision<E extends HookEvent>(source: E, result: E): E {
  const { latest, latestSource } = decisions;
  const origin = originOf(source === latest && latestSource ? latestSource : source);
  decisions.origins.set(result, origin);
  decisions.decided.add(origin);
  decisions.taken += 1;
  return result;
}

function originOf(event: HookEvent): HookEvent {
  return decisions.origins.get(event) ?? event;
}
