import { workspaceToolTable } from './tool-table.ts';
import { createWildcard } from './wildcard.ts';

/** Rules of these tools speak of all tools that do the same. */
export const toolFamilies: Readonly<Record<string, readonly string[]>> = {
  Read: ['Read', 'NotebookRead', 'Grep', 'Glob', 'LS'],
  Edit: ['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'delete_file'],
};

/** What is in the brackets of a rule: patterns of commands, of paths, or of hosts. */
export type SpecifierKind = 'command' | 'path' | 'host';

const KINDS: readonly (readonly [name: string, kind: SpecifierKind])[] = [
  ['Bash', 'command'],
  ['WebFetch', 'host'],
  ...Object.values(toolFamilies).flatMap((names) => names.map((name) => [name, 'path'] as const)),
];
const ALL = [
  ...KINDS,
  ...Object.entries(workspaceToolTable).flatMap(([own, { as }]) =>
    KINDS.flatMap(([name, kind]) => (name === as ? [[own, kind] as const] : [])),
  ),
];

/** What the brackets of a rule hold, by the name of its tool, which may have wildcards; `undefined` where that is not known. */
export function kindOfSpecifier(tool: string): SpecifierKind | undefined {
  const fits = createWildcard(tool);
  const kinds = new Set(ALL.flatMap(([name, kind]) => (fits(name) ? [kind] : [])));
  return kinds.size === 1 ? [...kinds][0] : undefined;
}

/** Tools whose fields are known: what does not name a path or a host there is none. */
export function isKnownTool(tool: string): boolean {
  return ALL.some(([name]) => name === tool);
}
