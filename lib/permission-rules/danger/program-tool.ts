import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { isPlaceholder } from '../../events/values/sealed-placeholder.ts';
import { plainName } from '../fields/field-names.ts';
import { shellLineOf } from '../fields/named-commands.ts';
import { isKnownProgram } from './dangerous-programs.ts';
import { wordsOfName } from './verb-in.ts';

/** Programs whose subcommands are often tools of their own: `git_push`. */
const WITH_SUBCOMMANDS = /^(?:git|svn|hg|docker|podman|kubectl|helm|terraform|tofu|pulumi|npm|pnpm|cargo|vault|pm2)$/;
/** Programs that take other programs or code, so their arguments may be anything. */
const RUNS = /^(?:(?:ba|z|da|k)?sh|sudo|env|xargs|timeout|busybox)$/;
/** Verbs of ordinary tools, which are also the names of programs. */
const ORDINARY = /^(?:format|delete|remove|drop|truncate|destroy|purge|trash)$/;
/** Words in the name of a tool that surround the name of the program. */
const AROUND = /^(?:run|exec|execute|call|use|command|cmd|cli|tool)$/;
/** Fields by their plain names: the subcommand, and the words after it. */
const SUBCOMMAND = /^(?:subcommand|command|cmd|action|operation|op)$/;
const ARGUMENTS = /^(?:args|arguments|argv|params|options|flags)$/;

/** Returns the shell line of a tool that is named after a program: `git push --force` for `git` with `args`, or for `git_push` with `force: true`. */
export function lineOfTool(tool: string, input: JsonObject): string | undefined {
  const words = programOfTool(tool);
  if (!words) return undefined;
  const given = [...textsOf(input, SUBCOMMAND), ...textsOf(input, ARGUMENTS)];
  if (given.length === 0 && words.length === 1) return undefined;
  const flags = Object.entries(input).flatMap(([key, value]) => (value === true ? [flagOf(key)] : []));
  return [...words, ...given, ...flags].join(' ');
}

/** Returns the program and the subcommand in the name of a tool. */
function programOfTool(tool: string): readonly string[] | undefined {
  const words = withoutAround(tool);
  const at = words.findLastIndex((word) => WITH_SUBCOMMANDS.test(word));
  if (at >= 0) return words.slice(at);
  // The words before `__`, `.` or `/` are those of a server.
  const [program, ...others] = withoutAround(tool.split(/__|[./:]/).at(-1) as string);
  if (program === undefined || others.length > 0 || ORDINARY.test(program)) return undefined;
  return isKnownProgram(program) || RUNS.test(program) ? [program] : undefined;
}

function withoutAround(name: string): readonly string[] {
  return wordsOfName(name).filter((word) => !AROUND.test(word));
}

/** Returns the texts of fields as parts of a shell line. */
function textsOf(input: JsonObject, names: RegExp): readonly string[] {
  return Object.entries(input).flatMap(([key, value]) => (names.test(plainName(key)) ? lineOf(value) : []));
}

function lineOf(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) {
    const words = value.flatMap((item) => textOf(item) ?? []);
    return words.length === 0 ? [] : [shellLineOf({ words })];
  }
  const text = textOf(value);
  return text === undefined ? [] : [text];
}

function textOf(value: JsonValue): string | undefined {
  if (isPlaceholder(value)) return value['$sealed'];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Returns the option that a field with the value `true` stands for: `--force`, `-f`. */
function flagOf(key: string): string {
  return key.length === 1 ? `-${key}` : `--${wordsOfName(key).join('-')}`;
}
