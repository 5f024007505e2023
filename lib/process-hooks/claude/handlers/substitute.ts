/** A shell whose argument is a command line. */
const SHELL = /(^|\/)(ba|da|z|k|fi)?sh$/;
/** Parts of a line in which quotes are literal, and quoted parts. */
const PARTS = /\\[\s\S]|"(?:\\[\s\S]|[^"\\])*"|(?<=^|[\s;&|(])#.*|'[^']*'/g;
const PLACEHOLDER = /\$\{(CLAUDE_[A-Z_]+)\}/g;

/**
 * Replaces `${CLAUDE_..}` in a program and its arguments. Other variables are left to the program. In a command line for a shell, the shell replaces
 * them, because it could run a value as code.
 */
export function substituteWords(words: readonly string[], env: Readonly<Record<string, string>>): string[] {
  const put = (text: string) => text.replace(PLACEHOLDER, (whole, name: string) => env[name] ?? whole);
  const shell = SHELL.test(words[0] ?? '');
  const lines = words.map((_, place) => shell && /^-\w*c$/.test(words[place - 1] ?? ''));
  return words.map((word, place) => (lines[place] ? quotePlaceholders(word) : put(word)));
}

/**
 * Prepares a shell command line. The shell replaces `${CLAUDE_..}` from its environment, so that values never run as code. Single quotes are opened
 * around the placeholder, because a shell replaces nothing in them.
 */
export function quotePlaceholders(line: string): string {
  return line.replace(PARTS, (part) =>
    part.startsWith("'") ? part.replace(PLACEHOLDER, (whole) => `'"${whole}"'`) : part,
  );
}
