import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { isPlaceholder } from '../../events/values/sealed-placeholder.ts';
import { toolAction } from '../action/tool-action.ts';
import { placeOfField, plainName } from '../fields/field-names.ts';
import { type NamedCommand, namedCommands, shellLineOf } from '../fields/named-commands.ts';
import type { WordMatch } from '../find-words.ts';
import { commandsOfWords } from './commands-of.ts';
import { dangerOfAction, type FileExists } from './danger-of-action.ts';
import { dangerOfLine, dangerOfRun } from './danger-of-line.ts';
import { dangerInCode, dangerInSql } from './dangerous-code.ts';
import { dangerInGraphql } from './dangerous-graphql.ts';
import { lineOfTool } from './program-tool.ts';
import { verbIn } from './verb-in.ts';

/** Fields by their names, in lower case and without `_` and `-`. */
const STATEMENT = /^(?:sql|query|queries|statements?)$/;
const GRAPHQL = /^(?:query|queries|mutations?|documents?|(?:gql|graphql)\w*)$/;
const CODE = /^(?:code|source|python|javascript|expression|snippet|cell)$/;
const ACTION = /^(?:action|operation|op|verb|method|subcommand|mutation|task)$/;

/**
 * Finds the irreversible effect of a call: in the name of its tool, in commands (as a shell reads them), in SQL and code, in the action that a field names,
 * in a flag (`delete: true`), and in a patch that deletes a file, or overwrites one that exists. It skips other texts, such as contents and messages.
 */
export function findDanger(tool: string, input: JsonObject, exists: FileExists = () => false): WordMatch | undefined {
  const named = verbIn(tool);
  if (named !== undefined) return { pattern: named, at: 'the tool name', excerpt: cut(tool) };
  const inAction = dangerOfAction(toolAction({ name: tool, input }), exists);
  if (inAction !== undefined)
    return { pattern: inAction, at: 'input.command', excerpt: cut(String(input['command']), inAction) };
  // The command of a patch is no shell line.
  if (tool === 'apply_patch') return undefined;
  for (const { at, command } of namedCommands(input)) {
    const found = command && dangerOf(command);
    if (command && found !== undefined) return { pattern: found, at, excerpt: cut(shellLineOf(command), found) };
  }
  const line = lineOfTool(tool, input);
  const ran = line === undefined ? undefined : dangerOfLine(line);
  if (line !== undefined && ran !== undefined)
    return { pattern: ran, at: 'the tool name and its input', excerpt: cut(line, ran) };
  return inObject(input, 'input');
}

function dangerOf(command: NamedCommand): string | undefined {
  if ('line' in command) return dangerOfLine(command.line);
  for (const run of commandsOfWords(command.words)) {
    const found = dangerOfRun(run);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inObject(object: JsonObject, at: string): WordMatch | undefined {
  for (const [key, value] of Object.entries(object)) {
    const found = inField(plainName(key), key, value, placeOfField(at, key));
    if (found) return found;
  }
  return undefined;
}

function inField(name: string, key: string, value: JsonValue, at: string): WordMatch | undefined {
  if (value === true) {
    const verb = verbIn(key);
    return verb === undefined ? undefined : { pattern: verb, at: `the key ${at}`, excerpt: cut(key) };
  }
  const text = isPlaceholder(value) ? value['$sealed'] : value;
  if (typeof text === 'string') {
    const found = inText(name, text);
    return found === undefined ? undefined : { pattern: found, at, excerpt: cut(text, found) };
  }
  if (Array.isArray(value)) return inList(name, key, value, at);
  return typeof value === 'object' && value !== null ? inObject(value as JsonObject, at) : undefined;
}

function inList(name: string, key: string, list: readonly JsonValue[], at: string): WordMatch | undefined {
  for (const [index, item] of list.entries()) {
    const found = item === true ? undefined : inField(name, key, item, `${at}[${index}]`);
    if (found) return found;
  }
  return undefined;
}

function inText(name: string, text: string): string | undefined {
  const mutation = GRAPHQL.test(name) ? dangerInGraphql(text) : undefined;
  if (mutation !== undefined) return mutation;
  if (STATEMENT.test(name)) return dangerInSql(text);
  if (CODE.test(name)) return dangerInCode(text);
  return ACTION.test(name) && text.length <= 64 ? verbIn(text) : undefined;
}

/** The number of characters shown around a match. */
const AROUND = 40;

function cut(text: string, found = ''): string {
  const at = Math.max(0, text.indexOf(found.split(' ', 1)[0] as string));
  const start = Math.max(0, at - AROUND);
  const end = Math.min(text.length, at + Math.min(found.length, 80) + AROUND);
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}
