import { orPending } from '../bed/host-program.ts';
import { recorded } from '../bed/recorded-hook.ts';
import { type HostEnd, runHost } from '../bed/run-host.ts';
import { call } from '../bed/turn.ts';
import { type Case, casesRun, judge } from './cases.ts';
import { codexResult } from './codex-result.ts';

const pre = (fields: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });
const deny = pre({ permissionDecision: 'deny', permissionDecisionReason: 'the JSON reason' });
const allow = (file: string) => pre({ permissionDecision: 'allow', updatedInput: { command: `touch ${file}.new` } });
const refusal = { stdout: deny, stderr: 'the stderr reason', exitCode: 2 };

const CASES: readonly Case[] = [
  {
    event: 'PreToolUse',
    title: 'refuses a call for deny, stderr and exit code 2 at once, with the text of stderr',
    answer: () => refusal,
    runs: false,
    told: /blocked by PreToolUse hook: the stderr reason/,
  },
  {
    event: 'PreToolUse',
    title: 'refuses a call for deny with a reason',
    answer: () => ({ stdout: deny }),
    runs: false,
    told: /the JSON reason/,
  },
  {
    event: 'PreToolUse',
    title: 'refuses a call for exit code 2 with stderr',
    answer: () => ({ stderr: 'no', exitCode: 2 }),
    runs: false,
    told: /hook: no\./,
  },
  {
    event: 'PreToolUse',
    title: 'refuses a call for a block with a reason',
    answer: () => ({ stdout: { decision: 'block', reason: 'blocked' } }),
    runs: false,
    told: /hook: blocked/,
  },
  {
    event: 'PreToolUse',
    title: 'runs the rewritten command of allow',
    answer: (file) => ({ stdout: allow(file) }),
    runs: false,
    instead: '.new',
  },
  {
    event: 'PreToolUse',
    title: 'runs the original command for updatedInput without allow',
    answer: (file) => ({ stdout: pre({ updatedInput: { command: `touch ${file}.new` } }) }),
    runs: true,
  },
  {
    event: 'PreToolUse',
    title: 'runs nothing for updatedInput without a command',
    answer: () => ({ stdout: pre({ permissionDecision: 'allow', updatedInput: {} }) }),
    runs: false,
  },
  {
    event: 'PreToolUse',
    title: 'runs a call despite deny without a reason',
    answer: () => ({ stdout: pre({ permissionDecision: 'deny' }) }),
    runs: true,
  },
  {
    event: 'PreToolUse',
    title: 'runs a call despite deny beside an unknown field',
    answer: () => ({ stdout: { ...deny, unknown: 1 } }),
    runs: true,
  },
  {
    event: 'PreToolUse',
    title: 'runs a call despite exit code 2 without stderr',
    answer: () => ({ stdout: deny, exitCode: 2 }),
    runs: true,
  },
  {
    event: 'PreToolUse',
    title: 'runs a call despite deny with exit code 1',
    answer: () => ({ ...refusal, exitCode: 1 }),
    runs: true,
  },
  {
    event: 'PreToolUse',
    title: 'runs a call for a bare allow',
    answer: () => ({ stdout: pre({ permissionDecision: 'allow' }) }),
    runs: true,
  },
  {
    event: 'PreToolUse',
    title: 'runs a call for ask',
    answer: () => ({ stdout: pre({ permissionDecision: 'ask', permissionDecisionReason: 'r' }) }),
    runs: true,
  },
  {
    event: 'PreToolUse',
    title: 'runs a call for continue: false',
    answer: () => ({ stdout: { continue: false, stopReason: 'r' } }),
    runs: true,
  },
  {
    event: 'PreToolUse',
    title: 'runs a call for broken JSON',
    answer: () => ({ stdout: '{"hookSpecificOutput":' }),
    runs: true,
  },
  { event: 'PreToolUse', title: 'runs a call for plain text', answer: () => ({ stdout: 'deny' }), runs: true },
  { event: 'PreToolUse', title: 'runs a call for silence', answer: () => ({}), runs: true },
  {
    event: 'PostToolUse',
    title: 'replaces a result for block with a reason',
    answer: () => ({ stdout: { decision: 'block', reason: 'replaced' } }),
    runs: true,
    told: /replaced/,
    notTold: /the output/,
  },
  {
    event: 'PostToolUse',
    title: 'replaces a result for exit code 2 with stderr',
    answer: () => ({ stderr: 'replaced', exitCode: 2 }),
    runs: true,
    told: /replaced/,
    notTold: /the output/,
  },
  {
    event: 'PostToolUse',
    title: 'replaces a result for continue: false',
    answer: () => ({ stdout: { continue: false, stopReason: 'replaced' } }),
    runs: true,
    told: /replaced/,
    notTold: /the output/,
  },
  {
    event: 'PostToolUse',
    title: 'keeps a result for updatedToolOutput',
    answer: () => ({ stdout: { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'replaced' } } }),
    runs: true,
    told: /the output/,
  },
  {
    event: 'PostToolUse',
    title: 'keeps a result for exit code 1',
    answer: () => ({ stderr: 'replaced', exitCode: 1 }),
    runs: true,
    told: /the output/,
  },
  {
    event: 'PreToolUse',
    title: 'runs a call if the hook takes longer than its timeout',
    answer: () => ({ ...refusal, delayMs: 20_000 }),
    runs: true,
  },
];

describe('Codex and the answers of a hook', () => {
  let end: HostEnd;
  before(async function () {
    const hooks = ['PreToolUse', 'PostToolUse'].map((event) => ({ event, command: recorded(), timeout: 3 }));
    const run = casesRun(CASES, (cmd) => call('exec_command', { cmd }));
    end = await orPending(this, runHost({ host: 'codex', hooks, ...run }));
  });
  judge(CASES, () => end, codexResult);
});
