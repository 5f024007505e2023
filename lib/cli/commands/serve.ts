import { type Command, Option } from 'commander';
import { allowWeakerOption } from '../options/allow-weaker-option.ts';
import { append } from '../options/append.ts';
import { choice } from '../options/choice.ts';
import { keepOption } from '../options/keep-option.ts';
import { wholeNumber } from '../options/whole-number.ts';
import { presetOption } from '../presets/preset.ts';
import { type ServeSettings, serveApi } from '../run/serve-api.ts';
import { logLevels } from '../setup/create-log.ts';

/** `hookline serve`: agents, their hooks and the questions of approvers over HTTP. */
export function serve(command: Command): void {
  serveOptions(command)
    .option('--no-page', 'leave out the page, and what it shows of hooks')
    .addHelpText('after', SERVE_HELP)
    .action(async (settings: ServeSettings) => {
      process.exitCode = await serveApi(settings);
    });
}

/** What a server is told, whoever starts it. */
export function serveOptions(command: Command): Command {
  return command
    .option(
      '--config <file>',
      'a configuration (repeatable; the later one wins); read again when it changes',
      append,
      [],
    )
    .addOption(presetOption())
    .addOption(allowWeakerOption())
    .option('--hooks <module>', 'a module of hooks, as for run (repeatable)', append, [])
    .option('--model <model>', 'as for run; goes before that of the configuration')
    .option('--base-url <url>', 'where the openai-compatible model is; its key comes from HOOKLINE_API_KEY')
    .option('--workspace <dir>', 'the folder that the tools work in (default: .)')
    .option('--host <address>', 'where to listen (default: 127.0.0.1)')
    .option('--port <n>', 'the port; 0 is any free one (default: 8787)', wholeNumber)
    .option('--allowed-host <host>', 'what the Host header may say too, port included (repeatable)', append, [])
    .option(
      '--state <dir>',
      'where tokens, configurations, sessions and runs are kept (default: a folder for each workspace)',
    )
    .addOption(keepOption())
    .option('--grace <seconds>', 'how long runs may go on after SIGTERM (default: 10)', wholeNumber)
    .addOption(
      new Option('--log-level <level>', `what is logged to stderr (${logLevels.join(', ')})`)
        .argParser(choice(logLevels))
        .default('warn'),
    )
    .option('--json', 'print what happens as lines of JSON');
}

/** What `hookline serve --help` says below the options. */
export const SERVE_HELP = `
The page at / shows runs as they go, what each hook did, and the calls that wait; it asks for a token.
hookline inspect opens it with one. GET /api/openapi.json describes the API. Every request to the API needs a
token (Authorization: Bearer ...); the files of the page hold nothing secret and need none. The first start
for a workspace creates a token with all rights and prints it once. hookline token issue makes more.

The server listens on loopback. Another --host needs a token and --allowed-host. A run keeps the hooks that
it started with. Changed files apply to later runs; an invalid file changes nothing. SIGHUP reads the files
again. dangerous-confirmation suspends a run; POST /api/approvals/:id answers. With askBy: inbox of
permission the run itself waits for that answer.

Runs, their events and the answers survive a restart; --keep limits how many are kept. An approval that nobody
answers is denied after seven days. "server" in a configuration sets all of this, and the limits. Defaults:
  host, port, allowedHosts, state, page: true
  keep { for: "30d", size: "1GB" }    approvals { expireAfter: "7d" }
  limits { runs: 64, runsPerUser: 16, suspendedPerUser: 1000, streams: 2000, streamsPerUser: 100,
           connections: 2000, connectionsPerAddress: 500, failedLogins: 10 (a minute and address) }

On SIGTERM or Ctrl-C the server takes no new runs, waits --grace seconds for the others, and then cancels
them. Suspended runs stay in the state folder. A second signal exits at once.
Exit codes: 0 ended in order, 2 bad usage or configuration.

Examples:
  hookline serve --config hookline.yaml
  curl -N -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8787/api/runs
`;
