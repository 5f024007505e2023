/** Allowed before the name of a program: not a part of another name, but its folder, an option of one letter (`-Srm`), or the command `e` of `sed` (`1erm`). */
const BEFORE = /(?:^|[^\w.+-]|(?:^|[\s"'=])-\w+|(?:^|[^\w.+-])\d*e)$/;
const AFTER = /^[\w.+-]/;
const NAME = /[\w.+-]+/g;
/** The maximum length of clusters of options. */
const FAR = 32;

/**
 * Creates a test for readings of a text that another program may run, as a whole or in part. It returns whether the words of a command (`git`, `push`) occur
 * in order, the first one as the name of a program. It takes linear time.
 */
export function namedInText([name, ...rest]: readonly string[]): (readings: readonly string[]) => boolean {
  if (name === undefined) return () => false;
  return (readings) =>
    readings.some((reading) => {
      const at = endOfName(reading, name);
      return at !== undefined && hasInOrder(reading, rest, at);
    });
}

/** Returns the end of the first use of a name that may be the name of a program. */
function endOfName(text: string, name: string): number | undefined {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (BEFORE.test(text.slice(Math.max(0, at - FAR), at)) && !AFTER.test(text.slice(end, end + 1))) return end;
  }
  return undefined;
}

/** Returns all names in texts that `namedInText` may find: patterns with other names need not be tried. */
export function namesIn(readings: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const reading of readings)
    for (const [word] of reading.matchAll(NAME)) {
      names.add(word);
      const behindE = /^\d{0,30}e(.+)/.exec(word)?.[1];
      if (behindE !== undefined) names.add(behindE);
      if (word.startsWith('-'))
        for (let at = 2; at <= Math.min(FAR, word.length - 1); at += 1) names.add(word.slice(at));
    }
  return names;
}

/** Returns whether `namesIn` finds a name: others contain characters that end a word. */
export const isPlainName = (name: string): boolean => /^[\w.+-]+$/.test(name);

function hasInOrder(text: string, parts: readonly string[], from: number): boolean {
  let at = from;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

/** Returns a text without the quotes and backslashes that a shell removes, and with source code escapes replaced by blanks. */
export function textReadings(text: string): readonly string[] {
  const plain = text.replace(/\\\r?\n/g, '');
  const bare = plain.replace(/["'\\]/g, '');
  // Git runs `git-push` as `git push`.
  const dashed = bare.includes('git-') ? [bare.replace(/(?<![\w.+-])git-(?=\w)/g, 'git ')] : [];
  return [bare, plain.replace(/\\[nrtfv]/g, ' ').replace(/["']/g, ''), ...dashed].map((one) =>
    one.replace(/\s+/g, ' '),
  );
}
