import { createWildcard } from '../wildcard.ts';
import { hostTools, knownTools } from './known-tools.ts';

/** A rule for one of these tools also matches the others of its family. */
export const toolFamilies: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  ['Bash', 'Read', 'Edit'].map((family) => [
    family,
    hostTools.flatMap(([name, { rule, isMore }]) => (rule === family && !isMore ? [name] : [])),
  ]),
);

/** The effect of a rule: it allows calls, or it denies them or asks for approval. */
export type RuleEffect = 'allow' | 'refuse';

/** Returns whether a rule for the tool `rule` also matches the tool `tool` because of its family. */
export function isInFamily(rule: string, tool: string, effect: RuleEffect): boolean {
  const known = knownTools.get(tool);
  return known?.rule === rule && rule in toolFamilies && (effect === 'refuse' || !known.isMore);
}

/** Returns the families whose rules match a tool, at least in deny or ask rules. */
export function familiesOf(tool: string): readonly string[] {
  return Object.keys(toolFamilies).filter((family) => isInFamily(family, tool, 'refuse'));
}

/** The content of a rule's brackets: patterns of commands, of paths, or of hosts. */
export type SpecifierKind = 'command' | 'path' | 'host';

const KINDS = { Bash: 'command', Read: 'path', Edit: 'path', WebFetch: 'host' } as const;

/** Returns the kind of specifier of a tool, by its name, which may have wildcards; `undefined` if unknown. */
export function kindOfSpecifier(tool: string): SpecifierKind | undefined {
  const matches = createWildcard(tool);
  const kinds = new Set([...knownTools].flatMap(([name, { rule }]) => (rule && matches(name) ? [KINDS[rule]] : [])));
  return kinds.size === 1 ? [...kinds][0] : undefined;
}

/** Returns whether the fields of a tool are known: other fields name neither a path nor a host. */
export function isKnownTool(tool: string): boolean {
  return knownTools.get(tool)?.rule !== undefined;
}
