import type { ToolFamily } from '../../permission-rules/action/known-tools.ts';
import type { HostName } from './host-parts.ts';

/** The coding agents that hooks guard from outside. */
export type CodingHost = Exclude<HostName, 'run' | 'serve' | 'mcp'>;

/** What a coding agent lets hooks do, beside denying calls. */
export interface HostLimits {
  /** The name of the product. */
  readonly title: string;
  /** The families of tools whose calls hooks see. */
  readonly families: readonly ToolFamily[];
  /** What happens to a call that needs approval. */
  readonly approval: 'asks' | 'denies';
  /** What happens to a call that a hook changes. */
  readonly change: 'runs' | 'asks' | 'denies';
  /** The tools whose results hooks replace. */
  readonly results: 'all' | 'mcp' | 'none';
  /** Whether the names of MCP servers are guessed. */
  readonly servers?: 'guessed';
  /** Whether hooks replace the answers of the model. Otherwise they can only make it continue. */
  readonly answers?: 'all';
  /** What no hook sees. */
  readonly gaps: readonly string[];
}

const usual: readonly ToolFamily[] = ['shell', 'read', 'write', 'search', 'web', 'mcp', 'agent', 'other'];
const but = (...families: readonly ToolFamily[]) => usual.filter((family) => !families.includes(family));

/** The limits of each coding agent, from its documentation and from tries with the real one. */
export const hostLimits: Readonly<Record<CodingHost, HostLimits>> = {
  claude: {
    title: 'Claude Code',
    families: usual,
    approval: 'asks',
    change: 'asks',
    results: 'all',
    gaps: ['files that a prompt mentions with @', 'a hook that exceeds its time limit, before 2.1.295'],
  },
  codex: {
    title: 'Codex',
    families: but('read', 'search', 'web'),
    approval: 'denies',
    change: 'runs',
    results: 'all',
    gaps: [
      'all calls, until a person trusts the hook with /hooks',
      'a hook that exceeds its time limit',
      'hosted web search, and input for a process that already runs',
    ],
  },
  cursor: {
    title: 'Cursor',
    families: usual,
    approval: 'asks',
    change: 'runs',
    results: 'mcp',
    servers: 'guessed',
    gaps: [
      'the name of an MCP server: rules match a name that is guessed from its command or address',
      'MCP and session events in cloud agents, which run no user hooks',
      'calls that a rule asks about, other than shell commands and MCP tools: they are denied',
    ],
  },
  gemini: {
    title: 'Gemini CLI',
    families: usual,
    approval: 'asks',
    change: 'runs',
    results: 'all',
    answers: 'all',
    gaps: ['all calls in a folder that is not trusted', 'a hook that a signal or its time limit ends'],
  },
  copilot: {
    title: 'Copilot',
    families: usual,
    approval: 'asks',
    change: 'runs',
    results: 'all',
    gaps: [
      'a hook that exceeds its time limit',
      'user hooks in the cloud agent, which denies what needs approval',
      'input for a process that already runs (rules match the name of the tool)',
    ],
  },
  opencode: {
    title: 'opencode',
    families: usual,
    approval: 'denies',
    change: 'runs',
    results: 'all',
    gaps: ['all calls, if the plugin does not load'],
  },
  windsurf: {
    title: 'Windsurf',
    families: ['shell', 'read', 'write', 'mcp'],
    approval: 'denies',
    change: 'denies',
    results: 'none',
    gaps: ['a hook that fails or exceeds its time limit', 'searches and web requests'],
  },
  kiro: {
    title: 'Kiro',
    families: but('web', 'agent'),
    approval: 'denies',
    change: 'denies',
    results: 'none',
    gaps: ['a hook that fails or exceeds its time limit', 'prompts, which cannot be blocked'],
  },
  picoclaw: {
    title: 'PicoClaw',
    families: usual,
    approval: 'denies',
    change: 'runs',
    results: 'all',
    answers: 'all',
    gaps: ['a hook that exceeds its time limit'],
  },
};

export const isCodingHost = (name: HostName): name is CodingHost => Object.hasOwn(hostLimits, name);
