import { type Command, Option } from 'commander';
import { HooklineError } from '../../errors.ts';
import { scanInputs } from '../scan/scan-inputs.ts';
import { chooseRedactor } from '../setup/choose-redactor.ts';
import { harmlessText } from '../terminal/harmless-text.ts';

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

/** What `hookline scan --help` says below the options. */
export const SCAN_HELP = `
Each finding is one line: file, line, column and rule. The secret itself is never printed. Memory does
not grow with the length of a pipe. Input is UTF-8 text. A file with a NUL byte in its first 8 KiB is
skipped as binary. Other invalid UTF-8 gives one warning; with --redact the file ends there.

Exit codes:
  0  nothing found    1  secrets found    2  bad usage, or something could not be read
  130, 143, 129  stopped by Ctrl-C, SIGTERM, a closed terminal
  141            the reader of the output has gone

Examples:
  hookline scan src/*.ts .env
  git diff --cached | hookline scan || echo "do not commit this"
  tail -f app.log | hookline scan --redact
  hookline scan --json notes.txt | jq .rule
  hookline scan --rules gitleaks.toml src/*.ts
`;
