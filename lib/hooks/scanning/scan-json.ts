import type { JsonValue } from '../../events/values/json-value.ts';
import type { Finding, Redactor } from '../../redaction/redactor.ts';
import { memberStream } from '../text/member-stream.ts';
import { fromNode, type JsonLeaf, type JsonNode, toNode } from './structure/json-leaf.ts';
import { type ScanHow, scanView } from './structure/scan-view.ts';
import { structureViews } from './structure/structure-views.ts';

/**
 * A JSON value without the secrets in its strings, keys and numbers; the very same value where there are none. Each string is read by itself, behind the
 * key that it stands under, and together with those that explain it: `['--password', 'x']`, `{ name: 'DB_PASSWORD', value: 'x' }`.
 */
export function scanJson<T extends JsonValue>(
  redactor: Redactor,
  value: T,
  how: ScanHow = {},
): { value: T; findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const { leave = [] } = how;
  const root = toNode(value);

  function scan(node: JsonNode, key?: string): void {
    if (node.kind === 'leaf') scanLeaf(node, key);
    if (node.kind === 'list') for (const item of node.items) scan(item);
    if (node.kind !== 'members') return;
    for (const member of node.members) {
      scanLeaf(member.key);
      scan(member.node, String(member.key.value));
    }
  }

  function scanLeaf(leaf: JsonLeaf, key?: string): void {
    const stream = memberStream(redactor, key, how);
    leaf.text = stream.write(leaf.text) + stream.end();
    leaf.told = stream.findings.some(({ confidence = 'format' }) => leave.includes(confidence));
    findings.push(...stream.findings);
  }

  scan(root);
  for (const view of structureViews(root)) findings.push(...scanView(redactor, view, how));
  return { value: fromNode(root) as T, findings };
}
