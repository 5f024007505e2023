import { realpathSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { HooklineError } from '../../errors.ts';
import { runClaudeHook } from '../host-hook/claude/run-claude-hook.ts';
import { serveDaemon } from '../host-hook/daemon/serve-daemon.ts';
import type { HostHookFlags } from '../host-hook/host-hook-flags.ts';
import { claudeInstall, picoclawInstall } from '../host-hook/install.ts';
import { answerPicoclaw } from '../host-hook/picoclaw/answer-picoclaw.ts';
import { allowWeakerOption } from '../options/allow-weaker-option.ts';
import { append } from '../options/append.ts';
import { choice } from '../options/choice.ts';
import { presetOption } from '../presets/preset.ts';

const hosts = ['claude', 'picoclaw'] as const;

/** Seconds: below what each host waits for a hook. */
const usualTimeout = { claude: 25, picoclaw: 4 } as const;

/** Seconds. */
const USUAL_IDLE = 900;

interface Flags extends Omit<HostHookFlags, 'timeout'> {
  readonly timeout?: number;
  readonly as: (typeof hosts)[number];
  readonly install?: boolean;
  readonly daemon?: boolean;
  readonly daemonAt?: string;
}

const HELP = `
claude: a command hook of Claude Code, and of hosts that read its settings. One event comes on
standard input, its answer goes to standard output, everything else to standard error.
What goes wrong refuses: exit code 2 with the reason, where the host lets hooks refuse; the output
of a tool is withheld (exit code 0); a session that a hook has kept from stopping stops (1).
picoclaw: a process hook of PicoClaw, of all its generations. It answers until its input ends;
what could not be judged is denied.

--daemon: the first call judges by itself and leaves a process that judges the next ones, one for each
folder, configuration, version and environment. It ends when nobody calls, and when a file has changed that
hooks are made from: the next call loads all anew. Its socket is in a folder that is yours alone, in
XDG_RUNTIME_DIR or the folder for temporary files; where that cannot be, each call judges by itself.

Exit codes: 0 answered, 2 not judged and so refused, 1 not judged with --fail-open.

Examples:
  hookline hook --as claude --config hookline.yaml --install
  hookline hook --as claude --config hookline.yaml < event.json
`;

/** `hookline hook`: the hooks of a configuration as a hook of another host. */
export function hook(command: Command): void {
  command
    .addOption(
      new Option('--as <host>', `whose hook it is (${hosts.join(', ')})`)
        .argParser(choice(hosts))
        .makeOptionMandatory(),
    )
    .option('--config <file>', 'a configuration (repeatable; the later one wins)', append, [])
    .option('--hooks <module>', 'a module of hooks, as for run (repeatable)', append, [])
    .addOption(presetOption())
    .addOption(allowWeakerOption())
    .option(
      '--timeout <seconds>',
      'how long an answer may take; the host must wait longer (default: 25, picoclaw 4)',
      seconds(600),
    )
    .option('--fail-open', 'let things go on where nothing could be judged')
    .option('--daemon', 'claude: keep a process that judges, for a call in a fraction of the time')
    .option('--idle <seconds>', 'how long a daemon waits for another call', seconds(86_400), USUAL_IDLE)
    .addOption(new Option('--daemon-at <socket>').hideHelp())
    .option('--install', 'print what to put where, and what the host cannot do')
    .addHelpText('after', HELP)
    .action(async ({ install = false, timeout, daemonAt, ...given }: Flags) => {
      const flags = { ...given, timeout: timeout ?? usualTimeout[given.as] };
      if (given.daemon && given.as === 'picoclaw')
        throw new HooklineError('INPUT_INVALID', '--daemon is for claude: PicoClaw keeps one process by itself.');
      if (install) {
        const words = commandOf({ ...given, ...(timeout !== undefined && { timeout }) });
        process.stdout.write(
          given.as === 'claude'
            ? claudeInstall(words.map(quoted).join(' '), flags.timeout, given.failOpen ?? false)
            : picoclawInstall(words),
        );
        return;
      }
      const write = process.stdout.write.bind(process.stdout);
      // A module of hooks may print: the host reads nothing but the answer.
      process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
      const stray = strayErrors();
      if (daemonAt !== undefined) return serveDaemon(flags, daemonAt, stray.error);
      if (given.as === 'picoclaw') return answerPicoclaw(flags, write);
      // A host would go on at the exit code of a signal.
      for (const signal of ['SIGTERM', 'SIGINT'] as const)
        process.on(signal, () => stray.refuse(new Error(`it was ended by ${signal}.`)));
      process.exitCode = await runClaudeHook(flags, write, stray.error);
    });
}

/** Rejects with the first error that nobody waits for. */
function strayErrors(): { readonly error: Promise<never>; refuse(thrown: unknown): void } {
  let refuse: (thrown: unknown) => void = () => {};
  const error = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  error.catch(() => {});
  const hear = (thrown: unknown): void => {
    process.stderr.write(`hookline: an error that nobody waits for: ${String(thrown)}\n`);
    refuse(thrown);
  };
  process.on('uncaughtException', hear).on('unhandledRejection', hear);
  return { error, refuse };
}

function seconds(most: number) {
  return (text: string): number => {
    const value = Number(text);
    if (Number.isFinite(value) && value > 0 && value <= most) return value;
    throw new InvalidArgumentError(`It must be a number of seconds above 0, at most ${most}.`);
  };
}

const quoted = (text: string): string => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** Words that start it; npx would take longer than a daemon saves. */
function commandOf({ as, config, hooks, preset, allowWeaker, timeout, failOpen, daemon, idle }: Flags): string[] {
  return [
    ...(daemon ? ['node', realpathSync(process.argv[1] ?? '')] : ['npx', 'hookline']),
    ...['hook', '--as', as],
    ...config.flatMap((file) => ['--config', file]),
    ...hooks.flatMap((module) => ['--hooks', module]),
    ...(preset ? ['--preset', preset] : []),
    ...(allowWeaker ? ['--allow-weaker'] : []),
    ...(timeout === undefined ? [] : ['--timeout', String(timeout)]),
    ...(failOpen ? ['--fail-open'] : []),
    ...(daemon ? ['--daemon'] : []),
    ...(daemon && idle !== USUAL_IDLE ? ['--idle', String(idle)] : []),
  ];
}
