import type { Command } from 'commander';
import { backtest as backtestRecordings, isLooser } from '../../replay/backtest.ts';
import { append } from '../options/append.ts';
import { choice } from '../options/choice.ts';
import { presetOption } from '../options/hook-options.ts';
import { recordingsIn } from '../replay/recordings-in.ts';
import { type ReplayHookFlags, replayHooks } from '../replay/replay-hooks.ts';
import { backtestLines } from '../replay/show-backtest.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import { printJson } from '../view/print-json.ts';

interface Flags extends ReplayHookFlags {
  readonly against: readonly string[];
  readonly failOn?: 'looser';
  readonly json?: boolean;
}

const HELP = `
Replays recordings with a changed policy, and counts the verdicts that change: which calls would be denied, asked about,
allowed or rewritten, and which texts redacted otherwise. Nothing is sent, and nobody is asked.
A value that is redacted in the recording cannot be judged: its verdict is unknown, and counts as looser.
Exit codes: 0 done, 1 with --fail-on looser if anything passes that was denied or asked about, or is
asked about that was denied, 2 invalid files.

Examples:
  hookline backtest recordings --config new.yaml
  hookline backtest recordings --config new.yaml --against hookline.yaml --fail-on looser
`;

/** `hookline backtest`: tries a policy on recordings. */
export function backtest(command: Command): void {
  command
    .argument('<recordings...>', 'files from the recorder hook, logs of a run store, or folders')
    .option('--config <file>', 'configuration file to try (repeatable; later files win)', append, [])
    .option('--against <file>', 'compare with this file instead of the recorded verdicts (repeatable)', append, [])
    .addOption(presetOption())
    .option('--with-modules', 'also run modules, and start the programs of process and command hooks')
    .option('--fail-on <change>', 'exit with code 1 if a verdict is looser', choice(['looser'] as const))
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(async (paths: readonly string[], { against, failOn, json = false, ...flags }: Flags) => {
      const files = recordingsIn(paths);
      const now = await replayHooks(flags);
      const then = against.length > 0 ? await replayHooks({ ...flags, config: against }) : undefined;
      try {
        const result = await backtestRecordings(files, now.pipeline, {
          isOutward: now.isOutward,
          ...(then && { against: then.pipeline }),
          ...(process.stderr.isTTY && { onProgress: (done: number) => showProgress(done, files.length) }),
        });
        if (json) printJson(result);
        else for (const line of backtestLines(result)) process.stdout.write(`${harmlessText(line)}\n`);
        if (failOn !== undefined && isLooser(result)) process.exitCode = 1;
      } finally {
        await now.close();
        await then?.close();
      }
    });
}

function showProgress(done: number, all: number): void {
  if (done === all) process.stderr.write('\r\x1b[K');
  else if (done % 50 === 0) process.stderr.write(`\r${done} of ${all} recordings`);
}
