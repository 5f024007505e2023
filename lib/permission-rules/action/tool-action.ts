import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import type { Below } from '../match-path.ts';
import { type AppliedPatch, type PatchedFile, readPatch, readPatchInShell } from './applied-patch.ts';
import { globbedFolders } from './globbed-folders.ts';
import { type KnownTool, knownTools, type ToolFamily } from './known-tools.ts';

/** What a call does, whatever names its tool and its fields have. */
export interface ToolAction {
  readonly family: ToolFamily;
  readonly name: string;
  /** The shell line that it runs. */
  readonly command?: string;
  /** The files and folders that it reads, writes or searches. For a shell line, those of the patches in it. */
  readonly paths: readonly string[];
  /** What a patch does to the files. */
  readonly changes?: readonly PatchedFile[];
  /** What it examines below its paths. */
  readonly below?: Below;
  /** The addresses that it fetches. */
  readonly urls: readonly string[];
  /** The MCP server, and its tool. */
  readonly server?: string;
  readonly tool?: string;
  /** The input of the call. */
  readonly raw: JsonObject;
  /** Why it may act on other commands, paths or addresses, too. Absent: all of them are known. */
  readonly unreadable?: string;
}

/** A call, under a name of the workspace tools, of Claude Code, or of its own. */
export interface NamedCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** What the fields of a call name. */
type Named = Partial<Pick<ToolAction, 'command' | 'paths' | 'urls' | 'changes' | 'below' | 'unreadable'>>;

/** Fields of inputs that name a path. */
const PATHS = ['file_path', 'notebook_path', 'path', 'source', 'destination', 'from', 'to'];
const MCP = /^mcp__(.+?)__(.+)$/s;

/** The last call read: several rules judge the same one. */
let last: ToolAction | undefined;

/** Returns what a call does: one shape for the tools of all agents. Names are those of this call's agent after its names were translated. */
export function toolAction({ name, input }: NamedCall): ToolAction {
  if (last?.name === name && last.raw === input) return last;
  const known = knownTools.get(name);
  const [, server, tool] = MCP.exec(name) ?? [];
  const family = known?.family ?? (server === undefined ? 'other' : 'mcp');
  const mcp = server !== undefined && tool !== undefined ? { server, tool } : {};
  last = { family, name, paths: [], urls: [], raw: input, ...mcp, ...(known && namedBy(known, input)) };
  return last;
}

function namedBy({ names, below, family }: KnownTool, input: JsonObject): Named {
  switch (names) {
    case 'command':
      return commandIn(input);
    case 'patch':
      return patchIn(input['command'] ?? input['input']);
    case 'files':
      return filesIn(input['paths']);
    case 'urls':
      return urlsIn(input);
    case 'paths':
    case 'glob': {
      const fields = PATHS.flatMap((field) => (input[field] === undefined ? [] : [input[field]]));
      const named = names === 'glob' ? globbedFolders(fields, input['pattern']) : fields;
      // A search begins in the working directory.
      if (named.length === 0) return below ? { paths: ['.'], below } : { unreadable: `its path is missing` };
      return { ...texts(named, family === 'search' ? 'its path or pattern' : 'its path'), ...(below && { below }) };
    }
    case 'nothing':
      return {};
  }
}

/** Returns the texts of a list, and whether it contains anything else. */
function texts(values: readonly (JsonValue | undefined)[], what: string): Named {
  const paths = values.filter((value) => typeof value === 'string');
  return { paths, ...(paths.length < values.length && { unreadable: `${what} is unclear` }) };
}

function commandIn({ command }: JsonObject): Named {
  if (typeof command !== 'string') return { unreadable: 'its command is missing or not a text' };
  const patch = readPatchInShell(command);
  return { command, ...(patch && changedBy(patch)) };
}

function patchIn(text: JsonValue | undefined): Named {
  return typeof text === 'string' ? changedBy(readPatch(text)) : { unreadable: 'its patch is missing or not a text' };
}

function changedBy({ files, unreadable }: AppliedPatch): Named {
  const paths = files.flatMap(({ path }) => (path === '' ? [] : [path]));
  return { paths, changes: files, ...(unreadable !== undefined && { unreadable }) };
}

/** Returns whether a patch removes a file from its path. */
export function removesFile({ changes = [] }: ToolAction): boolean {
  return changes.some(({ does }) => does === 'delete' || does === 'leave');
}

const isGlob = (path: JsonValue): boolean => typeof path === 'string' && /[*?[{(\\]/.test(path);

/** Files by name, by folder, and by glob. */
function filesIn(given: JsonValue | undefined): Named {
  if (!Array.isArray(given) || given.length === 0) return { unreadable: 'its list of paths is missing or empty' };
  const named = given.flatMap((one: JsonValue) => (isGlob(one) ? globbed(one) : [one]));
  return { ...texts(named, 'one of its paths'), below: given.some(isGlob) ? 'texts' : 'folder' };
}

function globbed(glob: JsonValue): readonly (JsonValue | undefined)[] {
  const folders = globbedFolders([], glob);
  return folders.length === 0 ? ['.'] : folders;
}

function urlsIn({ url }: JsonObject): Named {
  const given: readonly (JsonValue | undefined)[] = Array.isArray(url) ? url : [url];
  const { paths: urls = [], unreadable } = texts(given, 'its address');
  if (urls.length === 0) return { unreadable: 'its address is missing or not a text' };
  return { urls, ...(unreadable !== undefined && { unreadable }) };
}
