import type { HookEvent } from '../hook-event.ts';

/** Which event another one was made from. */
const origins = new WeakMap<HookEvent, HookEvent>();
const decided = new WeakSet<HookEvent>();
/** The chunk that was made last, and of which: chunks are changed too often for an entry each. */
let latest: HookEvent | undefined;
let latestSource: HookEvent | undefined;
let taken = 0;

/** How many decisions the helpers have made. A number that has grown while a handler ran is worth a look at what it decided on. */
export function decisionsTaken(): number {
  return taken;
}

/** Whether a helper took a decision on `event`, or on something that was made of it. */
export function wasDecided(event: HookEvent): boolean {
  return decided.has(originOf(event));
}

/** Remembers that `result` is `source` with changes. */
export function rememberChange<E extends HookEvent>(source: E, result: E): E {
  if (source.type === 'reasoningChunk' || source.type === 'actingChunk') {
    latestSource = source === latest ? latestSource : source;
    latest = result;
  } else origins.set(result, originOf(source));
  return result;
}

/** Remembers that a decision was taken on `source`, to tell a handler that forgets to return it. */
export function rememberDecision<E extends HookEvent>(source: E, result: E): E {
  const origin = originOf(source === latest && latestSource ? latestSource : source);
  origins.set(result, origin);
  decided.add(origin);
  taken += 1;
  return result;
}

function originOf(event: HookEvent): HookEvent {
  return origins.get(event) ?? event;
}
