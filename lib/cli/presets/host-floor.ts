import { resolve } from 'node:path';
import type { NativeConfig } from '../../config/index.ts';
import type { CallRule } from '../../permission-rules/call-rule-schema.ts';

/** The files and folders that keep an agent under its policy. All paths are absolute. */
export interface HostFloorParts {
  /** Files and folders of the coding agents' hook settings. */
  readonly settings: readonly string[];
  /** Files of our configuration, and of its hooks. */
  readonly config: readonly string[];
  /** Files from which agents load variables. */
  readonly variables?: readonly string[];
  /** Folder of our state. */
  readonly state: string;
  /** File of the tokens. */
  readonly tokens?: string | undefined;
  /** Socket of the daemon. */
  readonly socket?: string | undefined;
}

type Families = NonNullable<CallRule['family']>;
type Options = Pick<CallRule, 'family' | 'mentions' | 'words' | 'unreadable' | 'reason'>;

/** The families that can change a file. */
const CHANGING: Families = ['shell', 'write', 'mcp', 'other'];
/** Variables that load code into the process of a hook, or move what it relies on. */
const VARIABLES = [
  ...['HOOKLINE_', 'GEMINI_CLI_', 'NODE_OPTIONS', 'NODE_PATH', 'BASH_ENV', 'LD_PRELOAD', 'LD_LIBRARY_PATH', 'LD_AUDIT'],
  ...['DYLD_INSERT_LIBRARIES', 'XDG_RUNTIME_DIR', 'XDG_STATE_HOME', 'CLAUDE_PROJECT_DIR', 'GEMINI_PROJECT_DIR'],
];
const READING: Families = ['read', 'search', ...CHANGING];

/**
 * Returns the hooks that guard the policy of a coding agent against the agent itself. They only deny: calls that change the hook settings, our configuration,
 * state or socket, calls that read the tokens, commands with variables of ours, and calls of known tools that cannot be read. The policy judges all others.
 */
export function hostFloor({
  settings,
  config,
  variables = [],
  state,
  tokens,
  socket,
}: HostFloorParts): NonNullable<NativeConfig['hooks']> {
  const guard = (family: Families, paths: readonly string[], reason: string): readonly Options[] =>
    paths.length === 0 ? [] : [{ family, mentions: paths.map((path) => `/${resolve(path)}`), reason }];
  const deny: readonly Options[] = [
    ...(tokens === undefined
      ? []
      : guard(READING, [tokens], 'it names the tokens of Hookline, which give access to its server')),
    ...guard(
      CHANGING,
      settings,
      'it names the hook settings of the agent; only a person may change them, because they start Hookline',
    ),
    ...guard(
      CHANGING,
      config,
      "it names Hookline's configuration or a file of its hooks; only a person may change it, because it is the policy of the agent",
    ),
    ...guard(
      CHANGING,
      [state, ...(socket === undefined ? [] : [socket])],
      "it names Hookline's state or socket; only Hookline may change them, because its decisions rely on them",
    ),
    ...guard(
      CHANGING,
      variables,
      'it writes a variable that loads code into the hooks of the agent; only a person may set one, because it can switch Hookline off',
    ).map((rule) => ({ ...rule, words: VARIABLES })),
    {
      family: ['shell'],
      words: ['HOOKLINE_'],
      reason:
        'it names a variable of Hookline (HOOKLINE_..); only a person may set one, because they can switch guards off',
    },
    { unreadable: true, reason: 'what it does is unknown: its command, path or address is missing or cannot be read' },
  ];
  return { 'host-floor': { type: 'permission', options: { name: 'host-floor', default: 'allow', deny: [...deny] } } };
}
