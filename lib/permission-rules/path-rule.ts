import type { DiskView } from './disk-view.ts';
import type { NamedPlaces } from './fields/named-places.ts';
import { globTest } from './glob-meets.ts';
import { isInside, type PathTest, pathMatcher, type RulePlace } from './match-path.ts';

/** The maximum number of likely paths, and of globs, examined in one call. With more, the rule is unclear. */
const MOST_LIKELY = 1_000;
const MOST_GLOBS = 20;

/** The `path` of an object rule. */
export interface PathRule {
  readonly matches: PathTest;
  /** Returns whether a call may reach the path of the rule by a likely path, a folder or a glob. */
  mayReach(named: NamedPlaces, disk: DiskView): boolean;
}

/** Creates the tests of a rule's paths: `.gitignore` patterns, and `inside` and `outside` for the workspace. */
export function pathRule(patterns: readonly string[], place: RulePlace): PathRule {
  const named = patterns.filter((one) => one !== 'inside' && one !== 'outside');
  const match = pathMatcher(named, place);
  const workspace = patterns.includes('inside') ? pathMatcher(['./**'], place) : () => 'none' as const;
  const meets = globTest(named, place);
  const mayLead = (path: string, disk: DiskView): boolean => {
    if (patterns.includes('outside') && leadsOutside(path, place, disk)) return true;
    return (
      match(path, 'folder', disk) !== 'none' ||
      (leadsOutside(path, place, disk) && workspace(path, 'folder', disk) !== 'none')
    );
  };
  return {
    matches(path, below, disk) {
      const side = isInside(path, place, disk) ? 'inside' : 'outside';
      if (patterns.includes(side)) return 'all';
      const found = match(path, below, disk);
      return found === 'none' && below ? workspace(path, below, disk) : found;
    },
    mayReach({ likely, globs }, disk) {
      if (likely.length > MOST_LIKELY || globs.length > MOST_GLOBS) return true;
      return [...new Set(likely)].some((path) => mayLead(path, disk)) || [...new Set(globs)].some(meets);
    },
  };
}

/** Returns whether a likely path leads out of the workspace; `/api/users` is a route if there is no folder `/api`. */
function leadsOutside(path: string, place: RulePlace, disk: DiskView): boolean {
  if (isInside(path, place, disk)) return false;
  const [first] = /^\/[^/]+/.exec(path) ?? [];
  return first === undefined || disk.exists(first);
}
