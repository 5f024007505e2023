import type { Below } from '../match-path.ts';
import { workspaceToolTable } from './tool-table.ts';

export const toolFamilyNames = ['shell', 'read', 'write', 'search', 'web', 'mcp', 'agent', 'other'] as const;

/** What a tool does: it runs commands, reads, writes or searches files, fetches addresses, calls an MCP server or another agent. */
export type ToolFamily = (typeof toolFamilyNames)[number];

/** How the input of a tool names what it acts on. */
type Naming = 'command' | 'paths' | 'files' | 'glob' | 'patch' | 'urls' | 'nothing';

/** A tool whose fields are known. */
export interface KnownTool {
  readonly family: ToolFamily;
  readonly names: Naming;
  /** The tool of Claude Code whose rules also match this one. */
  readonly rule?: 'Bash' | 'Read' | 'Edit' | 'WebFetch';
  /** Whether it does more than the tool of the rule. Then only deny and ask rules match it. */
  readonly isMore?: true;
  /** What it examines below a folder. Without a path, that is the working directory. */
  readonly below?: Below;
}

/** The tools of Claude Code, and tools of other agents that have no such name. */
const THEIRS: Readonly<Record<string, KnownTool>> = {
  Bash: { family: 'shell', names: 'command', rule: 'Bash' },
  PowerShell: { family: 'shell', names: 'command', rule: 'Bash' },
  Read: { family: 'read', names: 'paths', rule: 'Read' },
  NotebookRead: { family: 'read', names: 'paths', rule: 'Read' },
  read_many_files: { family: 'read', names: 'files', rule: 'Read' },
  Grep: { family: 'search', names: 'paths', rule: 'Read', below: 'texts' },
  Glob: { family: 'search', names: 'glob', rule: 'Read', below: 'names' },
  LS: { family: 'search', names: 'paths', rule: 'Read', below: 'names' },
  Edit: { family: 'write', names: 'paths', rule: 'Edit' },
  MultiEdit: { family: 'write', names: 'paths', rule: 'Edit' },
  Write: { family: 'write', names: 'paths', rule: 'Edit' },
  NotebookEdit: { family: 'write', names: 'paths', rule: 'Edit' },
  apply_patch: { family: 'write', names: 'patch', rule: 'Edit' },
  delete_file: { family: 'write', names: 'paths', rule: 'Edit', isMore: true },
  WebFetch: { family: 'web', names: 'urls', rule: 'WebFetch' },
  WebSearch: { family: 'web', names: 'nothing' },
  Agent: { family: 'agent', names: 'nothing' },
  Task: { family: 'agent', names: 'nothing' },
};

/** All tools whose fields are known, by every name that calls and rules use. */
export const knownTools: ReadonlyMap<string, KnownTool> = new Map([
  ...Object.entries(THEIRS),
  ...Object.entries(workspaceToolTable).flatMap(([own, { as }]) => {
    const tool = THEIRS[as];
    return tool ? [[own, tool] as const] : [];
  }),
]);

/** The tools of Claude Code and of other agents, without the names of the workspace tools. */
export const hostTools: readonly (readonly [name: string, tool: KnownTool])[] = Object.entries(THEIRS);
