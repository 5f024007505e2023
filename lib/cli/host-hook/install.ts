import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { wholeModuleName } from '../options/whole-module-name.ts';
import type { DialectName } from './dialects/dialect-names.ts';
import type { HostHookFlags } from './host-hook-flags.ts';
import type { HttpFlags } from './listen/serve-http.ts';

/** Options of the command that were set. */
export interface InstallFlags extends HostHookFlags {
  readonly as: DialectName | 'picoclaw';
  /** True if `timeout` is the default of its host. */
  readonly usualTimeout: boolean;
  readonly daemon?: boolean;
  readonly listen?: HttpFlags['listen'];
  readonly tokenEnv?: string;
}

/** Returns the settings that a host needs to call these hooks, and the limitations of the host. */
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
  // Denying every stop would continue a session forever.
  const advisory = [{ hooks: hooked(false) }];
  const settings = {
    hooks: {
      // Nothing is evaluated at this event, but issues of the hooks are reported.
      SessionStart: advisory,
      UserPromptSubmit: plain,
      // It runs before PermissionRequest, and limits would count the same call again there.
      PreToolUse: everyTool,
      PostToolUse: everyTool,
      PostToolUseFailure: everyTool,
      Stop: advisory,
      SubagentStop: advisory,
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

/** Returns the command for a shared project. Paths outside this folder are unchanged. */
function shared([node = '', _, ...words]: readonly string[], failOpen: boolean): string {
  const folder = '"$CLAUDE_PROJECT_DIR"';
  const here = `${process.cwd()}${sep}`;
  const quotedWords = words.map((word) =>
    word.startsWith(here) ? `${folder}/${quoted(relative(here, word).replaceAll(sep, '/'))}` : quoted(word),
  );
  const command = [node, `${folder}/node_modules/hookline/dist/cli/main.js`, ...quotedWords].join(' ');
  return `The paths are those of this machine. In a shared project, use "$CLAUDE_PROJECT_DIR" for its directory and add hookline as a dependency:
  ${command}${failOpen ? '' : ' || exit 2'}

`;
}

const DENIES = 'A call that needs approval, or that a hook changes, is denied (--ask deny).\n';

const ASKS = `A call that needs approval, or that a hook changes, is shown to you before it runs. Codex has no such prompt and denies it.
Cursor reads these settings, too, but runs such calls without asking: use --ask deny for it and for similar hosts.
`;

// Our timeout ends first, because Claude Code continues if a hook takes too long.
const hostTimeout = (timeout: number) => timeout + 5;

/** Only exit code 2 denies, and a command that does not start has another exit code. */
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

/** The same for PicoClaw, where one process answers all turns. */
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

/** Returns a command line that works in any working directory. npx does not work in most of them, and costs more time than a daemon saves. */
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
