import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { HooklineError } from '../../errors.ts';
import { starterConfig } from '../init/starter-config.ts';
import { harmlessText } from '../terminal/harmless-text.ts';

const HELP = `
The file fits the folder: its own commands for building and testing are allowed, anything else that changes
something is asked about. Nothing is asked, and a file that is there already stays as it is.

Examples:
  hookline init
  hookline init ../other --print
`;

/** `hookline init`: a first configuration for a folder. */
export function init(command: Command): void {
  command
    .argument('[folder]', 'the folder that the agent works in', '.')
    .option('--print', 'print the configuration; write nothing')
    .addHelpText('after', HELP)
    .action((folder: string, { print = false }: { readonly print?: boolean }) => {
      if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
        throw new HooklineError('INPUT_INVALID', `${folder} is not a folder.`);
      const text = starterConfig(folder);
      if (print) process.stdout.write(text);
      else write(join(folder, 'hookline.yaml'), text);
    });
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    const why =
      code === 'EEXIST'
        ? `${file} is there already and stays as it is. Use --print to see what would be in it.`
        : `${file} cannot be written: ${message}`;
    throw new HooklineError('INPUT_INVALID', why, { cause: thrown });
  }
  process.stdout.write(harmlessText(`Wrote ${file}. Next: hookline check ${file}\n`));
}
