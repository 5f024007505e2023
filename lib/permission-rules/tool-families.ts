import { workspaceToolTable } from './tool-table.ts';
import { createWildcard } from './wildcard.ts';

/** A rule for one of these tools also matches the others of its family. */
export const toolFamilies: Readonly<Record<string, readonly string[]>> = {
  Read: ['Read', 'NotebookRead', 'Grep', 'Glob', 'LS'],
  Edit: ['Edit', 'MultiEdit', 'Write', 'NotebookEdit'],
};

/** What else a deny or ask rule for a family matches: tools that do more than the family. An allow rule does not match them. */
const BEYOND: Readonly<Record<string, readonly string[]>> = { Edit: ['delete_file'] };

/** What a rule is for: to allow calls, or to refuse them and ask about them. */
export type RuleEffect = 'allow' | 'refuse';

/** Whether a rule for the tool `rule` also matches the tool `tool` because of its family. */
export function isInFamily(rule: string, tool: string, effect: RuleEffect): boolean {
  if (toolFamilies[rule]?.includes(tool)) return true;
  return effect === 'refuse' && BEYOND[rule]?.includes(tool) === true;
}

/** The families whose rules match a tool, in deny or ask rules at least. */
export function familiesOf(tool: string): readonly string[] {
  return Object.keys(toolFamilies).filter((family) => isInFamily(family, tool, 'refuse'));
}

/** What is in the brackets of a rule: patterns of commands, of paths, or of hosts. */
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
