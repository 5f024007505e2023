import type { AuditPlace, AuditVerdict } from '../../hooks/audit-log/audit-verdict.ts';
import { visibleText } from '../../hooks/text/visible-text.ts';
import { harmlessJson } from '../terminal/harmless-json.ts';

/** What `hookline audit verify` prints: a line for each breach and one for the whole, or JSON. */
export function showVerdict(verdict: AuditVerdict, files: number, expected: string | undefined, json: boolean): string {
  if (json) return `${harmlessJson(JSON.stringify(verdict))}\n`;
  const { whole, lines, unchained, torn, breaches, breachCount, goesOnFrom, last } = verdict;
  const told = breaches.map((breach) => `${placeOf(breach)}: ${breach.fault}`);
  if (breachCount > breaches.length) told.push(`and ${breachCount - breaches.length} more`);
  if (!whole && breachCount === 0) told.push(`the line with the hash ${expected} is not there: the end was cut off`);
  for (const place of torn) told.push(`${placeOf(place)}: was cut short by a crash or a full disk (no breach)`);
  if (unchained > 0) told.push(`lines before the chain began: ${unchained}`);
  if (goesOnFrom !== undefined) told.push('the chain goes on from an older file that was not given');
  const count = `${lines} ${lines === 1 ? 'line' : 'lines'} in ${files} ${files === 1 ? 'file' : 'files'}`;
  told.push(`${whole ? 'whole' : 'BROKEN'}: ${count}, the last is ${placeOf(last)}`, `last hash: ${last.hash}`);
  return `${told.join('\n')}\n`;
}

function placeOf({ file, line }: AuditPlace): string {
  return `${visibleText(file)}:${line}`;
}
