/** A parsed `.gitignore` pattern. */
export interface PathPattern {
  /** Its base: `//` is the root of the file system, `~/` the home folder, `/` the project; otherwise the working directory. */
  readonly start: '//' | '~/' | '/' | '';
  /** The number of folders further up. */
  readonly up: number;
  /** The rest, for `.gitignore`. */
  readonly own: string;
}

/** Parses a pattern into its base and the part that matches below it. */
export function readPathPattern(pattern: string): PathPattern {
  const start = pattern.startsWith('//') ? '//' : pattern.startsWith('~/') ? '~/' : pattern.startsWith('/') ? '/' : '';
  if (start !== '') return { start, up: 0, own: pattern.slice(start.length - 1) };
  const steps = /^(\.\.?\/)*/.exec(pattern)?.[0] ?? '';
  const up = steps.split('../').length - 1;
  return { start, up, own: steps === '' ? pattern : pattern.slice(steps.length - 1) };
}

/** Returns why a pattern matches no path, and the correct form. */
export function checkPathPattern(pattern: string): string | undefined {
  const { own } = readPathPattern(pattern);
  const first = own[0] as string;
  if (first === '#' || first === '!')
    return `it starts with ${JSON.stringify(first)}, which matches no path. Write \\${first}`;
  if (/(^|[^\\])(\\\\)*\\$/.test(own)) return 'it ends with "\\", which matches no path';
  const names = own.replace(/^\//, '').replace(/\/$/, '');
  if (/^(\.\.?|~)?$/.test(names)) {
    const folder = pattern.endsWith('/') ? pattern : `${pattern}/`;
    return `it is a directory. Write ${folder}** for all files in it`;
  }
  const odd = names.split('/').find((name) => /^\.{0,2}$/.test(name));
  if (odd === undefined) return undefined;
  return odd === '' ? 'there is nothing between two "/"' : `${JSON.stringify(odd)} in it matches no path`;
}
