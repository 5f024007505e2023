import { stringify } from 'yaml';
import { configJsonSchema, type HookKinds } from '../../config/index.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { type OptionRow, optionRows } from './option-rows.ts';

type HookKind = HookKinds extends ReadonlyMap<string, infer K> ? K : never;

/** Description of a kind of hook, its options with defaults, and an example. */
export interface KindDescription {
  readonly name: string;
  readonly description: string;
  readonly options: JsonObject;
  /** A configuration with this hook. */
  readonly example?: JsonObject;
}

export function describeKind({ name, description, example }: HookKind, kinds: HookKinds): KindDescription {
  const entries = at(configJsonSchema(kinds), ['properties', 'hooks', 'additionalProperties', 'anyOf']) as JsonObject[];
  const entry = entries.find((one) => at(one, ['properties', 'type', 'const']) === name);
  return {
    name,
    description,
    options: at(entry, ['properties', 'options']) as JsonObject,
    ...(example && {
      example: {
        hooks: {
          [name]: { type: name, ...(name === 'module' && { path: './hooks.js' }), options: example as JsonObject },
        },
      },
    }),
  };
}

export function kindText({ name, description, options, example }: KindDescription): string {
  const rows = optionRows(options);
  const width = Math.min(28, Math.max(0, ...rows.map(({ path }) => path.length))) + 2;
  const lines = rows.map((row) => `  ${row.path.padEnd(width - 2)}  ${descriptionOf(row)}`);
  const shown = example
    ? [
        '',
        'example:',
        ...stringify(example)
          .trimEnd()
          .split('\n')
          .map((line) => `  ${line}`),
      ]
    : [];
  const table = rows.length > 0 ? ['', 'options:', ...lines] : [];
  return [`${name}: ${description}`, ...table, ...shown, ''].join('\n');
}

function descriptionOf({ description, type, required, marks, ...row }: OptionRow): string {
  const usual = 'default' in row ? `default: ${JSON.stringify(row.default)}` : '';
  const aside = [type, required ? 'required' : '', usual, ...marks].filter((one) => one !== '');
  return [description, aside.length > 0 && `(${aside.join('; ')})`].filter(Boolean).join(' ');
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as JsonObject | undefined)?.[name], value);
}
