import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { HooklineError } from '../../errors.ts';
import { starterCases, starterConfig } from '../init/starter-config.ts';
import { harmlessText } from '../terminal/harmless-text.ts';

const HELP = `
The configuration allows the build and test commands of the folder, and asks before other changes. It also writes first cases
for hookline test. init does not prompt and does not overwrite an existing file.

Examples:
  hookline init
  hookline init ../other --print
`;

/** `hookline init`: writes a first configuration and its cases for a folder. */
export function init(command: Command): void {
  command
    .argument('[folder]', 'folder that the agent works in', '.')
    .option('--print', 'print the configuration instead of writing it')
    .addHelpText('after', HELP)
    .action((folder: string, { print = false }: { readonly print?: boolean }) => {
      if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
        throw new HooklineError('INPUT_INVALID', `${folder} is not a directory.`);
      const text = starterConfig(folder);
      if (print) process.stdout.write(text);
      else write(join(folder, 'hookline.yaml'), text);
      if (!print) addCases(join(folder, 'hookline.cases.yaml'));
    });
}

/** Keeps cases that exist. */
function addCases(file: string): void {
  if (!existsSync(file)) writeFileSync(file, starterCases, { flag: 'wx' });
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    const why =
      code === 'EEXIST'
        ? `${file} already exists and was not changed. To see the starter configuration, use --print.`
        : `cannot write ${file}: ${message}`;
    throw new HooklineError('INPUT_INVALID', why, { cause: thrown });
  }
  process.stdout.write(harmlessText(`Wrote ${file}. Next: npx hookline check ${file}\n`));
}
