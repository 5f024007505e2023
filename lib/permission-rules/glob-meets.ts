import { statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { RulePlace } from './match-path.ts';
import { readPathPattern } from './path-pattern.ts';

/** The maximum number of globs in the braces of one; with more, the braces match anything. */
const MOST_CHOICES = 16;
/** Longer globs may match anything. */
const LONGEST = 200;

/** A pattern for one character, or for any number of them. */
type Token =
  | { readonly is: 'text'; readonly text: string }
  /** One character of a name. */
  | { readonly is: 'one' }
  /** Any number of characters of a name. */
  | { readonly is: 'name' }
  /** Any number of characters. */
  | { readonly is: 'any' };

/** Creates a test for globs of a call: whether a file may exist that matches both the glob and one of the patterns. */
export function globTest(patterns: readonly string[], place: RulePlace): (glob: string) => boolean {
  // Few calls have globs.
  let wanted: readonly (readonly Token[])[] | undefined;
  return (glob) => {
    if (glob.length > LONGEST) return true;
    wanted ??= patterns.flatMap((pattern) => tokensOfPattern(pattern, place));
    const all = wanted;
    const globs = choicesOf(glob).map((one) => tokensOf(absolute(one, place)));
    return globs.some((one) => all.some((other) => doMeet(one, other)));
  };
}

/** Returns the paths that a `.gitignore` pattern matches, as globs: the named path and everything below it. */
function tokensOfPattern(
  pattern: string,
  { cwd, home, from = cwd, root = from }: RulePlace,
): readonly (readonly Token[])[] {
  const { start, up, own } = readPathPattern(pattern);
  const folder = resolve({ '//': sep, '~/': home, '/': root, '': from }[start], '../'.repeat(up)).replace(/\/$/, '');
  const named = own.replace(/\/$/, '');
  const path = `/${named.replace(/^\//, '')}`;
  const isAnchored = named.includes('/');
  // A pattern such as `.env` or `*.pem` names files, unless such a folder exists.
  const mayBeFolder = isAnchored || !named.includes('.') || isFolder(folder + path);
  // A glob that matches the folder covers the matches of the pattern inside it.
  const whole = [...new Set([path, path.replace(/(?:\/\*\*?)+$/, '')])].filter((one) => one !== '' && one !== '/');
  return whole
    .flatMap((one) => (mayBeFolder ? [one, `${one}/**`] : [one]))
    .map((one) => [...literal(folder), ...tokensOf(isAnchored ? one : `/**${one}`)]);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Returns all globs that the braces of one expand to. */
function choicesOf(glob: string): readonly string[] {
  let choices = [glob];
  for (let at = 0; at < choices.length; ) {
    const [whole, before = '', list = '', after = ''] = /^([^{]*)\{([^{}]*)\}(.*)$/s.exec(choices[at] as string) ?? [];
    if (whole === undefined) at += 1;
    else
      choices = [
        ...choices.slice(0, at),
        ...list.split(',').map((one) => before + one + after),
        ...choices.slice(at + 1),
      ];
    if (choices.length > MOST_CHOICES) return [glob.replace(/\{.*\}/s, '**')];
  }
  return choices;
}

function absolute(glob: string, { cwd, home }: RulePlace): string {
  // A wildcard may match a name with anything above it.
  if (/[*?[({].*\/\.\.(?:\/|$)/s.test(glob)) return '/**';
  return resolve(cwd, glob.replace(/^~(?=\/|$)/, home));
}

const literal = (text: string): readonly Token[] => [...text].map((one) => ({ is: 'text', text: one }));

function tokensOf(glob: string): readonly Token[] {
  const parts = glob.matchAll(/\/\*\*(?=\/)|[@!+?*]\([^)]*\)|\*{2,}|\*|\?|\[!?\]?[^\]]*\]|[{}]|\\?./gsu);
  return Array.from(parts, ([part]): readonly Token[] => {
    if (part === '*') return [{ is: 'name' }];
    if (part === '?' || (part.length > 1 && part.startsWith('['))) return [{ is: 'one' }];
    if (part.length > 1 && !part.startsWith('\\')) return [{ is: 'any' }];
    return part === '{' || part === '}' ? [{ is: 'any' }] : literal(part.replace(/^\\(?=.)/su, ''));
  }).flat();
}

/** Returns whether both match a common text. */
function doMeet(one: readonly Token[], other: readonly Token[]): boolean {
  const width = other.length + 1;
  const seen = new Set<number>();
  const stack: [number, number][] = [[0, 0]];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [at, to] = next;
    if (seen.has(at * width + to)) continue;
    seen.add(at * width + to);
    const [a, b] = [one[at], other[to]];
    if (a === undefined && b === undefined) return true;
    if (isMany(a)) stack.push([at + 1, to]);
    if (isMany(b)) stack.push([at, to + 1]);
    if (a && b && share(a, b)) stack.push([isMany(a) ? at : at + 1, isMany(b) ? to : to + 1]);
  }
  return false;
}

const isMany = (token: Token | undefined): boolean => token?.is === 'name' || token?.is === 'any';

/** Returns whether both match a common character. */
function share(a: Token, b: Token): boolean {
  if (a.is === 'text') return b.is === 'text' ? a.text === b.text : b.is === 'any' || a.text !== '/';
  return b.is === 'text' ? a.is === 'any' || b.text !== '/' : true;
}
