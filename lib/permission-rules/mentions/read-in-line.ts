import { basename, dirname, resolve } from 'node:path';
import { createDiskView, type DiskView } from '../disk-view.ts';
import { globTest } from '../glob-meets.ts';
import { pathMatcher, type RulePlace } from '../match-path.ts';
import { type ArgumentWords, argumentWords } from './argument-words.ts';
import { keptPlaces } from './kept-places.ts';
import { VARIABLE } from './line-words.ts';
import { withoutDisk } from './mentioned-in-line.ts';

/** The maximum number of words that are looked up on the disk. */
const MOST_WORDS = 5_000;
const GLOB = /[*?[]|\{[^{}]*\}/;
const HIDDEN_FOLDER = /(?:^|\/)\.[^./]/;
/** Devices that keep nothing. */
const DEVICE = /^\/dev\/(?:null|zero|u?random|tty|std(?:in|out|err)|fd\/\d+)$/;

/**
 * Creates a test whether a shell line names a path that one of the patterns matches: in any word, redirection or quoted text. This is best effort: a program
 * may read files that its command line does not name. A pattern without a name, such as `**`, matches words with the shape of a path, and existing files.
 */
export function readInLine(
  patterns: readonly string[],
  place: RulePlace,
): (line: string, shell?: 'posix' | 'powershell') => boolean {
  const specific = patterns.filter((one) => /\w/.test(one));
  const matches = pathMatcher(patterns, place);
  const matchesSpecific = pathMatcher(specific, place);
  const meets = globTest(patterns, place);
  // In a POSIX shell, a wildcard at the start of a name does not match a dot.
  const meetsPlain = globTest(
    patterns.filter((one) => !basename(one).startsWith('.')),
    place,
  );
  const anchored = patterns.filter((one) => one.slice(0, -1).includes('/') && !basename(one).startsWith('.'));
  const meetsAnchored = globTest(anchored, place);
  const meetsVisible = globTest(
    anchored.filter((one) => !HIDDEN_FOLDER.test(one)),
    place,
  );
  const kept = keptPlaces(
    patterns.filter((one) => !/[*?[\]\\]/.test(one)),
    place,
  );
  const full = (word: string, folder: string) => resolve(folder, word.replace(/^~(?=\/|$)/, place.home));

  /** Tests a word with a variable or a wildcard. */
  function mayName(word: string, { folders, isDotted }: ArgumentWords, isPowerShell: boolean, disk: DiskView): boolean {
    const rest = /^(?:[$%](?:\w+:)?\w*|\$\{\w*\}|\$\([^)]*\))\/+(?=.)/.exec(word);
    // The variable may name any folder.
    if (rest) {
      const end = word.slice(rest[0].length);
      return GLOB.test(end)
        ? meetsIn(end, folders)
        : isMatch(matchesSpecific, end, [place.cwd], disk) || kept.endsWith(end);
    }
    // The parts of a text with blanks are words of their own.
    if (/\s/.test(word)) return false;
    const glob = word.replace(VARIABLE, '*');
    // A variable alone, or signs such as braces, name nothing.
    if (!GLOB.test(glob) || !/[\w.*?[]/.test(word.replace(VARIABLE, ''))) return false;
    const isPlain = !isDotted && !isPowerShell;
    // All files of a folder: those that exist, and those that a pattern expects there.
    if (/^\*+$/.test(basename(glob)) && !GLOB.test(dirname(glob))) {
      const within = folders.map((folder) => full(dirname(glob), folder));
      const isVisible = isPlain && !HIDDEN_FOLDER.test(glob);
      return isEntry(within, !isPlain, disk) || meetsIn(glob, folders, isVisible ? meetsVisible : meetsAnchored);
    }
    return meetsIn(glob, folders, isPlain && /^[*?[]/.test(basename(glob)) ? meetsPlain : meets);
  }

  const meetsIn = (glob: string, folders: readonly string[], test = meets) =>
    folders.some((folder) => test(full(glob, folder)));

  /** Returns whether a folder has a file of a pattern, for `*`. */
  function isEntry(folders: readonly string[], isDotted: boolean, disk: DiskView): boolean {
    return folders.some((folder) => {
      const entries = disk.entriesOf(folder);
      if (entries === undefined) return true;
      return entries.some(
        (one) => (isDotted || !basename(one).startsWith('.')) && isMatch(matches, one, [folder], disk),
      );
    });
  }

  function isMatch(test: typeof matches, word: string, folders: readonly string[], disk: DiskView): boolean {
    return folders.some((folder) => {
      const path = full(word, folder);
      return !DEVICE.test(path) && /^(?:all|some)$/.test(test(path, undefined, disk));
    });
  }

  return (line, shell = 'posix') => {
    const view = createDiskView();
    return argumentWords(line, place).some((words) => {
      const { shaped, plain, joined, folders, isAnywhere } = words;
      const disk = shaped.size + plain.size > MOST_WORDS ? withoutDisk : view;
      const exists = (word: string) => folders.some((folder) => disk.exists(full(word, folder)));
      for (const word of shaped) {
        if (isMatch(matches, word, folders, disk)) return true;
        if (mayName(word, words, shell === 'powershell', disk)) return true;
        if (isAnywhere && /[\w.]/.test(word) && kept.endsWith(word)) return true;
      }
      for (const word of plain) {
        if (isMatch(matchesSpecific, word, folders, disk)) return true;
        if (isAnywhere && kept.endsWith(word)) return true;
        if (specific.length < patterns.length && exists(word) && isMatch(matches, word, folders, disk)) return true;
      }
      return [...joined].some((word) => isMatch(matchesSpecific, word, folders, disk));
    });
  };
}
