import { resolve } from 'node:path';
import type { ToolAction } from '../action/tool-action.ts';
import { createDiskView } from '../disk-view.ts';
import { namedPlaces } from '../fields/named-places.ts';
import type { RulePlace } from '../match-path.ts';
import { keptPlaces } from './kept-places.ts';
import { isMentionedInLine } from './mentioned-in-line.ts';

/** The families whose paths are known; the inputs of others are searched. */
const KNOWN = /^(?:shell|read|write|search|web)$/;

/**
 * Creates the `mentions` of an object rule: whether an action names one of the files and folders. Unlike `path`, it is never unclear, and it reads shell lines,
 * as far as their text shows what they name.
 */
export function mentionRule(names: readonly string[], place: RulePlace): (action: ToolAction) => boolean {
  const kept = keptPlaces(names, place);
  return ({ family, command, paths, below, raw }) => {
    const disk = createDiskView();
    const full = (path: string) => resolve(place.cwd, path.replace(/^~(?=\/|$)/, place.home));
    const isNamed = (path: string) =>
      kept.isAt(full(path), disk) || (below === 'texts' && kept.isBelow(full(path), disk));
    if (paths.some(isNamed)) return true;
    if (command !== undefined) return isMentionedInLine(command, kept, place, disk);
    if (KNOWN.test(family)) return false;
    const { paths: found, likely, patched, globs } = namedPlaces(raw, place, disk);
    const texts = [...found, ...likely, ...patched].filter((one) => one !== undefined);
    return (
      [...new Set(texts)].some((one) => kept.isAt(full(one), disk)) || globs.some((one) => kept.meets(one, place.cwd))
    );
  };
}
