import { Command } from 'commander';
import { packageVersion } from './package-version.ts';

const EXAMPLES = `
Examples:
  hookline run "list the files in ." --workspace samples
  echo "read README.md" | hookline run --json
  hookline check hookline.yaml
  tail -f app.log | hookline scan --redact
  hookline run --help
`;

/** Gives a command its arguments, options and action. */
type Fill = (command: Command) => void;

/** What each command is for, and where the rest of it is: loaded when it is wanted, since most need much that others do not. */
const commands: Readonly<Record<string, readonly [description: string, load: () => Fill]>> = {
  run: ['Runs an agent on a prompt, with tools for one folder and with hooks.', () => require('./commands/run').run],
  serve: [
    'Serves agents over HTTP: runs, events, approvals, and the configuration of hooks.',
    () => require('./commands/serve').serve,
  ],
  inspect: [
    'Shows runs on a page as they go, hook by hook, or one that was recorded.',
    () => require('./commands/inspect').inspect,
  ],
  token: [
    'Issues, lists and revokes tokens of the server. Only their hashes are stored.',
    () => require('./commands/token').token,
  ],
  check: ['Checks configuration files and lists every fault.', () => require('./commands/check').check],
  init: ['Writes a first configuration for a folder.', () => require('./commands/init').init],
  list: [
    'Lists the available kinds of hooks, and the active hooks in running order.',
    () => require('./commands/list').list,
  ],
  explain: [
    'Explains what the hooks would do with a tool call, without running it.',
    () => require('./commands/explain').explain,
  ],
  schema: [
    'Prints the JSON Schema of configuration files, or of the protocol of process hooks.',
    () => require('./commands/schema').schema,
  ],
  scan: [
    'Finds secrets in files or a pipe, or redacts them as the text streams.',
    () => require('./commands/scan').scan,
  ],
  audit: [
    'Checks audit files: verify says whether a chained audit was changed.',
    () => require('./commands/audit').audit,
  ],
  hook: [
    'Answers as a hook of another host, Claude Code say, with the hooks of a configuration.',
    () => require('./commands/hook').hook,
  ],
  mcp: ['Puts hooks in front of an MCP server.', () => require('./commands/mcp').mcp],
  'try-hook': [
    'Runs a hook of another host once, and shows its input, its output, what that means, and its time.',
    () => require('./commands/try-hook').tryHook,
  ],
};

/** The whole command line. Instead of exiting it throws; see `exitCodeOfError`. */
export function createProgram(): Command {
  const program = new Command('hookline')
    .description(
      'Runs an agent with hooks that watch, rewrite, refuse, approve and audit each of its steps. Finds secrets in text.',
    )
    .version(packageVersion())
    .helpCommand(false)
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    // One message, one line; a suggestion comes on a line of its own otherwise.
    .configureOutput({ outputError: (text, write) => write(`${text.trim().replaceAll('\n', ' ')}\n`) });
  const empty = new Set(
    Object.entries(commands).map(([name, [description]]) => program.command(name).description(description)),
  );
  const fill = (command: Command): void => {
    if (!empty.delete(command)) return;
    commands[command.name()]?.[1]()(command);
    for (const part of command.commands) part.copyInheritedSettings(program);
  };
  return (
    program
      .hook('preSubcommand', (_, command) => fill(command))
      // The list of commands says which arguments each takes.
      .addHelpText('before', () => {
        for (const command of empty) fill(command);
        return '';
      })
  );
}
