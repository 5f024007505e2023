import type { JsonValue } from '../../events/values/json-value.ts';
import type { Finding, Redactor } from '../../redaction/redactor.ts';
import { redactField } from '../text/field-stream.ts';
import { fromNode, type JsonLeaf, type JsonNode, toNode } from './structure/json-leaf.ts';
import { type ScanHow, scanView } from './structure/scan-view.ts';
import { structureViews } from './structure/structure-views.ts';

/**
 * Redacts the strings, keys and numbers of a JSON value. Returns the same value if it has no secrets. Each string is scanned with its key, and with
 * strings that explain it: `['--password', 'x']`, `{ name: 'DB_PASSWORD', value: 'x' }`.
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
    if (node.kind !== 'fields') return;
    for (const field of node.fields) {
      scanLeaf(field.key);
      scan(field.node, String(field.key.value));
    }
  }

  function scanLeaf(leaf: JsonLeaf, key?: string): void {
    const found = redactField(redactor, key, leaf.text, how);
    leaf.text = found.text;
    leaf.reported = found.findings.some(({ confidence = 'format' }) => leave.includes(confidence));
    for (const finding of found.findings) findings.push(finding);
  }

  scan(root);
  for (const view of structureViews(root)) findings.push(...scanView(redactor, view, how));
  return { value: fromNode(root) as T, findings };
}
