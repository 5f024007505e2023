import { accessSync, constants, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, resolve } from 'node:path';
import type { CommandHandler } from './settings.ts';

const INTERPRETERS = /^(ba|da|z|k)?sh$|^python[\d.]*$|^node$|^deno$|^bun$|^ruby$|^perl$|^php$|^pwsh$/;

/** Shells also look for a script in PATH. */
const SHELLS = /^(ba|da|z|k)?sh$/;

/** Names that these resolve without an extension. */
const RESOLVES = /^(node|bun)$/;
const NODE_ENDINGS = ['', '.js', '.cjs', '.mjs', '.json', '.ts', '/index.js', '/package.json'];

/** Characters that a shell interprets. `~` and variables are already replaced, and quotes removed. */
const SHELL_CHARACTERS = /[$`*?;|&<>()[\]{}\\\n]/;

/**
 * Returns the certain problem of a command's script: it does not exist or is not executable. Returns `undefined` if the script is unknown, such as
 * when a shell does more than start one program.
 */
export function checkScript(
  { command, args }: CommandHandler,
  cwd: string,
  env: Readonly<Record<string, string>>,
): string | undefined {
  const words = args ? [command, ...args].map((word) => expand(word, env)) : wordsOf(command, env);
  const moves = !args && words[0] === 'cd' && words[2] === '&&';
  const place = moves ? resolve(cwd, words[1] ?? '') : cwd;
  const simple = moves ? words.slice(3) : words;
  if (!args && [...simple, place].some((word) => SHELL_CHARACTERS.test(word))) return undefined;
  const [program = '', ...rest] = /(^|\/)env$/.test(simple[0] ?? '') ? simple.slice(1) : simple;
  const name = program.slice(program.lastIndexOf('/') + 1);
  // An option may take the next word, and a word with `=` sets a variable.
  const interpreted = INTERPRETERS.test(name);
  const script = interpreted ? rest[0] : program;
  if (script === undefined || script.startsWith('-') || script.includes('=') || SHELL_CHARACTERS.test(script))
    return undefined;
  if (!script.includes('/') && (script === program || !/\.\w+$/.test(script))) return undefined;
  const path = isAbsolute(script) ? script : resolve(place, script);
  const endings = RESOLVES.test(name) ? NODE_ENDINGS : [''];
  const places = SHELLS.test(name) && !script.includes('/') ? foldersOf(env) : [];
  const known = [...endings.map((ending) => path + ending), ...places.map((folder) => resolve(folder, script))];
  if (!known.some((one) => existsSync(one))) return `the script ${path} does not exist`;
  if (interpreted) return undefined;
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return `the script ${path} may not be executed (chmod +x)`;
  }
  return undefined;
}

function foldersOf(env: Readonly<Record<string, string>>): string[] {
  return (env['PATH'] ?? process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
}

/** Splits a line into words, without quotes and with known variables replaced. */
function wordsOf(command: string, env: Readonly<Record<string, string>>): string[] {
  const words = command.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => expand(word.replace(/^~(?=\/|$)/, env['HOME'] ?? homedir()).replace(/["']/g, ''), env));
}

function expand(word: string, env: Readonly<Record<string, string>>): string {
  return word.replace(/\$\{?([A-Za-z_]\w*)\}?/g, (whole, name: string) => env[name] ?? process.env[name] ?? whole);
}
