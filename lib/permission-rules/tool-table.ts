import type { JsonObject } from '../events/values/json-value.ts';

/** How one of our tools is called by scripts, and how its input goes there and back. */
export interface ToolMapping {
  /** Their name: `Bash`, `Write`, `Read`, .. */
  readonly as: string;
  readonly in?: (input: JsonObject) => JsonObject;
  readonly out?: (input: JsonObject) => JsonObject;
}

/** Our tools by name. One that is not in the table goes by its own name. */
export type ToolTable = Readonly<Record<string, ToolMapping>>;

/** A mapping that renames fields; others go through as they are. */
function renaming(as: string, names: Readonly<Record<string, string>>): Required<ToolMapping> {
  const back = Object.fromEntries(Object.entries(names).map(([ours, theirs]) => [theirs, ours]));
  const rename = (input: JsonObject, by: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(input).map(([key, value]) => [by[key] ?? key, value])) as JsonObject;
  return { as, in: (input) => rename(input, names), out: (input) => rename(input, back) };
}

/** What they say of a command beside it is for the user; our tool takes no description. */
function bash(): ToolMapping {
  const { as, in: theirs, out: ours } = renaming('Bash', { timeoutMs: 'timeout' });
  return { as, in: theirs, out: ({ description: _, ...input }) => ours(input) };
}

/** The workspace tools of `hookline/tools`, under the names and fields that scripts look for. */
export const workspaceToolTable: ToolTable = {
  run_command: bash(),
  read_file: renaming('Read', { path: 'file_path' }),
  write_file: renaming('Write', { path: 'file_path' }),
  list_files: renaming('LS', {}),
  search_text: renaming('Grep', {}),
};

/** One of our calls as scripts know it. */
export function toTheirs(
  tools: ToolTable,
  name: string,
  input: JsonObject,
): { readonly as: string; readonly input: JsonObject } {
  const mapping = tools[name];
  return { as: mapping?.as ?? name, input: mapping?.in?.(input) ?? input };
}

/** An input of theirs as our tool takes it. */
export function toOurs(tools: ToolTable, name: string, input: JsonObject): JsonObject {
  return tools[name]?.out?.(input) ?? input;
}
