import { orPending } from '../bed/host-program.ts';
import { recorded } from '../bed/recorded-hook.ts';
import { type HostEnd, runHost } from '../bed/run-host.ts';
import { call } from '../bed/turn.ts';
import { type Case, casesRun, judge } from './cases.ts';

const deny = { decision: 'deny', reason: 'the JSON reason' };
const rewrite = (file: string) => ({ tool_input: { command: `touch ${file}.new`, description: 'd' } });

const CASES: readonly Case[] = [
  {
    event: 'BeforeTool',
    title: 'refuses a call for deny, stderr and exit code 2 at once, with the JSON reason',
    answer: () => ({ stdout: deny, stderr: 'the stderr reason', exitCode: 2 }),
    runs: false,
    told: /Tool execution blocked: the JSON reason/,
  },
  {
    event: 'BeforeTool',
    title: 'refuses a call for deny',
    answer: () => ({ stdout: deny }),
    runs: false,
    told: /the JSON reason/,
  },
  {
    event: 'BeforeTool',
    title: 'refuses a call for deny with exit code 1',
    answer: () => ({ stdout: deny, exitCode: 1 }),
    runs: false,
    told: /the JSON reason/,
  },
  {
    event: 'BeforeTool',
    title: 'refuses a call for deny beside an unknown field',
    answer: () => ({ stdout: { ...deny, unknown: 1 } }),
    runs: false,
  },
  {
    event: 'BeforeTool',
    title: 'refuses a call for exit code 2 with stderr',
    answer: () => ({ stderr: 'no', exitCode: 2 }),
    runs: false,
    told: /blocked: no/,
  },
  {
    event: 'BeforeTool',
    title: 'refuses a call for exit code 3 with stderr',
    answer: () => ({ stderr: 'no', exitCode: 3 }),
    runs: false,
    told: /blocked: no/,
  },
  {
    event: 'BeforeTool',
    title: 'runs the rewritten command of allow',
    answer: (file) => ({ stdout: { decision: 'allow', hookSpecificOutput: rewrite(file) } }),
    runs: false,
    instead: '.new',
  },
  {
    event: 'BeforeTool',
    title: 'runs the rewritten command without a decision',
    answer: (file) => ({ stdout: { hookSpecificOutput: rewrite(file) } }),
    runs: false,
    instead: '.new',
  },
  {
    event: 'BeforeTool',
    title: 'runs a call despite exit code 2 without text',
    answer: () => ({ exitCode: 2 }),
    runs: true,
  },
  {
    event: 'BeforeTool',
    title: 'runs a call despite exit code 2 with JSON that has no decision',
    answer: () => ({ stdout: { reason: 'no' }, stderr: 'no', exitCode: 2 }),
    runs: true,
  },
  {
    event: 'BeforeTool',
    title: 'runs a call despite exit code 1 with stderr',
    answer: () => ({ stderr: 'no', exitCode: 1 }),
    runs: true,
  },
  {
    event: 'BeforeTool',
    title: 'runs a call for broken JSON',
    answer: () => ({ stdout: '{"decision":"deny"' }),
    runs: true,
  },
  { event: 'BeforeTool', title: 'runs a call for silence', answer: () => ({}), runs: true },
  {
    event: 'AfterTool',
    title: 'replaces a result for deny',
    answer: () => ({ stdout: { decision: 'deny', reason: 'replaced' } }),
    runs: true,
    told: /replaced/,
    notTold: /the output/,
  },
  {
    event: 'AfterTool',
    title: 'replaces a result for exit code 2 with stderr',
    answer: () => ({ stderr: 'replaced', exitCode: 2 }),
    runs: true,
    told: /replaced/,
    notTold: /the output/,
  },
  {
    event: 'AfterTool',
    title: 'keeps a result beside additionalContext',
    answer: () => ({ stdout: { hookSpecificOutput: { additionalContext: 'more' } } }),
    runs: true,
    told: /the output.*more/,
  },
  {
    event: 'BeforeTool',
    title: 'runs a call if the hook takes longer than its timeout',
    answer: () => ({ stdout: deny, delayMs: 20_000 }),
    runs: true,
  },
  {
    event: 'BeforeTool',
    title: 'ends the run for continue: false, without the call',
    answer: () => ({ stdout: { continue: false, stopReason: 'no' } }),
    runs: false,
  },
];

interface Content {
  parts: { functionResponse?: { response: unknown } }[];
}

/** The newest result of a tool in a request of Gemini CLI to the model. */
function result(body: unknown): string {
  const contents = (body as { contents?: Content[] } | undefined)?.contents ?? [];
  const results = contents.flatMap(({ parts }) => parts).flatMap(({ functionResponse }) => functionResponse ?? []);
  return JSON.stringify(results.at(-1)?.response ?? '');
}

describe('Gemini CLI and the answers of a hook', () => {
  let end: HostEnd;
  before(async function () {
    const hooks = ['BeforeTool', 'AfterTool'].map((event) => ({ event, command: recorded(), timeout: 3 }));
    const run = casesRun(CASES, (command) => call('run_shell_command', { command, description: 'd' }));
    end = await orPending(this, runHost({ host: 'gemini', hooks, ...run }));
  });
  judge(CASES, () => end, result);
});
