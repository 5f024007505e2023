/** A shell that is given a line as an argument. */
const SHELL = /(^|\/)(ba|da|z|k|fi)?sh$/;
/** What quotes may stand in of a line without being quotes, and what is quoted. */
const PARTS = /\\[\s\S]|"(?:\\[\s\S]|[^"\\])*"|(?<=^|[\s;&|(])#.*|'[^']*'/g;
const PLACEHOLDER = /\$\{(CLAUDE_[A-Z_]+)\}/g;

/**
 * A program and its arguments with `${CLAUDE_..}` put in as it stands; other variables are the program's own. In a line for a shell, which
 * could take a value for code, it is left for the shell.
 */
export function substituteWords(words: readonly string[], env: Readonly<Record<string, string>>): string[] {
  const put = (text: string) => text.replace(PLACEHOLDER, (whole, name: string) => env[name] ?? whole);
  const shell = SHELL.test(words[0] ?? '');
  const lines = words.map((_, place) => shell && /^-\w*c$/.test(words[place - 1] ?? ''));
  return words.map((word, place) => (lines[place] ? quotePlaceholders(word) : put(word)));
}

/**
 * A line for a shell, whose `${CLAUDE_..}` the shell itself fills in from its environment, so that no value is ever read as code. Between
 * single quotes, where a shell fills nothing in, the quotes are opened for it.
 */
export function quotePlaceholders(line: string): string {
  return line.replace(PARTS, (part) =>
    part.startsWith("'") ? part.replace(PLACEHOLDER, (whole) => `'"${whole}"'`) : part,
  );
}
