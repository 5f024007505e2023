import type { Command } from 'commander';
import { replay as replayRecording } from '../../replay/replay.ts';
import { append } from '../options/append.ts';
import { choice } from '../options/choice.ts';
import { presetOption } from '../options/hook-options.ts';
import { wholeNumber } from '../options/whole-number.ts';
import { type ReplayHookFlags, replayHooks } from '../replay/replay-hooks.ts';
import { replayLines, type ShownReplay } from '../replay/show-replay.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import { printJson } from '../view/print-json.ts';

interface Flags extends ReplayHookFlags {
  readonly until?: number;
  readonly show: ShownReplay;
  readonly json?: boolean;
}

const shows = ['diff', 'events'] as const;

const HELP = `
The model and the tools answer from the recording, in virtual time. Nothing is sent, nothing is written, and nobody is
asked. What hooks outside did then (limits, judges, webhooks, programs, modules) is applied again.
Sub-agents are replayed as runs of their own. Exit codes: 0 the events are the same, 1 they differ, 2 the file is invalid.

Examples:
  hookline replay recordings/run.jsonl
  hookline replay recordings/run.jsonl --config new.yaml --show events
`;

/** `hookline replay`: replays a recording with the hooks of a configuration. */
export function replay(command: Command): void {
  command
    .argument('<recording>', 'a file from the recorder hook, or a log of a run store')
    .option('--config <file>', 'configuration file (repeatable; later files win)', append, [])
    .addOption(presetOption())
    .option('--until <seq>', 'show the events up to this number', wholeNumber)
    .option('--show <what>', `differences, or all events of the replay (${shows.join(', ')})`, choice(shows), 'diff')
    .option('--with-modules', 'also run modules, and start the programs of process and command hooks')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(async (recording: string, { until, show, json = false, ...flags }: Flags) => {
      const hooks = await replayHooks(flags);
      try {
        const made = await replayRecording(recording, hooks.pipeline, hooks);
        if (json) printJson(made);
        else
          for (const line of replayLines(made, show, until ?? Number.POSITIVE_INFINITY))
            process.stdout.write(`${harmlessText(line)}\n`);
        if (made.runs.some(({ differences }) => differences.length > 0)) process.exitCode = 1;
      } finally {
        await hooks.close();
      }
    });
}
