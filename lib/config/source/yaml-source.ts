import { type Document, isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import type { ConfigFault } from '../fault.ts';
import { createPlaceFinder } from './place-finder.ts';
import type { ConfigPath, Source } from './source.ts';

/** Reads YAML 1.2 of one document. */
export function yamlSource(file: string, text: string, faults: ConfigFault[]): Source {
  const find = createPlaceFinder(text);
  const document = parseDocument(text, { prettyErrors: false, stringKeys: true, uniqueKeys: true });
  const report = (offset: number, path: ConfigPath, message: string): void => {
    faults.push({ file, ...find(offset), path, message });
  };
  for (const { pos, message } of [...document.errors, ...document.warnings]) report(pos[0], [], `not YAML: ${message}`);
  return {
    file,
    value: document.errors.length > 0 ? undefined : dataOf(document, report),
    placeOf: (path, part = 'value') => find(offsetOf(document, path, part)),
  };
}

function dataOf(document: Document, report: (offset: number, path: ConfigPath, message: string) => void): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (thrown) {
    // An anchor that leads to nothing, or aliases that would unfold without end.
    if (!(thrown instanceof ReferenceError)) throw thrown;
    report(0, [], `not plain data: ${thrown.message}`);
    return undefined;
  }
}

function offsetOf(document: Document, path: ConfigPath, part: 'key' | 'value'): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [index, name] of path.entries()) {
    const pair = isMap(node)
      ? node.items.find(({ key }) => (isScalar(key) ? key.value : key) === name)
      : isSeq(node)
        ? { key: undefined, value: node.items[Number(name)] }
        : undefined;
    if (!pair) return offset;
    const last = index === path.length - 1;
    const key = startOf(pair.key);
    offset = (last && part === 'key' ? key : undefined) ?? startOf(pair.value) ?? key ?? offset;
    node = pair.value;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
