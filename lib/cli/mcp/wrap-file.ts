import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { HooklineError } from '../../errors.ts';
import { usualRedactor } from '../../hooks/usual-redactor.ts';
import { readSettings, replaceSettings } from '../client-settings.ts';
import { soundConfig } from '../run/try-making.ts';
import { workspaceOf } from '../setup/workspace-of.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import type { McpFlags } from './proxy-server.ts';
import { proxyWords } from './proxy-words.ts';
import { wrapSettings } from './wrap-settings.ts';
import { wrapToml } from './wrap-toml.ts';

/** Options of `hookline mcp wrap`. The options of the proxy are passed on. */
export interface WrapFlags extends McpFlags {
  readonly unwrap?: boolean;
  readonly write?: boolean;
}

/**
 * Shows the changes to a client's settings as command lines, without the values of env and headers. With `write`, it saves them and keeps a
 * backup. A configuration with issues is an error, because no server would start.
 */
export async function wrapFile(file: string, flags: WrapFlags): Promise<void> {
  const { unwrap = false, write = false } = flags;
  if (!existsSync(file)) throw new HooklineError('INPUT_INVALID', `${file}: there is no such file.`);
  // A link stays: the file that it leads to is changed.
  const real = lstatSync(file).isSymbolicLink() ? realpathSync(file) : file;
  const old = readSettings(real) ?? '';
  const script = realpathSync(process.argv[1] ?? '');
  const proxy = unwrap ? [process.execPath, script, 'mcp'] : await checkedProxy(script, flags);
  const wrap = file.endsWith('.toml') ? wrapToml : wrapSettings;
  const { text, changes, left } = wrap(old, { file, proxy, unwrap });
  if (!unwrap && flags.pin !== undefined && changes.length > 1)
    throw new HooklineError(
      'INPUT_INVALID',
      `--pin ${flags.pin}: a file stores the tools of one server, but ${changes.length} servers would share it. Add --pin to each server by hand.`,
    );
  const line = (words: readonly string[]): string => usualRedactor().redact(JSON.stringify(words)).text;
  for (const { name, before, after } of changes) print(`${name}\n- ${line(before)}\n+ ${line(after)}\n`);
  for (const { name, why } of left) print(`${name}: left, ${why}\n`);
  if (changes.length === 0) return print('nothing to change\n');
  if (!unwrap && /[\\/]_npx[\\/]/.test(script))
    print('this hookline runs from the npx cache, which npm may clear: install hookline, then wrap again\n');
  if (!write) return print(`not written; use --write to write the file\n`);
  print(`written; the backup is ${replaceSettings(real, old, text, 'user')}\n`);
}

async function checkedProxy(script: string, flags: WrapFlags): Promise<readonly string[]> {
  const { config } = await soundConfig(flags);
  workspaceOf(flags.workspace, config.settings.workspace);
  return proxyWords(script, flags);
}

function print(text: string): void {
  process.stdout.write(harmlessText(text));
}
