import { applyEdits, type JSONPath, modify, parse as parseJsonc } from 'jsonc-parser';
import { isMap, isSeq, type Node, type Pair, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { parseSource } from '../../config/source/parse-source.ts';
import { HooklineError } from '../../errors.ts';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import { isObject } from '../../events/values/is-object.ts';
import type { JsonValue } from '../../events/values/json-value.ts';

/** An item of a list: its value, and its lines of YAML. */
export interface NewItem {
  readonly value: JsonValue;
  readonly lines: readonly string[];
  /** The same on one line. */
  readonly flow: string;
}

/**
 * Returns the text of a YAML or JSON file with items at the end of the list at `path`; missing lists and objects are created. The other lines stay as
 * they are. Throws `INPUT_INVALID` if the list is at a place that cannot be extended, such as an alias.
 */
export function insertItems(file: string, text: string, path: readonly string[], items: readonly NewItem[]): string {
  const wanted = canonicalJson(withItems(dataIn(file, text), path, items));
  const isJson = /\.jsonc?$/i.test(file) || /^\s*[{[]/.test(text);
  const made = isJson ? inJson(text, path, items) : inYaml(text, path, items);
  if (made !== undefined && canonicalJson(dataIn(file, made)) === wanted) return made;
  const message = `${file}: ${path.join('.')} cannot be extended in place. Write it as a list of its own, without an alias.`;
  throw new HooklineError('INPUT_INVALID', message);
}

/** Returns whether YAML reads an item as its value. Some texts, such as halves of surrogate pairs, cannot be written. */
export function isReadable({ value, lines, flow }: NewItem): boolean {
  const block = lines.map((line, at) => `${at === 0 ? '- ' : '  '}${line}\n`).join('');
  const read = [`list: [${flow}]\n`, `list:\n${block}`].map((text) => dataIn('item.yaml', text));
  return read.every((one) => canonicalJson(one) === canonicalJson({ list: [value] }));
}

function dataIn(file: string, text: string): JsonValue {
  const extension = /\.\w+$/.exec(file)?.[0] ?? '';
  return (parseSource(file, text, [], extension).value ?? null) as JsonValue;
}

function withItems(value: JsonValue, path: readonly string[], items: readonly NewItem[]): JsonValue {
  const [name, ...rest] = path;
  if (name === undefined) return [...(Array.isArray(value) ? value : []), ...items.map((item) => item.value)];
  const fields = (isObject(value) ? value : {}) as Readonly<Record<string, JsonValue>>;
  return { ...fields, [name]: withItems(fields[name] ?? null, rest, items) };
}

function inJson(text: string, path: readonly string[], items: readonly NewItem[]): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  return items.reduce((now, { value }) => {
    const list: unknown = path.reduce<unknown>(
      (at, name) => (isObject(at) ? (at as Record<string, unknown>)[name] : undefined),
      parseJsonc(now),
    );
    const place: JSONPath = Array.isArray(list) ? [...path, list.length] : [...path];
    const edits = modify(now, place, Array.isArray(list) ? value : [value], {
      formattingOptions,
      isArrayInsertion: true,
    });
    return applyEdits(now, edits);
  }, text);
}

function inYaml(text: string, path: readonly string[], items: readonly NewItem[]): string | undefined {
  const document = parseDocument(text, { stringKeys: true });
  let holder: unknown = document.contents;
  for (const [at, name] of path.entries()) {
    if (!isMap(holder)) return undefined;
    const value: unknown = (holder as YAMLMap<Node>).get(name, true);
    if (value === undefined) return intoMap(text, holder as YAMLMap<Node>, path.slice(at), items);
    holder = value;
  }
  return isSeq(holder) ? intoList(text, holder as YAMLSeq<Node>, items) : undefined;
}

function intoList(text: string, list: YAMLSeq<Node>, items: readonly NewItem[]): string | undefined {
  if (!list.range) return undefined;
  const last = list.items.at(-1);
  if (list.flow) {
    const close = text.lastIndexOf(']', list.range[1] - 1);
    const before = text.slice(0, close).trimEnd();
    const comma = list.items.length === 0 ? '' : before.endsWith(',') ? ' ' : ', ';
    return `${before}${comma}${items.map(({ flow }) => flow).join(', ')}${text.slice(before.length)}`;
  }
  if (!last?.range) return undefined;
  const indent = text.slice(text.lastIndexOf('\n', list.range[0]) + 1, list.range[0]);
  if (indent.trim() !== '') return undefined;
  const newLine = text.includes('\r\n') ? '\r\n' : '\n';
  // A literal block ends after its last line.
  const end = text[last.range[1] - 1] === '\n' ? last.range[1] - 1 : text.indexOf('\n', last.range[1]);
  const head = end < 0 ? `${text}${newLine}` : text.slice(0, end + 1);
  return `${head}${blockOf(items, indent, newLine)}${end < 0 ? '' : text.slice(end + 1)}`;
}

/** Adds the missing fields of a path before the first field of a map. */
function intoMap(
  text: string,
  { flow = false, items: pairs, range }: YAMLMap<Node>,
  path: readonly string[],
  items: readonly NewItem[],
): string | undefined {
  if (!range) return undefined;
  if (flow) {
    const list = `[${items.map((item) => item.flow).join(', ')}]`;
    const field = path.reduceRight(
      (inner, name, at) => (at === path.length - 1 ? `${name}: ${inner}` : `${name}: { ${inner} }`),
      list,
    );
    const [head, rest] = [text.slice(0, range[0] + 1), text.slice(range[0] + 1)];
    return pairs.length === 0
      ? `${head} ${field} ${rest.trimStart()}`
      : `${head} ${field},${rest.replace(/^(?=\S)/, ' ')}`;
  }
  const start = (pairs[0] as Pair<Node> | undefined)?.key.range?.[0];
  if (start === undefined) return undefined;
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const indent = text.slice(line, start);
  if (indent.trim() !== '') return undefined;
  const newLine = text.includes('\r\n') ? '\r\n' : '\n';
  const keys = path.map((name, at) => `${indent}${'  '.repeat(at)}${name}:${newLine}`).join('');
  const list = blockOf(items, `${indent}${'  '.repeat(path.length)}`, newLine);
  return `${text.slice(0, line)}${keys}${list}${text.slice(line)}`;
}

function blockOf(items: readonly NewItem[], indent: string, newLine: string): string {
  return items
    .flatMap(({ lines }) => lines.map((line, at) => `${indent}${at === 0 ? '- ' : '  '}${line}${newLine}`))
    .join('');
}
