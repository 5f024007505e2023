import type { CompiledAllowance } from './compiled-rule.ts';
import { type Alphabet, Kind } from './pattern/alphabet.ts';
import { automatonOf } from './pattern/automaton.ts';

/** Where a secret stands, for those who have to judge it. */
export interface Sighting {
  readonly secret: string;
  readonly match: string;
  /** From the beginning of the line (or as far back as is known) to the end of the match. */
  readonly line: string;
}

/** Says whether a sighting is no secret. */
export interface AllowanceTest {
  readonly target: 'secret' | 'match' | 'line';
  holds(sighting: Sighting): boolean;
}

/** Makes an allowance ready to be asked. */
export function allowanceTest({ program, stopWords, target }: CompiledAllowance, alphabet: Alphabet): AllowanceTest {
  const none = program && new Uint8Array(program.ops.length);
  const automaton = program && automatonOf([{ program, held: none!, within: none! }], alphabet);
  const finds = (text: string): boolean => {
    if (!automaton) return true;
    automaton.trim();
    let state = automaton.start(Kind.edge);
    for (let at = 0; at < text.length; at++) {
      state = automaton.step(state, alphabet.classOf[text.charCodeAt(at)]!);
      if (state.matched) return true;
    }
    return automaton.finish(state, Kind.edge) !== 0;
  };
  const stops = (secret: string): boolean => {
    if (stopWords.length === 0) return true;
    const lower = secret.toLowerCase();
    return stopWords.some((word) => lower.includes(word));
  };
  return { target, holds: (sighting) => stops(sighting.secret) && finds(sighting[target]) };
}
