import type { JsonObject, JsonValue } from '../events/values/json-value.ts';
import type { Below } from './match-path.ts';
import type { RuleMatch } from './rule-match.ts';

/** Fields of inputs that name a path. */
const PATHS = ['file_path', 'notebook_path', 'path', 'source', 'destination', 'from', 'to'];
/** These tools examine everything below a folder. Without a path, that is the working directory. */
const DEEP: Readonly<Record<string, Below>> = { Grep: 'texts', Glob: 'names', LS: 'names' };

/** Returns whether a tool examines everything below a folder. */
export const looksBelow = (tool: string): boolean => Object.hasOwn(DEEP, tool);

/** Returns how rules match all paths of a call; `undefined` if it names none. A path that is not a text is `unclear`. */
export function matchCalledPaths(
  { tool, input }: { readonly tool: string; readonly input: JsonObject },
  test: (path: string, below?: Below) => RuleMatch,
): RuleMatch | undefined {
  const below = looksBelow(tool) ? DEEP[tool] : undefined;
  const fields = PATHS.filter((name) => input[name] !== undefined).map((name) => input[name]);
  const named = tool === 'Glob' ? globbed(fields, input['pattern']) : fields;
  if (named.length === 0 && !below) return undefined;
  return matchAll(
    (named.length === 0 ? ['.'] : named).map((path) => (typeof path === 'string' ? test(path, below) : 'unclear')),
  );
}

/** Returns how rules match the places of a call, from the match of each. */
export function matchAll(matches: readonly RuleMatch[]): RuleMatch {
  if (matches.every((one) => one === 'all')) return 'all';
  if (matches.some((one) => one === 'all' || one === 'some')) return 'some';
  return matches.includes('unclear') ? 'unclear' : 'none';
}

/** The maximum number of folders of one glob. */
const MOST_CHOICES = 256;

/**
 * Globs that may match any path after all alternatives are expanded: nested braces and ranges, escapes, groups and sets that may contain a `/`, and patterns
 * of groups.
 */
const UNCLEAR = /[{}\\]|[@!+?*]\(|\((?![\w-]+\))|\[(?!(?:\w-\w|\w)+\])/;
/** Folders that may be the parent folder. */
const UP = /(?:^|\/)(?:\.\.(?:\/|$)|\.[*?]+\/)/;

/** Returns the folders that a glob searches. Its pattern may be absolute, or lead out of the folder that the call names. */
function globbed(
  fields: readonly (JsonValue | undefined)[],
  pattern: JsonValue | undefined,
): readonly (JsonValue | undefined)[] {
  if (pattern === undefined) return fields;
  if (typeof pattern !== 'string') return [...fields, pattern];
  // A value that is not a text is unclear to rules.
  const unclear = [...fields, null];
  const [, ...braced] = pattern.split('{');
  const choicesInAll = braced.reduce((all, part) => all * Math.max(2, part.split(',').length), 1);
  if (choicesInAll > MOST_CHOICES) return unclear;
  const [, before = '', choices = '', after = ''] = /^([^{]*)\{([^{}]*)\}(.*)$/.exec(pattern) ?? [];
  if (/\w\.\.[\w-]/.test(choices)) return unclear;
  if (choices !== '') return choices.split(',').flatMap((choice) => globbed(fields, `${before}${choice}${after}`));
  if (UNCLEAR.test(pattern)) return unclear;
  const [fixed = ''] = pattern.split(/[*?[\]{}()!+@\\]/);
  const head = fixed === pattern ? pattern : fixed.slice(0, fixed.lastIndexOf('/') + 1);
  if (UP.test(pattern.slice(head.length))) return unclear;
  if (head === '') return fields;
  if (/^(?:[/~]|[A-Za-z]:)/.test(head)) return [...fields, head];
  const folders = fields.length === 0 ? ['.'] : fields;
  return folders.map((folder) => (typeof folder === 'string' ? `${folder.replace(/\/$/, '')}/${head}` : folder));
}
