import type { JsonValue } from '../../../events/values/json-value.ts';
import { isPlaceholder } from '../../../events/values/sealed-placeholder.ts';

/** A string or number of a JSON value, which may be replaced. */
export interface JsonLeaf {
  readonly kind: 'leaf';
  text: string;
  /** What it was; a number that stays as it is written stays a number. */
  readonly value: string | number;
  /** Something in it has been told of and stays. */
  told: boolean;
}

/** A JSON value of which the strings, the keys and the numbers may be replaced. */
export type JsonNode =
  | JsonLeaf
  | { readonly kind: 'list'; readonly items: readonly JsonNode[]; readonly value: JsonValue }
  | { readonly kind: 'members'; readonly members: readonly JsonMember[]; readonly value: JsonValue }
  | { readonly kind: 'other'; readonly value: JsonValue };

export interface JsonMember {
  readonly key: JsonLeaf;
  readonly node: JsonNode;
}

/** The value as nodes. A sealed value is for its tool only, and its placeholder stays what it is. */
export function toNode(value: JsonValue): JsonNode {
  if (typeof value === 'string' || typeof value === 'number') return leafOf(value);
  if (typeof value !== 'object' || value === null || isPlaceholder(value)) return { kind: 'other', value };
  if (Array.isArray(value)) return { kind: 'list', items: value.map(toNode), value };
  const members = Object.entries(value).map(([key, member]) => ({ key: leafOf(key), node: toNode(member) }));
  return { kind: 'members', members, value };
}

/** The value of a node; the very same one where nothing in it has changed. */
export function fromNode(node: JsonNode): JsonValue {
  switch (node.kind) {
    case 'leaf':
      return node.text === String(node.value) ? node.value : node.text;
    case 'list': {
      const items = node.items.map(fromNode);
      return items.every((item, index) => item === givenIn(node.items[index])) ? node.value : items;
    }
    case 'members': {
      const members = node.members.map(({ key, node: member }) => [key.text, fromNode(member)] as const);
      const same = members.every(([key, member], index) => {
        const was = node.members[index] as JsonMember;
        return key === was.key.value && member === givenIn(was.node);
      });
      return same ? node.value : Object.fromEntries(members);
    }
    default:
      return node.value;
  }
}

const givenIn = (node: JsonNode | undefined): JsonValue | undefined => node?.value;

function leafOf(value: string | number): JsonLeaf {
  return { kind: 'leaf', text: String(value), value, told: false };
}
