import type { HookEvent } from '../hook-event.ts';
import { processWide } from '../values/process-wide.ts';

/** Decisions by helpers, shared by all copies of this package. An event from one copy may be decided with the helper of another. */
interface Decisions {
  /** Number of decisions by helpers. If it grew while a handler ran, the engine checks for a decision that was not returned. */
  taken: number;
  /** Source of each changed event. */
  readonly origins: WeakMap<HookEvent, HookEvent>;
  readonly decided: WeakSet<HookEvent>;
  /** The last changed chunk, with its source. Chunks change too often for an entry each. */
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

/** Returns whether a helper decided on `event`, or on an event made from it. */
export function wasDecided(event: HookEvent): boolean {
  return decisions.decided.has(originOf(event));
}

/** Records that `result` is `source` with changes. */
export function rememberChange<E extends HookEvent>(source: E, result: E): E {
  if (source.type === 'reasoningChunk' || source.type === 'actingChunk') {
    decisions.latestSource = source === decisions.latest ? decisions.latestSource : source;
    decisions.latest = result;
  } else decisions.origins.set(result, originOf(source));
  return result;
}

/** Records a decision on `source`, to warn about a handler that does not return it. */
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
