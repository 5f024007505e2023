import { createGlob } from './glob.ts';

/** A test for names: strings are exact or globs (`*` any characters, `?` one), regular expressions as they are but without `g` and `y`. */
export function createMatcher(patterns: readonly (string | RegExp)[]): (name: string) => boolean {
  const tests = patterns.map(toTest);
  return (name) => tests.some((test) => test(name));
}

function toTest(pattern: string | RegExp): (name: string) => boolean {
  if (typeof pattern === 'string') return /[*?]/.test(pattern) ? createGlob(pattern) : (name) => name === pattern;
  // With `g` or `y` a RegExp remembers where it stopped, and every second call would escape.
  const regExp = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
  return (name) => regExp.test(name);
}
