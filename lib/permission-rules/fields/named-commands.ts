import { isObject } from '../../events/values/is-object.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { isPlaceholder } from '../../events/values/sealed-placeholder.ts';
import { holdsContent, placeOfField, plainName } from './field-names.ts';
import { type JsonInText, jsonReader } from './json-in-text.ts';

/** Names of fields, in lower case and without `_` and `-`, that hold a command line or its words. */
const COMMAND = /(?<!sub)(?:commands?|cmds?|commandline|cmdline)$|^(?:shell|scripts?|bash|exec|run|argv)$/;
/** Fields that hold the words of a program which another field names. */
const ARGUMENTS = /^(?:args|arguments|argv|params|options|flags|subcommand)$/;
const PROGRAM = /^(?:command|cmd|program|executable|exe|bin)$/;
/** Names of the program in an object below a command field; elsewhere they may name anything. */
const PROGRAM_BELOW = /^(?:command|cmd|program|executable|exe|bin|name|file|path)$/;
const LIKELY_PROGRAM = /^(?:file|binary)$/;
const LIKELY_WORDS = /^(?:args|arguments)$/;
/** A program without words; other texts are shell lines that words may follow. */
const WORD = /^[\w./:=@%+,-]+$/;

/** A command of a call: a shell line, or the words of one program. */
export type NamedCommand = { readonly line: string } | { readonly words: readonly string[] };

/** A command, and the field that holds it: `input.steps[0].run`. */
export interface FoundCommand {
  readonly at: string;
  /** `undefined` for a value that is not a text. */
  readonly command: NamedCommand | undefined;
  /** Whether a sealed value is a part of it. Then its label is known, but not its text. */
  readonly isSealed: boolean;
  /** Whether the texts may be something else: `{ file, args }`, or `args` without a program. */
  readonly isLikely?: boolean;
}

/** Finds the commands in an input of any shape, by the names of fields, at any depth. */
export function namedCommands(input: JsonObject): readonly FoundCommand[] {
  const found: FoundCommand[] = [];
  const readJson = jsonReader();
  const stack: Holder[] = [{ object: input, at: 'input', isCommand: false }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { object, at, isCommand } = next;
    const fields = Object.entries(object).map(([key, value]) => ({
      name: plainName(key),
      path: placeOfField(at, key),
      value,
    }));
    const named = (names: RegExp) =>
      fields.filter(({ name, value }) => names.test(name) && textOf(value) !== undefined);
    const isProgram = isCommand && !fields.some(({ name }) => COMMAND.test(name) && !ARGUMENTS.test(name));
    const programs = named(isProgram ? PROGRAM_BELOW : PROGRAM);
    const rest = fields.filter(({ name, value }) => ARGUMENTS.test(name) && isWords(value));
    const isWhole = programs.length > 0 && rest.length > 0;
    const isSealed = fields.some(({ value }) => holdsSealed(value));
    if (isWhole) for (const program of programs) found.push({ at, command: wholeCommand(program, rest), isSealed });
    else if (isProgram) for (const program of programs) add(program, found);
    else if (programs.length === 0) found.push(...likelyCommands(named(LIKELY_PROGRAM), rest, at, isSealed));
    for (const field of fields) {
      if (COMMAND.test(field.name) && !(isWhole && (programs.includes(field) || rest.includes(field))))
        add(field, found);
      for (const inner of innerObjects(field, readJson)) {
        if (inner.object === 'unread') found.push({ at: inner.at, command: undefined, isSealed: false });
        else stack.push({ object: inner.object, at: inner.at, isCommand: COMMAND.test(field.name) });
      }
    }
  }
  return found;
}

export function shellLineOf(command: NamedCommand): string {
  if ('line' in command) return command.line;
  return command.words.map(quoted).join(' ');
}

