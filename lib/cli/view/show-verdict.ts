import { harmlessJson } from '../../events/values/harmless-json.ts';
import type { AuditPlace, AuditVerdict } from '../../hooks/audit-log/audit-verdict.ts';
import { visibleText } from '../../hooks/text/visible-text.ts';

/** Returns the output of `hookline audit verify`: a line per breach and a summary, or JSON. */
export function showVerdict(verdict: AuditVerdict, files: number, expected: string | undefined, json: boolean): string {
  if (json) return `${harmlessJson(JSON.stringify(verdict))}\n`;
  const { whole, lines, unchained, torn, breaches, breachCount, goesOnFrom, last } = verdict;
  const details = breaches.map((breach) => `${placeOf(breach)}: ${breach.issue}`);
  if (breachCount > breaches.length) details.push(`and ${breachCount - breaches.length} more`);
  if (!whole && breachCount === 0) details.push(`the line with the hash ${expected} is missing: the end was truncated`);
  for (const place of torn) details.push(`${placeOf(place)}: truncated by a crash or a full disk (not a violation)`);
  if (unchained > 0) details.push(`lines before the start of the chain: ${unchained}`);
  if (goesOnFrom !== undefined) details.push('the chain continues an older file that was not given');
  const count = `${lines} ${lines === 1 ? 'line' : 'lines'} in ${files} ${files === 1 ? 'file' : 'files'}`;
  details.push(`${whole ? 'intact' : 'BROKEN'}: ${count}, the last is ${placeOf(last)}`, `last hash: ${last.hash}`);
  return `${details.join('\n')}\n`;
}

function placeOf({ file, line }: AuditPlace): string {
  return `${visibleText(file)}:${line}`;
}
