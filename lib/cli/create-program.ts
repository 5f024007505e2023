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
  run: [
    'Runs an agent on a prompt, with the tools of a workspace folder and under hooks.',
    () => require('./commands/run').run,
  ],
  serve: [
    'Serves agents over HTTP: runs and their events, approvals, and the configuration of their hooks.',
    () => require('./commands/serve').serve,
  ],
  token: [
    'Issues, lists and revokes the tokens of the server; what is kept of them opens no door.',
    () => require('./commands/token').token,
  ],
  check: [
    'Checks configuration files, and tells everything that is wrong with them.',
    () => require('./commands/check').check,
  ],
  list: [
    'Lists the kinds of hooks that there are, and the hooks that are on, in running order.',
    () => require('./commands/list').list,
  ],
  explain: [
    'Says what the hooks would do with a tool call, and why, without making it.',
    () => require('./commands/explain').explain,
  ],
  schema: [
    'Prints the JSON Schema of configuration files, or of the protocol of process hooks.',
    () => require('./commands/schema').schema,
  ],
  scan: [
    'Finds secrets in files or a pipe, or takes them out of the stream as it comes.',
    () => require('./commands/scan').scan,
  ],
  audit: [
    'Looks after audits: verify tells whether a chained one is as it was written.',
    () => require('./commands/audit').audit,
  ],
  'try-hook': [
    'Runs a hook of another host once: what it is sent, what comes back, what that means, how long it takes.',
    () => require('./try-hook/try-hook').tryHook,
  ],
};

/** The whole command line. Instead of exiting it throws; see `exitCodeOfError`. */
export function createProgram(): Command {
  const program = new Command('hookline')
    .description(
      'Runs an agent under hooks that watch, rewrite, refuse, approve and audit each of its steps, and finds secrets in text.',
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
