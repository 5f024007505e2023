import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { Command } from 'commander';
import { HooklineError } from '../../errors.ts';
import { rotatedFiles } from '../../hooks/audit-log/rotated-files.ts';
import { verifyAudit } from '../../hooks/audit-log/verify-audit.ts';
import { showVerdict } from '../view/show-verdict.ts';

interface Flags {
  readonly json?: boolean;
  readonly expect?: string;
  readonly keyEnv?: string;
}

/** `hookline audit`: works with written audit logs. */
export function audit(command: Command): void {
  command.helpCommand(false).addCommand(verify());
}

function verify(): Command {
  return new Command('verify')
    .description('Detects lines of a chained audit log that were removed, edited, moved or inserted.')
    .argument('<file...>', 'audit log, or its files in order, oldest first')
    .option('--json', 'print the verdict as JSON')
    .option('--expect <hash>', 'hash of a line that must exist; detects a truncated end')
    .option('--key-env <name>', 'environment variable with the chainKey of the audit log')
    .addHelpText('after', AUDIT_HELP)
    .action(async (given: readonly string[], { json = false, expect, keyEnv }: Flags) => {
      const files = given.length === 1 ? withRotated(given[0] as string) : given;
      const key = keyEnv === undefined ? undefined : keyIn(keyEnv);
      const verdict = await verifyAudit(files, { key, expect: expect?.toLowerCase() });
      process.stdout.write(showVerdict(verdict, files.length, expect, json));
      process.exitCode = verdict.whole ? 0 : 1;
    });
}

/** Returns the rotated files of an audit log and the current file, unless it was just rotated. */
function withRotated(given: string): readonly string[] {
  let file = given;
  let rotated: string[] = [];
  try {
    // The rotated files are in the same folder.
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) file = realpathSync(file);
    rotated = rotatedFiles(file).map(({ path }) => path);
  } catch {
    // An error that makes the folder unreadable also makes the file unreadable, and is reported there.
  }
  return rotated.length > 0 && !existsSync(file) ? rotated : [...rotated, file];
}

function keyIn(name: string): string {
  const key = process.env[name];
  if (key) return key;
  throw new HooklineError('INPUT_INVALID', `--key-env ${name}: this environment variable is not set.`);
}

/** Help text of `hookline audit verify` below the options. */
const AUDIT_HELP = `
Set chain: true in the options of audit-log to write a chained audit log. For a single file, its rotated files
(audit.2026-11-21.1.jsonl next to audit.jsonl) are read first. Several files are read in the given order.
Memory use does not grow with the length of the files. A line that a crash truncated is reported, but is not a
violation.

A chain cannot show that its last lines were removed. Store the printed hash somewhere else and pass it to
--expect later. Without a chainKey, a process that can write the file can also recompute the whole chain; --expect
detects that, too. Files that rotation removed (keep) are not reported as missing.

Exit codes:
  0  intact    1  broken, with file:line and the reason    2  bad usage, or not a chained audit log

Examples:
  hookline audit verify audit.jsonl
  hookline audit verify audit.jsonl --expect "$(cat /mnt/elsewhere/last-hash)"
  AUDIT_KEY=... hookline audit verify audit.jsonl --key-env AUDIT_KEY
  hookline audit verify audit.jsonl --json | jq -r .last.hash
`;