function quoted(word: string): string {
  return WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** An object of an input, and whether it is in a command field. */
interface Holder {
  readonly object: JsonObject;
  readonly at: string;
  readonly isCommand: boolean;
}

interface Field {
  readonly name: string;
  readonly path: string;
  readonly value: JsonValue;
}

function isWords(value: JsonValue): boolean {
  return Array.isArray(value) || textOf(value) !== undefined;
}

/** Returns a program and its words; `undefined` if one of them is not a text. */
function wholeCommand(program: Field, rest: readonly Field[]): NamedCommand | undefined {
  const first = textOf(program.value) as string;
  const lists = rest.map(({ value }) => (Array.isArray(value) ? textsOf(value) : undefined));
  if (rest.some(({ value }, at) => Array.isArray(value) && lists[at] === undefined)) return undefined;
  if (WORD.test(first) && lists.every((list) => list !== undefined)) return { words: [first, ...lists.flat()] };
  // Words in one text are the rest of a line.
  const texts = rest.map(({ value }, at) => lists[at]?.map(quoted).join(' ') ?? textOf(value));
  return { line: [first, ...texts].join(' ').trim() };
}

/** Returns words without a named program: after a file that may be one, or as a whole command. */
function likelyCommands(
  files: readonly Field[],
  rest: readonly Field[],
  at: string,
  isSealed: boolean,
): FoundCommand[] {
  const words = rest.filter(({ name }) => LIKELY_WORDS.test(name));
  if (words.length === 0) return [];
  const commands = files.map((file) => wholeCommand(file, words));
  if (files.length === 0)
    for (const { value } of words) {
      const texts = Array.isArray(value) ? textsOf(value) : undefined;
      if (texts && texts.length > 0) commands.push({ words: texts });
    }
  return commands.flatMap((command) => (command ? [{ at, command, isSealed, isLikely: true }] : []));
}

function add({ name, path, value }: Field, found: FoundCommand[]): void {
  const text = textOf(value);
  const isSealed = holdsSealed(value);
  if (text !== undefined) found.push({ at: path, command: { line: text }, isSealed });
  else if (Array.isArray(value)) {
    const words = textsOf(value);
    // A list of lines, or the words of one command: `commands`, and lists whose first text contains blanks, are lines.
    const isLines = /s$/.test(name) || /\s/.test(words?.[0] ?? '');
    // Single words may be either.
    const isEither = words !== undefined && words.length > 1 && words.every((word) => !/\s/.test(word));
    if (words && (!isLines || isEither)) found.push({ at: path, command: { words }, isSealed });
    if (!words && value.length > 0 && !value.every(isObject)) found.push({ at: path, command: undefined, isSealed });
    if (words && isLines)
      for (const [index, line] of words.entries()) found.push({ at: `${path}[${index}]`, command: { line }, isSealed });
  } else if (typeof value === 'number') found.push({ at: path, command: undefined, isSealed });
}

/** Returns the objects in a field, including those in lists and in JSON texts. Texts of contents are not read. */
function* innerObjects(
  { name, value, path }: Field,
  readJson: (text: string) => JsonInText,
): Generator<{ readonly object: JsonObject | 'unread'; readonly at: string }> {
  const stack: { readonly value: JsonValue; readonly at: string }[] = [{ value, at: path }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value, at } = next;
    if (typeof value === 'string') {
      const json = holdsContent(name) ? undefined : readJson(value);
      if (json === 'unread') yield { object: json, at };
      else if (json !== undefined) stack.push({ value: json as JsonValue, at });
    } else if (Array.isArray(value))
      for (const [index, item] of value.entries()) stack.push({ value: item, at: `${at}[${index}]` });
    else if (typeof value === 'object' && value !== null && !isPlaceholder(value))
      yield { object: value as JsonObject, at };
  }
}

function textsOf(values: readonly JsonValue[]): readonly string[] | undefined {
  const texts = values.map((value) => (typeof value === 'number' ? String(value) : textOf(value)));
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function holdsSealed(value: JsonValue): boolean {
  return isPlaceholder(value) || (Array.isArray(value) && value.some((item) => isPlaceholder(item)));
}

/** Returns a text; for a sealed value, its label. */
function textOf(value: JsonValue): string | undefined {
  if (isPlaceholder(value)) return value['$sealed'];
  return typeof value === 'string' ? value : undefined;
}
