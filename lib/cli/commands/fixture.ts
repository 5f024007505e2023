import type { Command } from 'commander';
import { recordedSpec } from '../../testing/recorded-spec.ts';

const HELP = `
The spec repeats the run in virtual time with the marble kit of hookline/testing: the model and the tools follow a
script, and the events are expected. It is green without hooks. Add your hooks, and read the difference.
All recorded values are JSON data, redacted as in the recording.

Examples:
  hookline fixture recordings/run.jsonl > run.spec.ts
`;

/** `hookline fixture`: prints a spec that repeats a recorded run. */
export function fixture(command: Command): void {
  command
    .argument('<recording>', 'a file from the recorder hook, or a log of a run store')
    .addHelpText('after', HELP)
    .action((recording: string) => {
      process.stdout.write(recordedSpec(recording));
    });
}
