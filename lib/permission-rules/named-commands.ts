import type { JsonObject, JsonValue } from '../events/values/json-value.ts';
import { isPlaceholder } from '../events/values/sealed-placeholder.ts';

/** Names of fields, in lower case and without `_` and `-`, that hold a command line or its words. */
const COMMAND = /(?<!sub)(?:commands?|cmds?|commandline|cmdline)$|^(?:shell|scripts?|bash|exec|run|argv)$/;
/** Fields that hold the words of a program which another field names. */
const ARGUMENTS = /^(?:args|arguments|argv|params|options|flags|subcommand)$/;
const PROGRAM = /^(?:command|cmd|program|executable|exe|bin)$/;
/** A program by itself; other texts are lines of a shell, which words may follow. */
const WORD = /^[\w./:=@%+,-]+$/;

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
    const programs = fields.filter(({ name, value }) => PROGRAM.test(name) && textOf(value) !== undefined);
    const rest = fields.filter(({ name, value }) => ARGUMENTS.test(name) && isWords(value));
    const isWhole = programs.length > 0 && rest.length > 0;
    const isSealed = fields.some(({ value }) => holdsSealed(value));
    if (isWhole) for (const program of programs) found.push({ at, command: wholeCommand(program, rest), isSealed });
    for (const field of fields) {
      if (COMMAND.test(field.name) && !(isWhole && (programs.includes(field) || rest.includes(field))))
        add(field, found);
      for (const inner of innerObjects(field.value, field.path)) stack.push(inner);
    }
  }
  return found;
}

/** The line of a shell that runs a command. */
export function shellLineOf(command: NamedCommand): string {
  if ('line' in command) return command.line;
  return command.words.map(quoted).join(' ');
}

function quoted(word: string): string {
  return WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

interface Field {
  readonly name: string;
  readonly path: string;
  readonly value: JsonValue;
}

function isWords(value: JsonValue): boolean {
  return Array.isArray(value) || textOf(value) !== undefined;
}

/** A program and its words; `undefined` where one of them is no text. */
function wholeCommand(program: Field, rest: readonly Field[]): NamedCommand | undefined {
  const first = textOf(program.value) as string;
  const lists = rest.map(({ value }) => (Array.isArray(value) ? textsOf(value) : undefined));
  if (rest.some(({ value }, at) => Array.isArray(value) && lists[at] === undefined)) return undefined;
  if (WORD.test(first) && lists.every((list) => list !== undefined)) return { words: [first, ...lists.flat()] };
  // Words in one text are the rest of a line.
  const texts = rest.map(({ value }, at) => lists[at]?.map(quoted).join(' ') ?? textOf(value));
  return { line: [first, ...texts].join(' ').trim() };
}

function add({ name, path, value }: Field, found: FoundCommand[]): void {
  const text = textOf(value);
  const isSealed = holdsSealed(value);
  if (text !== undefined) found.push({ at: path, command: { line: text }, isSealed });
  else if (Array.isArray(value)) {
    const words = textsOf(value);
    // A list of lines, or the words of one command: `commands` and words with blanks in the first place are lines.
    const isLines = /s$/.test(name) || /\s/.test(words?.[0] ?? '');
    // Single words may be either.
    const isEither = words !== undefined && words.length > 1 && words.every((word) => !/\s/.test(word));
    if (words && (!isLines || isEither)) found.push({ at: path, command: { words }, isSealed });
    if (!words && value.length > 0 && !value.every(isObject)) found.push({ at: path, command: undefined, isSealed });
    if (words && isLines)
      for (const [index, line] of words.entries()) found.push({ at: `${path}[${index}]`, command: { line }, isSealed });
  } else if (typeof value === 'number') found.push({ at: path, command: undefined, isSealed });
}

function* innerObjects(value: JsonValue, at: string): Generator<{ readonly object: JsonObject; readonly at: string }> {
  if (typeof value !== 'object' || value === null || isPlaceholder(value)) return;
  if (!Array.isArray(value)) yield { object: value as JsonObject, at };
  else for (const [index, item] of value.entries()) yield* innerObjects(item, `${at}[${index}]`);
}

function isObject(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
