import type { Below } from '../match-path.ts';
import type { RuleMatch } from '../rule-match.ts';
import { knownTools } from './known-tools.ts';
import type { ToolAction } from './tool-action.ts';

/** Returns whether a tool examines everything below a folder. */
export const looksBelow = (tool: string): boolean => knownTools.get(tool)?.below !== undefined;

/** Returns how rules match all paths of an action. What cannot be read is `unclear`; without any path, there is nothing to match. */
export function matchCalledPaths(
  { paths, below, unreadable }: ToolAction,
  test: (path: string, below?: Below) => RuleMatch,
): RuleMatch {
  return matchReadable(
    paths.map((path) => test(path, below)),
    unreadable,
  );
}

/** Returns how rules match the addresses of an action. */
export function matchCalledUrls({ urls, unreadable }: ToolAction, test: (url: string) => RuleMatch): RuleMatch {
  return matchReadable(urls.map(test), unreadable);
}

function matchReadable(matches: readonly RuleMatch[], unreadable: string | undefined): RuleMatch {
  const all = unreadable === undefined ? matches : [...matches, 'unclear' as const];
  return all.length === 0 ? 'none' : matchAll(all);
}

/** Returns how rules match the places of a call, from the match of each. */
export function matchAll(matches: readonly RuleMatch[]): RuleMatch {
  if (matches.every((one) => one === 'all')) return 'all';
  if (matches.some((one) => one === 'all' || one === 'some')) return 'some';
  return matches.includes('unclear') ? 'unclear' : 'none';
}
