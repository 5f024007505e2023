/** Start of a key and its value. Both count from 1. */
export interface WrittenPlace {
  readonly key: readonly [line: number, column: number];
  readonly value: readonly [line: number, column: number];
}

/** A text, and the place of each part by `JSON.stringify(path)`. */
export interface WrittenText {
  readonly text: string;
  readonly places: ReadonlyMap<string, WrittenPlace>;
}

export type Style = 'json' | 'jsonc' | 'yaml';

/** Writes data as JSON, as JSON with comments and trailing commas, or as block YAML. The suffix `TWICE` of a key is removed. */
export function writeText(data: unknown, style: Style): WrittenText {
  const places = new Map<string, WrittenPlace>();
  let text = style === 'yaml' ? '# written by a spec\n' : '';
  const here = (): readonly [number, number] => {
    const lines = text.split('\n');
    return [lines.length, lines.at(-1)!.length + 1];
  };
  const noise = (): string => (style === 'jsonc' ? ['', ' /* "a": { */ ', ' // , }\n '][text.length % 3]! : '');
  const write = (value: unknown, path: readonly PropertyKey[], key = here()): void => {
    places.set(JSON.stringify(path), { key, value: here() });
    const isList = Array.isArray(value);
    if (typeof value !== 'object' || value === null) {
      text += JSON.stringify(value);
      return;
    }
    const members = isList ? value.entries() : Object.entries(value);
    const pad = '  '.repeat(path.length + 1);
    // Block YAML has no form for empty values, and lists contain them in flow form.
    const isBlock =
      style === 'yaml' && !isList && Object.keys(value).length > 0 && !path.some((part) => typeof part === 'number');
    if (!isBlock) text += isList ? '[' : '{';
    let first = true;
    for (const [name, member] of members) {
      if (isBlock) text += first && path.length === 0 ? '' : `\n${'  '.repeat(path.length)}`;
      else text += `${first ? '' : ','}${noise()}\n${pad}`;
      first = false;
      const at = here();
      if (!isList) text += `${JSON.stringify(String(name).replace(/TWICE$/, ''))}: `;
      const nested = [...path, name];
      // A block starts on a new line, which is the place of its value.
      if (
        isBlock &&
        typeof member === 'object' &&
        member !== null &&
        !Array.isArray(member) &&
        Object.keys(member).length > 0
      ) {
        const before = text;
        text += `\n${'  '.repeat(nested.length)}`;
        const value_ = here();
        text = before;
        write(member, nested, at);
        places.set(JSON.stringify(nested), { key: at, value: value_ });
      } else write(member, nested, isList ? here() : at);
    }
    if (!isBlock)
      text += `${style === 'jsonc' && !first ? ',' : ''}${noise()}\n${'  '.repeat(path.length)}${isList ? ']' : '}'}`;
  };
  write(data, []);
  return { text, places };
}
