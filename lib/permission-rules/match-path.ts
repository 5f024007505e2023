import { dirname, join, relative, resolve, sep } from 'node:path';
import ignore from 'ignore';
import { createDiskView, type DiskView } from './disk-view.ts';
import { readPathPattern } from './path-pattern.ts';
import type { RuleMatch } from './rule-match.ts';

/** Where the patterns of rules begin. */
export interface RulePlace {
  /** `./` and patterns without a place begin here. */
  readonly cwd: string;
  /** `~/` begins here. */
  readonly home: string;
  /** `/` begins here: the folder of the project whose rules they are. Default: `cwd`. */
  readonly root?: string;
}

/**
 * What a tool gives away of all that lies below a path: names, texts, or what is in the `folder` itself, for a tool of which no more is known.
 */
export type Below = 'names' | 'texts' | 'folder';

/** How patterns fit a path. `disk`: the view of the call, where one call names many paths. */
export type PathTest = (path: string, below?: Below, disk?: DiskView) => RuleMatch;

/**
 * How patterns of `.gitignore` fit a path: `//` in front is the root of the file system, `~/` the home folder, `/` the project, all else the
 * working directory. Both the path and where its links lead have to fit for `all`. What lies below the path counts for who
 * reads the `texts` there; for who lists `names`, only whether the path itself lies where a pattern begins.
 */
export function pathMatcher(patterns: readonly string[], place: RulePlace): PathTest {
  const made = createDiskView();
  const tests = patterns.map((pattern) => createTest(pattern, place, made));
  return (path, below, disk = createDiskView()) => {
    const given = resolve(place.cwd, path.replace(/^~(?=\/|$)/, place.home));
    const real = disk.realOf(given);
    const fits = [...new Set([given, real])].map((one) => tests.some((test) => test.fits(one)));
    if (fits.every(Boolean)) return 'all';
    if (fits.some(Boolean) || tests.some(({ isNamed }) => isNamed(real))) return 'some';
    const entries = below === 'folder' ? disk.entriesOf(given) : [];
    if (entries === undefined) return 'unclear';
    if (!below || (below === 'folder' && entries.length === 0)) return 'none';
    if (tests.some((test) => test.mayFit(given, below, disk) || test.mayFit(real, below, disk))) return 'unclear';
    return entries.some((entry) => tests.some((test) => test.fits(entry))) ? 'unclear' : 'none';
  };
}

/** Whether a path, and where its links lead, lie in the working directory. */
export function isInside(path: string, { cwd, home }: RulePlace, disk: DiskView = createDiskView()): boolean {
  const given = resolve(cwd, path.replace(/^~(?=\/|$)/, home));
  return isWithin(cwd, given) && isWithin(disk.realOf(cwd), disk.realOf(given));
}

function createTest(pattern: string, { cwd, home, root = cwd }: RulePlace, { realOf }: DiskView) {
  const { start, up, own } = readPathPattern(pattern);
  const folder = resolve({ '//': sep, '~/': home, '/': root, '': cwd }[start], '../'.repeat(up));
  // The part in front of the first wildcard, if it is anchored: what fits lies below it.
  const head = own.slice(0, -1).includes('/') ? (own.split(/[*?[\\]/)[0] as string) : '';
  const base = join(folder, head.endsWith('/') ? head : dirname(head));
  const bases = [...new Set([base, realOf(base)])];
  const places = [...new Set([folder, realOf(folder)])].map((at) => isBelow(at, own));
  const named = realOfName(folder, own, head, realOf);
  // Who writes a whole path means what it leads to. A link in the project may be the agent's own: it allows nothing elsewhere.
  const meant = start === '//' || start === '~/' ? [...places, named] : places;
  return {
    fits: (path: string): boolean => meant.some((fits) => fits(path)),
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

/** Tests for what an anchored pattern leads to where links are in the part that it says without a wildcard. */
function realOfName(
  folder: string,
  pattern: string,
  head: string,
  realOf: DiskView['realOf'],
): (path: string) => boolean {
  if (head === '') return () => false;
  const whole = head === pattern;
  const end = whole ? head.length : head.lastIndexOf('/');
  const said = head.slice(0, end);
  const real = realOf(join(folder, said));
  if (real === join(realOf(folder), said).replace(/(?<=.)\/$/, '')) return () => false;
  return whole ? (path) => isWithin(real, path) : isBelow(real, pattern.slice(end));
}

function isWithin(folder: string, path: string): boolean {
  return !/^\.\.([\\/]|$)/.test(relative(folder, path));
}
