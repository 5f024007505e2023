import { type Document, isAlias, isMap, isScalar, isSeq, Lexer, Parser, parseDocument } from 'yaml';
import type { ConfigIssue } from '../issues/config-issue.ts';
import { createPlaceFinder } from './place-finder.ts';
import type { ConfigPath, Source } from './source.ts';
import { checkYaml, type Report } from './yaml-checks.ts';
import { isMergeKey, startOf } from './yaml-nodes.ts';

/** Reads YAML 1.2 of one document, with merge keys (`<<`). */
export function yamlSource(file: string, text: string, issues: ConfigIssue[]): Source {
  const find = createPlaceFinder(text);
  if (isTooDeep(text)) throw new RangeError('nested too deeply');
  // Duplicate keys are checked below, because the parser compares each with each.
  const document = parseDocument(text, { prettyErrors: false, stringKeys: true, uniqueKeys: false, merge: true });
  const before = issues.length;
  const report: Report = (offset, path, message) => {
    issues.push({ file, ...find(offset), path, message });
  };
  for (const { pos, message } of [...document.errors, ...document.warnings])
    report(pos[0], [], `invalid YAML: ${message}`);
  checkYaml(document, report);
  const offsetOf = createOffsetFinder(document);
  return {
    file,
    value: issues.length > before ? undefined : dataOf(document, report),
    placeOf: (path, part = 'value') => find(offsetOf(path, part)),
  };
}

/** Maximum nesting depth. At some greater depths, the composer would end the process. */
const DEEPEST = 500;

/** At least one of them begins each level. Few texts have so many that the parser has to run twice. */
const INDICATORS = /[[{:?-]/g;

function isTooDeep(text: string): boolean {
  if ((text.match(INDICATORS)?.length ?? 0) < DEEPEST / 2) return false;
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > DEEPEST) return true;
  }
  return false;
}

function dataOf(document: Document, report: Report): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (thrown) {
    // Aliases that would expand without end.
    if (!(thrown instanceof ReferenceError)) throw thrown;
    report(0, [], `not plain data: ${thrown.message}`);
    return undefined;
  }
}

interface Member {
  readonly key: unknown;
  readonly value: unknown;
}

/** Creates a function that returns the offset of a part of a document. A part from an alias or a merge key has the place where it is written. */
function createOffsetFinder(document: Document): (path: ConfigPath, part: 'key' | 'value') => number {
  const indexes = new WeakMap<object, Map<unknown, Member>>();

  function fieldsOf(node: unknown): ReadonlyMap<unknown, Member> {
    if (!isMap(node)) return new Map();
    const known = indexes.get(node);
    if (known) return known;
    const fields = new Map<unknown, Member>();
    indexes.set(node, fields);
    const merged = node.items.filter(({ key }) => isMergeKey(key)).flatMap(({ value }) => sourcesOf(value));
    for (const source of merged)
      for (const [name, field] of fieldsOf(source)) if (!fields.has(name)) fields.set(name, field);
    for (const { key, value } of node.items)
      if (!isMergeKey(key)) fields.set(isScalar(key) ? key.value : key, { key, value });
    return fields;
  }

  function sourcesOf(value: unknown): readonly unknown[] {
    const node = resolved(value);
    return isSeq(node) ? node.items.map(resolved) : [node];
  }

  const resolved = (node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node);

  return (path, part) => {
    let node: unknown = document.contents;
    let offset = startOf(node) ?? 0;
    for (const [index, name] of path.entries()) {
      const holder = resolved(node);
      const field: Member | undefined = isSeq(holder)
        ? Number(name) in holder.items
          ? { key: undefined, value: holder.items[Number(name)] }
          : undefined
        : fieldsOf(holder).get(name);
      if (!field) return offset;
      const last = index === path.length - 1;
      const key = startOf(field.key);
      offset = (last && part === 'key' ? key : undefined) ?? startOf(field.value) ?? key ?? offset;
      node = field.value;
    }
    return offset;
  };
}
