import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { HooklineError } from '../../errors.ts';
import { usualRedactor } from '../../hooks/usual-redactor.ts';
import { readSettings, replaceSettings } from '../client-settings.ts';
import { wholeModuleName } from '../options/whole-module-name.ts';
import { soundConfig } from '../run/try-making.ts';
import { workspaceOf } from '../setup/workspace-of.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import type { McpFlags } from './proxy-server.ts';
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

/**
 * Returns a command line that starts the proxy in any folder and with any PATH. Its paths are absolute. Options that locate a server are
 * `INPUT_INVALID`, because they have no meaning before a command.
 */
function proxyWords(script: string, flags: McpFlags): readonly string[] {
  const { url, listen, header, allowedHost } = flags;
  const ends = { '--url': url, '--listen': listen, '--header': header[0], '--allowed-host': allowedHost[0] };
  const [unsupported] = Object.entries(ends).find(([, given]) => given !== undefined) ?? [];
  if (unsupported !== undefined)
    throw new HooklineError(
      'INPUT_INVALID',
      `hookline mcp wrap does not support ${unsupported}, because it wraps servers that a command starts. Remove it. For a server over HTTP, see hookline mcp --help.`,
    );
  const { workspace, pin, askTimeout, logLevel } = flags;
  const option = (name: string, value: string | number | undefined): readonly string[] =>
    value === undefined ? [] : [name, String(value)];
  const set = (name: string, value: boolean | undefined): readonly string[] => (value ? [name] : []);
  return [
    ...[process.execPath, script, 'mcp'],
    ...option('--preset', flags.preset),
    ...flags.config.flatMap((one) => ['--config', resolve(one)]),
    ...set('--allow-weaker', flags.allowWeaker),
    ...flags.hooks.flatMap((one) => ['--hooks', wholeModuleName(one)]),
    ...option('--workspace', workspace && resolve(workspace)),
    ...option('--agent', flags.agent),
    ...option('--session', flags.session),
    ...option('--user', flags.user),
    ...set('--trust-annotations', flags.trustAnnotations),
    ...option('--pin', pin && resolve(pin)),
    ...set('--inspect', flags.inspect),
    ...option('--ask-timeout', askTimeout),
    ...option('--log-level', logLevel === 'warn' ? undefined : logLevel),
  ];
}
