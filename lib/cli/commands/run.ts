import { type Command, Option } from 'commander';
import { allowWeakerOption } from '../options/allow-weaker-option.ts';
import { append } from '../options/append.ts';
import { choice } from '../options/choice.ts';
import { positiveInteger } from '../options/positive-integer.ts';
import { type RunSettings, runOnce } from '../run/run-once.ts';
import { approvals } from '../setup/create-approval.ts';
import { logLevels } from '../setup/create-log.ts';
import { readPrompt } from '../terminal/read-prompt.ts';
import { RUN_HELP } from './run-help.ts';

type Flags = Omit<RunSettings, 'prompt'>;

/** `hookline run`: one prompt, answered under hooks. */
export function run(command: Command): void {
  const oneOf = <T extends string>(flags: string, description: string, values: readonly T[]) =>
    new Option(flags, `${description} (${values.join(', ')})`).argParser(choice(values));
  command
    .argument('[prompt]', 'what to do; read from stdin where it is left out')
    .option('--model <model>', 'offline, script:<file> or openai-compatible:<model> (default: offline)')
    .option('--base-url <url>', 'where the openai-compatible model is; its key comes from HOOKLINE_API_KEY')
    .option('--workspace <dir>', 'the folder that the tools work in (default: .)')
    .option(
      '--config <file>',
      'a configuration of hooks and more; see check (repeatable; the later one wins)',
      append,
      [],
    )
    .addOption(allowWeakerOption())
    .addOption(
      new Option('--hooks <module>', 'a module that exports a hook or hooks by default, or security-scan (repeatable)')
        .argParser(append)
        .default([], 'none'),
    )
    .addOption(oneOf('--approve <how>', 'who answers the questions of approvers', approvals))
    .option('--session <id>', 'session of the run; one that was named before goes on')
    .option('--user <id>', 'user of the run')
    .option('--max-iterations <n>', 'how often the model is asked at most', positiveInteger)
    .addOption(oneOf('--log-level <level>', 'what is logged to stderr', logLevels).default('warn'))
    .option('--json', 'print every event as a line of JSON')
    .addHelpText('after', RUN_HELP)
    .action(async (argument: string | undefined, flags: Flags) => {
      process.exitCode = await runOnce({ ...flags, prompt: await readPrompt(argument) });
    });
}
