import { type Command, InvalidArgumentError, Option } from 'commander';
import { showFault } from '../../config/faults/fault.ts';
import { idleGuards } from '../../config/reach/idle-guards.ts';
import { HooklineError } from '../../errors.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import { callClaude } from '../host-hook/claude/call-claude.ts';
import { judgeClaude } from '../host-hook/claude/judge-claude.ts';
import { serveDaemon } from '../host-hook/daemon/serve-daemon.ts';
import type { HostHookFlags } from '../host-hook/host-hook-flags.ts';
import { createHostHooks } from '../host-hook/host-hooks.ts';
import { installText } from '../host-hook/install.ts';
import type { HttpFlags } from '../host-hook/listen/serve-http.ts';
import { judgePicoclaw } from '../host-hook/picoclaw/judge-picoclaw.ts';
import { servePicoclaw } from '../host-hook/picoclaw/serve-picoclaw.ts';
import { serveWorker } from '../host-hook/worker/serve-worker.ts';
import { allowWeakerOption } from '../options/allow-weaker-option.ts';
import { append } from '../options/append.ts';
import { choice } from '../options/choice.ts';
import { presetOption } from '../presets/preset.ts';
import { soundConfig } from '../run/faults-of-making.ts';

const hosts = ['claude', 'picoclaw'] as const;

/** Seconds: below what each host waits for a hook. */
const usualTimeout = { claude: 25, picoclaw: 4 } as const;

/** Seconds. */
const USUAL_IDLE = 900;

interface Flags extends Omit<HostHookFlags, 'timeout' | 'idle'> {
  readonly timeout?: number;
  readonly idle?: number;
  readonly as: (typeof hosts)[number];
  readonly install?: boolean;
  readonly daemon?: boolean;
  readonly daemonAt?: string;
  readonly worker?: boolean;
  readonly listen?: HttpFlags['listen'];
  readonly tokenEnv?: string;
}

const HELP = `
claude: a command hook of Claude Code, and of hosts that read its settings. One event comes on
standard input, its answer goes to standard output, everything else to standard error.
A refusal is JSON on standard output and exit code 2 with the reason on standard error. What goes wrong refuses,
too; the output of a tool is withheld (exit code 0); a session that a hook has kept from stopping stops (1).
A call that a hook asks about, or has changed, is shown to the user first (ask). Where a host runs it
unasked, as Cursor does, --ask deny refuses it. Codex is known by its events, and refused without it.
picoclaw: a process hook of PicoClaw, of all its generations. It answers until its input ends;
what could not be judged is denied.

--daemon: the first call judges by itself and leaves a process that judges the next ones, one for each
folder, configuration, version and environment. It ends when nobody calls, and when a file has changed that
hooks are made from: the next call loads all anew. Its socket is in a folder that is yours alone, in
XDG_RUNTIME_DIR or the folder for temporary files; where that cannot be, each call judges by itself.

--listen: a server for http handlers of Claude Code, until it is told to end. It listens on loopback only and
takes nothing from pages of the web. What cannot be judged is refused in words; where the server itself cannot
be reached, Claude Code lets things go on. --token-env NAME: the handlers have to send that token.

Hooks run in a process of their own. It is replaced when a hook ends it or keeps its thread; that event is refused.

Exit codes: 0 answered, 2 refused, 1 not judged with --fail-open.

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
    .addOption(
      new Option(
        '--ask <how>',
        'claude: what becomes of a call to ask about (ask, deny; default: as the host can)',
      ).argParser(choice(['ask', 'deny'])),
    )
    .option('--daemon', 'claude: keep a process that judges, for a call in a fraction of the time')
    .option('--idle <seconds>', `how long a daemon waits for another call (default: ${USUAL_IDLE})`, seconds(86_400))
    .addOption(new Option('--daemon-at <socket>').hideHelp())
    .addOption(new Option('--worker').hideHelp())
    .option('--listen <address>', 'claude: answer http handlers there, 127.0.0.1:3900 say', address)
    .option('--token-env <name>', 'the variable that has the token which http handlers must send')
    .option('--install', 'print what to put where, and what the host cannot do')
    .addHelpText('after', HELP)
    .action(async ({ install = false, worker = false, timeout, daemonAt, ...given }: Flags) => {
      const { as, idle = USUAL_IDLE } = given;
      const flags = { ...given, idle, timeout: timeout ?? usualTimeout[as] };
      refuseTogether(given);
      if (install) {
        if (given.listen?.port === 0)
          throw new HooklineError(
            'INPUT_INVALID',
            '--install with --listen needs the port that the settings will name, not 0.',
          );
        const { config } = await soundConfig(flags);
        for (const notice of idleGuards(config.hooks, { name: as })) process.stderr.write(`${showFault(notice)}\n`);
        if (/[\\/]_npx[\\/]/.test(process.argv[1] ?? ''))
          process.stderr.write(
            `This hookline is in npx's cache, which npm may empty: every call is refused then. Install it first.\n`,
          );
        process.stdout.write(installText({ ...flags, usualTimeout: timeout === undefined }));
        return;
      }
      if (worker) return serveJudging(flags);
      // Their own words, from which the processes that judge are started.
      const words = process.argv.slice(2);
      if (daemonAt !== undefined) return serveDaemon(flags, words, daemonAt);
      // It ends the process where its packages are missing.
      if (flags.listen) return loadServeHttp()({ ...flags, listen: flags.listen }, words);
      return as === 'picoclaw' ? servePicoclaw(flags, words) : callClaude(words);
    });
}

