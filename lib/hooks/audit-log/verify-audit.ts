import { HooklineError } from '../../errors.ts';
import type { AuditVerdict } from './audit-verdict.ts';
import { createChainCheck } from './chain-check.ts';
import { fileLines } from './file-lines.ts';

/** Options of `verifyAudit`; all may be left out. */
export interface VerifyAuditOptions {
  /** The `chainKey` of the audit. */
  readonly key?: string | undefined;
  /** The hash of a line that has to be there, such as the last one of an earlier time. */
  readonly expect?: string | undefined;
}

/**
 * Reads the files of one audit that was written with `chain: true`, in their order, and tells what was removed, edited, moved or put in. It
 * takes the same little memory however long they are. Files that cannot be read or are no such audit, and a key that does not belong to
 * it, are `INPUT_INVALID`. That lines at the end were cut off shows only by `expect`.
 */
export async function verifyAudit(files: readonly string[], options: VerifyAuditOptions = {}): Promise<AuditVerdict> {
  const { key, expect } = options;
  if (expect !== undefined && !/^[0-9a-f]{64}$/.test(expect)) {
    const what = 'must be the hash of a line, 64 hexadecimal digits in lower case';
    throw new HooklineError('INPUT_INVALID', `What to expect ${what}, not "${expect}".`);
  }
  const check = createChainCheck(key, expect);
  for (const file of files) {
    check.begin(file);
    for await (const line of fileLines(file)) check.line(line);
    check.end();
  }
  const { last, ...verdict } = check.verdict();
  if (last) return { ...verdict, last };
  const named = files.map((file) => `"${file}"`).join(', ') || '(no file)';
  throw new HooklineError(
    'INPUT_INVALID',
    `No line of a chain is in ${named}. Is it an audit written with chain: true?`,
  );
}
