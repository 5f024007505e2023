import { workspaceToolTable } from './tool-table.ts';
import { createWildcard } from './wildcard.ts';

/** A rule for one of these tools also matches the others of its family. */
export const toolFamilies: Readonly<Record<string, readonly string[]>> = {
  Read: ['Read', 'NotebookRead', 'Grep', 'Glob', 'LS'],
  Edit: ['Edit', 'MultiEdit', 'Write', 'NotebookEdit'],
};

/** Further tools that a deny or ask rule for a family matches: they do more than the family. An allow rule does not match them. */
const BEYOND: Readonly<Record<string, readonly string[]>> = { Edit: ['delete_file'] };

/** The effect of a rule: it allows calls, or it denies them or asks for approval. */
export type RuleEffect = 'allow' | 'refuse';

/** Returns whether a rule for the tool `rule` also matches the tool `tool` because of its family. */
export function isInFamily(rule: string, tool: string, effect: RuleEffect): boolean {
  if (toolFamilies[rule]?.includes(tool)) return true;
  return effect === 'refuse' && BEYOND[rule]?.includes(tool) === true;
}

/** Returns the families whose rules match a tool, at least in deny or ask rules. */
export function familiesOf(tool: string): readonly string[] {
  return Object.keys(toolFamilies).filter((family) => isInFamily(family, tool, 'refuse'));
}

/** The content of a rule's brackets: patterns of commands, of paths, or of hosts. */
export type SpecifierKind = 'command' | 'path' | 'host';

const KINDS: readonly (readonly [name: string, kind: SpecifierKind])[] = [
  ['Bash', 'command'],
  ['WebFetch', 'host'],
  ...[...Object.values(toolFamilies), ...Object.values(BEYOND)].flatMap((names) =>
    names.map((name) => [name, 'path'] as const),
  ),
];
const ALL = [
  ...KINDS,
  ...Object.entries(workspaceToolTable).flatMap(([own, { as }]) =>
    KINDS.flatMap(([name, kind]) => (name === as ? [[own, kind] as const] : [])),
  ),
];

/** Returns the kind of specifier of a tool, by its name, which may have wildcards; `undefined` if unknown. */
export function kindOfSpecifier(tool: string): SpecifierKind | undefined {
  const matches = createWildcard(tool);
  const kinds = new Set(ALL.flatMap(([name, kind]) => (matches(name) ? [kind] : [])));
  return kinds.size === 1 ? [...kinds][0] : undefined;
}

/** Returns whether the fields of a tool are known: other fields name neither a path nor a host. */
export function isKnownTool(tool: string): boolean {
  return ALL.some(([name]) => name === tool);
}
