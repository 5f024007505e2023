import type { Permission } from '../../events/parts/tool-description.ts';

/** The hosts that `hookline` runs hooks in; `serve` stands for `inspect`, too. */
export const hostNames = ['run', 'serve', 'mcp', 'claude', 'picoclaw'] as const;
export type HostName = (typeof hostNames)[number];

/** What a host lets hooks take part in, in words. */
export const partWords = {
  prompts: 'the prompt of the user',
  requests: 'model requests',
  answers: 'the answer of the model',
  streams: 'the chunks of a stream',
  calls: 'tool calls',
  results: 'tool results',
  steps: 'the execution of a tool',
  runs: 'a run of several tool calls',
} as const;
export type HostPart = keyof typeof partWords;

const all = Object.keys(partWords) as readonly HostPart[];

/** What each host lets hooks take part in. */
export const hostParts: Readonly<Record<HostName, readonly HostPart[]>> = {
  run: all,
  serve: all,
  mcp: ['calls', 'results', 'steps', 'runs'],
  // What hooks keep by `context.state` goes from event to event.
  claude: ['prompts', 'answers', 'calls', 'results', 'runs'],
  picoclaw: ['prompts', 'requests', 'answers', 'calls', 'results', 'runs'],
};

/** The command of a host, as users know it. */
export const hostCommands: Readonly<Record<HostName, string>> = {
  run: 'hookline run',
  serve: 'hookline serve',
  mcp: 'hookline mcp',
  claude: 'hookline hook --as claude',
  picoclaw: 'hookline hook --as picoclaw',
};

/** Where hooks are to be used. */
export interface GuardedHost {
  readonly name: HostName;
  /** The tools that calls name there, those that hooks bring included. Default: not known. */
  readonly tools?: readonly { readonly name: string; readonly permission?: Permission }[];
  /** The agents that run there. Default: not known. */
  readonly agents?: readonly string[];
  /** The folder that the tools cannot leave. Default: they reach everything. */
  readonly workspace?: string;
  /** Tells of unknown tools only if they look like a typing error of a known one: the host was not named. */
  readonly typosOnly?: boolean;
}
