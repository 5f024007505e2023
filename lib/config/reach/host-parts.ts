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
  // Each event is a run of its own.
  claude: ['prompts', 'answers', 'calls', 'results'],
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
