import type { JsonLeaf, JsonMember, JsonNode } from './json-leaf.ts';
import { holdsValue, namesOther, namesProgram, singularOf } from './member-names.ts';

/** Leaves as one text, in the order in which a reader sees them, with what stands between them. */
export interface StructureView {
  readonly parts: readonly (JsonLeaf | string)[];
  /** Only what proves what it is counts: the parts may be words that have nothing to do with each other. */
  readonly provenOnly?: boolean;
}

const HEADERS = /headers?$/i;
/** Longer lists are tables of data. */
const MOST_ITEMS = 512;

/** The views of a value in which its parts explain each other: lists as lines of a shell, pairs, siblings and nested members as assignments. */
export function structureViews(node: JsonNode, name?: string): readonly StructureView[] {
  if (node.kind === 'list') return listViews(node.items, name);
  if (node.kind === 'members') return memberViews(node.members, name);
  return [];
}

function listViews(items: readonly JsonNode[], name: string | undefined): readonly StructureView[] {
  const views = items.flatMap((item) => structureViews(item, name));
  const leaves = items.filter(isLeaf);
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

function memberViews(members: readonly JsonMember[], name: string | undefined): readonly StructureView[] {
  const views = members.flatMap(({ key, node }) => [...structureViews(node, nameIn(key.text, name))]);
  const named = members.flatMap(({ key, node }) => (namesOther(key.text) && isLeaf(node) ? [node] : []));
  const program = members.flatMap(({ key, node }) => (namesProgram(key.text) && isLeaf(node) ? [node] : []))[0];
  for (const { key, node } of members) {
    const leaves = isLeaf(node) ? [node] : node.kind === 'list' ? node.items.filter(isLeaf) : [];
    if (program && node.kind === 'list' && leaves.length > 0) views.push(line([program, ...leaves]));
    if (leaves.length > MOST_ITEMS || !holdsValue(key.text)) continue;
    const about = [
      ...named.filter((one) => one !== node).map(({ text }) => text),
      ...(name === undefined ? [] : [name]),
    ];
    for (const one of about) views.push(...leaves.map((leaf) => assigned(one, leaf)));
  }
  return views;
}

/** What a member is called in whose value nothing has a name of its own. */
const nameIn = (key: string, name: string | undefined): string => (name !== undefined && holdsValue(key) ? name : key);

const namesOf = (name: string): readonly string[] => [...new Set([name, singularOf(name)])];

const assigned = (name: string, leaf: JsonLeaf): StructureView => ({
  parts: [`${JSON.stringify(name)}: "`, leaf, '"'],
});

const line = (leaves: readonly JsonLeaf[]): StructureView => ({
  parts: leaves.flatMap((leaf, place) => (place === 0 ? [leaf] : [' ', leaf])),
});

const isLeaf = (node: JsonNode): node is JsonLeaf => node.kind === 'leaf';
