import { resolve } from 'node:path';
import type { ToolAction } from '../action/tool-action.ts';
import { wordsOfName } from '../danger/verb-in.ts';
import { createDiskView } from '../disk-view.ts';
import { namedPlaces } from '../fields/named-places.ts';
import type { RulePlace } from '../match-path.ts';
import { keptPlaces } from './kept-places.ts';
import { isMentionedInLine } from './mentioned-in-line.ts';

/** The families whose paths are known; the inputs of others are searched. */
const KNOWN = /^(?:shell|read|write|search|web)$/;

/** Words in the names of tools that move, remove or replace the folder that they name. */
const MOVES = /^(?:moves?|mv|rename|deletes?|removes?|rm|rmdir|unlink|trash|erase|replace|link|symlink|ln|swap)$/;

/**
 * Creates the `mentions` of an object rule: whether an action names one of the files and folders. Unlike `path`, it is never unclear, and it reads shell lines,
 * as far as their text shows what they name.
 */
export function mentionRule(names: readonly string[], place: RulePlace): (action: ToolAction) => boolean {
  const kept = keptPlaces(names, place);
  const isAbove = (path: string) => [place.cwd, place.home].some((one) => `${one}/`.startsWith(`${path}/`));
  return ({ family, name, command, paths, below, raw }) => {
    const disk = createDiskView();
    const full = (path: string) => resolve(place.cwd, path.replace(/^~(?=\/|$)/, place.home));
    const isNamed = (path: string) =>
      kept.isAt(full(path), disk) || (below === 'texts' && kept.isBelow(full(path), disk));
    const isMoving = wordsOfName(name).some((word) => MOVES.test(word));
    /** Whether a folder with one of them would move, or be removed. */
    const isMoved = (path: string) => isMoving && !isAbove(full(path)) && kept.isBelow(full(path), disk);
    if (paths.some((path) => isNamed(path) || isMoved(path))) return true;
    if (command !== undefined) return isMentionedInLine(command, kept, place, disk);
    if (KNOWN.test(family)) return false;
    const { paths: found, likely, patched, globs } = namedPlaces(raw, place, disk);
    const texts = [...found, ...likely, ...patched].filter((one) => one !== undefined);
    return (
      [...new Set(texts)].some((one) => kept.isAt(full(one), disk) || isMoved(one)) ||
      globs.some((one) => kept.meets(one, place.cwd))
    );
  };
}
