import type { Permission } from '../../events/parts/tool-description.ts';

/** The hosts that `hookline` runs hooks in. `serve` includes `inspect`. */
export const hostNames = [
  'run',
  'serve',
  'mcp',
  'claude',
  'codex',
  'cursor',
  'gemini',
  'copilot',
  'opencode',
  'windsurf',
  'kiro',
  'picoclaw',
] as const;
export type HostName = (typeof hostNames)[number];

/** Descriptions of the parts of a host that hooks can act on. */
export const partWords = {
  prompts: 'the user prompt',
  requests: 'model requests',
  answers: 'the answer of the model',
  streams: 'the chunks of a stream',
  calls: 'tool calls',
  results: 'tool results',
  steps: 'the execution of a tool',
  runs: 'a run with several tool calls',
} as const;
export type HostPart = keyof typeof partWords;

const all = Object.keys(partWords) as readonly HostPart[];

/** The parts of each host that hooks can act on. */
export const hostParts: Readonly<Record<HostName, readonly HostPart[]>> = {
  run: all,
  serve: all,
  mcp: ['calls', 'results', 'steps', 'runs'],
  // State that hooks store with `context.state` passes from event to event.
  claude: ['prompts', 'answers', 'calls', 'results', 'runs'],
  codex: ['prompts', 'answers', 'calls', 'results', 'runs'],
  // Results of other tools than those of MCP cannot be replaced.
  cursor: ['prompts', 'calls', 'results', 'runs'],
  gemini: ['prompts', 'requests', 'answers', 'calls', 'results', 'runs'],
  copilot: ['prompts', 'calls', 'results', 'runs'],
  opencode: ['prompts', 'calls', 'results', 'runs'],
  windsurf: ['prompts', 'calls', 'runs'],
  kiro: ['calls', 'runs'],
  picoclaw: ['prompts', 'requests', 'answers', 'calls', 'results', 'runs'],
};

/** The command that starts each host. */
export const hostCommands: Readonly<Record<HostName, string>> = {
  run: 'hookline run',
  serve: 'hookline serve',
  mcp: 'hookline mcp',
  claude: 'hookline hook --as claude',
  codex: 'hookline hook --as codex',
  cursor: 'hookline hook --as cursor',
  gemini: 'hookline hook --as gemini',
  copilot: 'hookline hook --as copilot',
  opencode: 'hookline hook --as opencode',
  windsurf: 'hookline hook --as windsurf',
  kiro: 'hookline hook --as kiro',
  picoclaw: 'hookline hook --as picoclaw',
};

/** The host that the hooks will run in. */
export interface GuardedHost {
  readonly name: HostName;
  /** The tools of the host, including those of hooks. Default: unknown. */
  readonly tools?: readonly { readonly name: string; readonly permission?: Permission }[];
  /** The agents of the host. Default: unknown. */
  readonly agents?: readonly string[];
  /** The folder that the tools cannot leave. Default: no restriction. */
  readonly workspace?: string;
  /** Reports an unknown tool only if its name resembles a known one, because the host was not named. */
  readonly typosOnly?: boolean;
}
