import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { wholeModuleName } from '../options/whole-module-name.ts';
import type { HostHookFlags } from './host-hook-flags.ts';
import type { HttpFlags } from './listen/serve-http.ts';

/** The options of the command, as far as they were given. */
export interface InstallFlags extends HostHookFlags {
  readonly as: 'claude' | 'picoclaw';
  /** Whether `timeout` is the usual one of its host. */
  readonly usualTimeout: boolean;
  readonly daemon?: boolean;
  readonly listen?: HttpFlags['listen'];
  readonly tokenEnv?: string;
}

/** What to put where, so that a host asks these hooks, and what it cannot do for them. */
export function installText(flags: InstallFlags): string {
  return flags.as === 'claude' ? claudeInstall(flags) : picoclawInstall(commandOf(flags));
}

function claudeInstall(flags: InstallFlags): string {
  const { listen, failOpen = false } = flags;
  const words = commandOf(flags);
  const command = words.map(quoted).join(' ');
  const hooked = (refuses: boolean) => [listen ? httpHandler(flags, listen) : commandHandler(flags, command, refuses)];
  const everyTool = [{ matcher: '*', hooks: hooked(!failOpen) }];
  const plain = [{ hooks: hooked(!failOpen) }];
  // A refusal of every stop would send a session on for ever.
  const told = [{ hooks: hooked(false) }];
  const settings = {
    hooks: {
      // Nothing is judged there, but what is wrong with the hooks is told.
      SessionStart: told,
      UserPromptSubmit: plain,
      // It comes before PermissionRequest, at which limits would count the same call again.
      PreToolUse: everyTool,
      PostToolUse: everyTool,
      PostToolUseFailure: everyTool,
      Stop: told,
      SubagentStop: told,
    },
  };
  const start = listen ? `Start this, and keep it running:\n\n  ${command}\n\n` : '';
  const unreachable = listen
    ? 'If the server is not reachable, the call runs: only Claude Code 2.1.295 and later supports "onFailure". A command hook denies the call instead.\n'
    : '';
  return `${start}Add this to ~/.claude/settings.json, or to .claude/settings.json of a project:

${JSON.stringify(settings, undefined, 2)}

${listen ? '' : shared(words, failOpen)}Limitations in Claude Code:
  - respond denies the call, with the response as its reason
  - hooks cannot read or change chunks of the model, wrap steps (around), or change model requests
  - a prompt that a hook changes is blocked, with the new prompt as the reason
  - hooks cannot retract the output of a failed tool, or replace an output with another shape
  - a call that a hook renames, or in which it seals a value, is denied
${flags.ask === 'deny' ? DENIES : ASKS}${unreachable}`;
}

/** The command for a project that others share; what is not in this folder stays where it is. */
function shared([node = '', _, ...words]: readonly string[], failOpen: boolean): string {
  const folder = '"$CLAUDE_PROJECT_DIR"';
  const here = `${process.cwd()}${sep}`;
  const said = words.map((word) =>
    word.startsWith(here) ? `${folder}/${quoted(relative(here, word).replaceAll(sep, '/'))}` : quoted(word),
  );
  const command = [node, `${folder}/node_modules/hookline/dist/cli/main.js`, ...said].join(' ');
  return `The paths are those of this machine. In a shared project, use "$CLAUDE_PROJECT_DIR" for its directory and add hookline as a dependency:
  ${command}${failOpen ? '' : ' || exit 2'}

`;
}

const DENIES = 'A call that needs approval, or that a hook changes, is denied (--ask deny).\n';

const ASKS = `A call that needs approval, or that a hook changes, is shown to you before it runs. Codex has no such prompt and denies it.
Cursor reads these settings, too, but runs such calls without asking: use --ask deny for it and for similar hosts.
`;

// Ours is over first: Claude Code lets things go on when a hook takes too long.
const hostTimeout = (timeout: number) => timeout + 5;

/** Only exit code 2 refuses, and a command that does not start says something else. */
function commandHandler({ timeout }: InstallFlags, command: string, refuses: boolean) {
  return { type: 'command', command: refuses ? `${command} || exit 2` : command, timeout: hostTimeout(timeout) };
}

function httpHandler({ timeout, failOpen, tokenEnv }: InstallFlags, { host, port }: HttpFlags['listen']) {
  return {
    type: 'http',
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/`,
    ...(tokenEnv !== undefined && { headers: { Authorization: `Bearer $${tokenEnv}` }, allowedEnvVars: [tokenEnv] }),
    timeout: hostTimeout(timeout),
    ...(!failOpen && { onFailure: 'block' }),
  };
}

/** The same for PicoClaw: one process answers all of its turns. */
function picoclawInstall(command: readonly string[]): string {
  const intercept = ['before_llm', 'after_llm', 'before_tool', 'approve_tool', 'after_tool'];
  const observe = ['agent.turn.start', 'agent.turn.end'];
  const hooks = { enabled: true, processes: { hookline: { enabled: true, command, intercept, observe } } };
  return `Add this to ~/.picoclaw/config.json:

${JSON.stringify({ hooks }, undefined, 2)}

Limitations in PicoClaw:
  - tools keep the names of PicoClaw: use them in rules
  - there are no approval prompts: a call that an approver suspends is denied
  - hooks cannot read or change chunks of the model, or wrap steps (around)
  - retry and respond after a model request end the turn with the reason
  - edits of the messages in preCall have no effect; abort and respond end the turn at its next step
  - from 0.2.8 on, changes of before_llm to tools and system messages are ignored
PicoClaw continues if a hook is late: --timeout must be less than its own timeout (default: 5 s).
`;
}

const quoted = (text: string): string => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** Words that start it in whatever folder the host works. npx would find it in few of them, and takes longer than a daemon saves. */
function commandOf(flags: InstallFlags): string[] {
  const { as, config, hooks, preset, allowWeaker, timeout, usualTimeout, failOpen, ask, daemon, idle, listen } = flags;
  return [
    ...['node', realpathSync(process.argv[1] ?? '')],
    ...['hook', '--as', as],
    ...config.flatMap((file) => ['--config', resolve(file)]),
    ...hooks.flatMap((name) => ['--hooks', wholeModuleName(name)]),
    ...(preset ? ['--preset', preset] : []),
    ...(allowWeaker ? ['--allow-weaker'] : []),
    ...(usualTimeout ? [] : ['--timeout', String(timeout)]),
    ...(failOpen ? ['--fail-open'] : []),
    ...(ask ? ['--ask', ask] : []),
    ...(daemon ? ['--daemon', '--idle', String(idle)] : []),
    ...(listen ? ['--listen', `${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${listen.port}`] : []),
    ...(flags.tokenEnv === undefined ? [] : ['--token-env', flags.tokenEnv]),
  ];
}
