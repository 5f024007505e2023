import {
  describes,
  holdsSecrets,
  holdsValue,
  namesColumns,
  namesOther,
  namesProgram,
  namesSecret,
  nameWithin,
  singularOf,
} from './field-names.ts';
import type { JsonField, JsonLeaf, JsonNode } from './json-leaf.ts';
import { tableParts } from './table-parts.ts';

/** Leaves as one text in reading order, with separators. */
export interface StructureView {
  readonly parts: readonly (JsonLeaf | string)[];
  /** Only findings of proven formats count, because the parts may be unrelated words. */
  readonly provenOnly?: boolean;
  /** Guesses do not count, because a distant name explains less. */
  readonly sureOnly?: boolean;
}

const HEADERS = /headers?$/i;
/** Longer lists are data tables. */
const MOST_ITEMS = 512;

export function structureViews(root: JsonNode): readonly StructureView[] {
  return [...viewsOf(root), ...innerViews(root)];
}

/** Returns the views of leaves deep within a field that is named after a secret. */
function innerViews(node: JsonNode, secret?: string, depth = 0): readonly StructureView[] {
  if (node.kind === 'leaf')
    return secret !== undefined && depth > 1 ? [{ ...assigned(secret, node), sureOnly: true }] : [];
  if (node.kind === 'list') return node.items.slice(0, MOST_ITEMS).flatMap((item) => innerViews(item, secret, depth));
  if (node.kind !== 'fields') return [];
  return node.fields.flatMap(({ key: { text }, node: field }) => {
    if (namesSecret(text)) return innerViews(field, singularOf(text), 1);
    return innerViews(field, describes(text) ? undefined : secret, depth + 1);
  });
}

/** Returns the views of a value in which its parts explain each other: lists as shell lines; pairs, siblings and nested fields as assignments. */
function viewsOf(node: JsonNode, name?: string): readonly StructureView[] {
  if (node.kind === 'list') return listViews(node.items, name);
  if (node.kind === 'fields') return fieldViews(node.fields, name);
  return [];
}

function listViews(items: readonly JsonNode[], name: string | undefined): readonly StructureView[] {
  const views = items.flatMap((item) => viewsOf(item, name));
  const leaves = items.filter(isLeaf);
  const [first, ...rows] = items;
  if (first?.kind === 'list') views.push(...tableViews(first.items, rows));
  if (leaves.length !== items.length || leaves.length === 0 || leaves.length > MOST_ITEMS) return views;
  if (name !== undefined) views.push(...leaves.flatMap((leaf) => namesOf(name).map((one) => assigned(one, leaf))));
  if (leaves.length === 1) return views;
  views.push(line(leaves), { parts: leaves, provenOnly: true });
  const paired = leaves.length === 2 || (HEADERS.test(name ?? '') && leaves.length % 2 === 0);
  for (let at = 0; paired && at < leaves.length; at += 2) {
    const [first, second] = [leaves[at] as JsonLeaf, leaves[at + 1] as JsonLeaf];
    views.push(assigned(first.text, second));
  }
  return views;
}

function fieldViews(fields: readonly JsonField[], name: string | undefined): readonly StructureView[] {
  const views = fields.flatMap(({ key, node }) => viewsOf(node, nameIn(key.text, name)));
  const named = fields.flatMap(({ key, node }) => (namesOther(key.text) && isLeaf(node) ? [node] : []));
  const values = fields.flatMap(({ node }) => (isLeaf(node) && typeof node.value === 'string' ? [node] : []));
  if (name !== undefined && holdsSecrets(name) && values.length > 0 && values.length <= MOST_ITEMS)
    views.push(listed(name, values));
  views.push(...columnViews(fields));
  const program = fields.flatMap(({ key, node }) => (namesProgram(key.text) && isLeaf(node) ? [node] : []))[0];
  for (const { key, node } of fields) {
    const leaves = isLeaf(node) ? [node] : node.kind === 'list' ? node.items.filter(isLeaf) : [];
    if (program && node.kind === 'list' && leaves.length > 0) views.push(line([program, ...leaves]));
    if (leaves.length > MOST_ITEMS || !holdsValue(key.text)) continue;
    const about = [
      ...named.filter((one) => one !== node).map(({ text }) => nameWithin(text)),
      ...(name === undefined ? [] : [name]),
    ];
    for (const one of about) views.push(...leaves.map((leaf) => assigned(one, leaf)));
  }
  return views;
}

/** Returns the views of a table: a field with the names of its columns, and a field with its rows. */
function columnViews(fields: readonly JsonField[]): readonly StructureView[] {
  const columns = fields.find(({ key, node }) => namesColumns(key.text) && node.kind === 'list')?.node;
  if (columns?.kind !== 'list') return [];
  return fields.flatMap(({ node }) =>
    node.kind === 'list' && node !== columns ? tableViews(columns.items, node.items) : [],
  );
}

/** Returns the name of a field whose value contains no name of its own. */
const nameIn = (key: string, name: string | undefined): string => (name !== undefined && holdsValue(key) ? name : key);

const namesOf = (name: string): readonly string[] => [...new Set([name, singularOf(name)])];

const assigned = (name: string, leaf: JsonLeaf): StructureView => ({
  parts: [`${JSON.stringify(name)}: "`, leaf, '"'],
});

const tableViews = (names: readonly JsonNode[], rows: readonly JsonNode[]): readonly StructureView[] =>
  tableParts(names, rows).map((parts) => ({ parts }));

/** A list is judged as a whole: words among its items are names. */
const listed = (name: string, leaves: readonly JsonLeaf[]): StructureView => ({
  parts: [`${JSON.stringify(name)}: ["`, ...leaves.flatMap((leaf, at) => (at === 0 ? [leaf] : ['", "', leaf])), '"]'],
});

const line = (leaves: readonly JsonLeaf[]): StructureView => ({
  parts: leaves.flatMap((leaf, place) => (place === 0 ? [leaf] : [' ', leaf])),
});

const isLeaf = (node: JsonNode): node is JsonLeaf => node.kind === 'leaf';
