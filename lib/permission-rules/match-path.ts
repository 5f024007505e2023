import { dirname, join, relative, resolve, sep } from 'node:path';
import ignore from 'ignore';
import { createDiskView, type DiskView } from './disk-view.ts';
import { readPathPattern } from './path-pattern.ts';
import type { RuleMatch } from './rule-match.ts';

/** The folders that the patterns of rules are relative to. */
export interface RulePlace {
  /** The base of the paths of calls. */
  readonly cwd: string;
  /** The base of `~/`. */
  readonly home: string;
  /** The base of `./` and of patterns without a prefix. Default: `cwd`. */
  readonly from?: string;
  /** The base of `/`: the folder of the project that has the rules. Default: `from`. */
  readonly root?: string;
}

/** What a tool reveals of everything below a path: names, texts, or the content of the `folder`, for a tool with no further information. */
export type Below = 'names' | 'texts' | 'folder';

/** Returns how patterns match a path. `disk`: the view of the call, if one call names many paths. */
export type PathTest = (path: string, below?: Below, disk?: DiskView) => RuleMatch;

/**
 * Returns how `.gitignore` patterns match a path. They begin with `//` (root of the file system), `~/` (home folder), `/` (project); otherwise they are
 * relative to the working directory. For `all`, both the path and its link target must match. Everything below the path counts for a tool that reads the
 * `texts` there. For a tool that lists `names`, only the place of the path itself counts: where a pattern begins.
 */
export function pathMatcher(patterns: readonly string[], place: RulePlace): PathTest {
  const made = createDiskView();
  const tests = patterns.map((pattern) => createTest(pattern, place, made));
  return (path, below, disk = createDiskView()) => {
    const given = resolve(place.cwd, path.replace(/^~(?=\/|$)/, place.home));
    const real = disk.realOf(given);
    const matches = [...new Set([given, real])].map((one) => tests.some((test) => test.matches(one)));
    if (matches.every(Boolean)) return 'all';
    if (matches.some(Boolean) || tests.some(({ isNamed }) => isNamed(real))) return 'some';
    const entries = below === 'folder' ? disk.entriesOf(given) : [];
    if (entries === undefined) return 'unclear';
    if (!below || (below === 'folder' && entries.length === 0)) return 'none';
    if (tests.some((test) => test.mayFit(given, below, disk) || test.mayFit(real, below, disk))) return 'unclear';
    return entries.some((entry) => tests.some((test) => test.matches(entry))) ? 'unclear' : 'none';
  };
}

/** Returns whether a path and its link target are in the working directory. */
export function isInside(path: string, { cwd, home }: RulePlace, disk: DiskView = createDiskView()): boolean {
  const given = resolve(cwd, path.replace(/^~(?=\/|$)/, home));
  return isWithin(cwd, given) && isWithin(disk.realOf(cwd), disk.realOf(given));
}

function createTest(pattern: string, { cwd, home, from = cwd, root = from }: RulePlace, { realOf }: DiskView) {
  const { start, up, own } = readPathPattern(pattern);
  const folder = resolve({ '//': sep, '~/': home, '/': root, '': from }[start], '../'.repeat(up));
  // The part before the first wildcard, if it is anchored: matches are below it.
  const head = own.slice(0, -1).includes('/') ? (own.split(/[*?[\\]/)[0] as string) : '';
  const base = join(folder, head.endsWith('/') ? head : dirname(head));
  const bases = [...new Set([base, realOf(base)])];
  const places = [...new Set([folder, realOf(folder)])].map((at) => isBelow(at, own));
  const named = realOfName(folder, own, head, realOf);
  // The author of a complete path means its link target. A link in the project may be the agent's own, so it allows nothing elsewhere.
  const meant = start === '//' || start === '~/' ? [...places, named] : places;
  return {
    matches: (path: string): boolean => meant.some((matches) => matches(path)),
    isNamed: named,
    mayFit: (path: string, below: Below, disk: DiskView): boolean => {
      if (below === 'texts') return bases.some((one) => isWithin(path, one) || isWithin(one, path));
      if (head === '') return false;
      return bases.some(
        (one) => isWithin(one, path) || (below === 'folder' && isWithin(path, one) && disk.exists(one)),
      );
    },
  };
}

function isBelow(folder: string, pattern: string): (path: string) => boolean {
  const rules = ignore({ ignorecase: false, allowRelativePaths: false }).add(pattern);
  return (path) => {
    const inside = relative(folder, path);
    return inside !== '' && isWithin(folder, path) && (rules.ignores(inside) || rules.ignores(`${inside}/`));
  };
}

/** Creates a test for the target of an anchored pattern, if the part without a wildcard contains links. */
function realOfName(
  folder: string,
  pattern: string,
  head: string,
  realOf: DiskView['realOf'],
): (path: string) => boolean {
  if (head === '') return () => false;
  const whole = head === pattern;
  const end = whole ? head.length : head.lastIndexOf('/');
  const literal = head.slice(0, end);
  const real = realOf(join(folder, literal));
  if (real === join(realOf(folder), literal).replace(/(?<=.)\/$/, '')) return () => false;
  return whole ? (path) => isWithin(real, path) : isBelow(real, pattern.slice(end));
}

function isWithin(folder: string, path: string): boolean {
  return !/^\.\.([\\/]|$)/.test(relative(folder, path));
}
