import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { Command } from 'commander';
import { HooklineError } from '../../errors.ts';
import { rotatedFiles } from '../../hooks/audit-log/rotated-files.ts';
import { verifyAudit } from '../../hooks/audit-log/verify-audit.ts';
import { showVerdict } from '../view/show-verdict.ts';
import { AUDIT_HELP } from './audit-help.ts';

interface Flags {
  readonly json?: boolean;
  readonly expect?: string;
  readonly keyEnv?: string;
}

/** `hookline audit`: what is done with audits that were written. */
export function audit(command: Command): void {
  command.helpCommand(false).addCommand(verify());
}

function verify(): Command {
  return new Command('verify')
    .description('Tells whether lines of a chained audit were removed, edited, moved or put in.')
    .argument('<file...>', 'the audit; or its files in order, the oldest first')
    .option('--json', 'print the verdict as JSON')
    .option('--expect <hash>', 'the hash of a line that has to be there: shows that the end was cut off')
    .option('--key-env <name>', 'the environment variable that holds the chainKey of the audit')
    .addHelpText('after', AUDIT_HELP)
    .action(async (given: readonly string[], { json = false, expect, keyEnv }: Flags) => {
      const files = given.length === 1 ? withRotated(given[0] as string) : given;
      const key = keyEnv === undefined ? undefined : keyIn(keyEnv);
      const verdict = await verifyAudit(files, { key, expect: expect?.toLowerCase() });
      process.stdout.write(showVerdict(verdict, files.length, expect, json));
      process.exitCode = verdict.whole ? 0 : 1;
    });
}

/** The rotated files of an audit and, unless it has just been rotated, itself. */
function withRotated(given: string): readonly string[] {
  let file = given;
  let rotated: string[] = [];
  try {
    // The rotated files lie beside the file itself.
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) file = realpathSync(file);
    rotated = rotatedFiles(file).map(({ path }) => path);
  } catch {
    // What keeps the folder from being read keeps the file from it too, and is told there.
  }
  return rotated.length > 0 && !existsSync(file) ? rotated : [...rotated, file];
}

function keyIn(name: string): string {
  const key = process.env[name];
  if (key) return key;
  throw new HooklineError('INPUT_INVALID', `--key-env ${name}: there is no environment variable of this name.`);
}
