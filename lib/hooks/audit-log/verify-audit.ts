import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { streamLines } from '../../store/lines/read-lines.ts';
import type { AuditVerdict } from './audit-verdict.ts';
import { createChainCheck } from './chain-check.ts';

/** Options of `verifyAudit`; all are optional. */
export interface VerifyAuditOptions {
  /** The `chainKey` of the audit. */
  readonly key?: string | undefined;
  /** The hash of a line that must exist, such as an earlier last line. */
  readonly expect?: string | undefined;
}

/** Maximum size of a line in bytes. A file with a longer one is not an audit log. */
const LONGEST = 16 * 1_024 * 1_024;

/**
 * Verifies the files, in order, of one audit with `chain: true`. Reports lines that were removed, edited, moved or inserted. Its memory use is
 * constant. Throws `INPUT_INVALID` for unreadable files, files without a chain, and a wrong key. Only `expect` detects that lines at the end were cut
 * off.
 */
export async function verifyAudit(files: readonly string[], options: VerifyAuditOptions = {}): Promise<AuditVerdict> {
  const { key, expect } = options;
  if (expect !== undefined && !/^[0-9a-f]{64}$/.test(expect)) {
    const what = 'must be the hash of a line, 64 hexadecimal digits in lower case';
    throw new HooklineError('INPUT_INVALID', `The expected hash ${what}, got "${expect}".`);
  }
  const check = createChainCheck(key, expect);
  for (const file of files) {
    check.begin(file);
    try {
      for await (const line of streamLines(file, LONGEST)) check.line(line);
    } catch (thrown) {
      if (thrown instanceof HooklineError) throw thrown;
      throw new HooklineError('INPUT_INVALID', `Cannot read the audit file "${file}": ${messageOf(thrown)}`, {
        cause: thrown,
      });
    }
    check.end();
  }
  const { last, ...verdict } = check.verdict();
  if (last) return { ...verdict, last };
  const named = files.map((file) => `"${file}"`).join(', ') || '(no file)';
  throw new HooklineError(
    'INPUT_INVALID',
    `${named} contains no chained line. Was the audit log written with chain: true?`,
  );
}
