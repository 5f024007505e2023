import type { JsonValue } from '../../../events/values/json-value.ts';
import type { Finding, Redactor } from '../../../redaction/redactor.ts';
import { type JsonLeaf, type JsonNode, toNode } from './json-leaf.ts';
import { type ScanHow, scanView } from './scan-view.ts';
import { structureViews } from './structure-views.ts';

const SCALAR = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Longer texts are scanned as plain text only. */
const MOST = 262_144;

/** Scans the parts of a JSON text together, after the text itself was scanned. All equal strings are replaced alike. */
export function scanJsonText(
  redactor: Redactor,
  text: string,
  known: readonly Finding[],
  how: ScanHow,
): { readonly value: string; readonly findings: readonly Finding[] } {
  const root = text.length > MOST || !/^\s*[[{]/.test(text) ? undefined : parsed(text);
  if (!root) return { value: text, findings: known };
  const { leave = [] } = how;
  const findings = [...known];
  // The place of a remaining finding in the values is unknown.
  const left = known.some(({ confidence = 'format' }) => leave.includes(confidence)) ? leave : [];
  for (const view of structureViews(root)) {
    const found = scanView(redactor, view, how);
    findings.push(...found.filter(({ confidence = 'format' }) => !left.includes(confidence)));
  }
  const changed = leavesOf(root).filter((leaf) => leaf.text !== String(leaf.value));
  if (changed.length === 0) return { value: text, findings };
  const clean = new Map(changed.map((leaf) => [leaf.value, JSON.stringify(leaf.text)]));
  return { value: text.replace(SCALAR, (scalar) => clean.get(JSON.parse(scalar)) ?? scalar), findings };
}

function parsed(text: string): JsonNode | undefined {
  try {
    return toNode(JSON.parse(text) as JsonValue);
  } catch {
    return undefined;
  }
}

function leavesOf(node: JsonNode): readonly JsonLeaf[] {
  if (node.kind === 'leaf') return [node];
  if (node.kind === 'list') return node.items.flatMap(leavesOf);
  return node.kind === 'fields' ? node.fields.flatMap(({ node: field }) => leavesOf(field)) : [];
}
