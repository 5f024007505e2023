import { type Alphabet, Kind } from './alphabet.ts';
import type { Automaton } from './automaton.ts';

/** What every marker begins with is never passed over. */
const BRACKET = 91;

/**
 * Units of which a row is no secret and no beginning of one: no literal begins with one, and no two of them begin an open pattern. In most
 * scripts but the Latin one that is nearly every letter, so a row of them can be passed over.
 */
export function dullUnits(
  { classOf, kinds, size }: Alphabet,
  { goto, columns }: { readonly goto: Int32Array; readonly columns: Uint8Array | Uint16Array },
  { first, second }: { readonly first: Uint8Array; readonly second: Uint8Array },
  openUnits: readonly { readonly automaton: Automaton }[],
): Uint8Array {
  const quiet = (before: number, after: number): boolean => {
    const place = Kind.other * size + before;
    return first[place] === 0 || second[place * size + after] === 0;
  };
  // The last of a row is shown before the next character has come, so it may be the context of a secret only.
  const isHeld = (unitClass: number): boolean =>
    openUnits.some(({ automaton }) => automaton.step(automaton.start(Kind.other), unitClass).held);
  const counts = new Uint32Array(size);
  for (let unit = 0; unit < 65_536; unit++) counts[classOf[unit]!]!++;
  // The largest classes first: of two that do not go together the one with more letters stays.
  const classes = Array.from(counts.keys())
    .filter((unitClass) => kinds[unitClass] === Kind.other && !isHeld(unitClass))
    .sort((a, b) => counts[b]! - counts[a]!);
  const dull: number[] = [];
  for (const unitClass of classes) {
    if ([...dull, unitClass].every((other) => quiet(unitClass, other) && quiet(other, unitClass))) dull.push(unitClass);
  }
  const chosen = new Set(dull);
  const units = Uint8Array.from(classOf, (unitClass, unit) =>
    chosen.has(unitClass) && goto[columns[unit]!] === 0 ? 1 : 0,
  );
  units[BRACKET] = 0;
  return units;
}
