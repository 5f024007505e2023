import { parseShell } from '../shell/parse-shell.ts';
import { FIND_RUNS, RUNNERS, SHELLS } from '../shell/readings.ts';
import type { ShellWord } from '../shell/shell-command.ts';

/** A command that a line runs, directly or through another command. */
export interface RunCommand {
  /** The name of the program, without its folder and in lower case. */
  readonly name: string;
  /** All words, including the program, as the program receives them. */
  readonly words: readonly string[];
  /** The text that it may read: the commands before a pipe, and here-strings. */
  readonly read: string;
  /** The files to which the shell writes its output. */
  readonly written: readonly string[];
}

/** The maximum nesting of wrappers. */
const DEEPEST = 8;
/** The maximum number of commands examined in a call. */
const MOST = 500;
/** Programs whose last words are a command that runs elsewhere. */
const REMOTE = /^(?:exec|run)$/;

/** Returns the commands of a shell line, as far as known, including those behind wrappers and in strings for shells. */
export function commandsOf(line: string): readonly RunCommand[] {
  const found: RunCommand[] = [];
  addLine(line, found, 0);
  return found;
}

/** Returns the commands that a list of arguments runs: a program and its words. */
export function commandsOfWords(words: readonly string[]): readonly RunCommand[] {
  const found: RunCommand[] = [];
  addWords(words, '', found, 0);
  return found;
}

function addLine(line: string, found: RunCommand[], depth: number): void {
  // The shell expands `rm$IFS-rf` and `{rm,-rf,x}` to several words.
  const spaced = withKnown(line)
    .replace(/\$\{?IFS\}?/g, ' ')
    .replace(/\{([^\s{}]*)\}/g, (braces, list: string) => (list.includes(',') ? list.replaceAll(',', ' ') : braces));
  const hasHereString = spaced.includes('<<<');
  for (const { words, piped, text, written } of parseShell(spaced).commands) {
    const files = written.map(textOf);
    // A redirection without a command also writes.
    const all = words.length === 0 && files.length > 0 ? [':'] : words.map(textOf);
    addWords(all, hasHereString ? `${piped} ${text}` : piped, found, depth, files);
  }
}

/** A variable that a line sets to plain words, and a use of one. */
const SET = /(?<=^|[\s;&|(])(\w{1,64})=(?:'([\w ./:=-]{1,64})'|"([\w ./:=-]{1,64})"|([\w./:-]{1,64}))(?=[\s;&|)]|$)/g;
const USE = /\$(?:\{(\w{1,64})\}|(\w{1,64}))/g;
/** A substitution that prints one word. */
const PRINTED =
  /\$\( ?(?:echo|printf(?: ["']?%s["']?)?) ["']?([\w./-]{1,64})["']? ?\)|`(?:echo|printf(?: ["']?%s["']?)?) ["']?([\w./-]{1,64})["']?`/g;

/** Returns a line with the values of its own variables, and with the words that its substitutions print. */
export function withKnown(line: string): string {
  const values = new Map(Array.from(line.matchAll(SET), ([, name, ...texts]) => [name, texts.find(Boolean)]));
  const replaced = line.replace(PRINTED, (_, one, other) => one ?? other);
  return values.size === 0 ? replaced : replaced.replace(USE, (use, one, other) => values.get(one ?? other) ?? use);
}

function addWords(
  words: readonly string[],
  read: string,
  found: RunCommand[],
  depth: number,
  written: readonly string[] = [],
): void {
  if (words.length === 0 || depth > DEEPEST || found.length >= MOST) return;
  const name = nameOf(words[0] as string);
  found.push({ name, words, read, written });
  if (name === 'find') {
    for (const [at, word] of words.entries()) {
      if (found.length >= MOST) return;
      if (FIND_RUNS.test(word)) addWords(words.slice(at + 1), read, found, depth + 1);
    }
    return;
  }
  if (/^(?:docker|podman|kubectl|docker-compose)$/.test(name)) {
    const at = words.findIndex((word) => REMOTE.test(word));
    if (at > 0) addBehind(words.slice(at), read, found, depth);
    return;
  }
  if (SHELLS.test(name) || name === 'trap') {
    for (const word of words.slice(1)) if (/\s/.test(word)) addLine(word, found, depth + 1);
    return;
  }
  if (RUNNERS.has(name) && !(name === 'command' && /^-p?[vV]$/.test(words[1] ?? '')))
    addBehind(words, read, found, depth);
}

/** The words of a wrapper come first: options, their values, places, variables. The command begins at the first word that is a known program. */
function addBehind(words: readonly string[], read: string, found: RunCommand[], depth: number): void {
  for (let at = 1; at < words.length && found.length < MOST; at += 1) {
    const word = words[at] as string;
    if (/\s/.test(word)) addLine(word, found, depth + 1);
    if (word.startsWith('-') || /^\w+=/.test(word) || /^[\d.]+[smhd]?$/.test(word)) continue;
    addWords(words.slice(at), read, found, depth + 1);
    if (isOrdinary(nameOf(word))) return;
  }
}

/** Programs that wrappers run most often: the words after them are their own. */
const ORDINARY =
  /^(?:grep|egrep|fgrep|rg|wc|cat|ls|echo|head|tail|sed|awk|node|npm|npx|yarn|pnpm|python\d?|pip\d?|make|git|apt|apt-get|docker|kubectl|psql|systemctl|service|curl|wget|tee|sh|bash|find|xargs|date|uptime|printenv|sort|cp|mv|mkdir|touch|test|tar)$/;

function isOrdinary(name: string): boolean {
  return ORDINARY.test(name) || SHELLS.test(name) || RUNNERS.has(name);
}

function nameOf(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1).toLowerCase();
}

function textOf({ text, raw, known }: ShellWord): string {
  // If a word is a variable or a substitution, its source is better than nothing. The commands in it are already examined.
  return known || text !== '' ? text : raw.replace(/["'\s]/g, '');
}
