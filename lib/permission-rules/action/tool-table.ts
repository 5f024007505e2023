import type { JsonObject } from '../../events/values/json-value.ts';

/** The name of a workspace tool in scripts, and the mapping of its input in both directions. */
export interface ToolMapping {
  /** The names that scripts use: `Bash`, `Write`, `Read`, .. */
  readonly as: string;
  readonly in?: (input: JsonObject) => JsonObject;
  readonly out?: (input: JsonObject) => JsonObject;
}

/** The workspace tools by name. A tool outside the table keeps its name. */
export type ToolTable = Readonly<Record<string, ToolMapping>>;

/** Creates a mapping that renames fields; others pass unchanged. */
function renaming(as: string, names: Readonly<Record<string, string>>): Required<ToolMapping> {
  const back = Object.fromEntries(Object.entries(names).map(([ours, theirs]) => [theirs, ours]));
  const rename = (input: JsonObject, by: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(input).map(([key, value]) => [by[key] ?? key, value])) as JsonObject;
  return { as, in: (input) => rename(input, names), out: (input) => rename(input, back) };
}

/** Their description of a command is for the user; our tool takes none. */
function bash(): ToolMapping {
  const { as, in: theirs, out: ours } = renaming('Bash', { timeoutMs: 'timeout' });
  return { as, in: theirs, out: ({ description: _, ...input }) => ours(input) };
}

/** The workspace tools of `hookline/tools`, under the names and fields that scripts expect. */
export const workspaceToolTable: ToolTable = {
  run_command: bash(),
  read_file: renaming('Read', { path: 'file_path' }),
  write_file: renaming('Write', { path: 'file_path' }),
  list_files: renaming('LS', {}),
  search_text: renaming('Grep', {}),
};

/** Returns a call of a workspace tool in the form that scripts use. */
export function toTheirs(
  tools: ToolTable,
  name: string,
  input: JsonObject,
): { readonly as: string; readonly input: JsonObject } {
  const mapping = tools[name];
  return { as: mapping?.as ?? name, input: mapping?.in?.(input) ?? input };
}

/** Returns an input from a script in the form of the workspace tool. */
export function toOurs(tools: ToolTable, name: string, input: JsonObject): JsonObject {
  return tools[name]?.out?.(input) ?? input;
}
