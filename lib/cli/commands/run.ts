import { type Command, Option } from 'commander';
import { allowWeakerOption } from '../options/allow-weaker-option.ts';
import { append } from '../options/append.ts';
import { choice } from '../options/choice.ts';
import { positiveInteger } from '../options/whole-number.ts';
import { presetOption } from '../presets/preset.ts';
import { type RunSettings, runOnce } from '../run/run-once.ts';
import { approvals } from '../setup/create-approval.ts';
import { logLevels } from '../setup/create-log.ts';
import { readPrompt } from '../terminal/read-prompt.ts';

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
    .addOption(presetOption())
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
    .option('--inspect', 'show the run on a page while it goes; questions can be answered there too')
    .option('--json', 'print every event as a line of JSON')
    .addHelpText('after', RUN_HELP)
    .action(async (argument: string | undefined, flags: Flags) => {
      process.exitCode = await runOnce({ ...flags, prompt: await readPrompt(argument) });
    });
}

/** What `hookline run --help` says below the options. */
export const RUN_HELP = `
Models:
  offline                    no language model, but a few rules that understand "list the files in lib",
                             "read README.md", "search for x in lib", "run npm --version" and the like
  script:<file>              a JSON array of model turns, each an object of text, chunks, thinking,
                             toolCalls ([{ "name", "input" }]), usage and error, all of them optional
  openai-compatible:<model>  any server with OpenAI's chat API; needs @ai-sdk/openai-compatible

Hooks:
  audit-log and dangerous-confirmation are always on; hooks of your configurations stand beside them, and
  weaken them only with weaker: true. The audit is a file in your state folder
  ($XDG_STATE_HOME or ~/.local/state); stderr says which. A module of --hooks may be in any folder
  and import 'hookline'; a .ts module needs ts-node. --hooks security-scan takes secrets out of
  answers, results and the transcript. --preset safe begins with hooks for an agent that works on its own:
  permission, security-scan, budget and limits; --preset observe only looks; --preset none takes away even
  those that are always on. hookline check --preset safe --print shows it.

Approval:
  ask   asks each question on the terminal; without a terminal the run ends suspended
  yes   answers each question with yes
  no    answers each question with no
  Default: ask if stdout or stderr is a terminal, else no. If a hook suspends the run, it is resumed
  with the answer at once, as a new run.

Exit codes:
  0  completed, responded or finished    1  failed
  2  bad usage or bad input file         3  aborted by a hook
  4  suspended: nobody could be asked    5  exhausted: --max-iterations is reached
  130, 143, 129  cancelled by Ctrl-C, SIGTERM, a closed terminal (a second signal exits at once)
  141            cancelled because the reader of the output has gone

Examples:
  hookline run "list the files in . and read README.md"
  hookline run "delete notes.txt" --approve yes --workspace /tmp/demo
  hookline run "read README.md" --hooks ./my-hook.ts --json | jq .type
  git diff | hookline run --model openai-compatible:qwen3 --base-url http://localhost:11434/v1
`;
