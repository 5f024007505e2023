import type { CompiledAllowance } from './compiled-rule.ts';
import { type Alphabet, Kind } from './pattern/alphabet.ts';
import { type Automaton, automatonOf } from './pattern/automaton.ts';
import type { Program } from './pattern/program.ts';

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

/** Tests of allowances over an alphabet; an automaton is built when it is first asked, and once for each pattern. */
export function allowanceTests(alphabet: Alphabet): (allowance: CompiledAllowance) => AllowanceTest {
  const automata = new Map<Program, Automaton>();
  const finds = (program: Program, text: string): boolean => {
    const automaton = automata.get(program) ?? searching(program, alphabet);
    automata.set(program, automaton);
    automaton.trim();
    let state = automaton.start(Kind.edge);
    for (let at = 0; at < text.length; at++) {
      state = automaton.step(state, alphabet.classOf[text.charCodeAt(at)]!);
      if (state.matched) return true;
    }
    return automaton.finish(state, Kind.edge) !== 0;
  };
  return ({ program, stopWords, target }) => ({
    target,
    holds: (sighting) =>
      stops(stopWords, sighting.secret) && (program === undefined || finds(program, sighting[target])),
  });
}

function searching(program: Program, alphabet: Alphabet): Automaton {
  const none = new Uint8Array(program.ops.length);
  return automatonOf([{ program, held: none, within: none }], alphabet);
}

function stops(words: readonly string[], secret: string): boolean {
  if (words.length === 0) return true;
  const lower = secret.toLowerCase();
  return words.some((word) => lower.includes(word));
}
