import { type Command, Option } from 'commander';
import { append } from '../options/append.ts';
import { choice } from '../options/choice.ts';
import { allowWeakerOption, presetOption } from '../options/hook-options.ts';
import { positiveInteger } from '../options/whole-number.ts';
import { type RunSettings, runOnce } from '../run/run-once.ts';
import { approvals } from '../setup/create-approval.ts';
import { logLevels } from '../setup/create-log.ts';
import { readPrompt } from '../terminal/read-prompt.ts';

type Flags = Omit<RunSettings, 'prompt'>;

/** `hookline run`: answers one prompt with hooks. */
export function run(command: Command): void {
  command
    .argument('[prompt]', 'prompt (default: read from stdin)')
    .option('--model <model>', 'model: offline, script:<file> or openai-compatible:<model> (default: offline)')
    .option('--base-url <url>', 'base URL of the openai-compatible model; HOOKLINE_API_KEY is its key')
    .option('--workspace <dir>', 'directory that the tools work in (default: .)')
    .option('--config <file>', 'configuration file; see check (repeatable; later files win)', append, [])
    .addOption(presetOption())
    .addOption(allowWeakerOption())
    .addOption(
      new Option('--hooks <module>', 'module with a hook or hooks as default export, or security-scan (repeatable)')
        .argParser(append)
        .default([], 'none'),
    )
    .option(
      '--approve <how>',
      `answer to approval prompts (${approvals.join(', ')}; default: ask on a terminal, else no)`,
      choice(approvals),
    )
    .option('--session <id>', 'session ID; reuse it to continue the session (default: a new session)')
    .option('--user <id>', 'user ID of the run')
    .option('--max-iterations <n>', 'maximum number of model requests', positiveInteger)
    .option('--log-level <level>', `log level on stderr (${logLevels.join(', ')})`, choice(logLevels), 'warn')
    .option('--inspect', 'open a web UI that shows the run and answers approval prompts')
    .option('--json', 'print every event as a line of JSON')
    .addHelpText('after', RUN_HELP)
    .action(async (argument: string | undefined, flags: Flags) => {
      process.exitCode = await runOnce({ ...flags, prompt: await readPrompt(argument) });
    });
}

/** Help text of `hookline run` below the options. */
const RUN_HELP = `
Models:
  offline                    a few rules instead of a language model; they understand "list the files in lib",
                             "read README.md", "search for x in lib" and "run npm --version"
  script:<file>              a JSON array of model turns, each an object of text, chunks, thinking,
                             toolCalls ([{ "name", "input" }]), usage and error (all optional)
  openai-compatible:<model>  any server with OpenAI's chat API; needs @ai-sdk/openai-compatible

Hooks:
  audit-log and dangerous-confirmation are always on. Hooks of your configurations run in addition. They
  weaken these two only with weaker: true. The audit log is a file in your state directory
  ($XDG_STATE_HOME or ~/.local/state); stderr prints its path. A module of --hooks may be in any folder
  and import 'hookline'; a .ts module needs ts-node. --hooks security-scan redacts secrets in answers,
  results and the transcript. --preset safe is a hook set for unattended agents: permission,
  security-scan, budget and limits. --preset observe only records. --preset none also removes the hooks
  that are always on. hookline check --preset safe --print prints a preset.

Approval:
  ask   shows approval prompts on the terminal; without a terminal the run suspends
  yes   approves every prompt
  no    denies every prompt
  Default: ask if stdout or stderr is a terminal, else no. If a hook suspends the run, a new run resumes
  it with the answer at once.

Exit codes:
  0  completed, responded or finished    1  failed
  2  bad usage or bad input file         3  aborted by a hook
  4  suspended: no approver available    5  exhausted: --max-iterations is reached
  130, 143, 129  cancelled by Ctrl-C, SIGTERM, a closed terminal (a second signal exits at once)
  141            cancelled because the reader of the output has gone

Examples:
  hookline run "list the files in . and read README.md"
  hookline run "delete notes.txt" --approve yes --workspace /tmp/demo
  hookline run "read README.md" --hooks ./my-hook.ts --json | jq .type
  git diff | hookline run --model openai-compatible:qwen3 --base-url http://localhost:11434/v1
`;
