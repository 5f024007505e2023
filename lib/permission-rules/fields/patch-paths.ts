/** The maximum number of paths of one patch. */
const MOST = 2_000;
const QUICK = /^[ \t]{0,40}(?:---|\*\*\*|diff --git|Index:|rename|copy) /m;
/** Headers with one path. Indented patches are accepted, as `patch` does. */
const NAMED = /^(?:\*\*\* [A-Z][A-Za-z ]{0,30}:|Index:|(?:rename|copy) (?:from|to)) +(.+)$/;
const HEADER = /^(---|\+\+\+|\*\*\*) +(.+)$/;
const OF_GIT = /^diff --git +(.+)$/;
/** The header lines after which the second line of a pair may follow. */
const SECOND: Readonly<Record<string, string>> = { '---': '+++', '***': '---' };
/** The folders that `git diff` writes before the two paths. */
const PREFIX = /^(?:[abciow]|old|new)\/(?=.)/;
const LONGEST = 4_096;

/** Returns the paths of a unified or context diff, of a git patch, and of an apply-patch text. `keep`: with the prefixes `a/` and `b/`, as for `patch -p0`. */
export function pathsOfPatch(text: string, keep = false): readonly string[] {
  if (!QUICK.test(text)) return [];
  const found = new Set<string>();
  let before: readonly [mark: string, path: string] | undefined;
  for (const line of text.split(/\r\n|[\r\n]/)) {
    if (found.size >= MOST) break;
    const header = line.length > LONGEST * 2 ? '' : line.trim();
    const [, named] = NAMED.exec(header) ?? [];
    if (named !== undefined) for (const path of named.split(' -> ')) add(path, found, true);
    const [, both] = OF_GIT.exec(header) ?? [];
    if (both !== undefined) for (const path of twoPaths(both)) add(path, found, keep);
    const [, mark, path] = HEADER.exec(header) ?? [];
    if (before && mark !== undefined && SECOND[before[0]] === mark) {
      add(before[1], found, keep);
      add(path as string, found, keep);
    }
    before = mark === undefined ? undefined : [mark, path as string];
  }
  return [...found];
}

/** Adds a path. `isWhole`: `a/` is a folder, as in apply-patch texts. */
function add(given: string, found: Set<string>, isWhole: boolean): void {
  const path = unquoted(given.replace(/\t.*$/s, '').trim());
  if (path === '' || path === '/dev/null') return;
  found.add(isWhole ? path : path.replace(PREFIX, ''));
}

/** Returns the paths of `diff --git a/x b/x`. They may contain blanks if both are equal. */
function twoPaths(both: string): readonly string[] {
  const quoted = both.match(/"(?:[^"\\]|\\.)*"/g);
  if (quoted) return [...quoted, ...both.split(/ *"(?:[^"\\]|\\.)*" */)];
  const middle = (both.length - 1) / 2;
  return both[middle] === ' ' ? [both.slice(0, middle), both.slice(middle + 1)] : both.split(' ', 10);
}

/** Returns a path without the quotes and escapes with which git writes it. */
function unquoted(path: string): string {
  const [, inner] = /^"(.*)"$/s.exec(path) ?? [];
  if (inner === undefined) return path;
  const bytes = inner.replace(/\\([0-7]{3}|.)/gs, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : code,
  );
  // Octal escapes are the bytes of UTF-8.
  return /[\u0080-\u00ff]/.test(bytes) && !/[^\0-\u00ff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes;
}
