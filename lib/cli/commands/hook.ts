import { type Command, InvalidArgumentError, Option } from 'commander';
import { HooklineError } from '../../errors.ts';
import { type DialectName, dialectNames } from '../host-hook/dialects/dialect-names.ts';
import {
  type HostHookFlags,
  isSeconds,
  MOST_IDLE,
  MOST_TIMEOUT,
  USUAL_IDLE,
  USUAL_TIMEOUT,
} from '../host-hook/host-hook-flags.ts';
import type { HttpFlags } from '../host-hook/listen/serve-http.ts';
import { choice } from '../options/choice.ts';
import { hookOptions } from '../options/hook-options.ts';

const hosts = [...dialectNames, 'picoclaw'] as const;

/** In seconds. */
const usualTimeout = ({ as, inbox }: Pick<Flags, 'as' | 'inbox'>) =>
  as === 'picoclaw' ? 4 : inbox === undefined ? USUAL_TIMEOUT : 120;

interface Flags extends Omit<HostHookFlags, 'timeout' | 'idle'> {
  readonly timeout?: number;
  readonly idle?: number;
  readonly as: (typeof hosts)[number];
  readonly install?: boolean;
  readonly uninstall?: boolean;
  readonly write?: boolean;
  readonly project?: boolean;
  readonly daemon?: boolean;
  readonly daemonAt?: string;
  readonly worker?: boolean;
  readonly listen?: HttpFlags['listen'];
}

const HELP = `
A command hook of a coding agent. It reads one event from stdin, and writes the answer to stdout and logs to stderr. Each
host has its own events and answers; an event of another host is denied, with the flag to use. Failures deny the call,
too. If a failure follows a tool, its output is withheld where the host allows that. A call that needs approval, or
that a hook has changed, is shown to the user (ask), or denied if the host has no prompt or with --ask deny. Agents
cannot change the hook settings of hosts, the configuration and the state of Hookline.
picoclaw: a process hook of PicoClaw, every protocol version. It answers until its input ends; failures deny the call.

--daemon: the first call evaluates the event itself and starts a daemon for the next calls, one for each folder,
configuration, version and environment. The daemon ends after the idle timeout. If a file that hooks were loaded from
changes, the daemon loads the hooks again. Its socket is in an owner-only folder in XDG_RUNTIME_DIR or the temporary
directory. If that folder cannot be created, each call evaluates its event itself.

--inbox: a call that needs approval is shown on the page of hookline serve until somebody answers. The hook denies it
shortly before its timeout (default: 120 s), because some hosts run a call when their own timeout has passed. The token
must have the right "run" alone: the agent may read the variable, and must not approve its own calls.

--listen: a server for http handlers of Claude Code. It listens on loopback only and rejects requests from web pages.
Failures deny the call with a reason. If the server is not reachable, Claude Code allows the call. With
--token-env NAME, handlers must send that token.

Hooks run in a separate process. If a hook ends that process or blocks its event loop, the process is replaced and the
event is denied.

--install shows the changes to the settings of one host, or of each host on this machine (its folder, or its program on
the PATH). --write writes them, replaces older hooks of Hookline, and keeps all others. Settings with comments are not
changed. To test what is installed: hookline doctor.

Exit codes: 0 answered, 2 denied. With --fail-open, a failed evaluation is 0 or 1, as the host requires.

Examples:
  hookline hook --config hookline.yaml --daemon --install
  hookline hook --as codex --config hookline.yaml --daemon --install --write
  hookline hook --as codex --uninstall --write
  hookline hook --as claude --config hookline.yaml < event.json
`;

