import type { Automaton, State } from '../pattern/automaton.ts';
import type { History } from './history.ts';

/**
 * Returns whether a candidate in `state` at `at` dies without a match before `stop`. `undefined` if it lives that long and everything after its first
 * character would be held: then waiting for more text loses nothing.
 */
export function dies(
  { columns, step }: Automaton,
  state: State,
  classOf: Uint8Array | Uint16Array,
  { chunk, from }: History,
  at: number,
  stop: number,
): boolean | undefined {
  let now = state;
  let held = true;
  for (let place = at; place < stop; place++) {
    const unitClass = classOf[chunk.charCodeAt(place - from)]!;
    now = now.next[columns[unitClass]!] ?? step(now, unitClass);
    if (now.alive === 0) return now.matched === 0;
    if (!now.held) held = false;
  }
  return held ? undefined : false;
}
