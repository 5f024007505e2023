import { resolve } from 'node:path';
import { commandsOf } from '../danger/commands-of.ts';
import type { DiskView } from '../disk-view.ts';
import { LONGEST_PATH } from '../fields/path-shapes.ts';
import type { RulePlace } from '../match-path.ts';
import type { KeptPlaces } from './kept-places.ts';
import { bareLine, foldersOf, joinedLine, lineReadings, partsOf, SEPARATORS, VARIABLE } from './line-words.ts';
import { finds, isMoved } from './moved-places.ts';

/** The maximum number of words that are looked up on the disk. */
const MOST_WORDS = 5_000;

/** Returns whether a shell line mentions a kept place: as a text, as a word in any folder that it enters, as a glob, or as a part of a folder that it moves. */
export function isMentionedInLine(line: string, kept: KeptPlaces, place: RulePlace, disk: DiskView): boolean {
  return [...lineReadings(line, place)].some((one) => isInReading(one, kept, place, disk));
}

function isInReading(line: string, kept: KeptPlaces, place: RulePlace, disk: DiskView): boolean {
  const bare = bareLine(line);
  if ([bare, joinedLine(bare)].some((one) => kept.isIn(one.replace(/\/(?:\.?\/)+/g, '/')))) return true;
  const commands = commandsOf(line);
  // Words of the text, such as those after redirections, and words with blanks.
  const words = [...bare.split(SEPARATORS).filter(Boolean), ...commands.flatMap((command) => command.words)];
  const { folders, isUnknown } = foldersOf(words, place);
  const isAnywhere = isUnknown || commands.some(finds);
  const at = (word: string) => folders.map((folder) => resolve(folder, word.replace(/^~(?=\/|$)/, place.home)));
  const all = new Set(words.flatMap(partsOf).filter((word) => word !== '' && word.length <= LONGEST_PATH));
  const isLong = all.size > MOST_WORDS;
  for (const word of all) {
    if (isLong && !kept.isLike(word)) continue;
    if (at(word).some((path) => kept.isAt(path, isLong ? withoutDisk : disk))) return true;
    const rest = /[$%)}]/.test(word) ? word.replace(/^.*[$%](?:\w+:)?\w*|^.*[)}]/s, '') : isAnywhere ? word : '';
    if (rest !== '' && kept.endsWith(rest)) return true;
    const glob = word.replace(VARIABLE, '*');
    // Any name of the working directory: only commands that remove or move it matter.
    const searched = /\w/.test(glob) ? folders : folders.slice(1);
    if (/[*?[{]/.test(glob) && searched.some((folder) => kept.meets(glob, folder))) return true;
  }
  return commands.some((command) => isMoved(command, { at, isAnywhere, kept, place, disk }));
}

/** For lines with too many words: their texts are compared, but links are not resolved. */
export const withoutDisk: DiskView = { realOf: (path) => path, exists: () => false, entriesOf: () => undefined };
