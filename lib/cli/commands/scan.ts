import { type Command, Option } from 'commander';
import { HooklineError } from '../../errors.ts';
import { scanInputs } from '../scan/scan-inputs.ts';
import { chooseRedactor } from '../setup/choose-redactor.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import { SCAN_HELP } from './scan-help.ts';

interface Flags {
  readonly redact?: boolean;
  readonly json?: boolean;
  readonly rules?: string;
}

/** `hookline scan`: where files or a pipe hold secrets, or the same text without them. */
export function scan(command: Command): void {
  command
    .argument('[files...]', 'what to read; - is stdin, which is also read where no file is named')
    .option('--redact', 'print the text with markers in the places of secrets, instead of where they are')
    .addOption(new Option('--json', 'print every finding as a line of JSON').conflicts('redact'))
    .option('--rules <file>', "more rules, in the format of gitleaks' configuration")
    .addHelpText('after', SCAN_HELP)
    .action(async (files: readonly string[], { redact = false, json = false, rules }: Flags) => {
      if (files.length === 0 && process.stdin.isTTY) {
        throw new HooklineError(
          'INPUT_INVALID',
          'There is nothing to scan: name files, or pipe a text in. - reads the terminal.',
        );
      }
      const inputs = files.length === 0 ? ['-'] : files;
      const redactorFor = chooseRedactor(rules, (text) => process.stderr.write(`warning: ${harmlessText(text)}\n`));
      process.exitCode = await scanInputs(inputs, redactorFor, redact ? 'redact' : json ? 'json' : 'lines');
    });
}
