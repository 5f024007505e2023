import type { JsonValue } from '../../../events/values/json-value.ts';
import { isPlaceholder } from '../../../events/values/sealed-placeholder.ts';

/** A replaceable string or number of a JSON value. */
export interface JsonLeaf {
  readonly kind: 'leaf';
  text: string;
  /** The original value. A number with unchanged text stays a number. */
  readonly value: string | number;
  /** Whether it contains a reported finding that remains. */
  reported: boolean;
}

/** A JSON value with replaceable strings, keys and numbers. */
export type JsonNode =
  | JsonLeaf
  | { readonly kind: 'list'; readonly items: readonly JsonNode[]; readonly value: JsonValue }
  | { readonly kind: 'fields'; readonly fields: readonly JsonField[]; readonly value: JsonValue }
  | { readonly kind: 'other'; readonly value: JsonValue };

export interface JsonField {
  readonly key: JsonLeaf;
  readonly node: JsonNode;
}

/** Converts a value to nodes. A placeholder of a sealed value is kept, because only its tool gets the value. */
export function toNode(value: JsonValue): JsonNode {
  if (typeof value === 'string' || typeof value === 'number') return leafOf(value);
  if (typeof value !== 'object' || value === null || isPlaceholder(value)) return { kind: 'other', value };
  if (Array.isArray(value)) return { kind: 'list', items: value.map(toNode), value };
  const fields = Object.entries(value).map(([key, field]) => ({ key: leafOf(key), node: toNode(field) }));
  return { kind: 'fields', fields, value };
}

/** Converts a node to its value. Returns the same value if it is unchanged. */
export function fromNode(node: JsonNode): JsonValue {
  switch (node.kind) {
    case 'leaf':
      return node.text === String(node.value) ? node.value : node.text;
    case 'list': {
      const items = node.items.map(fromNode);
      return items.every((item, index) => item === givenIn(node.items[index])) ? node.value : items;
    }
    case 'fields': {
      const fields = node.fields.map(({ key, node: field }) => [key.text, fromNode(field)] as const);
      const same = fields.every(([key, field], index) => {
        const was = node.fields[index] as JsonField;
        return key === was.key.value && field === givenIn(was.node);
      });
      return same ? node.value : Object.fromEntries(fields);
    }
    default:
      return node.value;
  }
}

const givenIn = (node: JsonNode | undefined): JsonValue | undefined => node?.value;

function leafOf(value: string | number): JsonLeaf {
  return { kind: 'leaf', text: String(value), value, reported: false };
}
