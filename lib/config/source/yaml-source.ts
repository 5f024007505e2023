import { type Document, isMap, isScalar, isSeq, Lexer, type Node, Parser, parseDocument, visit } from 'yaml';
import type { ConfigFault } from '../fault.ts';
import { createPlaceFinder } from './place-finder.ts';
import type { ConfigPath, Source } from './source.ts';

/** Reads YAML 1.2 of one document. */
export function yamlSource(file: string, text: string, faults: ConfigFault[]): Source {
  const find = createPlaceFinder(text);
  if (isTooDeep(text)) throw new RangeError('nested too deeply');
  const document = parseDocument(text, { prettyErrors: false, stringKeys: true, uniqueKeys: true });
  const report = (offset: number, path: ConfigPath, message: string): void => {
    faults.push({ file, ...find(offset), path, message });
  };
  for (const { pos, message } of [...document.errors, ...document.warnings]) report(pos[0], [], `not YAML: ${message}`);
  visit(document, {
    Pair(_, { key }) {
      // It would be lost on the way, as it is no member of most objects.
      if (isScalar(key) && key.value === '__proto__') report(startOf(key) ?? 0, ['__proto__'], NO_NAME);
    },
  });
  return {
    file,
    value: document.errors.length > 0 ? undefined : dataOf(document, report),
    placeOf: (path, part = 'value') => find(offsetOf(document, path, part)),
  };
}

/** What is nested deeper than this is no configuration; the composer would end the process with it, at some depths. */
const DEEPEST = 500;
const NO_NAME = 'not a name that can be used.';

function isTooDeep(text: string): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > DEEPEST) return true;
  }
  return false;
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
