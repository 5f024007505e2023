import { type OptionRow, optionRows } from '../../lib/cli/view/option-rows.ts';
import type { JsonObject } from '../../lib/events/values/json-value.ts';
import { cell, code, table } from './table.ts';

/** A table of options with type, default and description. `effects` has better descriptions, by name of the option. */
export function optionTable(
  schema: JsonObject,
  effects: ReadonlyMap<string, string> = new Map(),
  title = 'option',
): string {
  const rows = optionRows(schema);
  const outer = new Set(rows.map(({ path }) => path));
  const effectOf = ({ path }: OptionRow): string | undefined => {
    const name = path.split('.').at(-1) as string;
    return effects.get(path) ?? (outer.has(name) ? undefined : effects.get(name));
  };
  return table(
    [title, 'type', 'default', 'description'],
    rows.map((row) => [code(row.path), cell(row.type), defaultOf(row), describe(row, effectOf(row))]),
  );
}

function defaultOf({ required, ...row }: OptionRow): string {
  if (required) return 'required';
  return 'default' in row ? code(JSON.stringify(row.default)) : '';
}

function describe({ description, marks, ...row }: OptionRow, effect: string | undefined): string {
  const text =
    effect === undefined ? cell(description) : row.required || 'default' in row ? withoutDefault(effect) : effect;
  return [text, marks.length > 0 && `(${marks.map(cell).join('; ')})`].filter(Boolean).join(' ');
}

/** The default has a column of its own. */
function withoutDefault(effect: string): string {
  return effect.replace(/ \((?:default: [^)]*|required)\)$/, '');
}
