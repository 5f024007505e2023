import { Command, Help } from 'commander';
import { packageVersion } from '../hooks/package-version.ts';

const EXAMPLES = `
Examples:
  hookline run "list the files in ." --workspace samples
  echo "read README.md" | hookline run --json
  hookline check hookline.yaml
  tail -f app.log | hookline scan --redact
  hookline run --help
`;

/** Adds arguments, options and the action to a command. */
type Fill = (command: Command) => void;

/** Summary and loader of each command. A command is loaded on demand, because most commands need many modules that others do not need. */
const commands: Readonly<Record<string, readonly [description: string, load: () => Fill]>> = {
  run: ['Runs an agent on a prompt, with tools for one folder and with hooks.', () => require('./commands/run').run],
  serve: [
    'Serves agents over HTTP: runs, events, approvals and hook configurations.',
    () => require('./commands/serve').serve,
  ],
  inspect: [
    'Opens a web UI that shows active runs or recordings, hook by hook.',
    () => require('./commands/inspect').inspect,
  ],
  token: [
    'Issues, lists and revokes tokens of the server, which stores only their hashes.',
    () => require('./commands/token').token,
  ],
  check: ['Validates configuration files and lists every error.', () => require('./commands/check').check],
  init: ['Writes a starter configuration for a folder.', () => require('./commands/init').init],
  list: [
    'Lists the active hooks in running order, and the built-in kinds of hooks.',
    () => require('./commands/list').list,
  ],
  explain: [
    'Shows the decision of each hook about a tool call (dry run).',
    () => require('./commands/explain').explain,
  ],
  test: ['Runs test cases of policies.', () => require('./commands/test').test],
  replay: ['Replays a recorded run with the hooks of a configuration.', () => require('./commands/replay').replay],
  backtest: ['Tries a changed policy on recorded runs.', () => require('./commands/backtest').backtest],
  fixture: ['Prints a spec that repeats a recorded run.', () => require('./commands/fixture').fixture],
  suggest: [
    'Proposes rules and cases for calls that people approve again and again.',
    () => require('./commands/suggest').suggest,
  ],
  schema: [
    'Prints the JSON Schema of configuration files, or of the protocol of process hooks.',
    () => require('./commands/schema').schema,
  ],
  scan: ['Finds secrets in files or a pipe, or redacts them in a stream.', () => require('./commands/scan').scan],
  audit: ['Verifies that a chained audit log was not changed.', () => require('./commands/audit').audit],
  hook: ['Runs your hooks as a hook of another host, such as Claude Code.', () => require('./commands/hook').hook],
  doctor: ['Tests the hooks that are installed in coding agents.', () => require('./commands/doctor').doctor],
  mcp: ['Runs an MCP proxy that applies hooks to a server.', () => require('./commands/mcp').mcp],
  'try-hook': [
    'Runs a hook of another host once and shows its input, output, effect and time.',
    () => require('./commands/try-hook').tryHook,
  ],
};

/** Whether the process validates for so long that compiled validators pay. A call of `hook` is short, but its daemon and servers are not. */
function lasts(name: string, words: readonly string[]): boolean {
  if (name !== 'hook') return ['run', 'serve', 'inspect', 'mcp', 'backtest'].includes(name);
  return / --(?:daemon-at|listen|as[ =]picoclaw)[ =]/.test(` ${words.join(' ')} `);
}

/** The whole command line. It throws instead of exiting, see `exitCodeOfError`. */
export function createProgram(): Command {
  const program = new Command('hookline')
    .description(
      'Runs an agent with hooks that watch, rewrite, refuse, approve and audit each step. Finds secrets in text.',
    )
    .version(packageVersion())
    .helpCommand(false)
    .addHelpText('after', EXAMPLES)
    // The default of a repeatable option is an empty list, which help does not have to show.
    .configureHelp({
      optionDescription: (option) => Help.prototype.optionDescription(option).replace(' (default: [])', ''),
    })
    .exitOverride()
    // Each message is one line. Commander otherwise prints a suggestion on a separate line.
    .configureOutput({ outputError: (text, write) => write(`${text.trim().replaceAll('\n', ' ')}\n`) });
  const empty = new Set(
    Object.entries(commands).map(([name, [description]]) => program.command(name).description(description)),
  );
  const fill = (command: Command): void => {
    if (!empty.delete(command)) return;
    (require('./light-packages') as typeof import('./light-packages.ts')).lightPackages(
      lasts(command.name(), process.argv.slice(3)),
    );
    commands[command.name()]?.[1]()(command);
    for (const part of command.commands) part.copyInheritedSettings(program);
  };
  return (
    program
      .hook('preSubcommand', (_, command) => fill(command))
      // The list of commands shows the arguments of each command.
      .addHelpText('before', () => {
        for (const command of empty) fill(command);
        return '';
      })
  );
}
