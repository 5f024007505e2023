import type { JsonObject, JsonValue } from '../events/values/json-value.ts';
import { isPlaceholder } from '../events/values/sealed-placeholder.ts';

/** Names of fields, in lower case and without `_` and `-`, that hold a command line or its words. */
const COMMAND = /^(?:commands?|cmds?|commandline|cmdline|shell|scripts?|bash|exec|run|argv)$/;
/** Fields that hold the words of a program which another field names. */
const ARGUMENTS = /^(?:args|arguments|argv|params)$/;
const PROGRAM = /^(?:command|cmd|program|executable|bin)$/;

/** A command of a call: a line of a shell, or the words of one program. */
export type NamedCommand = { readonly line: string } | { readonly words: readonly string[] };

/** A command, and the field that holds it: `input.steps[0].run`. */
export interface FoundCommand {
  readonly at: string;
  /** `undefined` for a value that is no text. */
  readonly command: NamedCommand | undefined;
  /** Whether a sealed value is a part of it, so that its label is known and not its text. */
  readonly isSealed: boolean;
}

/** Finds the commands in an input of any shape, by the names of fields, at any depth. */
export function namedCommands(input: JsonObject): readonly FoundCommand[] {
  const found: FoundCommand[] = [];
  const stack: { readonly object: JsonObject; readonly at: string }[] = [{ object: input, at: 'input' }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { object, at } = next;
    const fields = Object.entries(object).map(([key, value]) => ({
      name: plainName(key),
      path: pathOf(at, key),
      value,
    }));
    const words = programWords(fields);
    if (words) found.push({ at, command: { words }, isSealed: fields.some(({ value }) => holdsSealed(value)) });
    for (const field of fields) {
      if (COMMAND.test(field.name) && !(words && (PROGRAM.test(field.name) || ARGUMENTS.test(field.name))))
        add(field, found);
      for (const inner of innerObjects(field.value, field.path)) stack.push(inner);
    }
  }
  return found;
}

/** The line of a shell that runs a command. */
export function shellLineOf(command: NamedCommand): string {
  if ('line' in command) return command.line;
  return command.words
    .map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

interface Field {
  readonly name: string;
  readonly path: string;
  readonly value: JsonValue;
}

function programWords(fields: readonly Field[]): readonly string[] | undefined {
  const program = fields.find(({ name, value }) => PROGRAM.test(name) && textOf(value) !== undefined);
  const rest = fields.find(({ name, value }) => ARGUMENTS.test(name) && Array.isArray(value));
  const words = rest && textsOf(rest.value as readonly JsonValue[]);
  return program && words && words.length > 0 ? [textOf(program.value) as string, ...words] : undefined;
}

function add({ name, path, value }: Field, found: FoundCommand[]): void {
  const text = textOf(value);
  const isSealed = holdsSealed(value);
  if (text !== undefined) found.push({ at: path, command: { line: text }, isSealed });
  else if (Array.isArray(value)) {
    const words = textsOf(value);
    // A list of lines, or the words of one command: `commands` and words with blanks in the first place are lines.
    const isLines = /s$/.test(name) || /\s/.test(words?.[0] ?? '');
    if (words && !isLines) found.push({ at: path, command: { words }, isSealed });
    else if (words)
      for (const [index, line] of words.entries()) found.push({ at: `${path}[${index}]`, command: { line }, isSealed });
  } else if (typeof value === 'number') found.push({ at: path, command: undefined, isSealed });
}

function* innerObjects(value: JsonValue, at: string): Generator<{ readonly object: JsonObject; readonly at: string }> {
  if (typeof value !== 'object' || value === null || isPlaceholder(value)) return;
  if (!Array.isArray(value)) yield { object: value as JsonObject, at };
  else for (const [index, item] of value.entries()) yield* innerObjects(item, `${at}[${index}]`);
}

function textsOf(values: readonly JsonValue[]): readonly string[] | undefined {
  const texts = values.map((value) => (typeof value === 'number' ? String(value) : textOf(value)));
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function holdsSealed(value: JsonValue): boolean {
  return isPlaceholder(value) || (Array.isArray(value) && value.some((item) => isPlaceholder(item)));
}

/** A text; of what is sealed its label, which stands for it. */
function textOf(value: JsonValue): string | undefined {
  if (isPlaceholder(value)) return value['$sealed'];
  return typeof value === 'string' ? value : undefined;
}

/** A name of a field in lower case and without `_` and `-`. */
export function plainName(key: string): string {
  return key.toLowerCase().replace(/[_-]/g, '');
}

/** The place of a field, as `input.command` or `input["a b"]`. */
export function pathOf(at: string, key: string): string {
  return /^\w+$/.test(key) ? `${at}.${key}` : `${at}[${JSON.stringify(key)}]`;
}
