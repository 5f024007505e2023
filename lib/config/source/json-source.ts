import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { ConfigFault } from '../faults/fault.ts';
import { createPlaceFinder } from './place-finder.ts';
import type { ConfigPath, Source } from './source.ts';

/** Reads JSON; comments and trailing commas are let be. */
export function jsonSource(file: string, text: string, faults: ConfigFault[]): Source {
  const find = createPlaceFinder(text);
  const report = (offset: number, path: ConfigPath, message: string): void => {
    faults.push({ file, ...find(offset), path, message });
  };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  // It tells some of them twice.
  const told = new Map(errors.map((one) => [`${one.offset} ${one.error}`, one]));
  for (const { error, offset } of [...told.values()].slice(0, MOST_ERRORS))
    report(offset, [], `not JSON: ${wordsOf(error)}`);

  const dataOf = (node: Node, path: ConfigPath): unknown => {
    if (node.type === 'array') return (node.children ?? []).map((child, index) => dataOf(child, [...path, index]));
    if (node.type === 'number' && !Number.isFinite(node.value))
      report(node.offset, path, `is ${node.value}, which JSON cannot express.`);
    if (node.type !== 'object') return node.value;
    const entries = new Map<string, unknown>();
    for (const { children, offset } of node.children ?? []) {
      const [key, value] = children ?? [];
      const name = key?.value as string;
      // Of a broken file the last key may lack its value.
      if (!value) continue;
      if (entries.has(name)) report(offset, [...path, name], 'the key comes twice; the first one would be lost.');
      if (name === '__proto__') report(offset, [...path, name], 'not a name that can be used.');
      else entries.set(name, dataOf(value, [...path, name]));
    }
    return Object.fromEntries(entries);
  };

  const membersOf = createIndex();
  return {
    file,
    value: root && dataOf(root, []),
    placeOf(path, part = 'value') {
      let node = root;
      let offset = root?.offset ?? 0;
      for (const [index, name] of path.entries()) {
        const member = node && membersOf(node).get(name);
        if (!member) break;
        const last = index === path.length - 1;
        offset = last && part === 'key' ? member.at : member.value.offset;
        node = member.value;
      }
      return find(offset);
    },
  };
}

interface Member {
  /** Where its key begins; an item of a list has none, and begins there itself. */
  readonly at: number;
  readonly value: Node;
}

/** The members of objects and lists by their names, looked up once for each. */
function createIndex(): (node: Node) => ReadonlyMap<PropertyKey, Member> {
  const indexes = new WeakMap<Node, Map<PropertyKey, Member>>();
  return (node) => {
    const known = indexes.get(node);
    if (known) return known;
    const members = new Map<PropertyKey, Member>();
    for (const [index, child] of (node.children ?? []).entries()) {
      const [key, value] = child.children ?? [];
      if (node.type === 'array') members.set(index, { at: child.offset, value: child });
      // Of keys that come twice the first one counts, as it does to editors.
      else if (key && value && !members.has(key.value)) members.set(key.value, { at: key.offset, value });
    }
    indexes.set(node, members);
    return members;
  };
}

/** Behind the first few, errors tell of what the first ones did. */
const MOST_ERRORS = 5;

function wordsOf(error: number): string {
  return printParseErrorCode(error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}
