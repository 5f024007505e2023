import { constants, copyFileSync, existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { sync as writeFileAtomic } from 'write-file-atomic';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { usualRedactor } from '../../hooks/usual-redactor.ts';
import { soundConfig } from '../run/faults-of-making.ts';
import { workspaceOf } from '../setup/workspace-of.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import type { McpFlags } from './proxy-server.ts';
import { proxyWords } from './proxy-words.ts';
import { wrapSettings } from './wrap-settings.ts';
import { wrapToml } from './wrap-toml.ts';

/** What `hookline mcp wrap` was told; the options of the proxy are handed on. */
export interface WrapFlags extends McpFlags {
  readonly unwrap?: boolean;
  readonly write?: boolean;
}

/**
 * Shows what becomes of a client's settings, by command lines alone: values of env and headers are not shown. With `write` it is done, and the
 * old file kept beside. A configuration with faults is an error: no server would start.
 */
export async function wrapFile(file: string, flags: WrapFlags): Promise<void> {
  const { unwrap = false, write = false } = flags;
  if (!existsSync(file)) throw new HooklineError('INPUT_INVALID', `${file}: there is no such file.`);
  const script = realpathSync(process.argv[1] ?? '');
  const proxy = unwrap ? [process.execPath, script, 'mcp'] : await checkedProxy(script, flags);
  const old = tried(file, 'cannot be read', () => readFileSync(file, 'utf8'));
  const wrap = file.endsWith('.toml') ? wrapToml : wrapSettings;
  const { text, changes, left } = wrap(old, { file, proxy, unwrap });
  if (!unwrap && flags.pin !== undefined && changes.length > 1)
    throw new HooklineError(
      'INPUT_INVALID',
      `--pin ${flags.pin}: a file holds the tools of one server, and ${changes.length} would share it. Put --pin into each by hand.`,
    );
  const line = (words: readonly string[]): string => usualRedactor().redact(JSON.stringify(words)).text;
  for (const { name, before, after } of changes) print(`${name}\n- ${line(before)}\n+ ${line(after)}\n`);
  for (const { name, why } of left) print(`${name}: left, ${why}\n`);
  if (changes.length === 0) return print('nothing to change\n');
  if (!unwrap && /[\\/]_npx[\\/]/.test(script))
    print('this hookline is in the cache of npx, which npm may empty: install it, and wrap with that\n');
  if (!write) return print(`not written; --write does it\n`);
  print(`written; the old file is ${replace(file, text)}\n`);
}

async function checkedProxy(script: string, flags: WrapFlags): Promise<readonly string[]> {
  const { config } = await soundConfig(flags);
  workspaceOf(flags.workspace, config.settings.workspace);
  return proxyWords(script, flags);
}

/** Gives the name that the old file has now. */
function replace(file: string, text: string): string {
  const backup = freeName(`${file}.bak`);
  tried(file, 'cannot be written, and is as it was', () => {
    copyFileSync(file, backup, constants.COPYFILE_EXCL);
    try {
      writeFileAtomic(file, text);
    } catch (thrown) {
      rmSync(backup, { force: true });
      throw thrown;
    }
  });
  return backup;
}

function tried<T>(file: string, what: string, action: () => T): T {
  try {
    return action();
  } catch (thrown) {
    throw new HooklineError('INPUT_INVALID', `${file} ${what}: ${messageOf(thrown)}`);
  }
}

function freeName(name: string): string {
  for (let n = 0; ; n++) {
    const candidate = n === 0 ? name : `${name}.${n}`;
    if (!existsSync(candidate)) return candidate;
  }
}

function print(text: string): void {
  process.stdout.write(harmlessText(text));
}
