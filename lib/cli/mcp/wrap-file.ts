import { constants, copyFileSync, existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { sync as writeFileAtomic } from 'write-file-atomic';
import { HooklineError } from '../../errors.ts';
import { usualRedactor } from '../../hooks/usual-redactor.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import { wrapSettings } from './wrap-settings.ts';
import { wrapToml } from './wrap-toml.ts';

/** What `hookline mcp wrap` was told. */
export interface WrapFlags {
  readonly config: readonly string[];
  readonly preset?: string;
  readonly unwrap?: boolean;
  readonly write?: boolean;
}

/** Shows what becomes of a client's settings, by command lines alone: values of env and headers are not shown. With `write` it is done, and the old file kept beside. */
export function wrapFile(file: string, { config, preset, unwrap = false, write = false }: WrapFlags) {
  if (!existsSync(file)) throw new HooklineError('INPUT_INVALID', `${file}: there is no such file.`);
  const flags = [
    ...(preset === undefined ? [] : ['--preset', preset]),
    ...config.flatMap((one) => ['--config', resolve(one)]),
  ];
  const { text, changes, left } = (file.endsWith('.toml') ? wrapToml : wrapSettings)(
    readFileSync(file, 'utf8'),
    flags,
    unwrap,
  );
  const line = (words: readonly string[]): string => usualRedactor().redact(JSON.stringify(words)).text;
  for (const { name, before, after } of changes) print(`${name}\n- ${line(before)}\n+ ${line(after)}\n`);
  for (const { name, why } of left) print(`${name}: left, ${why}\n`);
  if (changes.length === 0) return print('nothing to change\n');
  if (!write) return print(`not written; --write does it\n`);
  const backup = freeName(`${file}.bak`);
  copyFileSync(file, backup, constants.COPYFILE_EXCL);
  writeFileAtomic(file, text);
  print(`written; the old file is ${backup}\n`);
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
