import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { ConfigIssue } from '../issues/config-issue.ts';
import { createPlaceFinder } from './place-finder.ts';
import type { ConfigPath, Source } from './source.ts';

/** Reads JSON. Comments and trailing commas are allowed. */
export function jsonSource(file: string, text: string, issues: ConfigIssue[]): Source {
  const find = createPlaceFinder(text);
  const report = (offset: number, path: ConfigPath, message: string): void => {
    issues.push({ file, ...find(offset), path, message });
  };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  // The parser reports some errors twice.
  const distinct = new Map(errors.map((one) => [`${one.offset} ${one.error}`, one]));
  for (const { error, offset } of [...distinct.values()].slice(0, MOST_ERRORS))
    report(offset, [], `invalid JSON: ${wordsOf(error)}`);

  const dataOf = (node: Node, path: ConfigPath): unknown => {
    if (node.type === 'array') return (node.children ?? []).map((child, index) => dataOf(child, [...path, index]));
    if (node.type === 'number' && !Number.isFinite(node.value))
      report(node.offset, path, `is ${node.value}, which JSON cannot represent.`);
    if (node.type !== 'object') return node.value;
    const entries = new Map<string, unknown>();
    for (const { children, offset } of node.children ?? []) {
      const [key, value] = children ?? [];
      const name = key?.value as string;
      // The last key of an incomplete file may have no value.
      if (!value) continue;
      if (entries.has(name)) report(offset, [...path, name], 'duplicate key; the first one would be ignored.');
      if (name === '__proto__') report(offset, [...path, name], 'this name is not allowed.');
      else entries.set(name, dataOf(value, [...path, name]));
    }
    return Object.fromEntries(entries);
  };

  const fieldsOf = createIndex();
  return {
    file,
    value: root && dataOf(root, []),
    placeOf(path, part = 'value') {
      let node = root;
      let offset = root?.offset ?? 0;
      for (const [index, name] of path.entries()) {
        const field = node && fieldsOf(node).get(name);
        if (!field) break;
        const last = index === path.length - 1;
        offset = last && part === 'key' ? field.at : field.value.offset;
        node = field.value;
      }
      return find(offset);
    },
  };
}

interface Member {
  /** The offset of its key. For a list item, the offset of the item. */
  readonly at: number;
  readonly value: Node;
}

/** Returns the fields of objects and lists by name. Each node is indexed once. */
function createIndex(): (node: Node) => ReadonlyMap<PropertyKey, Member> {
  const indexes = new WeakMap<Node, Map<PropertyKey, Member>>();
  return (node) => {
    const known = indexes.get(node);
    if (known) return known;
    const fields = new Map<PropertyKey, Member>();
    for (const [index, child] of (node.children ?? []).entries()) {
      const [key, value] = child.children ?? [];
      if (node.type === 'array') fields.set(index, { at: child.offset, value: child });
      // For a duplicate key, the first one counts, as in editors.
      else if (key && value && !fields.has(key.value)) fields.set(key.value, { at: key.offset, value });
    }
    indexes.set(node, fields);
    return fields;
  };
}

/** Maximum number of errors, because later errors usually follow from earlier ones. */
const MOST_ERRORS = 5;

function wordsOf(error: number): string {
  return printParseErrorCode(error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}
