import { messageOf } from '../../errors/describe-thrown.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { permission } from './permission.ts';
import { permissionOptionsSchema, type Rule } from './permission-options.ts';
import { readRuleFile } from './read-rule-file.ts';

const laxness = { deny: 0, ask: 1, allow: 2 } as const;

/** @internal The catalogue entry of `permission`. */
export const permissionEntry = defineCatalogueEntry({
  name: 'permission',
  description: 'Allows calls, requires approval or denies calls by rules.',
  events: ['preActing'],
  optionsSchema: permissionOptionsSchema,
  example: { allow: ['read_file', 'run_command(npm test)'], deny: ['Read(.env)'], default: 'ask' },
  files: ({ files, alwaysFile }) => [...files, ...(alwaysFile === undefined ? [] : [alwaysFile])],
  notices: ({ files }) =>
    files.flatMap((file, at) => droppedIn(file).map((message) => ({ path: ['files', at], message }))),
  weakens: (before, after) =>
    laxness[before.default ?? 'ask'] < laxness[after.default ?? 'ask'] ||
    lacks(after.deny, before.deny) ||
    lacks([...after.ask, ...after.deny], before.ask) ||
    lacks(before.allow, after.allow) ||
    before.files.join('\n') !== after.files.join('\n') ||
    before.alwaysFile !== after.alwaysFile ||
    before.askBy !== after.askBy ||
    before.name !== after.name,
  create: permission,
});

/** Returns whether `there` lacks any of `these` rules. */
function lacks(there: readonly Rule[], these: readonly Rule[]): boolean {
  const known = new Set(there.map((rule) => JSON.stringify(rule)));
  return these.some((rule) => !known.has(JSON.stringify(rule)));
}

function droppedIn(file: string): readonly string[] {
  try {
    return readRuleFile(file).dropped;
  } catch (thrown) {
    return [messageOf(thrown)];
  }
}