/** `hookline hook`: runs the hooks of a configuration as a hook of another host. */
export function hook(command: Command): void {
  hookOptions(command)
    .option('--as <host>', `protocol of the host (${hosts.join(', ')}); --install can find it`, choice(hosts))
    .option(
      '--timeout <seconds>',
      'timeout of an answer, shorter than the timeout of the host (default: 25, picoclaw 4)',
      seconds(MOST_TIMEOUT),
    )
    .option('--fail-open', 'allow if evaluation fails')
    .option(
      '--ask <how>',
      'answer for a call that needs approval (ask, deny; default: depends on the host)',
      choice(['ask', 'deny']),
    )
    .option('--daemon', 'keep a process that evaluates events, which speeds up each call')
    .option('--idle <seconds>', `idle timeout of the daemon (default: ${USUAL_IDLE})`, seconds(MOST_IDLE))
    .addOption(new Option('--daemon-at <socket>').hideHelp())
    .addOption(new Option('--worker').hideHelp())
    .option('--listen <address>', 'claude: serve http handlers on this address, e.g. 127.0.0.1:3900', address)
    .option('--inbox <url>', 'ask on the page of this server (hookline serve); --token-env names its token')
    .option('--token-env <name>', 'environment variable with the token for --inbox, or that http handlers must send')
    .option('--install', 'show how the settings of the host change, and its limitations')
    .option('--uninstall', 'show how the settings change without our hooks')
    .option('--project', 'install: change the settings of the current project instead of those of the user')
    .option('--write', 'install: write the settings, and keep a backup')
    .addHelpText('after', HELP)
    .action(async ({ install = false, worker = false, timeout, daemonAt, ...given }: Flags) => {
      const { as, idle = USUAL_IDLE } = given;
      const flags = { ...given, idle, timeout: timeout ?? usualTimeout(given) };
      refuseTogether(given, install);
      if (install || given.uninstall)
        return late.install().installHosts({ ...flags, usualTimeout: timeout === undefined });
      if (worker) return late.judging().serveJudging(flags);
      // The arguments of this command start the worker processes.
      const words = process.argv.slice(2);
      if (daemonAt !== undefined) return late.daemon().serveDaemon(as as DialectName, flags, words, daemonAt);
      // This exits the process if its packages are missing.
      if (flags.listen) return late.http().serveHttp({ ...flags, listen: flags.listen }, words);
      return as === 'picoclaw' ? late.picoclaw().servePicoclaw(flags, words) : late.call().callHost(as, words);
    });
}

/** Rejects options that would have no effect. */
function refuseTogether(flags: Flags, install: boolean): void {
  const { as, ask, daemon, idle, listen, tokenEnv, inbox, uninstall = false } = flags;
  const wrong = (why: string) => new HooklineError('INPUT_INVALID', why);
  if (as === undefined && !install && !uninstall)
    throw wrong('--as is required, except with --install and --uninstall.');
  if (install && uninstall) throw wrong('--install and --uninstall exclude each other: use one of them.');
  if ((flags.write || flags.project) && !install && !uninstall)
    throw wrong('--write and --project require --install or --uninstall.');
  if (listen?.port === 0 && install) throw wrong('--install with --listen needs a fixed port for the settings, not 0.');
  if (as === 'picoclaw' && daemon) throw wrong('--daemon requires --as claude: PicoClaw already keeps one process.');
  if (as === 'picoclaw' && ask)
    throw wrong('--ask requires --as claude: PicoClaw has no approval prompts, so such calls are denied.');
  if (as !== 'claude' && listen) throw wrong('--listen requires --as claude: other hosts have no http handlers.');
  if (daemon && listen) throw wrong('--daemon and --listen exclude each other: use one of them.');
  if (idle !== undefined && !daemon) throw wrong('--idle requires --daemon.');
  if (tokenEnv !== undefined && !listen && inbox === undefined)
    throw wrong('--token-env requires --listen or --inbox.');
  if (inbox === undefined) return;
  if (!/^https?:\/\/[^/]+\/?$/.test(inbox) || !URL.canParse(inbox))
    throw wrong('--inbox must be the address of a server, such as http://127.0.0.1:3000.');
  if (listen) throw wrong('--inbox and --listen exclude each other: use one of them.');
  if (tokenEnv === undefined)
    throw wrong('--inbox requires --token-env: the variable must contain a token with the right "run".');
}

/** What the processes of this command do. Each loads its own, because each call of a tool waits for one of them. */
const late = {
  install: (): typeof import('../host-hook/install/install-hosts.ts') => require('../host-hook/install/install-hosts'),
  daemon: (): typeof import('../host-hook/daemon/serve-daemon.ts') => require('../host-hook/daemon/serve-daemon'),
  http: (): typeof import('../host-hook/listen/serve-http.ts') => require('../host-hook/listen/serve-http'),
  picoclaw: (): typeof import('../host-hook/picoclaw/serve-picoclaw.ts') =>
    require('../host-hook/picoclaw/serve-picoclaw'),
  call: (): typeof import('../host-hook/call-host.ts') => require('../host-hook/call-host'),
  judging: (): typeof import('../host-hook/worker/serve-judging.ts') => require('../host-hook/worker/serve-judging'),
};

function seconds(most: number) {
  return (text: string): number => {
    if (isSeconds(text, most)) return Number(text);
    throw new InvalidArgumentError(`It must be a number of seconds, more than 0 and at most ${most}.`);
  };
}

/** Parses the address to listen on: `127.0.0.1:3900`, `[::1]:0`. */
function address(text: string): { readonly host: string; readonly port: number } {
  const [, ipv6, name, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = ipv6 ?? name;
  const port = Number(digits);
  if (host !== undefined && port <= 65_535) return { host, port };
  throw new InvalidArgumentError('It must be an address and a port, such as 127.0.0.1:3900; port 0 picks a free port.');
}
