import type { Command } from 'commander';
import { append } from '../options/append.ts';
import { choice } from '../options/choice.ts';
import { hookOptions } from '../options/hook-options.ts';
import { keepOption } from '../options/keep-option.ts';
import { wholeNumber } from '../options/whole-number.ts';
import { type ServeSettings, serveApi } from '../run/serve-api.ts';
import { logLevels } from '../setup/create-log.ts';

/** `hookline serve`: serves agents, their hooks and approval prompts over HTTP. */
export function serve(command: Command): void {
  serveOptions(command)
    .option('--no-page', 'disable the web UI')
    .addHelpText('after', SERVE_HELP)
    .action(async (settings: ServeSettings) => {
      process.exitCode = await serveApi(settings);
    });
}

/** Settings of a server, however it is started. */
export function serveOptions(command: Command): Command {
  return hookOptions(command, 'configuration file (repeatable; later files win); reloaded on change')
    .option('--model <model>', 'model, as for run; overrides the configuration')
    .option('--base-url <url>', 'base URL of the openai-compatible model; HOOKLINE_API_KEY is its key')
    .option('--workspace <dir>', 'directory that the tools work in (default: .)')
    .option('--host <address>', 'listen address (default: 127.0.0.1)')
    .option('--port <n>', 'port; 0 picks a free port (default: 8787)', wholeNumber)
    .option('--allowed-host <host>', 'accept this Host header, port included (repeatable)', append, [])
    .option('--state <dir>', 'directory for tokens, configurations, sessions and runs (default: one per workspace)')
    .option('--backplane <url>', 'NATS server that shares runs, approvals and limits with other servers (nats://...)')
    .option('--take-over', 'continue active runs of servers that have ended, also its own after a restart')
    .addOption(keepOption())
    .option('--grace <seconds>', 'time for active runs to complete after SIGTERM (default: 10)', wholeNumber)
    .option('--log-level <level>', `log level on stderr (${logLevels.join(', ')})`, choice(logLevels), 'warn')
    .option('--json', 'print events as lines of JSON');
}

/** Help text of `hookline serve` below the options. */
const SERVE_HELP = `
The web UI at / shows active runs, the changes of each hook and pending calls; it asks for a token. hookline inspect
opens it with a token. GET /api/openapi.json describes the API. Every API request needs a token (Authorization:
Bearer ...); the files of the web UI need none. The first start for a workspace creates a token with all rights and
prints it once. hookline token issue creates more.

The server listens on loopback. Another --host needs a token and --allowed-host. A run keeps the hooks that
it started with. Changed files apply to later runs; an invalid file changes nothing. SIGHUP reloads the files.
dangerous-confirmation suspends a run; POST /api/approvals/:id answers the call. With askBy: inbox in the options of
permission, the run stays active and waits for that answer.

Runs, events and answers survive a restart; --keep limits how many are kept. An unanswered approval is denied after
seven days. "server" in a configuration sets these options and the limits. Defaults:
  host, port, allowedHosts, state, page: true
  keep { for: "30d", size: "1GB" }    approvals { expireAfter: "7d" }
  limits { runs: 64, runsPerUser: 16, suspendedPerUser: 1000, streams: 2000, streamsPerUser: 100,
           connections: 2000, connectionsPerAddress: 500, failedLogins: 10 (a minute and address) }

With --backplane, servers on several machines act as one: they share runs, approvals, sessions, configurations, tokens
and the state of hooks. HOOKLINE_BACKPLANE_SECRET (or server.backplane.secret) encrypts what they share.
With --take-over, a server continues active runs of servers that have ended: its own after a restart, and those of other
servers with the same --state or --backplane and the same workspace path. Calls that had begun are cancelled, unless
their tool is idempotent. Start all these servers with --take-over.

On SIGTERM or Ctrl-C the server rejects new runs, waits --grace seconds for active runs, then cancels them.
Suspended runs stay in the state directory. A second signal exits at once.
Exit codes: 0 graceful shutdown, 2 bad usage or configuration.

Examples:
  hookline serve --config hookline.yaml
  curl -N -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8787/api/runs
`;
