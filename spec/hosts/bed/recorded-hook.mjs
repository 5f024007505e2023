// A hook that writes its stdin to a log and answers what the first matching line of a file says.
// With arguments it records the input, runs them as a command with that input, and passes on its outputs and its exit code.
import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const input = readFileSync(0, 'utf8');
const folder = process.env.HOST_BED;
appendFileSync(join(folder, 'hook-inputs.jsonl'), `${JSON.stringify(input)}\n`);

const command = process.argv.slice(2);
if (command.length > 0) {
  const { status, stdout, stderr } = spawnSync(command[0], command.slice(1), { input });
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = status ?? 1;
} else {
  const { hook_event_name: event } = JSON.parse(input);
  const answers = JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8'));
  const answer = answers.find((each) => each.event === event && input.includes(each.includes ?? '')) ?? {};
  await setTimeout(answer.delayMs ?? 0);
  process.stdout.write(typeof answer.stdout === 'object' ? JSON.stringify(answer.stdout) : (answer.stdout ?? ''));
  process.stderr.write(answer.stderr ?? '');
  process.exitCode = answer.exitCode ?? 0;
}