/** What would have no effect is a mistake. */
function refuseTogether({ as, ask, daemon, idle, listen, tokenEnv }: Flags): void {
  const wrong = (why: string) => new HooklineError('INPUT_INVALID', why);
  if (as === 'picoclaw' && daemon) throw wrong('--daemon is for claude: PicoClaw keeps one process by itself.');
  if (as === 'picoclaw' && ask) throw wrong('--ask is for claude: PicoClaw can ask nobody, and such calls are denied.');
  if (as === 'picoclaw' && listen) throw wrong('--listen is for claude: PicoClaw talks to its hooks by their stdin.');
  if (daemon && listen) throw wrong('--daemon and --listen are two ways: say one of them.');
  if (idle !== undefined && !daemon) throw wrong('--idle is for --daemon.');
  if (tokenEnv !== undefined && !listen) throw wrong('--token-env is for --listen.');
}

/** Only here, since its framework is an optional peer. */
function loadServeHttp(): typeof import('../host-hook/listen/serve-http.ts').serveHttp {
  return require('../host-hook/listen/serve-http').serveHttp;
}

/** The process that runs the hooks for a front. */
function serveJudging(flags: Flags & HostHookFlags): Promise<void> {
  // One event is all that a command hook lives for; `--install` has said it.
  const lasts = flags.as === 'picoclaw' || flags.daemon === true || flags.listen !== undefined;
  const hooks = createHostHooks(flags, flags.as, lasts);
  if (flags.as === 'picoclaw') {
    // PicoClaw waits for its first answer as long as it takes.
    const judge = judgePicoclaw(async () => (await hooks.lease()).pipeline);
    return serveWorker(hooks, {
      answer: (event, judging) => judge.answer(JSON.parse(event), judging),
      tell: (event) => judge.tell(JSON.parse(event)),
      end: () => judge.end(),
    });
  }
  const watched = new Set<Pick<Pipeline, 'flush'>>();
  return serveWorker(hooks, {
    answer: (event, judging) => judgeClaude(hooks, event, { ...judging, ask: flags.ask, watched }),
    end: async () => void (await Promise.all([...watched].map((pipeline) => pipeline.flush()))),
  });
}

function seconds(most: number) {
  return (text: string): number => {
    const value = Number(text);
    if (Number.isFinite(value) && value > 0 && value <= most) return value;
    throw new InvalidArgumentError(`It must be a number of seconds above 0, at most ${most}.`);
  };
}

/** Where to listen: `127.0.0.1:3900`, `[::1]:0`. */
function address(text: string): { readonly host: string; readonly port: number } {
  const [, ipv6, name, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = ipv6 ?? name;
  const port = Number(digits);
  if (host !== undefined && port <= 65_535) return { host, port };
  throw new InvalidArgumentError('It must be an address and a port, such as 127.0.0.1:3900; port 0 is any free one.');
}
