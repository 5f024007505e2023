import { Command } from 'commander';
import { audit } from './commands/audit.ts';
import { check } from './commands/check.ts';
import { explain } from './commands/explain.ts';
import { list } from './commands/list.ts';
import { run } from './commands/run.ts';
import { scan } from './commands/scan.ts';
import { schema } from './commands/schema.ts';
import { serve } from './commands/serve.ts';
import { token } from './commands/token.ts';
import { packageVersion } from './package-version.ts';
import { tryHook } from './try-hook/try-hook.ts';

const EXAMPLES = `
Examples:
  hookline run "list the files in ." --workspace samples
  echo "read README.md" | hookline run --json
  hookline check hookline.yaml
  tail -f app.log | hookline scan --redact
  hookline run --help
`;

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
  for (const command of [run(), serve(), token(), check(), list(), explain(), schema(), scan(), audit(), tryHook()]) {
    program.addCommand(command.copyInheritedSettings(program));
    for (const part of command.commands) part.copyInheritedSettings(program);
  }
  return program;
}
