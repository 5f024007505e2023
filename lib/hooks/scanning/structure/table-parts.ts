import type { JsonLeaf, JsonNode } from './json-leaf.ts';

/** Longer tables are data. */
const MOST_CELLS = 4_096;

/**
 * Returns the parts of a view of each column of a table, in which the name of the column precedes each of its cells. There are none if a row is not a list
 * with a cell for each name.
 */
export function tableParts(
  names: readonly JsonNode[],
  rows: readonly JsonNode[],
): readonly (readonly (JsonLeaf | string)[])[] {
  const columns = names.map(nameOf);
  if (columns.length < 2 || rows.length === 0 || rows.length * columns.length > MOST_CELLS) return [];
  const cells = rows.map((row) => (row.kind === 'list' ? row.items : []));
  if (cells.some((row) => row.length !== columns.length)) return [];
  return columns.flatMap((name, at) => {
    const leaves = cells.flatMap((row) => (row[at]?.kind === 'leaf' ? [row[at] as JsonLeaf] : []));
    if (name === undefined || leaves.length === 0) return [];
    return [leaves.flatMap((leaf) => [`${JSON.stringify(name)}: "`, leaf, '"\n'])];
  });
}

/** Returns the name of a column: a text, or the name in its description. */
function nameOf(node: JsonNode): string | undefined {
  if (node.kind === 'leaf') return typeof node.value === 'string' ? node.text : undefined;
  if (node.kind !== 'fields') return undefined;
  const named = node.fields.find(({ key }) => /^(?:name|key|title|field|column_?name)$/i.test(key.text))?.node;
  return named?.kind === 'leaf' ? named.text : undefined;
}
