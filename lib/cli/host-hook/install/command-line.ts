import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { wholeModuleName } from '../../options/whole-module-name.ts';
import type { InstallFlags } from './host-writer.ts';

/** Returns the words of a command that works in any working directory. npx does not work in most of them, and costs more time than a daemon saves. */
export function hookWords(flags: InstallFlags): readonly string[] {
  const { as, config, hooks, preset, allowWeaker, timeout, usualTimeout, failOpen, ask, daemon, idle, listen } = flags;
  return [
    ...['node', realpathSync(process.argv[1] ?? '')],
    ...['hook', '--as', as],
    ...config.flatMap((file) => ['--config', resolve(file)]),
    ...hooks.flatMap((name) => ['--hooks', wholeModuleName(name)]),
    ...(preset ? ['--preset', preset] : []),
    ...(allowWeaker ? ['--allow-weaker'] : []),
    ...(usualTimeout ? [] : ['--timeout', String(timeout)]),
    ...(failOpen ? ['--fail-open'] : []),
    ...(ask ? ['--ask', ask] : []),
    ...(daemon ? ['--daemon', '--idle', String(idle)] : []),
    ...(listen ? ['--listen', `${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${listen.port}`] : []),
    ...(flags.inbox === undefined ? [] : ['--inbox', flags.inbox]),
    ...(flags.tokenEnv === undefined ? [] : ['--token-env', flags.tokenEnv]),
  ];
}

export const quoted = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

export const shellLine = (words: readonly string[]): string => words.map(quoted).join(' ');

/** A host may need a text on standard error for a denial. A denial of ours already has one. */
const SILENT = 'hookline did not start, so the call is denied';

/** Returns a line for sh or bash that denies with a text if the command does not start, or crashes. */
export function sayingLine(words: readonly string[]): string {
  return `${shellLine(words)} || { [ $? = 2 ] || echo '${SILENT}' >&2; exit 2; }`;
}

/**
 * Returns a line for PowerShell. It prints a quoted path instead of starting it, unless `&` is before it, and version 5.1 has no `||`. If no program
 * starts, `$LASTEXITCODE` is empty.
 */
export function powershellLine(words: readonly string[], denies: boolean): string {
  const line = `& ${words.map((word) => `"${word.replaceAll(/[`"$]/g, '`$&')}"`).join(' ')}`;
  if (!denies) return `${line}; exit $LASTEXITCODE`;
  const silent = `if ($LASTEXITCODE -ne 2) { [Console]::Error.WriteLine('${SILENT}') }`;
  return `${line}; if ($LASTEXITCODE -ne 0) { ${silent}; exit 2 }`;
}

/** Returns a function that tells whether a command of settings is a hook of ours for this host. */
export function isHookOf(host: string): (command: unknown) => boolean {
  const hook = new RegExp(
    String.raw`(?:\bhookline(?:\.cmd)?|\bmain\.[jt]s)['"\\]*\s+["']?hook["']?\s(?:.*\s)?["']?--as[ =]?["']?[ ]?["']?${host}\b`,
  );
  return (command) => typeof command === 'string' && hook.test(command);
}
