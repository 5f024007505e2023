import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { CommandHandler } from './settings.ts';

const INTERPRETERS = /^(ba|da|z|k)?sh$|^python[\d.]*$|^node$|^deno$|^bun$|^ruby$|^perl$|^php$|^pwsh$/;

/**
 * What is wrong with the script that a command runs, if a look at the files can tell: it is not there, or may not be executed. Nothing for a
 * command whose script cannot be told.
 */
export function checkScript(
  { command, args }: CommandHandler,
  cwd: string,
  env: Readonly<Record<string, string>>,
): string | undefined {
  const words = (args ? [command, ...args] : wordsOf(command)).map((word) => expand(word, env));
  const place = words[0] === 'cd' && words[2] === '&&' ? resolve(cwd, words[1] ?? '') : cwd;
  const [program = '', ...rest] = words
    .slice(place === cwd ? 0 : 3)
    .filter((word, at) => at > 0 || !/(^|\/)env$/.test(word));
  const name = program.slice(program.lastIndexOf('/') + 1);
  // `-c`, `-e` and `-m` bring the program themselves; other options stand before the script.
  if (INTERPRETERS.test(name) && rest.some((word) => /^-[a-z]*[cem]$/.test(word))) return undefined;
  const script = INTERPRETERS.test(name) ? rest.find((word) => !word.startsWith('-')) : program;
  if (script === undefined || script.startsWith('-') || /[$`*?;|&<>()]/.test(script)) return undefined;
  if (!script.includes('/') && (script === program || !/\.\w+$/.test(script))) return undefined;
  const path = isAbsolute(script) ? script : resolve(place, script);
  try {
    statSync(path);
  } catch {
    return `the script ${path} does not exist`;
  }
  if (script !== program) return undefined;
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return `the script ${path} may not be executed (chmod +x)`;
  }
  return undefined;
}

/** The words of the first simple command, with quotes taken off. */
function wordsOf(command: string): string[] {
  const words = command.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replace(/["']/g, ''));
}

function expand(word: string, env: Readonly<Record<string, string>>): string {
  return word.replace(/\$\{?([A-Za-z_]\w*)\}?/g, (whole, name: string) => env[name] ?? process.env[name] ?? whole);
}
