import { claudeSettingsSchema } from '../../process-hooks/claude/settings/settings.ts';
import { schemaIssues } from '../issues/schema-issues.ts';
import type { HookEntry } from '../native-schema.ts';
import type { Reader } from './dialect.ts';
import { noticeOthers } from './notice-others.ts';
import { createPathMap } from './path-map.ts';

const READ = ['hooks', 'disableAllHooks'];

/** Reads settings of Claude Code. All their hooks become one hook, `claude`. */
export const readClaude: Reader = (source, findings) => {
  findings.issues.push(...schemaIssues(source, claudeSettingsSchema, source.value));
  noticeOthers(source, READ, 'Claude Code', findings);
  const { hooks = {}, disableAllHooks } = source.value as { hooks?: object; disableAllHooks?: boolean };
  const paths = createPathMap();
  paths.add(['hooks', 'claude'], ['hooks']);
  paths.add(['hooks', 'claude', 'options', 'settings'], []);
  paths.add(['hooks', 'claude', 'enabled'], ['disableAllHooks']);
  const entry: HookEntry = {
    type: 'command',
    ...(disableAllHooks === true && { enabled: false }),
    options: { settings: { hooks } as never },
  };
  return { source, dialect: 'claude', config: { hooks: { claude: entry } }, toSource: paths.toSource };
};
