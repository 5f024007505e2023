import type { JsonValue } from '../../events/values/json-value.ts';

/** The maximum number of folders of one glob. */
const MOST_CHOICES = 256;

/**
 * Globs that may match any path after all alternatives are expanded: nested braces and ranges, escapes, groups and sets that may contain a `/`, and patterns
 * of groups.
 */
const UNCLEAR = /[{}\\]|[@!+?*]\(|\((?![\w-]+\))|\[(?!(?:\w-\w|\w)+\])/;
/** Folders that may be the parent folder. */
const UP = /(?:^|\/)(?:\.\.(?:\/|$)|\.[*?]+\/)/;

/** Returns the folders that a glob searches; a value that is not a text stands for any folder. Its pattern may be absolute, or lead out of the folder that the call names. */
export function globbedFolders(
  fields: readonly (JsonValue | undefined)[],
  pattern: JsonValue | undefined,
): readonly (JsonValue | undefined)[] {
  if (pattern === undefined) return fields;
  if (typeof pattern !== 'string') return [...fields, pattern];
  const unclear = [...fields, null];
  const [, ...braced] = pattern.split('{');
  const choicesInAll = braced.reduce((all, part) => all * Math.max(2, part.split(',').length), 1);
  if (choicesInAll > MOST_CHOICES) return unclear;
  const [, before = '', choices = '', after = ''] = /^([^{]*)\{([^{}]*)\}(.*)$/.exec(pattern) ?? [];
  if (/\w\.\.[\w-]/.test(choices)) return unclear;
  if (choices !== '')
    return choices.split(',').flatMap((choice) => globbedFolders(fields, `${before}${choice}${after}`));
  if (UNCLEAR.test(pattern)) return unclear;
  const [fixed = ''] = pattern.split(/[*?[\]{}()!+@\\]/);
  const head = fixed === pattern ? pattern : fixed.slice(0, fixed.lastIndexOf('/') + 1);
  if (UP.test(pattern.slice(head.length))) return unclear;
  if (head === '') return fields;
  if (/^(?:[/~]|[A-Za-z]:)/.test(head)) return [...fields, head];
  const folders = fields.length === 0 ? ['.'] : fields;
  return folders.map((folder) => (typeof folder === 'string' ? `${folder.replace(/\/$/, '')}/${head}` : folder));
}
