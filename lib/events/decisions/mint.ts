import type { HookEvent } from '../hook-event.ts';

/**
 * What the helpers made last. The engine reads it right after a synchronous handler: an event that stands here was made by a
 * helper from the very event the handler got, so only legal members differ and it need not be compared.
 */
export const lastMint: { source: HookEvent | undefined; result: HookEvent | undefined; decisions: number } = {
  source: undefined,
  result: undefined,
  decisions: 0,
};

const origins = new WeakMap<HookEvent, HookEvent>();
const decided = new WeakSet<HookEvent>();

/** Remembers that `modify` made `result` from `source`. */
export function mintChange<E extends HookEvent>(source: E, result: E): E {
  // A chunk is modified too often for a map entry each; the slot alone tells where the last one came from.
  if (source.type !== 'reasoningChunk' && source.type !== 'actingChunk') origins.set(result, originOf(source));
  lastMint.source = lastMint.result === source ? lastMint.source : source;
  lastMint.result = result;
  return result;
}

/** Remembers that a decision was taken on `source`, to tell a handler that forgets to return it. */
export function mintDecision<E extends HookEvent>(source: E, result: E): E {
  const origin = lastMint.result === source && lastMint.source ? lastMint.source : originOf(source);
  origins.set(result, origin);
  decided.add(origin);
  lastMint.decisions += 1;
  lastMint.source = origin;
  lastMint.result = result;
  return result;
}

/** Whether a helper took a decision on `event`, or on something modified from it. */
export function wasDecided(event: HookEvent): boolean {
  return decided.has(originOf(event));
}

function originOf(event: HookEvent): HookEvent {
  return origins.get(event) ?? event;
}
