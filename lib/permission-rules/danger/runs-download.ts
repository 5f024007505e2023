import { SHELLS } from '../shell/readings.ts';
import type { RunCommand } from './commands-of.ts';

const FETCHES = /^(?:curl|wget)$/;
/** Options of `curl` and `wget` that set the output file: `-o`, `-fsSLo`, `-qO`. */
const OUTPUT = /^(?:-[a-zA-Z]*[oO]|--output(?:-document)?)$/;
const OUTPUT_WITH_FILE = /^(?:-o|-O|--output(?:-document)?=)(?!-)(.+)$/;
/** With these, `curl` names the file after the address, as `wget` does. */
const REMOTE_NAME = /^(?:-[a-zA-Z]*O[a-zA-Z]*|--remote-name(?:-all)?)$/;
const URL_FILE = /^[a-z][a-z0-9+.-]*:\/\/[^/]+\/(?:[^?#]*\/)?([^/?#]+)/i;
/** Programs that run a file. The first word that is not an option names it. */
const INTERPRETER = /^(?:python\d?|node|nodejs|perl|ruby|php|deno|bun|tsx|osascript|pwsh|powershell)$/;
/** A part of a line that writes the text of such a program into a file, and one that gives a file to a shell. */
const FETCHING = /\b(?:curl|wget)\b/;
const INTO = />\|? ?["']?([^\s;&|<>()"']+)/g;
const FROM = /\b((?:ba|z|da|k)?sh|python\d?|node|perl|ruby)(?: -\w+){0,8} ?< ?["']?([^\s;&|<>()"']+)/g;

/** Returns the command that runs a file which an earlier command of the line downloads: `sh i.sh` after `curl -o i.sh ..`. */
export function runOfDownload(line: string, commands: readonly RunCommand[]): string | undefined {
  if (!FETCHING.test(line)) return undefined;
  const files = new Set(redirected(line));
  for (const { name, words, read } of commands) {
    const ran = words.length > 0 && files.size > 0 ? fileOf(name, words) : undefined;
    if (ran !== undefined && files.has(nameOf(ran))) return name.includes(nameOf(ran)) ? ran : `${name} ${ran}`;
    if (FETCHES.test(name)) for (const file of downloadsOf(words)) files.add(nameOf(file));
    if (name === 'tee' && FETCHING.test(read)) for (const file of words.slice(1)) files.add(nameOf(file));
  }
  for (const [whole, , file] of line.replace(/\s+/g, ' ').matchAll(FROM))
    if (files.has(nameOf(file as string))) return whole;
  return undefined;
}

/** Returns the files into which a shell writes the output of `curl` or `wget`. */
function redirected(line: string): readonly string[] {
  const parts = line.replace(/[^\S\n]+/g, ' ').split(/[;&|\n]/);
  return parts.flatMap((part) =>
    FETCHING.test(part) ? Array.from(part.matchAll(INTO), ([, file]) => nameOf(file as string)) : [],
  );
}

/** Returns the files that `curl` or `wget` writes itself. */
function downloadsOf(words: readonly string[]): readonly string[] {
  const named = words.flatMap((word, at) => {
    if (OUTPUT.test(words[at - 1] ?? '') && !word.startsWith('-')) return [word];
    return OUTPUT_WITH_FILE.exec(word)?.[1] ?? [];
  });
  const isNamedByAddress = words[0]?.endsWith('wget') || words.some((word) => REMOTE_NAME.test(word));
  return isNamedByAddress ? [...named, ...words.flatMap((word) => URL_FILE.exec(word)?.[1] ?? [])] : named;
}

function fileOf(name: string, words: readonly string[]): string | undefined {
  const [program = '', ...rest] = words;
  if (program.includes('/') && !SHELLS.test(name) && !INTERPRETER.test(name)) return program;
  const isShell = (SHELLS.test(name) && name !== 'eval') || name === 'source' || name === '.';
  if (!isShell && !INTERPRETER.test(name)) return undefined;
  return rest.find((word) => !word.startsWith('-') && !/^(?:run|pipefail)$/.test(word));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
