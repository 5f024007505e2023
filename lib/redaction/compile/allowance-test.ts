import type { Alphabet } from '../pattern/alphabet.ts';
import { finderOf } from '../pattern/finder.ts';
import type { Program } from '../pattern/program.ts';
import type { CompiledAllowance } from './compiled-rule.ts';
import type { Sighting } from './sighting.ts';

/** Decides whether a sighting is not a secret. */
export interface AllowanceTest {
  readonly target: 'secret' | 'match' | 'line';
  holds(sighting: Sighting): boolean;
}

/** Creates the tests of allowances over an alphabet. Automata are built on first use, once for each pattern. */
export function allowanceTests(alphabet: Alphabet): (allowance: CompiledAllowance) => AllowanceTest {
  const finders = new Map<Program, (text: string) => boolean>();
  const finds = (program: Program, text: string): boolean => {
    const find = finders.get(program) ?? finderOf([program], alphabet);
    finders.set(program, find);
    return find(text);
  };
  return ({ program, stopWords, target }) => ({
    target,
    holds: (sighting) =>
      stops(stopWords, sighting.secret) && (program === undefined || finds(program, sighting[target])),
  });
}

function stops(words: readonly string[], secret: string): boolean {
  if (words.length === 0) return true;
  const lower = secret.toLowerCase();
  return words.some((word) => lower.includes(word));
}
