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

/** `hookline scan`: finds secrets in files or a pipe, or prints the text without them. */
export function scan(command: Command): void {
  command
    .argument('[files...]', 'files to scan; - is stdin (default: -)')
    .option('--redact', 'print the text with secrets replaced by markers')
    .addOption(new Option('--json', 'print each finding as a line of JSON').conflicts('redact'))
    .option('--rules <file>', 'add the rules of a gitleaks configuration')
    .addHelpText('after', SCAN_HELP)
    .action(async (files: readonly string[], { redact = false, json = false, rules }: Flags) => {
      if (files.length === 0 && process.stdin.isTTY) {
        throw new HooklineError(
          'INPUT_INVALID',
          'Nothing to scan: pass files, or pipe a text to stdin. - reads the terminal.',
        );
      }
      const inputs = files.length === 0 ? ['-'] : files;
      const redactorFor = chooseRedactor(rules, (text) => process.stderr.write(`warning: ${harmlessText(text)}\n`));
      process.exitCode = await scanInputs(inputs, redactorFor, redact ? 'redact' : json ? 'json' : 'lines');
    });
}

/** Help text of `hookline scan` below the options. */
const SCAN_HELP = `
Each finding is one line: file, line, column and rule. The secret is never printed. Memory use does not
grow with the length of a pipe. Input is UTF-8 text, or UTF-16 with a byte order mark; --redact
keeps the encoding. Any other file with a NUL byte in its first 8 KiB is skipped as binary. Invalid
UTF-8 causes one warning; with --redact the file ends there.

Exit codes:
  0  nothing found    1  secrets found    2  bad usage, or an unreadable input
  130, 143, 129  stopped by Ctrl-C, SIGTERM, a closed terminal
  141            the reader of the output closed the pipe

Examples:
  hookline scan src/*.ts .env
  git diff --cached | hookline scan || echo "do not commit this"
  tail -f app.log | hookline scan --redact
  hookline scan --json notes.txt | jq .rule
  hookline scan --rules gitleaks.toml src/*.ts
`;
