import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { ConfigFault } from '../fault.ts';
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
  for (const { error, offset } of errors.slice(0, MOST_ERRORS)) report(offset, [], `not JSON: ${wordsOf(error)}`);

  const dataOf = (node: Node, path: ConfigPath): unknown => {
    if (node.type === 'array') return (node.children ?? []).map((child, index) => dataOf(child, [...path, index]));
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

  return {
    file,
    value: root && dataOf(root, []),
    placeOf(path, part = 'value') {
      for (let length = path.length; root && length > 0; length -= 1) {
        const node = findNodeAtLocation(root, path.slice(0, length) as (string | number)[]);
        const around = node?.parent;
        // An item of a list has no key.
        const key = part === 'key' && around?.type === 'property' ? around.children?.[0] : undefined;
        if (node) return find((key ?? node).offset);
      }
      return find(root?.offset ?? 0);
    },
  };
}

/** Behind the first few, errors tell of what the first ones did. */
const MOST_ERRORS = 5;

function wordsOf(error: number): string {
  return printParseErrorCode(error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}
