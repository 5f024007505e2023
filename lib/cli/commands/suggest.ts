import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { HooklineError } from '../../errors.ts';
import { positiveInteger } from '../options/whole-number.ts';
import { readAudit } from '../suggest/read-audit.ts';
import { suggestionData, suggestionLines } from '../suggest/show-suggestion.ts';
import { suggestRules } from '../suggest/suggest-rules.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import { printJson } from '../view/print-json.ts';

interface Flags {
  readonly config: string;
  readonly min: number;
  readonly json?: boolean;
}

const HELP = `
suggest counts the calls that people approved exactly as they ran: in the inbox, in the web UI or on the terminal. Calls
that a rule, a grant for the session, "always" or --approve yes allowed do not count. Each proposed rule allows one call
with its whole input, and nothing else. There is no rule for a call that was also denied, or whose logged arguments are
redacted, sealed, cut or contain a secret.

The output is a diff of the policy and of its cases (hookline.cases.yaml for hookline.yaml), with the reasons as
comments. suggest checks it first: the new rules allow their calls, and all other calls of the log that were denied or
needed approval get the same verdict as before. Nothing is written.

Exit codes: 0 read, also without proposals; 2 invalid files.

Examples:
  hookline suggest audit.jsonl
  hookline suggest audit.jsonl --min 20 > rules.diff
`;

/** `hookline suggest`: proposes rules for calls that people approve again and again. */
export function suggest(command: Command): void {
  command
    .argument('<logs...>', 'files of an audit-log hook, oldest first')
    .option('--config <file>', 'policy to extend', 'hookline.yaml')
    .option('--min <count>', 'number of approvals that a call needs', positiveInteger, 10)
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(async (logs: readonly string[], { config, min, json = false }: Flags) => {
      if (!existsSync(config))
        throw new HooklineError('INPUT_INVALID', `${config}: there is no such policy. Name it with --config.`);
      const reading = await readAudit(logs);
      const suggestion = await suggestRules(config, reading, min);
      if (json) printJson(suggestionData(suggestion, reading));
      else
        for (const line of suggestionLines(suggestion, reading, min)) process.stdout.write(`${harmlessText(line)}\n`);
    });
}
