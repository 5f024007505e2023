import { readFileSync } from 'node:fs';
import { parse, TomlError } from 'smol-toml';
import { HooklineError } from '../../errors.ts';

/** Returns the tables of a TOML file. Throws `INPUT_INVALID` if the file is missing or is not TOML. */
export function readToml(file: string): Record<string, unknown> {
  const text = readText(file);
  try {
    return parse(text);
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) throw thrown;
    const [, what = ''] = /: (.+)/.exec(thrown.message) ?? [];
    throw new HooklineError(
      'INPUT_INVALID',
      `${file}:${thrown.line}:${thrown.column} is not TOML: ${what}. Correct the line; write a regex between ''' and '''.`,
      { cause: thrown },
    );
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    const missing = (thrown as NodeJS.ErrnoException).code === 'ENOENT';
    throw new HooklineError(
      'INPUT_INVALID',
      missing
        ? `${file} does not exist. Pass a file of gitleaks rules.`
        : `${file} cannot be read: ${(thrown as Error).message}.`,
      { cause: thrown },
    );
  }
}
